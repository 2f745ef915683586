/**
 * Computes from a model's shape alone how much memory training it by LoRA needs, for every type of base, and what fits.
 * Nothing of the model is loaded. Each term is what the engine allocates; docs/how-to/gpu.md compares the sums with
 * measured peaks.
 */
import { availableParallelism } from "node:os";
import { describeMachine, type Machine } from "../core/index.ts";
import {
  BASE_TYPES,
  type BaseType,
  baseBytesPerWeight,
  benchmarkMatrixProduct,
  estimateWholeGraphBytes,
  MAX_WHOLE_GRAPH_BYTES,
  type ModelConfig,
  measureMemoryGbPerSecond,
} from "../engine/index.ts";
import { countForwardFlops, countLoraFlops, countProductWeights } from "./flops.ts";
import { roundToThousandths } from "./quantiles.ts";

/** What the memory is needed for, in bytes. The field names are part of the JSON output. */
export interface MemoryNeeds {
  /** The base that training reads. */
  readonly weights: number;
  /** The sampler's own copies of a quantised base, which its kernels have packed. */
  readonly samplerCopies: number;
  /** Adapter, gradient and both moments. */
  readonly adapter: number;
  /** Keys and values of the rows that are sampled at once. */
  readonly cache: number;
  /** What a minibatch keeps between forward and backward pass, and the largest piece that is computed at once. */
  readonly activations: number;
  /** Node, the kernels and worlds. */
  readonly program: number;
}

/** What one type of base needs. */
export interface BasePlan {
  readonly base: BaseType;
  readonly needs: MemoryNeeds;
  readonly totalBytes: number;
  /** How many rows are sampled at once: the most of 64, 32, ... 1 that fit, or 1 when nothing fits. */
  readonly rows: number;
  readonly fits: boolean;
}

/** The result of `bowline bench plan`. The field names are part of the JSON output. */
export interface ModelPlan {
  readonly machine: Machine;
  readonly parameters: number;
  /** The tokens of a conversation. */
  readonly tokens: number;
  readonly memoryBytes: number;
  readonly plans: readonly BasePlan[];
  /** The base with most bits that fits, or null. */
  readonly chosen: BaseType | null;
  /** What the processor could reach at most, from a measured product and measured bandwidth. Null when not measured. */
  readonly bounds: SpeedBounds | null;
}

export interface SpeedBounds {
  readonly gflops: number;
  readonly memoryGbPerSecond: number;
  /** Training by LoRA, at the speed of a plain matrix product. */
  readonly trainedTokensPerSecond: number;
  /** Decoding one row, if reading the weights once a token were all. */
  readonly decodedTokensPerSecond: Readonly<Record<BaseType, number>>;
}

export interface PlanOptions {
  readonly memoryBytes: number;
  /** The longest conversation in tokens. */
  readonly tokens: number;
  readonly rank?: number;
  /** Measures product and bandwidth, which takes seconds. */
  readonly measures?: boolean;
  readonly threads?: number;
}

const FLOAT = 4;
const PROGRAM_BYTES = 350 * 2 ** 20;
const ROW_CHOICES = [64, 32, 16, 8, 4, 2, 1];
/** As in train/trainer.ts and train/layered: the tokens of a microbatch and of a chunk, and elements at once. */
const MICROBATCH_TOKENS = { f32: 1536, q8: 768, q4: 768 } as const;
const CHUNK_TOKENS = { f32: 1024, q8: 512, q4: 512 } as const;
const LOGITS_AT_ONCE = { f32: 2 ** 23, q8: 2 ** 22, q4: 2 ** 22 } as const;
const SCORES_AT_ONCE = 2 ** 21;
/** The cache's arenas double when they grow. */
const CACHE_FACTOR = 1.5;

export async function planModel(model: ModelConfig, options: PlanOptions): Promise<ModelPlan> {
  const { memoryBytes, tokens } = options;
  const plans = BASE_TYPES.map((base) => planBase(model, base, options));
  return {
    machine: describeMachine(),
    parameters: countParameters(model),
    tokens,
    memoryBytes,
    plans,
    chosen: plans.find(({ fits }) => fits)?.base ?? null,
    bounds: options.measures ? await measureBounds(model, options) : null,
  };
}

function planBase(model: ModelConfig, base: BaseType, options: PlanOptions): BasePlan {
  const planRows = (rows: number): BasePlan => {
    const needs = computeMemoryNeeds(model, base, { ...options, rows });
    const totalBytes = Object.values<number>({ ...needs }).reduce((a, b) => a + b, 0);
    return { base, needs, totalBytes, rows, fits: totalBytes <= options.memoryBytes };
  };
  const all = ROW_CHOICES.map(planRows);
  return all.find(({ fits }) => fits) ?? all.at(-1)!;
}

