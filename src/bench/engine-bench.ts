/**
 * What the embedded engine does on this machine: its share of the machine's own matrix-product peak when it trains,
 * and tokens a second when it decodes. The peak is measured again between the steps, in the same run, because machines
 * are noisy; everything is a median.
 */
import { type Machine, Rng, thisMachine } from "../core/index.ts";
import { createOnnxEngine, type ModelConfig, matrixProductGflops } from "../engine/index.ts";
import type { Engine, Row } from "../spec/index.ts";
import { type DecodeSpeed, measureDecode } from "./decode-speed.ts";
import { forwardFlops, trainingFlops } from "./flops.ts";
import { benchMemory, type MemoryBench, type MemoryBenchOptions } from "./memory-bench.ts";
import { elapsedMs, median } from "./quantiles.ts";
import { benchModel, SIZES, sizesUpTo } from "./shapes.ts";

export interface TrainingBench {
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  readonly gflops: number;
  /** Of the peak that was measured beside it. */
  readonly shareOfPeak: number;
  readonly tokensPerSecond: number;
}

/** DESIGN section 9 fixes the names. */
export interface EngineBench {
  readonly machine: Machine;
  readonly threads: number;
  readonly peakGflops: number;
  readonly training: readonly TrainingBench[];
  readonly decode: readonly DecodeSpeed[];
  /** Empty unless memory was asked for, and then alone (memory-bench.ts). */
  readonly memory: readonly MemoryBench[];
  readonly peers: readonly never[];
}

export interface EngineBenchOptions {
  readonly quick?: boolean;
  /** Memory of one shape in place of the speed of several. */
  readonly memory?: Pick<MemoryBenchOptions, "shape" | "trainings" | "tokens"> | undefined;
  readonly threads?: number;
  /** The largest model, in millions of parameters; default 100. */
  readonly maxMillions?: number;
  readonly onPhase?: (what: string) => void;
}

const VOCABULARY = 512;
const ROW_LENGTH = 256;
const ROWS = 16;
const PEAK_SIZE = 1024;
const CONTEXT = 512;
const CONTEXT_LENGTH = 576;
const BATCHES = [1, 16, 64, 256];
/** Seconds that the steps of one size may take, and how many there are at least and at most. */
const TRAINING_SECONDS = 40;
const [FEWEST, MOST] = [3, 9];
/** Batches whose steps need more operations than this are left out: a step would take a second or so. */
const DECODE_FLOPS = 2e11;

export async function benchEngine(options: EngineBenchOptions = {}): Promise<EngineBench> {
  const threads = options.threads ?? 2;
  if (options.memory) return memoryAlone({ ...options, ...options.memory, threads });
  const sizes = options.quick ? SIZES.slice(0, 2) : sizesUpTo(options.maxMillions ?? 100);
  const training: TrainingBench[] = [];
  const decode: DecodeSpeed[] = [];
  const peaks: number[] = [];
  for (const size of sizes) {
    const model = benchModel(size, { vocabularySize: VOCABULARY, contextLength: CONTEXT_LENGTH });
    options.onPhase?.(`d ${size[0]}, ${size[1]} layers`);
    const engine = await createOnnxEngine({ model, seed: 1, threads });
    try {
      const { bench, peak } = await benchTraining(engine, model, { threads, quick: options.quick });
      training.push(bench);
      peaks.push(peak);
      for (const batch of options.quick ? [16] : batchesFor(model)) {
        const rounds = options.quick ? 1 : 3;
        decode.push(await measureDecode(engine, { batch, context: CONTEXT, rounds }));
      }
    } finally {
      await engine.close();
    }
  }
  return {
    machine: thisMachine(),
    threads,
    peakGflops: round(median(peaks)),
    training,
    decode,
    memory: [],
    peers: [],
  };
}

async function memoryAlone(options: MemoryBenchOptions): Promise<EngineBench> {
  const { threads } = options;
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  const peaks = [await product.measure(), await product.measure(), await product.measure()];
  await product.close();
  const memory = await benchMemory(options);
  const peakGflops = round(median(peaks));
  return {
    machine: thisMachine(),
    threads,
    peakGflops,
    training: [],
    decode: [],
    memory,
    peers: [],
  };
}

function batchesFor(model: ModelConfig): number[] {
  const flops = (batch: number) =>
    forwardFlops(model, { tokens: batch, rowLength: CONTEXT, asked: batch });
  return BATCHES.filter((batch) => flops(batch) < DECODE_FLOPS);
}

interface TrainingOptions {
  readonly threads: number;
  readonly quick: boolean | undefined;
}

/** Steps of training and peak measurements by turns; the first step, which builds the graph, does not count. */
async function benchTraining(
  engine: Engine,
  model: ModelConfig,
  { threads, quick }: TrainingOptions,
) {
  const rows = randomRows(ROWS, ROW_LENGTH);
  const cotangents = rows.map(({ at }) => ({ logprobs: new Float32Array(at.length).fill(-1e-3) }));
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  const times: number[] = [];
  const peaks: number[] = [];
  const step = () => elapsedMs(() => engine.accumulate(rows, cotangents));
  const most = Math.floor((1000 * TRAINING_SECONDS) / (await step()));
  const rounds = quick ? FEWEST : Math.min(MOST, Math.max(FEWEST, most));
  for (let i = 0; i < rounds; i++) {
    peaks.push(await product.measure());
    times.push(await step());
  }
  await engine.discard();
  await product.close();
  const tokens = ROWS * ROW_LENGTH;
  const asked = ROWS * (ROW_LENGTH - 1);
  const seconds = median(times) / 1000;
  const gflops = trainingFlops(model, { tokens, rowLength: ROW_LENGTH, asked }) / seconds / 1e9;
  const peak = median(peaks);
  const bench: TrainingBench = {
    params: engine.info.parameters,
    hiddenSize: model.hiddenSize,
    layers: model.layers,
    gflops: round(gflops),
    shareOfPeak: Math.round((gflops / peak) * 1000) / 1000,
    tokensPerSecond: Math.round(tokens / seconds),
  };
  return { bench, peak };
}

/** Rows of one length: nothing is padded. Every token but the first is asked for. */
function randomRows(count: number, length: number): Row[] {
  const rng = new Rng(7);
  return Array.from({ length: count }, () => ({
    tokens: Int32Array.from({ length }, () => rng.integer(0, VOCABULARY - 1)),
    at: Int32Array.from({ length: length - 1 }, (_, i) => i + 1),
  }));
}

const round = (value: number) => Math.round(value * 100) / 100;
