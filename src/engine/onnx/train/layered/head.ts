/**
 * The head without a whole matrix of logits: log-probs, entropies and their cotangents in chunks of the vocabulary.
 *
 * Pass 1 computes for every chunk the largest logit of each token and sums relative to it, which merge into lse, the
 * log of the softmax's denominator. Pass 2 computes each chunk's logits again and from them, with lse known, its part
 * of the derivatives. With l the logits, p = exp(l - lse), and cotangents c of log p[target] and e of the entropy H:
 *   dl = c (onehot - p) - e p (l - lse + H).
 * The one-hot part is one row of the table per token. It is added here and not in a graph.
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
import type { ModelConfig, RowTable } from "../../model/index.ts";
import { GRADIENT_PREFIX } from "../gradient-sums.ts";
import { addInto, scatterAddRows, splitEvenly } from "./row-loops.ts";

const NORM_WEIGHT = "model.norm.weight";

/** Builds the graph from `x` (n, hidden) to `z`, normalised x over the temperature. `z` times the table is logits. */
export function buildHeadInputGraph(config: ModelConfig): Graph {
  const { graph, z } = declareHeadInput("head input", config);
  graph.addOutput("z", z);
  return graph;
}

/** Builds the graph from `dz` to `dx` and, unless the weights are frozen, the gradient of the norm. */
export function buildHeadInputBackwardGraph(config: ModelConfig, isFrozen: boolean): Graph {
  const { graph, x, gain, z } = declareHeadInput("head input backward", config);
  const cotangent = graph.addInput("dz", "float32", z.shape);
  const wrt = isFrozen ? [x] : [x, gain];
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
 * Builds the graph of pass 1. Inputs: `z` (n, hidden), `table` (v, hidden), `local` int32 (n, 1), columns of the
 * chunk. Outputs (n, 1): `max` of the logits, `sum` of exp(l - max), with entropies also `weighted`, the sum of exp(l
 * - max) (l - max), and `picked`, the logits at `local`.
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
 * Builds the graph of pass 2. Inputs: `z`, `table`, `lse` and `c` (n, 1), and with entropies also `e` and `H`.
 * Outputs, without the one-hot part: `dz` (n, hidden) and, unless frozen, `dtable` (v, hidden).
 */
export function buildHeadBackwardGraph(
  config: ModelConfig,
  entropies: boolean,
  isFrozen: boolean,
): Graph {
  const { graph, z, table, logits } = declareChunkLogits("head backward", config);
  const addColumnInput = (name: string) => graph.addInput(name, "float32", ["n", 1]);
  const shifted = sub(logits, addColumnInput("lse"));
  const p = exp(shifted);
  const c = addColumnInput("c");
  if (!entropies) {
    // This scales rows of the small factor instead of the (n, v) matrix.
    graph.addOutput("dz", neg(mul(matmul(p, table), c)));
    if (!isFrozen) graph.addOutput("dtable", matmul(p, neg(mul(z, c)), { transposeA: true }));
    return graph;
  }
  const slope = add(c, mul(addColumnInput("e"), add(shifted, addColumnInput("H"))));
  const dlogits = mul(p, slope);
  graph.addOutput("dz", neg(matmul(dlogits, table)));
  if (!isFrozen) graph.addOutput("dtable", matmul(dlogits, neg(z), { transposeA: true }));
  return graph;
}

/** The tokens whose log-probs are wanted, and the vocabulary table. */
export interface HeadRequest {
  /** The input of the head, (n, hidden): the output of `buildHeadInputGraph`. */
  readonly z: Float32Array;
  /** The ids of the tokens, (n). */
  readonly targets: Int32Array;
  /** The vocabulary table, (vocabulary, hidden). */
  readonly table: RowTable;
  readonly hiddenSize: number;
  /** The most logits that are held at once. */
  readonly maxLogits: number;
}

/** The outputs of the head for the requested tokens. */
export interface HeadOutputs {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
  /** The log of the sum of exp of all logits. */
  readonly lse: Float32Array;
}

/** Returns ranges of the vocabulary with as many ids as give `maxLogits` logits for n tokens. */
function vocabularyChunks({ z, table, hiddenSize, maxLogits }: HeadRequest) {
  const n = z.length / hiddenSize;
  return splitEvenly(table.rows, Math.max(MIN_CHUNK_IDS, Math.floor(maxLogits / n)));
}

/** The fewest ids of a chunk. Narrower products are inefficient. */
const MIN_CHUNK_IDS = 32;

/** Runs pass 1: returns log-probs of the targets and, on request, the entropies, in nats. */
export async function runHeadForward(
  session: Session,
  request: HeadRequest,
  entropies: boolean,
): Promise<HeadOutputs> {
  const { z, targets, table, hiddenSize } = request;
  const n = targets.length;
  const total = new RunningLogSumExp(n);
  const picked = new Float32Array(n);
  for (const [start, end] of vocabularyChunks(request)) {
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

/** Running sums over exp(l - max) that stay exact when a chunk has a larger max. */
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
      // An empty sum has the shift -Infinity, and 0 * -Infinity is not 0.
      const shifted = oldSum === 0 ? 0 : this.#weighted[i]! * oldScale + oldSum * old;
      this.#weighted[i] = shifted + (weighted?.[i] ?? 0) * ownScale + ownSum * own;
      this.#sum[i] = oldSum + ownSum;
      this.#max[i] = top;
    }
  }

  lse(): Float64Array {
    return this.#max.map((max, i) => max + Math.log(this.#sum[i]!));
  }

  /** Returns the entropies, H = lse - mean of l under p. */
  entropies(): Float32Array {
    return Float32Array.from(this.#sum, (sum, i) => Math.log(sum) - this.#weighted[i]! / sum);
  }
}

/** The cotangents of a microbatch, one entry per requested token. */
export interface LayeredCotangents {
  readonly logprobs: Float32Array;
  readonly entropies?: Float32Array;
}

/**
 * Runs pass 2: returns the cotangent of `z`, and adds the cotangent of the table to `dtable` unless it is undefined.
 */
export async function runHeadBackward(
  session: Session,
  request: HeadRequest,
  { lse, entropies }: HeadOutputs,
  cotangents: LayeredCotangents,
  dtable: Float32Array | undefined,
): Promise<Float32Array> {
  const { z, targets, table, hiddenSize } = request;
  const n = targets.length;
  const columnTensor = (data: Float32Array) => tensor(data, [n, 1]);
  const fixed: Feeds = {
    z: tensor(z, [n, hiddenSize]),
    lse: columnTensor(lse),
    c: columnTensor(cotangents.logprobs),
    ...(cotangents.entropies
      ? { e: columnTensor(cotangents.entropies), H: columnTensor(entropies!) }
      : {}),
  };
  const dz = new Float32Array(z.length);
  for (const [start, end] of vocabularyChunks(request)) {
    const results = await session.run({
      ...fixed,
      table: tableRows(table, start, end, hiddenSize),
    });
    addInto(dz, 0, floatOutput(results, "dz"));
    if (dtable) addInto(dtable, start * hiddenSize, floatOutput(results, "dtable"));
  }
  for (let i = 0; i < n; i++) {
    const c = cotangents.logprobs[i]!;
    const row = table.read(targets[i]!, targets[i]! + 1);
    for (let j = 0; j < hiddenSize; j++) {
      dz[i * hiddenSize + j] = dz[i * hiddenSize + j]! + c * row[j]!;
    }
  }
  if (dtable) scatterAddRows(dtable, targets, z, hiddenSize, cotangents.logprobs);
  return dz;
}

function tableRows(table: RowTable, start: number, end: number, width: number) {
  return tensor(table.read(start, end), [end - start, width]);
}
