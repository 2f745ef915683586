/**
 * Measures the resident memory of one model as it grows in one engine: weights loaded, sampling, then a training step
 * on one long row or several rows. One copy of the weights serves all three, so training adds only gradients, moments
 * and activations.
 *
 * The engine works in a thread of its own, so this thread can watch the peak. The memory is that of the whole process.
 * The weights come from a folder of random weights, in bfloat16 like those of published models.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BowlineError, Rng, residentMemoryMb } from "../core/index.ts";
import {
  type BaseType,
  createOnnxEngine,
  type ModelConfig,
  writeRandomCheckpoint,
} from "../engine/index.ts";
import type { Engine } from "../spec/index.ts";
import { elapsedMs, roundToThousandths } from "./quantiles.ts";
import { createModelOfShape } from "./shapes.ts";

export const TRAININGS = ["lora", "full"] as const;
export type BenchTraining = (typeof TRAININGS)[number];

/** The resident memory in MB (2^20 bytes), after a phase and at its highest during the phase. */
export interface MemoryUse {
  readonly rssMb: number;
  readonly peakRssMb: number;
}

export interface MemoryBench {
  readonly shape: string;
  readonly training: BenchTraining;
  /** How the frozen weights are stored. */
  readonly base: BaseType;
  readonly params: number;
  readonly trainableParams: number;
  /** The size of one copy of the weights in float32. */
  readonly weightsMb: number;
  /** The resident memory before the engine was created. */
  readonly baseRssMb: number;
  readonly loading: MemoryUse & { readonly seconds: number };
  readonly sampling: MemoryUse & {
    readonly promptTokens: number;
    readonly prefillTokensPerSecond: number;
    readonly decode: readonly { readonly batch: number; readonly tokensPerSecond: number }[];
  };
  /** A training step: the forward and backward pass of the rows, followed by the optimizer's step. */
  readonly step: MemoryUse & {
    readonly tokens: number;
    readonly seconds: number;
    /**
     * The processor time that all threads took for the forward and backward pass. It does not depend on what else the
     * machine is doing.
     */
    readonly processorSeconds: number;
    readonly tokensPerSecond: number;
    readonly updateSeconds: number;
  };
  /** The peak memory, minus the memory before the engine was created, in copies of the weights. */
  readonly samplingCopies: number;
  readonly trainingCopies: number;
}

export interface MemoryBenchOptions {
  /** The shape of the model, one of `shapeNames`. */
  readonly shape?: string | undefined;
  /** The trainings to measure. The default is both, one after the other. */
  readonly trainings?: readonly BenchTraining[] | undefined;
  /** The number of tokens of a training row. The default is 2,048. */
  readonly tokens?: number | undefined;
  /** The number of training rows. The default is 1. */
  readonly rows?: number | undefined;
  /** How the frozen weights are stored, with LoRA. The default is f32. */
  readonly base?: BaseType | undefined;
  readonly threads: number;
  readonly onPhase?: (what: string) => void;
}

