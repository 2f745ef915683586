/**
 * Lower bounds for the time of a decoding step: its matrix products alone, one after the other, over as many bytes of
 * weights as the model has; and, with few rows, the time to read those bytes from memory.
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

/** The fewest rows of a step. One-row products take another path in the kernels. */
const MIN_ROWS = 2;

export interface StepProductsBenchmark {
  /** Returns milliseconds, measured again at each call. */
  readonly measure: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/**
 * Prepares a benchmark of the products of a step with `batch` rows: the projections of every layer, fused as in
 * decoding, and the head. Attention, norms and LoRA are left out.
 */
export async function benchmarkStepProducts(
  model: ModelConfig,
  batch: number,
  threads: number,
): Promise<StepProductsBenchmark> {
  const rows = Math.max(MIN_ROWS, batch);
  const graph = new Graph("step products");
  const xs = new Map<number, Value>();
  const feeds: Record<string, Tensor> = {};
  const addInput = (name: string, data: Float32Array, shape: readonly [number, number]) => {
    feeds[name] = tensor(data, shape);
    return graph.addInput(name, "float32", shape);
  };
  const results = listProductMatrices(model).map(({ name, data, shape }) => {
    const width = shape[1];
    const addOnesInput = () =>
      addInput(`x${width}`, new Float32Array(rows * width).fill(1), [rows, width]);
    const x = xs.get(width) ?? addOnesInput();
    xs.set(width, x);
    // The graph returns one number per row, because outputs are copied and the copy should not be measured.
    return reduceMax(linear(x, addInput(name, data, shape)));
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

/** Returns weights of a model's size. Every byte is written, because unwritten pages share one page of memory. */
function listProductMatrices(model: ModelConfig) {
  const { data, inputs } = new ParameterStore(model);
  data.fill(1e-3);
  const isProductWeight = (name: string) => model.tieEmbeddings || name !== "embed.weight";
  return inputs.flatMap(({ name, shape: [rows, columns], offset, size }) => {
    if (columns === undefined || !isProductWeight(name)) return [];
    const shape = [rows!, columns] as const;
    return [{ name, shape, data: data.subarray(offset, offset + size) }];
  });
}

/**
 * The source of a worker that compares two equal blocks which no cache can hold: it reads every byte and writes none.
 */
const MEMORY_READER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const [a, b] = [Buffer.alloc(workerData, 1), Buffer.alloc(workerData, 1)];
  parentPort.on("message", () => { a.equals(b); parentPort.postMessage(0); });
  parentPort.postMessage(0);`;
const BLOCK_BYTES = 2 ** 28;
const ROUNDS = 5;

/** Measures how fast this many threads read memory, in 10^9 bytes per second: the best of some rounds. */
export async function measureMemoryGbPerSecond(threads: number): Promise<number> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(MEMORY_READER, { eval: true, workerData: BLOCK_BYTES }),
  );
  const waitForAnswers = () =>
    Promise.all(
      workers.map((worker) => new Promise<void>((done) => worker.once("message", () => done()))),
    );
  await waitForAnswers();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const all = waitForAnswers();
    for (const worker of workers) worker.postMessage(0);
    await all;
    best = Math.min(best, performance.now() - start);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  return (2 * BLOCK_BYTES * threads) / best / 1e6;
}
