/**
 * What the embedded engine does on this machine: its share of the machine's own matrix-product peak when it trains,
 * and tokens a second when it decodes. The peak is measured again between the steps, in the same run, because machines
 * are noisy; everything is a median.
 */
import { describeMachine, type Machine, Rng } from "../core/index.ts";
import {
  createOnnxEngine,
  type ModelConfig,
  matrixProductGflops,
  memoryGbPerSecond,
} from "../engine/index.ts";
import type { Engine, Row } from "../spec/index.ts";
import { type DecodeSpeed, measureDecode } from "./decode-speed.ts";
import { forwardFlops, loraFlops, trainingFlops } from "./flops.ts";
import {
  type BenchTraining,
  benchMemory,
  type MemoryBench,
  type MemoryBenchOptions,
} from "./memory-bench.ts";
import { elapsedMs, median } from "./quantiles.ts";
import { benchModel, modelOfShape, SIZES, sizesUpTo } from "./shapes.ts";
import { type StepBounds, stepBounds } from "./step-bounds.ts";

export interface TrainingBench {
  readonly training: BenchTraining;
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
  /** With a shape, what bounds a step beside it. */
  readonly decode: readonly (DecodeSpeed & Partial<StepBounds>)[];
  /** As fast as the threads read it; with a shape alone. */
  readonly memoryGbPerSecond?: number;
  /** Empty unless memory was asked for, and then alone (memory-bench.ts). */
  readonly memory: readonly MemoryBench[];
  readonly peers: readonly never[];
}

export interface EngineBenchOptions {
  readonly quick?: boolean;
  /** One shape, trained by LoRA as published models are, in place of ours; see `shapeNames`. */
  readonly shape?: string | undefined;
  /** Memory of one shape in place of the speed of several. */
  readonly memory?: Pick<MemoryBenchOptions, "shape" | "trainings" | "tokens"> | undefined;
  readonly threads?: number;
  /** The largest model, in millions of parameters; default 100. */
  readonly maxMillions?: number;
  readonly onPhase?: (what: string) => void;
}

const VOCABULARY = 512;
const PEAK_SIZE = 1024;
const CONTEXT_LENGTH = 576;
const LORA = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;

/** What is trained on and decoded at. */
interface Load {
  readonly training: BenchTraining;
  readonly rows: number;
  readonly rowLength: number;
  /** Tokens of a row that are asked for. */
  readonly asked: number;
  readonly context: number;
  readonly batches: readonly number[];
}
/** Every token but the first is asked for: a policy from random weights learns from demonstrations. */
const OURS: Load = {
  training: "full",
  rows: 16,
  rowLength: 256,
  asked: 255,
  context: 512,
  batches: [1, 16, 64, 256],
};
/** An agent's turns between what it reads. */
const ADAPTED: Load = {
  training: "lora",
  rows: 16,
  rowLength: 160,
  asked: 99,
  context: 300,
  batches: [1, 8, 32],
};
/** Seconds that the steps of one size may take, and how many there are at least and at most. */
const TRAINING_SECONDS = 40;
const [FEWEST, MOST] = [3, 9];
/** Batches whose steps need more operations than this are left out: a step would take a second or so. */
const DECODE_FLOPS = 2e11;

