/**
 * The gradient and the optimizer of a trained store on the device. Graphs add to gradients there, and a step of AdamW
 * is a graph too, which writes weights and moments in place. Of a step only its numbers go up, and one number, the
 * norm, comes down. Weights and moments come back when a checkpoint or an export needs them.
 *
 * Tensors are treated layer by layer with the same few graphs. The arithmetic is that of adamw.ts in float32.
 */
import { assert } from "../../../core/index.ts";
import type { OptimizerStep } from "../../../spec/index.ts";
import {
  add,
  allocateOnDevice,
  copyToDevice,
  declareResident,
  div,
  expand,
  type Feeds,
  floatOutput,
  freeOnDevice,
  Graph,
  markCopiesChanged,
  mul,
  readCopiesBack,
  readFromDevice,
  reduceSum,
  residentCopy,
  Session,
  slice,
  sqrt,
  sub,
  type Tensor,
  tensor,
} from "../graph/index.ts";
import { type FusedInput, ParameterStore, type TensorStore } from "../model/index.ts";
import { createOptimizerState, type OptimizerState } from "./adamw.ts";
import { GRADIENT_PREFIX, KEEP_INPUT, SUM_PREFIX } from "./gradient-sums.ts";
import type { GradientFeeds, TrainedState } from "./trained-state.ts";

/** A tensor that is trained: an input of the training graphs. */
type TrainedTensor = Pick<FusedInput, "name" | "shape" | "offset" | "size"> & {
  readonly hasWeightDecay: boolean;
};

/** Tensors of one layer, or all others. Groups of equal shapes share their graphs. */
interface TensorGroup {
  readonly tensors: readonly TrainedTensor[];
  readonly shapes: string;
}

/** The numbers of a step, in the order of the input `coefficients`. */
const COEFFICIENTS = [
  "clip",
  "beta1",
  "rest1",
  "beta2",
  "rest2",
  "size",
  "unbias",
  "epsilon",
  "keepDecayed",
  "keep",
] as const;
type Coefficients = Readonly<Record<(typeof COEFFICIENTS)[number], number>>;