const DEFAULT_SHAPE = "512x8";
const DEFAULT_TOKENS = 2048;
const LORA = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;
const DECODED_TOKENS = 16;
const BATCHES = [1, 8];
const PROMPT_TOKENS = 512;
const OPTIMIZER_STEP = {
  learningRate: 1e-5,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

export async function benchMemory(options: MemoryBenchOptions): Promise<MemoryBench[]> {
  const { shape = DEFAULT_SHAPE, tokens = DEFAULT_TOKENS, onPhase = () => {} } = options;
  const { rows = 1, base = "f32" } = options;
  const trainings = options.trainings ?? (base === "f32" ? TRAININGS : ["lora" as const]);
  if (base !== "f32" && trainings.includes("full")) {
    throw new BowlineError(
      "config",
      `--training full: a base of ${base} is frozen and trains LoRA; set --training lora, or --engine.base f32`,
    );
  }
  const model = createModelOfShape(shape, {
    vocabularySize: 512,
    contextLength: Math.max(tokens, 1024),
  });
  const directory = mkdtempSync(join(tmpdir(), "bowline-memory-"));
  try {
    onPhase(`${shape}: writing random weights`);
    writeRandomCheckpoint(directory, model, 1);
    const out: MemoryBench[] = [];
    const resolved = { ...options, onPhase, tokens, rows, base, shape };
    for (const training of trainings) {
      out.push(await benchTraining(resolved, training, model, directory));
    }
    return out;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type ResolvedOptions = MemoryBenchOptions &
  Required<Pick<MemoryBenchOptions, "onPhase">> & {
    readonly shape: string;
    readonly tokens: number;
    readonly rows: number;
    readonly base: BaseType;
  };

async function benchTraining(
  { shape, tokens, rows, base, threads, onPhase }: ResolvedOptions,
  training: BenchTraining,
  model: ModelConfig,
  directory: string,
): Promise<MemoryBench> {
  const baseRssMb = residentMemoryMb();
  const lora = training === "lora" ? LORA : undefined;
  onPhase(`${shape}, ${training}: loading`);
  const loading = await watchMemory(() =>
    createOnnxEngine({ model, seed: 1, threads, lora, base, weights: directory }),
  );
  const engine = loading.value;
  try {
    onPhase(`${shape}, ${training}: sampling`);
    const sampling = await watchMemory(() => benchSampling(engine, model));
    onPhase(`${shape}, ${training}: a step on ${rows * tokens} tokens`);
    const step = await watchMemory(() => benchStep(engine, model, { rows, tokens }));
    const { parameters: params, trainableParameters } = engine.info;
    const weightsMb = Math.round((4 * params) / 2 ** 20);
    const countCopies = (peakRssMb: number) =>
      roundToThousandths((peakRssMb - baseRssMb) / weightsMb);
    return {
      shape,
      training,
      base: engine.info.base?.type ?? "f32",
      params,
      trainableParams: trainableParameters,
      weightsMb,
      baseRssMb,
      loading: { ...loading.resident, seconds: loading.seconds },
      sampling: { ...sampling.resident, ...sampling.value },
      step: { ...step.resident, ...step.value },
      samplingCopies: countCopies(sampling.resident.peakRssMb),
      trainingCopies: countCopies(step.resident.peakRssMb),
    };
  } finally {
    await engine.close();
  }
}

/** Runs `work` and records the process's memory and the time while it runs. */
async function watchMemory<T>(
  work: () => Promise<T>,
): Promise<{ value: T; resident: MemoryUse; seconds: number }> {
  let peak = residentMemoryMb();
  const updatePeak = () => {
    peak = Math.max(peak, residentMemoryMb());
  };
  const timer = setInterval(updatePeak, 20);
  try {
    let value: T | undefined;
    const ms = await elapsedMs(async () => {
      value = await work();
    });
    updatePeak();
    const resident = { rssMb: residentMemoryMb(), peakRssMb: peak };
    return { value: value as T, resident, seconds: roundToThousandths(ms / 1000) };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Measures prefill and decoding. The first call of a row fills its cache and samples one token. The second call finds
 * the cache filled and only decodes.
 */
async function benchSampling(engine: Engine, model: ModelConfig) {
  const rng = new Rng(5);
  const length = Math.min(PROMPT_TOKENS, model.contextLength - DECODED_TOKENS - 1);
  const decode: { batch: number; tokensPerSecond: number }[] = [];
  let prefillMs = 0;
  await timeSampling(engine, [1, 2, 3], 1, 1); // The first use builds the sessions.
  for (const batch of BATCHES) {
    const prompt = randomTokens(rng, length, model);
    const filling = await timeSampling(engine, prompt, batch, 1);
    if (batch === 1) prefillMs = filling;
    const decoding = await timeSampling(engine, prompt, batch, DECODED_TOKENS);
    decode.push({ batch, tokensPerSecond: ratePerSecond(batch * DECODED_TOKENS, decoding) });
    for (let stream = 0; stream < batch; stream++) engine.release(`row ${stream}`);
  }
  return { promptTokens: length, prefillTokensPerSecond: ratePerSecond(length, prefillMs), decode };
}

/** Returns the milliseconds in which `batch` rows with the same prompt sample `maxTokens` tokens each. */
function timeSampling(engine: Engine, tokens: number[], batch: number, maxTokens: number) {
  const requests = Array.from({ length: batch }, (_, stream) => ({
    tokens,
    stream,
    maxTokens,
    temperature: 1,
    stopIds: [],
    cacheKey: `row ${stream}`,
  }));
  return elapsedMs(() => engine.sample(requests));
}

async function benchStep(
  engine: Engine,
  model: ModelConfig,
  { rows: count, tokens: length }: Required<Pick<ResolvedOptions, "rows" | "tokens">>,
) {
  const rng = new Rng(6);
  const tokens = count * length;
  const rows = Array.from({ length: count }, () => ({
    tokens: randomTokens(rng, length, model),
    at: Array.from({ length: length - 1 }, (_, i) => i + 1),
  }));
  const cotangents = rows.map(() => ({
    logprobs: new Float32Array(length - 1).fill(-1 / tokens),
  }));
  const before = process.cpuUsage();
  const ms = await elapsedMs(() => engine.accumulate(rows, cotangents));
  const { user, system } = process.cpuUsage(before);
  const updateMs = await elapsedMs(() => engine.update(OPTIMIZER_STEP));
  return {
    tokens,
    seconds: roundToThousandths(ms / 1000),
    processorSeconds: roundToThousandths((user + system) / 1e6),
    tokensPerSecond: ratePerSecond(tokens, ms),
    updateSeconds: roundToThousandths(updateMs / 1000),
  };
}

function randomTokens(rng: Rng, length: number, model: ModelConfig): number[] {
  return Array.from({ length }, () => rng.integer(0, model.vocabularySize - 1));
}

function ratePerSecond(count: number, ms: number): number {
  return roundToThousandths((1000 * count) / ms);
}
