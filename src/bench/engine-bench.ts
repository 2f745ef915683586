/**
 * Measures the embedded engine on this machine: the share of the machine's matrix-product peak that it reaches in
 * training, and the tokens per second that it decodes. The peak is measured between the steps of the same run, because
 * machines are noisy. Every result is a median.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine, type Machine, Rng } from "../core/index.ts";
import {
  type BaseType,
  benchmarkMatrixProduct,
  createOnnxEngine,
  type ModelConfig,
  measureMemoryGbPerSecond,
  type OnnxEngine,
  type Provider,
  writeRandomCheckpoint,
} from "../engine/index.ts";
import type { Engine, Row } from "../spec/index.ts";
import { type DecodeSpeed, measureDecode } from "./decode-speed.ts";
import { countForwardFlops, countLoraFlops, countTrainingFlops } from "./flops.ts";
import {
  type BenchTraining,
  benchMemory,
  type MemoryBench,
  type MemoryBenchOptions,
} from "./memory-bench.ts";
import { elapsedMs, median } from "./quantiles.ts";
import { createBenchModel, createModelOfShape, SIZES, sizesUpTo } from "./shapes.ts";
import { measureStepBounds, type StepBounds } from "./step-bounds.ts";

export interface TrainingBench {
  readonly training: BenchTraining;
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  readonly gflops: number;
  /** The reached speed as a share of the matrix-product peak that was measured in the same run. */
  readonly shareOfPeak: number;
  readonly tokensPerSecond: number;
}

/** The result of the engine benchmark. The field names are part of the JSON output. */
export interface EngineBench {
  readonly machine: Machine;
  readonly threads: number;
  readonly provider: Provider;
  readonly base: BaseType;
  /** The peak of the processor, which is that of the same run only where the provider is the CPU. */
  readonly peakGflops: number;
  readonly training: readonly TrainingBench[];
  /** The decoding speeds. If a shape was chosen, they include the lower bounds of a step's time. */
  readonly decode: readonly (DecodeSpeed & Partial<StepBounds>)[];
  /** The memory bandwidth that the threads reach when reading. It is only measured when a shape was chosen. */
  readonly memoryGbPerSecond?: number;
  /** The memory use. It is empty unless memory was requested, and then nothing else is measured (memory-bench.ts). */
  readonly memory: readonly MemoryBench[];
  readonly peers: readonly never[];
}

export interface EngineBenchOptions {
  readonly quick?: boolean;
  /**
   * The shape of one published model, which is trained by LoRA, to be measured instead of our own models. `shapeNames`
   * lists the shapes.
   */
  readonly shape?: string | undefined;
  /** When this is set, the memory use of one shape is measured instead of speeds. */
  readonly memory?: Pick<MemoryBenchOptions, "shape" | "trainings" | "tokens" | "rows"> | undefined;
  readonly threads?: number;
  /** Where operations run. The default is the CPU. */
  readonly provider?: Provider;
  /** How the frozen weights of a published model's shape are stored. The default is f32. */
  readonly base?: BaseType;
  /** The size of the largest model in millions of parameters. The default is 100. */
  readonly maxMillions?: number;
  readonly onPhase?: (what: string) => void;
}

const VOCABULARY = 512;
const PEAK_SIZE = 1024;
const CONTEXT_LENGTH = 576;
const LORA = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;