export class DeviceState implements TrainedState {
  readonly optimizer: OptimizerState;
  readonly #store: TensorStore;
  readonly #groups: readonly TensorGroup[];
  readonly #weights: Feeds;
  /** Declares the moments resident. Its version grows when those in this thread's memory are written to. */
  readonly #momentOwner = { version: 0 };
  readonly #moments: Feeds;
  readonly #gradient = new Map<string, Tensor>();
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(store: TensorStore) {
    this.#store = store;
    this.optimizer = createOptimizerState(store);
    const tensors = listTrainedTensors(store);
    this.#groups = groupByLayer(tensors);
    this.#weights = store.feeds();
    const { firstMoment, secondMoment } = this.optimizer;
    const declare = (
      data: Float32Array,
      { name, shape, offset, size }: TrainedTensor,
      of: string,
    ) =>
      declareResident(
        tensor(data.subarray(offset, offset + size), shape),
        this.#momentOwner,
        `${of}:${name}`,
      );
    this.#moments = Object.fromEntries(
      tensors.flatMap((each) => [
        [`m:${each.name}`, declare(firstMoment, each, "m")],
        [`v:${each.name}`, declare(secondMoment, each, "v")],
      ]),
    );
  }

  async getGradientFeeds(layer?: number): Promise<GradientFeeds> {
    const entries: [string, Tensor][] = [];
    for (const { name, shape } of this.#allTensors()) {
      const known = this.#gradient.get(name) ?? (await allocateOnDevice(shape));
      this.#gradient.set(name, known);
      if (layer === undefined) entries.push([name, known]);
      else if (name.includes(`layers.${layer}.`)) {
        entries.push([name.replace(`layers.${layer}.`, "layers.0."), known]);
      } else if (!/layers\.\d+\./.test(name)) entries.push([name, known]);
    }
    const withPrefix = (prefix: string) =>
      Object.fromEntries(entries.map(([name, each]) => [prefix + name, each]));
    const keep = tensor(Float32Array.of(1), []);
    return {
      sums: { ...withPrefix(SUM_PREFIX), [KEEP_INPUT]: keep },
      gradients: withPrefix(GRADIENT_PREFIX),
    };
  }

  async readGradient(): Promise<Float32Array> {
    const gradient = new Float32Array(this.#store.data.length);
    for (const { name, offset } of this.#allTensors()) {
      const own = this.#gradient.get(name);
      if (own) gradient.set(await readFromDevice(own), offset);
    }
    return gradient;
  }

  async computeNorm(): Promise<number> {
    await this.getGradientFeeds();
    const sums = [await allocateOnDevice([1]), await allocateOnDevice([1])];
    let total = 0;
    for (const [i, group] of this.#groups.entries()) {
      const session = await this.#getSession("norm", group);
      const into = i < this.#groups.length - 1 ? { after: sums[(i + 1) % 2]! } : {};
      const feeds = { ...this.#gradientsOf(group), before: sums[i % 2]! };
      const results = await session.run(feeds, undefined, into);
      if (i === this.#groups.length - 1) total = floatOutput(results, "after")[0]!;
    }
    for (const each of sums) freeOnDevice(each);
    return Math.sqrt(total);
  }

  async step(step: OptimizerStep, norm: number): Promise<void> {
    this.optimizer.step++;
    const coefficients = await copyToDevice(
      toTensor(computeCoefficients(step, this.optimizer, norm)),
    );
    for (const group of this.#groups) {
      const session = await this.#getSession("step", group);
      const feeds: Record<string, Tensor> = { coefficients, ...this.#gradientsOf(group) };
      const into: Record<string, Tensor> = {};
      for (const [i, { name }] of group.tensors.entries()) {
        const changed = {
          w: await residentCopy(this.#weights[name]!),
          m: await residentCopy(this.#moments[`m:${name}`]!),
          v: await residentCopy(this.#moments[`v:${name}`]!),
        };
        for (const [kind, each] of Object.entries(changed)) {
          feeds[`${kind}.${i}`] = each;
          into[`new ${kind}.${i}`] = each;
        }
      }
      await session.run(feeds, undefined, into);
    }
    freeOnDevice(coefficients);
    const names = this.#allTensors().map(({ name }) => name);
    markCopiesChanged(this.#store, names);
    markCopiesChanged(
      this.#momentOwner,
      names.flatMap((name) => [`m:${name}`, `v:${name}`]),
    );
  }

  async clear(): Promise<void> {
    if (this.#gradient.size === 0) return;
    for (const group of this.#groups) {
      const session = await this.#getSession("clear", group);
      const into = group.tensors.map(({ name }, i) => [`zero.${i}`, this.#gradient.get(name)!]);
      const zero = tensor(new Float32Array(1), [1]);
      await session.run({ zero }, undefined, Object.fromEntries(into));
    }
  }

  async readBack(): Promise<void> {
    await readCopiesBack(this.#store);
    await readCopiesBack(this.#momentOwner);
  }

  markMomentsChanged(): void {
    this.#momentOwner.version++;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    for (const each of this.#gradient.values()) freeOnDevice(each);
    this.#sessions.clear();
    this.#gradient.clear();
  }

  #allTensors(): TrainedTensor[] {
    return this.#groups.flatMap(({ tensors }) => tensors);
  }

  #gradientsOf({ tensors }: TensorGroup): Feeds {
    const entries = tensors.map(({ name }, i) => {
      const gradient = this.#gradient.get(name);
      assert(gradient, `there is no gradient of ${name}`);
      return [`g.${i}`, gradient] as const;
    });
    return Object.fromEntries(entries);
  }

  #getSession(kind: keyof typeof BUILDERS, { tensors, shapes }: TensorGroup): Promise<Session> {
    const key = `${kind} ${shapes}`;
    const session = this.#sessions.get(key) ?? Session.create(BUILDERS[kind](tensors));
    this.#sessions.set(key, session);
    return session;
  }
}

/** Returns the trained tensors under the names of the training graphs' inputs. */
function listTrainedTensors(store: TensorStore): TrainedTensor[] {
  if (store instanceof ParameterStore) {
    return store.parameters.filter(({ name }) => store.isFloat(name));
  }
  return store.inputs.map((input) => ({
    ...input,
    hasWeightDecay: input.parts.some(({ hasWeightDecay }) => hasWeightDecay),
  }));
}

function groupByLayer(tensors: readonly TrainedTensor[]): TensorGroup[] {
  const groups = new Map<string, TrainedTensor[]>();
  for (const each of tensors) {
    const layer = /layers\.\d+\./.exec(each.name)?.[0] ?? "";
    groups.set(layer, [...(groups.get(layer) ?? []), each]);
  }
  return [...groups.values()].map((own) => ({
    tensors: own,
    shapes: JSON.stringify(own.map(({ shape, hasWeightDecay }) => [shape, hasWeightDecay])),
  }));
}

function computeCoefficients(
  { learningRate, beta1, beta2, epsilon, weightDecay, maxGradientNorm }: OptimizerStep,
  { step }: OptimizerState,
  norm: number,
): Coefficients {
  return {
    clip: Math.min(1, maxGradientNorm / (norm + 1e-6)),
    beta1,
    rest1: 1 - beta1,
    beta2,
    rest2: 1 - beta2,
    size: learningRate / (1 - beta1 ** step),
    unbias: 1 / Math.sqrt(1 - beta2 ** step),
    epsilon,
    keepDecayed: 1 - learningRate * weightDecay,
    keep: 1,
  };
}

function toTensor(coefficients: Coefficients): Tensor {
  const values = COEFFICIENTS.map((name) => coefficients[name]);
  return tensor(Float32Array.from(values), [values.length]);
}

type GraphBuilder = (tensors: readonly TrainedTensor[]) => Graph;

/**
 * Builds the graph of a step. Inputs: `coefficients`, and for each tensor its weights `w.<i>`, gradient `g.<i>` and
 * moments `m.<i>` and `v.<i>`. Outputs: `new w.<i>`, `new m.<i>` and `new v.<i>`, which may be written over the inputs:
 * the node that makes an output reads none of them.
 */
const buildStepGraph: GraphBuilder = (tensors) => {
  const graph = new Graph("optimizer step");
  const given = graph.addInput("coefficients", "float32", [COEFFICIENTS.length]);
  const values = COEFFICIENTS.map((name, i) => [name, slice(given, 0, i, i + 1)] as const);
  const at = Object.fromEntries(values) as Record<keyof Coefficients, (typeof values)[0][1]>;
  for (const [i, { shape, hasWeightDecay }] of tensors.entries()) {
    const [w, g, m, v] = ["w", "g", "m", "v"].map((kind) =>
      graph.addInput(`${kind}.${i}`, "float32", shape),
    );
    const clipped = mul(g!, at.clip);
    const first = add(mul(m!, at.beta1), mul(clipped, at.rest1));
    const second = add(mul(v!, at.beta2), mul(mul(clipped, at.rest2), clipped));
    const change = div(mul(first, at.size), add(mul(sqrt(second), at.unbias), at.epsilon));
    graph.addOutput(`new m.${i}`, first);
    graph.addOutput(`new v.${i}`, second);
    const kept = mul(w!, hasWeightDecay ? at.keepDecayed : at.keep);
    graph.addOutput(`new w.${i}`, sub(kept, change));
  }
  return graph;
};

/** Builds the graph that adds the squares of gradients `g.<i>` to `before` (1): the output `after` (1). */
const buildNormGraph: GraphBuilder = (tensors) => {
  const graph = new Graph("gradient norm");
  const sums = tensors.map(({ shape }, i) => {
    const g = graph.addInput(`g.${i}`, "float32", shape);
    const byRow = reduceSum(mul(g, g), [-1], true);
    return shape.length === 1 ? byRow : reduceSum(byRow, [0]);
  });
  const before = graph.addInput("before", "float32", [1]);
  graph.addOutput(
    "after",
    sums.reduce((a, b) => add(a, b), before),
  );
  return graph;
};

/**
 * Builds the graph whose outputs `zero.<i>` are filled with the input `zero`. A constant would be kept in full size.
 */
const buildClearGraph: GraphBuilder = (tensors) => {
  const graph = new Graph("clear gradients");
  const zero = graph.addInput("zero", "float32", [1]);
  for (const [i, { shape }] of tensors.entries()) {
    graph.addOutput(`zero.${i}`, expand(zero, shape));
  }
  return graph;
};

const BUILDERS = { step: buildStepGraph, norm: buildNormGraph, clear: buildClearGraph };