export async function benchEngine(options: EngineBenchOptions = {}): Promise<EngineBench> {
  const threads = options.threads ?? 2;
  if (options.memory) return memoryAlone({ ...options, ...options.memory, threads });
  const load = options.shape === undefined ? OURS : ADAPTED;
  const lora = load.training === "lora" ? LORA : undefined;
  const training: TrainingBench[] = [];
  const decode: (DecodeSpeed & Partial<StepBounds>)[] = [];
  const memory = options.shape === undefined ? undefined : round(await memoryGbPerSecond(threads));
  const peaks: number[] = [];
  for (const model of modelsOf(options)) {
    options.onPhase?.(`d ${model.hiddenSize}, ${model.layers} layers`);
    const engine = await createOnnxEngine({ model, seed: 1, threads, lora });
    try {
      const asked = { threads, quick: options.quick, load };
      const { bench, peak } = await benchTraining(engine, model, asked);
      training.push(bench);
      peaks.push(peak);
      const { context } = load;
      for (const batch of options.quick ? [16] : batchesFor(model, load)) {
        const rounds = options.quick ? 1 : 3;
        const speed = await measureDecode(engine, { batch, context, rounds });
        const step = { ...speed, threads };
        decode.push({ ...speed, ...(memory && (await stepBounds(model, step, memory))) });
      }
    } finally {
      await engine.close();
    }
  }
  return {
    machine: describeMachine(),
    threads,
    peakGflops: round(median(peaks)),
    training,
    decode,
    ...(memory !== undefined && { memoryGbPerSecond: memory }),
    memory: [],
    peers: [],
  };
}

/** With room for the load. */
function modelsOf({ shape, quick, maxMillions = 100 }: EngineBenchOptions): ModelConfig[] {
  const ours = { vocabularySize: VOCABULARY, contextLength: CONTEXT_LENGTH };
  if (shape !== undefined) return [{ ...modelOfShape(shape, ours), contextLength: CONTEXT_LENGTH }];
  const sizes = quick ? SIZES.slice(0, 2) : sizesUpTo(maxMillions);
  return sizes.map((size) => benchModel(size, ours));
}

async function memoryAlone(options: MemoryBenchOptions): Promise<EngineBench> {
  const { threads } = options;
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  const peaks = [await product.measure(), await product.measure(), await product.measure()];
  await product.close();
  const memory = await benchMemory(options);
  const peakGflops = round(median(peaks));
  return {
    machine: describeMachine(),
    threads,
    peakGflops,
    training: [],
    decode: [],
    memory,
    peers: [],
  };
}

function batchesFor(model: ModelConfig, { batches, context }: Load): number[] {
  const flops = (batch: number) =>
    forwardFlops(model, { tokens: batch, rowLength: context, asked: batch });
  return batches.filter((batch) => flops(batch) < DECODE_FLOPS);
}

interface TrainingOptions {
  readonly threads: number;
  readonly quick: boolean | undefined;
  readonly load: Load;
}

/** Steps of training and peak measurements by turns; the first step, which builds the graph, does not count. */
async function benchTraining(
  engine: Engine,
  model: ModelConfig,
  { threads, quick, load }: TrainingOptions,
) {
  const rows = randomRows(load, model);
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
  const { rowLength } = load;
  const batch = { tokens: load.rows * rowLength, rowLength, asked: load.rows * load.asked };
  const seconds = median(times) / 1000;
  const flops =
    load.training === "lora" ? loraFlops(model, batch, LORA.rank) : trainingFlops(model, batch);
  const gflops = flops / seconds / 1e9;
  const peak = median(peaks);
  const bench: TrainingBench = {
    training: load.training,
    params: engine.info.parameters,
    hiddenSize: model.hiddenSize,
    layers: model.layers,
    gflops: round(gflops),
    shareOfPeak: Math.round((gflops / peak) * 1000) / 1000,
    tokensPerSecond: Math.round(batch.tokens / seconds),
  };
  return { bench, peak };
}

/** Rows of one length: nothing is padded. What is asked for is spread evenly behind the first token. */
function randomRows({ rows, rowLength, asked }: Load, { vocabularySize }: ModelConfig): Row[] {
  const rng = new Rng(7);
  const at = Int32Array.from(
    { length: asked },
    (_, i) => 1 + Math.floor((i * (rowLength - 1)) / asked),
  );
  return Array.from({ length: rows }, () => ({
    tokens: Int32Array.from({ length: rowLength }, () => rng.integer(0, vocabularySize - 1)),
    at,
  }));
}

const round = (value: number) => Math.round(value * 100) / 100;
