/**
 * The models of the benchmarks: decoders of Qwen2's shape with under 1M to about 500M parameters, and shapes of
 * published models.
 */
import { BowlineError } from "../core/index.ts";
import { type ModelConfig, parseModelConfig } from "../engine/index.ts";

/** The hidden size and the number of layers of each model, smallest first. */
export const SIZES = [
  [128, 4],
  [256, 4],
  [384, 6],
  [512, 8],
  [768, 12],
  [1024, 16],
  [1536, 20],
] as const;

export type Size = (typeof SIZES)[number];

/**
 * Creates a model with two key heads, a SwiGLU of 2.75 times the hidden size, biases on queries, keys and values, and a
 * tied head.
 */
export function createBenchModel(
  [hiddenSize, layers]: Size,
  { vocabularySize, contextLength }: { vocabularySize: number; contextLength: number },
): ModelConfig {
  const headSize = hiddenSize <= 128 ? 32 : 64;
  return parseModelConfig({
    vocabularySize,
    hiddenSize,
    layers,
    heads: hiddenSize / headSize,
    kvHeads: 2,
    headSize,
    intermediateSize: Math.round((hiddenSize * 2.75) / 32) * 32,
    contextLength,
    qkvBias: true,
  });
}

/** Returns the sizes with at most `millions` million parameters in products. The smallest size is always included. */
export function sizesUpTo(millions: number): Size[] {
  const countWeights = ([d, layers]: Size) => layers * d * d * (2 + 3 * 2.75);
  return SIZES.filter((size, i) => i === 0 || countWeights(size) <= millions * 1e6);
}

/** Published models with their real vocabularies, because a head of 150,000 rows costs more than some of the layers. */
export const PUBLISHED_MODELS = {
  "smollm2-135m": parseModelConfig({
    vocabularySize: 49_152,
    hiddenSize: 576,
    layers: 30,
    heads: 9,
    kvHeads: 3,
    headSize: 64,
    intermediateSize: 1536,
    contextLength: 8192,
    ropeTheta: 1e5,
    rmsNormEpsilon: 1e-5,
  }),
  "qwen2.5-0.5b": parseModelConfig({
    vocabularySize: 151_936,
    hiddenSize: 896,
    layers: 24,
    heads: 14,
    kvHeads: 2,
    headSize: 64,
    intermediateSize: 4864,
    contextLength: 32_768,
    ropeTheta: 1e6,
    qkvBias: true,
  }),
  "qwen3-0.6b": createQwen3Shape({ hiddenSize: 1024, intermediateSize: 3072 }),
  "qwen3-1.7b": createQwen3Shape({ hiddenSize: 2048, intermediateSize: 6144 }),
} as const satisfies { readonly [name: string]: ModelConfig };

function createQwen3Shape(widths: Pick<ModelConfig, "hiddenSize" | "intermediateSize">) {
  return parseModelConfig({
    ...widths,
    vocabularySize: 151_936,
    layers: 28,
    heads: 16,
    kvHeads: 8,
    headSize: 128,
    contextLength: 40_960,
    ropeTheta: 1e6,
    qkNorm: true,
  });
}

/** The names of all shapes: our own by hidden size and layers, and published models by name. */
export const shapeNames: readonly string[] = [
  ...SIZES.map(([hiddenSize, layers]) => `${hiddenSize}x${layers}`),
  ...Object.keys(PUBLISHED_MODELS),
];

/**
 * Returns the model of a shape. `defaults` completes our own shapes. Throws a `config` error when `shapeNames` lacks
 * the name.
 */
export function createModelOfShape(
  name: string,
  defaults: { readonly vocabularySize: number; readonly contextLength: number },
): ModelConfig {
  const size = SIZES.find(([hiddenSize, layers]) => `${hiddenSize}x${layers}` === name);
  if (size) return createBenchModel(size, defaults);
  if (Object.hasOwn(PUBLISHED_MODELS, name))
    return PUBLISHED_MODELS[name as keyof typeof PUBLISHED_MODELS];
  throw new BowlineError("config", `shape ${name}: expected one of ${shapeNames.join(", ")}`);
}
