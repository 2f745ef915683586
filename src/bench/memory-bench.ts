/**
 * Resident memory of one model, grown step by step in one engine: its weights loaded, sampling, then a training step on
 * a long row. One copy of the weights serves all three, so what training adds is gradients, moments and activations.
 *
 * The engine blocks a thread of its own, so the peak is watched from here while it works; the memory is the whole
 * process's. The weights come from a folder of random ones, in bfloat16 as published models are.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Rng, residentMemoryMb } from "../core/index.ts";
import { createOnnxEngine, type ModelConfig, writeRandomCheckpoint } from "../engine/index.ts";
import type { Engine } from "../spec/index.ts";
import { elapsedMs, rounded } from "./quantiles.ts";
import { modelOfShape } from "./shapes.ts";

export const TRAININGS = ["lora", "full"] as const;
export type BenchTraining = (typeof TRAININGS)[number];

/** Memory in MB of 2^20 bytes: resident after a phase, and the most while it ran. */
export interface Resident {
  readonly rssMb: number;
  readonly peakRssMb: number;
}

export interface MemoryBench {
  readonly shape: string;
  readonly training: BenchTraining;
  readonly params: number;
  readonly trainableParams: number;
  /** One copy of the weights in float32. */
  readonly weightsMb: number;
  /** Before the engine. */
  readonly baseRssMb: number;
  readonly loading: Resident & { readonly seconds: number };
  readonly sampling: Resident & {
    readonly promptTokens: number;
    readonly prefillTokensPerSecond: number;
    readonly decode: readonly { readonly batch: number; readonly tokensPerSecond: number }[];
  };
  /** One row, forward and backward; then the optimizer's step. */
  readonly step: Resident & {
    readonly tokens: number;
    readonly seconds: number;
    /** Of all threads together, forward and backward: what counts on a machine that others use too. */
    readonly processorSeconds: number;
    readonly tokensPerSecond: number;
    readonly updateSeconds: number;
  };
  /** The peak over what was there before the engine, in copies of the weights. */
  readonly samplingCopies: number;
  readonly trainingCopies: number;
}

export interface MemoryBenchOptions {
  /** See `shapeNames`. */
  readonly shape?: string | undefined;
  /** Default: both, one after the other. */
  readonly trainings?: readonly BenchTraining[] | undefined;
  /** Tokens of the training row; default 2,048. */
  readonly tokens?: number | undefined;
  readonly threads: number;
  readonly onPhase?: (what: string) => void;
}