/** Returns what training by LoRA of `rank` needs when `rows` conversations of `tokens` tokens are sampled at once. */
export function computeMemoryNeeds(
  model: ModelConfig,
  base: BaseType,
  {
    rows,
    tokens,
    rank = 16,
  }: { readonly rows: number; readonly tokens: number; readonly rank?: number },
): MemoryNeeds {
  const { layers, kvHeads, headSize } = model;
  const table = model.vocabularySize * model.hiddenSize;
  const layerMatrices = countProductWeights(model);
  const matrices = layerMatrices + table * (model.tieEmbeddings ? 1 : 2);
  const vectors = countParameters(model) - matrices;
  const perWeight = baseBytesPerWeight(base);
  // One graph fills caches and one continues rows; only the second has a head.
  const copies = base === "f32" ? 0 : (2 * layerMatrices + table) * perWeight;
  return {
    weights: matrices * perWeight + vectors * FLOAT,
    samplerCopies: copies,
    adapter: 4 * FLOAT * countAdapterWeights(model, rank),
    cache: rows * tokens * layers * kvHeads * headSize * 2 * FLOAT * CACHE_FACTOR,
    activations: estimateActivationBytes(model, base, tokens),
    program: PROGRAM_BYTES,
  };
}

/** Returns the bytes of a training pass: of one graph for all layers while that fits, else layer by layer. */
function estimateActivationBytes(model: ModelConfig, base: BaseType, tokens: number): number {
  if (base === "f32") {
    for (const limit of [MICROBATCH_TOKENS.f32, MICROBATCH_TOKENS.f32 / 2]) {
      const rows = Math.max(1, Math.floor(limit / tokens));
      const whole = estimateWholeGraphBytes(model, {
        ...{ batch: rows, time: tokens, past: 0, at: { length: rows * tokens } },
      });
      if (whole <= MAX_WHOLE_GRAPH_BYTES) return whole;
    }
  }
  return estimateLayeredBytes(model, base, tokens);
}

/** Returns the bytes that the layered path needs: kept streams of all layers, and the largest of its parts. */
function estimateLayeredBytes(model: ModelConfig, base: BaseType, tokens: number): number {
  const { hiddenSize, heads, kvHeads, headSize, intermediateSize, layers } = model;
  const batch = tokens * Math.max(1, Math.floor(MICROBATCH_TOKENS[base] / tokens));
  const kept = layers * batch * (hiddenSize + heads * headSize);
  const projected = (heads + 2 * kvHeads) * headSize;
  const chunk = Math.min(batch, CHUNK_TOKENS[base]) * (8 * intermediateSize + 4 * projected);
  const between = batch * (4 * hiddenSize + 3 * projected);
  const largest = Math.max(chunk, 4 * LOGITS_AT_ONCE[base], 6 * SCORES_AT_ONCE);
  const unpacked =
    base === "f32"
      ? 0
      : countProductWeights(model) / layers + hiddenSize * (LOGITS_AT_ONCE[base] / batch);
  return FLOAT * (kept + between + largest + unpacked);
}

/** Returns the number of weights of a model. */
export function countParameters(model: ModelConfig): number {
  const { hiddenSize: d, layers, heads, kvHeads, headSize, vocabularySize } = model;
  const projected = (heads + 2 * kvHeads) * headSize;
  const perLayer = 2 * d + (model.qkvBias ? projected : 0) + (model.qkNorm ? 2 * headSize : 0);
  const tables = vocabularySize * d * (model.tieEmbeddings ? 1 : 2);
  return countProductWeights(model) + layers * perLayer + tables + d;
}

function countAdapterWeights(model: ModelConfig, rank: number): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = model;
  const [queries, keys] = [heads * headSize, kvHeads * headSize];
  const widths = [
    d + queries,
    d + keys,
    d + keys,
    queries + d,
    ...new Array(3).fill(d + intermediateSize),
  ];
  return layers * rank * widths.reduce((a, b) => a + b, 0);
}

async function measureBounds(
  model: ModelConfig,
  { tokens, rank = 16, threads = Math.min(2, availableParallelism()) }: PlanOptions,
): Promise<SpeedBounds> {
  const product = await benchmarkMatrixProduct(1024, threads);
  const gflops = await product.measure();
  await product.close();
  const memoryGbPerSecond = await measureMemoryGbPerSecond(threads);
  const row = { tokens, rowLength: tokens, headTokens: Math.ceil(tokens / 3) };
  const read = countForwardFlops(model, { tokens: 1, rowLength: 0, headTokens: 1 }) / 2;
  const perSecond = (base: BaseType) =>
    roundToThousandths((memoryGbPerSecond * 1e9) / (read * baseBytesPerWeight(base)));
  return {
    gflops: Math.round(gflops),
    memoryGbPerSecond: roundToThousandths(memoryGbPerSecond),
    trainedTokensPerSecond: Math.round((gflops * 1e9 * tokens) / countLoraFlops(model, row, rank)),
    decodedTokensPerSecond: { f32: perSecond("f32"), q8: perSecond("q8"), q4: perSecond("q4") },
  };
}
