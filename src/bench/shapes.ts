/** Models for benchmarks: decoders of Qwen2's shape from under 1M to about 500M parameters, and the shapes of published ones. */
import { BowlineError } from "../core/index.ts";
import { type ModelConfig, parseModelConfig } from "../engine/index.ts";

/** Hidden size and layers, smallest first. */
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

/** Two key heads, SwiGLU of 2.75 widths, biases on queries, keys and values, a tied head. */
export function benchModel(
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

/** Those of at most `millions` parameters in products; the smallest is always one. */
export function sizesUpTo(millions: number): Size[] {
  const weights = ([d, layers]: Size) => layers * d * d * (2 + 3 * 2.75);
  return SIZES.filter((size, i) => i === 0 || weights(size) <= millions * 1e6);
}

/** With their real vocabularies, because a head of 150,000 rows costs more than some of the layers below it. */
export const PUBLISHED = {
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
} as const satisfies { readonly [name: string]: ModelConfig };

/** Ours by hidden size and layers, and published ones. */
export const shapeNames: readonly string[] = [
  ...SIZES.map(([hiddenSize, layers]) => `${hiddenSize}x${layers}`),
  ...Object.keys(PUBLISHED),
];

/** `ours`: what our shapes leave open. Throws a `config` error on a name that is not in `shapeNames`. */
export function modelOfShape(
  name: string,
  ours: { readonly vocabularySize: number; readonly contextLength: number },
): ModelConfig {
  const size = SIZES.find(([hiddenSize, layers]) => `${hiddenSize}x${layers}` === name);
  if (size) return benchModel(size, ours);
  if (Object.hasOwn(PUBLISHED, name)) return PUBLISHED[name as keyof typeof PUBLISHED];
  throw new BowlineError("config", `shape ${name}: expected one of ${shapeNames.join(", ")}`);
}
