/**
 * The head without logits: log-probs, entropies and their cotangents in chunks of the vocabulary.
 *
 * Pass 1 asks every chunk for the largest logit of each token and for sums relative to it, which merge into the
 * log of the softmax's denominator, lse. Pass 2 computes each chunk's logits again and from them, with lse known, its
 * share of the derivatives. With l the logits, p = exp(l - lse), and cotangents c of log p[target] and e of the
 * entropy H:  dl = c (onehot - p) - e p (l - lse + H).
 * The one-hot part is a row of the table each token: that is added here and not in a graph.
 */
import {
  add,
  buildGradients,
  exp,
  type Feeds,
  floatOutput,
  Graph,
  linear,
  matmul,
  mul,
  neg,
  reduceMax,
  reduceSum,
  rmsNorm,
  type Session,
  sub,
  tensor,
} from "../../graph/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import { GRADIENT_PREFIX } from "../training-graph.ts";
import { addInto, splitEvenly, scatterAddRows } from "./row-loops.ts";

const NORM_WEIGHT = "model.norm.weight";

/** `x` (n, hidden) to `z`, its norm over the temperature, which times the table is the logits. */
export function buildHeadInputGraph(config: ModelConfig): Graph {
  const { graph, z } = declareHeadInput("head input", config);
  graph.addOutput("z", z);
  return graph;
}

/** From `dz` to `dx` and, unless the weights are frozen, the gradient of the norm. */
export function buildHeadInputBackwardGraph(config: ModelConfig, frozen: boolean): Graph {
  const { graph, x, gain, z } = declareHeadInput("head input backward", config);
  const cotangent = graph.addInput("dz", "float32", z.shape);
  const wrt = frozen ? [x] : [x, gain];
  const [dx, dgain] = buildGradients([{ output: z, cotangent }], wrt);
  graph.addOutput("dx", dx!);
  if (dgain) graph.addOutput(GRADIENT_PREFIX + NORM_WEIGHT, dgain);
  return graph;
}

function declareHeadInput(name: string, config: ModelConfig) {
  const graph = new Graph(name);
  const x = graph.addInput("x", "float32", ["n", config.hiddenSize]);
  const gain = graph.addInput(NORM_WEIGHT, "float32", [config.hiddenSize]);
  const inverseTemperature = graph.addInput("inverseTemperature", "float32", []);
  return { graph, x, gain, z: mul(rmsNorm(x, gain, config.rmsNormEpsilon), inverseTemperature) };
}

function declareChunkLogits(name: string, config: ModelConfig) {
  const graph = new Graph(name);
  const z = graph.addInput("z", "float32", ["n", config.hiddenSize]);
  const table = graph.addInput("table", "float32", ["v", config.hiddenSize]);
  return { graph, z, table, logits: linear(z, table) };
}

/**
 * Inputs: `z` (n, hidden), `table` (v, hidden), `local` int32 (n, 1): columns. Outputs (n, 1): `max` of the logits,
 * `sum` of exp(l - max), with entropies `weighted`, the sum of exp(l - max) (l - max), and `picked`, the logits at
 * `local`.
 */
export function buildHeadGraph(config: ModelConfig, entropies: boolean): Graph {
  const { graph, logits } = declareChunkLogits("head", config);
  const local = graph.addInput("local", "int32", ["n", 1]);
  const max = reduceMax(logits, true);
  const shifted = sub(logits, max);
  const powers = exp(shifted);
  graph.addOutput("max", max);
  graph.addOutput("sum", reduceSum(powers, [1], true));
  if (entropies) graph.addOutput("weighted", reduceSum(mul(powers, shifted), [1], true));
  const [picked] = graph.emit("GatherElements", [logits, local], [max], {
    attributes: { axis: { int: 1 } },
  });
  graph.addOutput("picked", picked!);
  return graph;
}

/**
 * Inputs beside `z` and `table`: `lse` and `c` (n, 1), with entropies `e` and `H`. Outputs, without the one-hot part:
 * `dz` (n, hidden) and, unless frozen, `dtable` (v, hidden).
 */
export function buildHeadBackwardGraph(config: ModelConfig, entropies: boolean, frozen: boolean): Graph {
  const { graph, z, table, logits } = declareChunkLogits("head backward", config);
  const column = (name: string) => graph.addInput(name, "float32", ["n", 1]);
  const shifted = sub(logits, column("lse"));
  const p = exp(shifted);
  const c = column("c");
  if (!entropies) {
    // Scaling rows of the small factor instead of the (n, v) matrix.
    graph.addOutput("dz", neg(mul(matmul(p, table), c)));
    if (!frozen) graph.addOutput("dtable", matmul(p, neg(mul(z, c)), { transposeA: true }));
    return graph;
  }
  const slope = add(c, mul(column("e"), add(shifted, column("H"))));
  const dlogits = mul(p, slope);
  graph.addOutput("dz", neg(matmul(dlogits, table)));
  if (!frozen) graph.addOutput("dtable", matmul(dlogits, neg(z), { transposeA: true }));
  return graph;
}

/** Tokens whose log-probs are wanted. */
export interface HeadRequest {
  /** (n, hidden), from `headInputGraph`. */
  readonly z: Float32Array;
  /** (n) */
  readonly targets: Int32Array;
  /** (vocabulary, hidden) */
  readonly table: Float32Array;
  readonly hiddenSize: number;
  /** Logits that are held at once. */
  readonly elements: number;
}

