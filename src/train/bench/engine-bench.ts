/**
 * What the embedded engine does on this machine: its share of the machine's own matrix-product peak when it trains,
 * and tokens a second when it decodes. The peak is measured again between the steps, in the same run, because machines
 * are noisy; everything is a median.
 */
import { Rng } from "../../core/index.ts";
import {
  createOnnxEngine,
  type ModelConfig,
  matrixProductGflops,
  parseModelConfig,
} from "../../engine/index.ts";
import type { Engine, Row } from "../../spec/index.ts";
import { trainingFlops } from "./flops.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { benchMemory, type MemoryBench, type MemoryBenchOptions } from "./memory-bench.ts";
import { elapsedMs, median } from "./quantiles.ts";

export interface TrainingBench {
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  readonly gflops: number;
  /** Of the peak that was measured beside it. */
  readonly shareOfPeak: number;
  readonly tokensPerSecond: number;
}

export interface DecodeBench {
  readonly params: number;
  readonly batch: number;
  readonly context: number;
  readonly tokensPerSecond: number;
  readonly msPerStep: number;
}

/** DESIGN section 9 fixes the names. */
export interface EngineBench {
  readonly machine: Machine;
  readonly threads: number;
  readonly peakGflops: number;
  readonly training: readonly TrainingBench[];
  readonly decode: readonly DecodeBench[];
  /** Empty unless memory was asked for, and then alone (memory-bench.ts). */
  readonly memory: readonly MemoryBench[];
  readonly peers: readonly never[];
}

export interface EngineBenchOptions {
  readonly quick?: boolean;
  /** Memory of one shape in place of the speed of several. */
  readonly memory?: Pick<MemoryBenchOptions, "shape" | "trainings" | "tokens"> | undefined;
  readonly threads?: number;
  readonly onPhase?: (what: string) => void;
}

const VOCABULARY = 512;
const ROW_LENGTH = 256;
const ROWS = 16;
const PEAK_SIZE = 1024;
const CONTEXT = 512;
const DECODED = 48;

/** A decoder of Qwen2's shape: two key heads, SwiGLU of 2.75 widths. */
function shape(hiddenSize: number, layers: number): ModelConfig {
  const headSize = hiddenSize <= 128 ? 32 : 64;
  return parseModelConfig({
    vocabularySize: VOCABULARY,
    hiddenSize,
    layers,
    heads: hiddenSize / headSize,
    kvHeads: 2,
    headSize,
    intermediateSize: Math.round((hiddenSize * 2.75) / 32) * 32,
    contextLength: CONTEXT + DECODED + 1,
    qkvBias: true,
  });
}

const SHAPES = [
  [128, 4],
  [256, 4],
  [384, 6],
  [512, 8],
  [768, 12],
] as const;

export async function benchEngine(options: EngineBenchOptions = {}): Promise<EngineBench> {
  const threads = options.threads ?? 2;
  if (options.memory) return memoryAlone({ ...options, ...options.memory, threads });
  const shapes = options.quick ? SHAPES.slice(0, 2) : SHAPES;
  const training: TrainingBench[] = [];
  const decode: DecodeBench[] = [];
  const peaks: number[] = [];
  for (const [hiddenSize, layers] of shapes) {
    const model = shape(hiddenSize, layers);
    options.onPhase?.(`d ${hiddenSize}, ${layers} layers`);
    const engine = await createOnnxEngine({ model, seed: 1, threads });
    try {
      const { bench, peak } = await benchTraining(engine, model, options.quick ? 3 : 7, threads);
      training.push(bench);
      peaks.push(peak);
      for (const batch of options.quick ? [16] : [1, 16, 64, 256]) {
        decode.push(await benchDecode(engine, batch, options.quick ? 1 : 3));
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

/** Steps of training and peak measurements by turns. */
async function benchTraining(engine: Engine, model: ModelConfig, rounds: number, threads: number) {
  const rows = randomRows(ROWS, ROW_LENGTH);
  const cotangents = rows.map(({ at }) => ({ logprobs: new Float32Array(at.length).fill(-1e-3) }));
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  const times: number[] = [];
  const peaks: number[] = [];
  await engine.accumulate(rows, cotangents);
  for (let i = 0; i < rounds; i++) {
    peaks.push(await product.measure());
    times.push(await elapsedMs(() => engine.accumulate(rows, cotangents)));
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

/** Time of the tokens after the first: two lengths are measured and subtracted, so prefill does not count. */
async function benchDecode(engine: Engine, batch: number, rounds: number): Promise<DecodeBench> {
  const run = (maxTokens: number, round: number) =>
    elapsedMs(async () => {
      await engine.publish();
      await engine.sample(
        randomRows(batch, CONTEXT).map(({ tokens }, i) => ({
          tokens: Array.from(tokens),
          stream: 1000 * round + i,
          maxTokens,
          temperature: 1,
          stopIds: [],
        })),
      );
    });
  const steps: number[] = [];
  await run(2, 0);
  for (let round = 1; round <= rounds; round++) {
    const short = await run(4, round);
    steps.push(((await run(DECODED, round)) - short) / (DECODED - 4));
  }
  const msPerStep = median(steps);
  return {
    params: engine.info.parameters,
    batch,
    context: CONTEXT,
    tokensPerSecond: Math.round((1000 * batch) / msPerStep),
    msPerStep: round(msPerStep),
  };
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
