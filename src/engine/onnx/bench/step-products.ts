/**
 * What no decoding step is faster than: its matrix products alone, one behind the other, over as many bytes of weights as
 * the model has; and with few rows, those bytes at the speed at which the machine reads memory.
 */
import { Worker } from "node:worker_threads";
import {
  add,
  Graph,
  linear,
  reduceMax,
  Session,
  type Tensor,
  tensor,
  type Value,
} from "../graph/index.ts";
import { type ModelConfig, ParameterStore } from "../model/index.ts";

/** One-row products take another path in the kernels, so a step has two rows at least. */
const FEWEST_ROWS = 2;

export interface StepProducts {
  /** Milliseconds, measured again at each call. */
  readonly measure: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/**
 * The products of a step of `batch` rows: the projections of every layer, fused as decoding fuses them, and the head.
 * Attention, norms and what LoRA adds are left out.
 */
export async function stepProducts(
  model: ModelConfig,
  batch: number,
  threads: number,
): Promise<StepProducts> {
  const rows = Math.max(FEWEST_ROWS, batch);
  const graph = new Graph("step products");
  const xs = new Map<number, Value>();
  const feeds: Record<string, Tensor> = {};
  const input = (name: string, data: Float32Array, shape: readonly [number, number]) => {
    feeds[name] = tensor(data, shape);
    return graph.addInput(name, "float32", shape);
  };
  const results = matricesOf(model).map(({ name, data, shape }) => {
    const width = shape[1];
    const ones = () => input(`x${width}`, new Float32Array(rows * width).fill(1), [rows, width]);
    const x = xs.get(width) ?? ones();
    xs.set(width, x);
    // A number a row comes back: outputs are copied, and the copy is not what is measured.
    return reduceMax(linear(x, input(name, data, shape)));
  });
  graph.addOutput("sum", results.reduce(add));
  const session = await Session.create(graph, { threads, spin: false });
  const measure = async () => {
    const start = performance.now();
    await session.run(feeds);
    return performance.now() - start;
  };
  await measure();
  return { measure, close: () => session.close() };
}

/** Weights of a model's size, of which every byte was written: pages that never were are all one in memory. */
function matricesOf(model: ModelConfig) {
  const { data, inputs } = new ParameterStore(model);
  data.fill(1e-3);
  const isProduct = (name: string) => model.tieEmbeddings || name !== "embed.weight";
  return inputs.flatMap(({ name, shape: [rows, columns], offset, size }) => {
    if (columns === undefined || !isProduct(name)) return [];
    const shape = [rows!, columns] as const;
    return [{ name, shape, data: data.subarray(offset, offset + size) }];
  });
}

/** Compares two equal blocks that no cache holds: every byte is read, none is written. */
const READER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const [a, b] = [Buffer.alloc(workerData, 1), Buffer.alloc(workerData, 1)];
  parentPort.on("message", () => { a.equals(b); parentPort.postMessage(0); });
  parentPort.postMessage(0);`;
const BLOCK_BYTES = 2 ** 28;
const ROUNDS = 5;

/** How fast so many threads read memory, in 10^9 bytes a second: the best of some rounds. */
export async function memoryGbPerSecond(threads: number): Promise<number> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(READER, { eval: true, workerData: BLOCK_BYTES }),
  );
  const answers = () =>
    Promise.all(
      workers.map((worker) => new Promise<void>((done) => worker.once("message", () => done()))),
    );
  await answers();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const all = answers();
    for (const worker of workers) worker.postMessage(0);
    await all;
    best = Math.min(best, performance.now() - start);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (2 * BLOCK_BYTES * threads) / best / 1e6;
}