export interface HeadOutputs {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
  /** Log of the sum of exp of all logits. */
  readonly lse: Float32Array;
}

/** Ranges of the vocabulary: as many ids as make `elements` logits with n tokens. */
function vocabularyChunks({ z, table, hiddenSize, elements }: HeadRequest) {
  const n = z.length / hiddenSize;
  return splitEvenly(table.length / hiddenSize, Math.max(MIN_CHUNK_IDS, Math.floor(elements / n)));
}

/** Narrower products would not be worth while. */
const MIN_CHUNK_IDS = 32;

/** Log-probs of the targets and, with entropies, the entropies, in nats: pass 1. */
export async function runHeadForward(
  session: Session,
  asked: HeadRequest,
  entropies: boolean,
): Promise<HeadOutputs> {
  const { z, targets, table, hiddenSize } = asked;
  const n = targets.length;
  const total = new RunningLogSumExp(n);
  const picked = new Float32Array(n);
  for (const [start, end] of vocabularyChunks(asked)) {
    const local = targets.map((id) => Math.min(Math.max(id, start), end - 1) - start);
    const results = await session.run({
      z: tensor(z, [n, hiddenSize]),
      table: tableRows(table, start, end, hiddenSize),
      local: tensor(local, [n, 1]),
    });
    const weighted = entropies ? floatOutput(results, "weighted") : undefined;
    total.add(floatOutput(results, "max"), floatOutput(results, "sum"), weighted);
    const own = floatOutput(results, "picked");
    targets.forEach((id, i) => {
      if (id >= start && id < end) picked[i] = own[i]!;
    });
  }
  const exact = total.lse();
  const logprobs = picked.map((logit, i) => logit - exact[i]!);
  return {
    logprobs,
    lse: Float32Array.from(exact),
    ...(entropies ? { entropies: total.entropies() } : {}),
  };
}

/** Sums over exp(l - max) that stay exact when a larger max comes. */
class RunningLogSumExp {
  readonly #max: Float64Array;
  readonly #sum: Float64Array;
  readonly #weighted: Float64Array;

  constructor(n: number) {
    this.#max = new Float64Array(n).fill(-Infinity);
    this.#sum = new Float64Array(n);
    this.#weighted = new Float64Array(n);
  }

  add(max: Float32Array, sum: Float32Array, weighted: Float32Array | undefined): void {
    for (let i = 0; i < max.length; i++) {
      const top = Math.max(this.#max[i]!, max[i]!);
      const [old, own] = [this.#max[i]! - top, max[i]! - top];
      const [oldScale, ownScale] = [Math.exp(old), Math.exp(own)];
      const oldSum = this.#sum[i]! * oldScale;
      const ownSum = sum[i]! * ownScale;
      // An empty sum has shift -Infinity, and 0 * -Infinity is not 0.
      const shifted = oldSum === 0 ? 0 : this.#weighted[i]! * oldScale + oldSum * old;
      this.#weighted[i] = shifted + (weighted?.[i] ?? 0) * ownScale + ownSum * own;
      this.#sum[i] = oldSum + ownSum;
      this.#max[i] = top;
    }
  }

  lse(): Float64Array {
    return this.#max.map((max, i) => max + Math.log(this.#sum[i]!));
  }

  /** H = lse - mean of l under p. */
  entropies(): Float32Array {
    return Float32Array.from(this.#sum, (sum, i) => Math.log(sum) - this.#weighted[i]! / sum);
  }
}

/** One entry an asked token of the microbatch. */
export interface LayeredCotangents {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
}

/** The cotangent of `z`; adds that of the table to `dtable` unless it is undefined. Pass 2. */
export async function runHeadBackward(
  session: Session,
  asked: HeadRequest,
  { lse, entropies }: HeadOutputs,
  cotangents: LayeredCotangents,
  dtable: Float32Array | undefined,
): Promise<Float32Array> {
  const { z, targets, table, hiddenSize } = asked;
  const n = targets.length;
  const column = (data: Float32Array) => tensor(data, [n, 1]);
  const fixed: Feeds = {
    z: tensor(z, [n, hiddenSize]),
    lse: column(lse),
    c: column(cotangents.logprobs),
    ...(cotangents.entropies ? { e: column(cotangents.entropies), H: column(entropies!) } : {}),
  };
  const dz = new Float32Array(z.length);
  for (const [start, end] of vocabularyChunks(asked)) {
    const results = await session.run({ ...fixed, table: tableRows(table, start, end, hiddenSize) });
    addInto(dz, 0, floatOutput(results, "dz"));
    if (dtable) addInto(dtable, start * hiddenSize, floatOutput(results, "dtable"));
  }
  for (let i = 0; i < n; i++) {
    const c = cotangents.logprobs[i]!;
    const row = targets[i]! * hiddenSize;
    for (let j = 0; j < hiddenSize; j++) {
      dz[i * hiddenSize + j] = dz[i * hiddenSize + j]! + c * table[row + j]!;
    }
  }
  if (dtable) scatterAddRows(dtable, targets, z, hiddenSize, cotangents.logprobs);
  return dz;
}

function tableRows(table: Float32Array, start: number, end: number, width: number) {
  return tensor(table.subarray(start * width, end * width), [end - start, width]);
}