const DEFAULT_SHAPE = "512x8";
const DEFAULT_TOKENS = 2048;
const LORA = { rank: 16, alpha: 32, targetModules: "all-linear" } as const;
const DECODED = 16;
const BATCHES = [1, 8];
const PROMPT = 512;
const STEP = {
  learningRate: 1e-5,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

export async function benchMemory(options: MemoryBenchOptions): Promise<MemoryBench[]> {
  const { shape = DEFAULT_SHAPE, tokens = DEFAULT_TOKENS, onPhase = () => {} } = options;
  const model = modelOfShape(shape, {
    vocabularySize: 512,
    contextLength: Math.max(tokens, 1024),
  });
  const directory = mkdtempSync(join(tmpdir(), "bowline-memory-"));
  try {
    onPhase(`${shape}: writing random weights`);
    writeRandomCheckpoint(directory, model, 1);
    const out: MemoryBench[] = [];
    for (const training of options.trainings ?? TRAININGS) {
      out.push(await benchOne({ ...options, onPhase, tokens, shape }, training, model, directory));
    }
    return out;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Setting = MemoryBenchOptions &
  Required<Pick<MemoryBenchOptions, "onPhase">> & {
    readonly shape: string;
    readonly tokens: number;
  };

async function benchOne(
  { shape, tokens, threads, onPhase }: Setting,
  training: BenchTraining,
  model: ModelConfig,
  directory: string,
): Promise<MemoryBench> {
  const baseRssMb = residentMemoryMb();
  const lora = training === "lora" ? LORA : undefined;
  onPhase(`${shape}, ${training}: loading`);
  const loading = await watched(() =>
    createOnnxEngine({ model, seed: 1, threads, lora, weights: directory }),
  );
  const engine = loading.value;
  try {
    onPhase(`${shape}, ${training}: sampling`);
    const sampling = await watched(() => benchSampling(engine, model));
    onPhase(`${shape}, ${training}: a step on ${tokens} tokens`);
    const step = await watched(() => benchStep(engine, model, tokens));
    const { parameters: params, trainableParameters } = engine.info;
    const weightsMb = Math.round((4 * params) / 2 ** 20);
    const copies = (peakRssMb: number) => rounded((peakRssMb - baseRssMb) / weightsMb);
    return {
      shape,
      training,
      params,
      trainableParams: trainableParameters,
      weightsMb,
      baseRssMb,
      loading: { ...loading.resident, seconds: loading.seconds },
      sampling: { ...sampling.resident, ...sampling.value },
      step: { ...step.resident, ...step.value },
      samplingCopies: copies(sampling.resident.peakRssMb),
      trainingCopies: copies(step.resident.peakRssMb),
    };
  } finally {
    await engine.close();
  }
}

/** Runs `work` and watches the process's memory meanwhile. */
async function watched<T>(
  work: () => Promise<T>,
): Promise<{ value: T; resident: Resident; seconds: number }> {
  let peak = residentMemoryMb();
  const look = () => {
    peak = Math.max(peak, residentMemoryMb());
  };
  const timer = setInterval(look, 20);
  try {
    let value: T | undefined;
    const ms = await elapsedMs(async () => {
      value = await work();
    });
    look();
    const resident = { rssMb: residentMemoryMb(), peakRssMb: peak };
    return { value: value as T, resident, seconds: rounded(ms / 1000) };
  } finally {
    clearInterval(timer);
  }
}

/** The first call of a row fills its cache and draws one token; the second finds the cache and only decodes. */
async function benchSampling(engine: Engine, model: ModelConfig) {
  const rng = new Rng(5);
  const length = Math.min(PROMPT, model.contextLength - DECODED - 1);
  const decode: { batch: number; tokensPerSecond: number }[] = [];
  let prefillMs = 0;
  await sampleTimed(engine, [1, 2, 3], 1, 1); // Sessions are built on first use.
  for (const batch of BATCHES) {
    const prompt = randomTokens(rng, length, model);
    const filling = await sampleTimed(engine, prompt, batch, 1);
    if (batch === 1) prefillMs = filling;
    const decoding = await sampleTimed(engine, prompt, batch, DECODED);
    decode.push({ batch, tokensPerSecond: perSecond(batch * DECODED, decoding) });
    for (let stream = 0; stream < batch; stream++) engine.release(`row ${stream}`);
  }
  return { promptTokens: length, prefillTokensPerSecond: perSecond(length, prefillMs), decode };
}

/** Milliseconds in which `batch` rows with one prompt draw `maxTokens` tokens each. */
function sampleTimed(engine: Engine, tokens: number[], batch: number, maxTokens: number) {
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

async function benchStep(engine: Engine, model: ModelConfig, tokens: number) {
  const row = {
    tokens: randomTokens(new Rng(6), tokens, model),
    at: Array.from({ length: tokens - 1 }, (_, i) => i + 1),
  };
  const cotangents = { logprobs: new Float32Array(tokens - 1).fill(-1 / tokens) };
  const before = process.cpuUsage();
  const ms = await elapsedMs(() => engine.accumulate([row], [cotangents]));
  const { user, system } = process.cpuUsage(before);
  const updateMs = await elapsedMs(() => engine.update(STEP));
  return {
    tokens,
    seconds: rounded(ms / 1000),
    processorSeconds: rounded((user + system) / 1e6),
    tokensPerSecond: perSecond(tokens, ms),
    updateSeconds: rounded(updateMs / 1000),
  };
}

function randomTokens(rng: Rng, length: number, model: ModelConfig): number[] {
  return Array.from({ length }, () => rng.integer(0, model.vocabularySize - 1));
}

function perSecond(count: number, ms: number): number {
  return rounded((1000 * count) / ms);
}