/** The rows that are trained on and the batches that are decoded. */
interface EngineLoad {
  readonly training: BenchTraining;
  readonly rows: number;
  readonly rowLength: number;
  /** The number of tokens of a row whose log-probs are computed. */
  readonly headTokens: number;
  readonly context: number;
  /** How many rows are decoded at once on the CPU, on another provider, and with `quick`. */
  readonly batches: { readonly [where in "cpu" | "device" | "quick"]: readonly number[] };
}
/** The load of our own models. All tokens except the first are learned from, as in imitation of demonstrations. */
const OUR_LOAD: EngineLoad = {
  training: "full",
  rows: 16,
  rowLength: 256,
  headTokens: 255,
  context: 512,
  batches: { cpu: [1, 16, 64, 256], device: [1, 16, 64, 256], quick: [16] },
};
/** The load of published models. Only an agent's turns are learned from, not what it reads between them. */
const LORA_LOAD: EngineLoad = {
  training: "lora",
  rows: 16,
  rowLength: 160,
  headTokens: 99,
  context: 300,
  batches: { cpu: [1, 8, 32], device: [1, 8, 64], quick: [64] },
};
/** The number of seconds in which one model size is measured, and the smallest and largest number of steps. */
const TRAINING_SECONDS = 40;
const [MIN_ROUNDS, MAX_ROUNDS] = [3, 9];
/** The number of operations above which the CPU skips a batch, because a step would take about a second or longer. */
const DECODE_FLOPS = 2e11;

export async function benchEngine(options: EngineBenchOptions = {}): Promise<EngineBench> {
  const threads = options.threads ?? 2;
  if (options.memory) return benchMemoryOnly({ ...options, ...options.memory, threads });
  const load = options.shape === undefined ? OUR_LOAD : LORA_LOAD;
  const lora = load.training === "lora" ? LORA : undefined;
  const training: TrainingBench[] = [];
  const decode: (DecodeSpeed & Partial<StepBounds>)[] = [];
  const memory =
    options.shape === undefined
      ? undefined
      : roundToHundredths(await measureMemoryGbPerSecond(threads));
  const peaks: number[] = [];
  for (const model of listModels(options)) {
    options.onPhase?.(`d ${model.hiddenSize}, ${model.layers} layers`);
    const engine = await createBenchEngine(model, { ...options, threads }, lora);
    try {
      const trainingOptions = { threads, quick: options.quick, load };
      const { bench, peak } = await benchTraining(engine, model, trainingOptions);
      training.push(bench);
      peaks.push(peak);
      // A measurement that is interrupted has printed what it knew.
      options.onPhase?.(`  training: ${bench.tokensPerSecond} tokens/s`);
      const { context } = load;
      for (const batch of chooseBatches(model, load, options)) {
        const rounds = options.quick ? 1 : 3;
        const speed = await measureDecode(engine, { batch, context, rounds });
        options.onPhase?.(`  decoding ${batch} rows: ${speed.tokensPerSecond} tokens/s`);
        const step = { ...speed, threads };
        decode.push({ ...speed, ...(memory && (await measureStepBounds(model, step, memory))) });
      }
    } finally {
      await engine.close();
    }
  }
  return {
    machine: describeMachine(),
    threads,
    provider: options.provider ?? "cpu",
    base: options.base ?? "f32",
    peakGflops: roundToHundredths(median(peaks)),
    training,
    decode,
    ...(memory !== undefined && { memoryGbPerSecond: memory }),
    memory: [],
    peers: [],
  };
}

/**
 * Creates an engine with random weights. Those of a published model's shape come from a file, because making them one
 * by one from a seed takes minutes.
 */
async function createBenchEngine(
  model: ModelConfig,
  { shape, provider, base, threads }: EngineBenchOptions,
  lora: typeof LORA | undefined,
): Promise<OnnxEngine> {
  const options = {
    model,
    seed: 1,
    threads: threads ?? 2,
    provider: provider ?? "cpu",
    lora,
    base,
  };
  if (shape === undefined) return createOnnxEngine(options);
  const weights = mkdtempSync(join(tmpdir(), "bowline-bench-"));
  try {
    writeRandomCheckpoint(weights, model, 1);
    return await createOnnxEngine({ ...options, weights });
  } finally {
    rmSync(weights, { recursive: true, force: true });
  }
}

/** Returns the models to measure, with a context long enough for the load. */
function listModels({ shape, quick, maxMillions = 100 }: EngineBenchOptions): ModelConfig[] {
  const ours = { vocabularySize: VOCABULARY, contextLength: CONTEXT_LENGTH };
  if (shape !== undefined)
    return [{ ...createModelOfShape(shape, ours), contextLength: CONTEXT_LENGTH }];
  const sizes = quick ? SIZES.slice(0, 2) : sizesUpTo(maxMillions);
  return sizes.map((size) => createBenchModel(size, ours));
}

