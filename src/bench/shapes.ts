/** Models of growing size for benchmarks: decoders of Qwen2's shape from under 1M to about 500M parameters. */
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