async function benchMemoryOnly(options: MemoryBenchOptions): Promise<EngineBench> {
  const { threads } = options;
  const product = await benchmarkMatrixProduct(PEAK_SIZE, threads);
  const peaks = [await product.measure(), await product.measure(), await product.measure()];
  await product.close();
  const memory = await benchMemory(options);
  const peakGflops = roundToHundredths(median(peaks));
  return {
    machine: describeMachine(),
    threads,
    provider: "cpu",
    base: options.base ?? "f32",
    peakGflops,
    training: [],
    decode: [],
    memory,
    peers: [],
  };
}

function chooseBatches(
  model: ModelConfig,
  { batches, context }: EngineLoad,
  { quick, provider = "cpu" }: EngineBenchOptions,
): readonly number[] {
  if (quick) return batches.quick;
  if (provider !== "cpu") return batches.device;
  const countStepFlops = (batch: number) =>
    countForwardFlops(model, { tokens: batch, rowLength: context, headTokens: batch });
  return batches.cpu.filter((batch) => countStepFlops(batch) < DECODE_FLOPS);
}

interface TrainingOptions {
  readonly threads: number;
  readonly quick: boolean | undefined;
  readonly load: EngineLoad;
}

/** Alternates training steps and measurements of the peak. The first step builds the graph and is not counted. */
async function benchTraining(
  engine: Engine,
  model: ModelConfig,
  { threads, quick, load }: TrainingOptions,
) {
  const rows = randomRows(load, model);
  const cotangents = rows.map(({ at }) => ({ logprobs: new Float32Array(at.length).fill(-1e-3) }));
  const product = await benchmarkMatrixProduct(PEAK_SIZE, threads);
  const times: number[] = [];
  const peaks: number[] = [];
  const timeTrainingStep = () => elapsedMs(() => engine.accumulate(rows, cotangents));
  const affordableRounds = Math.floor((1000 * TRAINING_SECONDS) / (await timeTrainingStep()));
  const rounds = quick ? MIN_ROUNDS : Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, affordableRounds));
  for (let i = 0; i < rounds; i++) {
    peaks.push(await product.measure());
    times.push(await timeTrainingStep());
  }
  await engine.discard();
  await product.close();
  const { rowLength } = load;
  const batch = {
    tokens: load.rows * rowLength,
    rowLength,
    headTokens: load.rows * load.headTokens,
  };
  const seconds = median(times) / 1000;
  const flops =
    load.training === "lora"
      ? countLoraFlops(model, batch, LORA.rank)
      : countTrainingFlops(model, batch);
  const gflops = flops / seconds / 1e9;
  const peak = median(peaks);
  const bench: TrainingBench = {
    training: load.training,
    params: engine.info.parameters,
    hiddenSize: model.hiddenSize,
    layers: model.layers,
    gflops: roundToHundredths(gflops),
    shareOfPeak: Math.round((gflops / peak) * 1000) / 1000,
    tokensPerSecond: Math.round(batch.tokens / seconds),
  };
  return { bench, peak };
}

/**
 * Creates rows of equal length, so that nothing is padded. The tokens with log-probs are spread evenly after the first
 * token.
 */
function randomRows(
  { rows, rowLength, headTokens }: EngineLoad,
  { vocabularySize }: ModelConfig,
): Row[] {
  const rng = new Rng(7);
  const at = Int32Array.from(
    { length: headTokens },
    (_, i) => 1 + Math.floor((i * (rowLength - 1)) / headTokens),
  );
  return Array.from({ length: rows }, () => ({
    tokens: Int32Array.from({ length: rowLength }, () => rng.integer(0, vocabularySize - 1)),
    at,
  }));
}

const roundToHundredths = (value: number) => Math.round(value * 100) / 100;
