/**
 * Counts the floating point operations of a decoder: what a training step must compute and no more.
 *
 * A product (m, k) @ (k, n) costs 2 m k n. A forward pass costs, per token, the projections of every layer, causal
 * attention over T/2 keys on average, and the head where log-probs are computed. The backward pass costs twice as much.
 * Norms, rotations, the optimizer, padding and recomputed values are not counted.
 */
import type { ModelConfig } from "../engine/index.ts";

/** Returns the number of weights that take part in products, without the head. */
export function countProductWeights(model: ModelConfig): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = model;
  const attention = d * headSize * (2 * heads + 2 * kvHeads);
  return layers * (attention + 3 * d * intermediateSize);
}

/**
 * Returns the operations of one forward pass over `tokens` tokens in rows of `rowLength`, with the head at `headTokens`
 * of them.
 */
export function countForwardFlops(
  model: ModelConfig,
  { tokens, rowLength, headTokens }: { tokens: number; rowLength: number; headTokens: number },
): number {
  const { hiddenSize: d, heads, headSize, layers, vocabularySize } = model;
  const attention = layers * 2 * rowLength * heads * headSize; // scores and values, T/2 keys each
  return (
    tokens * (2 * countProductWeights(model) + attention) + headTokens * 2 * d * vocabularySize
  );
}

export function countTrainingFlops(
  model: ModelConfig,
  batch: { tokens: number; rowLength: number; headTokens: number },
): number {
  return 3 * countForwardFlops(model, batch);
}

/**
 * Returns the operations of a training step with LoRA of `rank` on every projection. The weights are frozen, so each
 * product has one product in the backward pass instead of two. Attention still has two, and each adapter's two small
 * products have all three.
 */
export function countLoraFlops(
  model: ModelConfig,
  batch: { tokens: number; rowLength: number; headTokens: number },
  rank: number,
): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = model;
  const [queries, keys] = [heads * headSize, kvHeads * headSize];
  const widths = [
    [d, queries],
    [d, keys],
    [d, keys],
    [queries, d],
    [d, intermediateSize],
    [d, intermediateSize],
    [intermediateSize, d],
  ] as const;
  const adapters = layers * rank * widths.reduce((sum, [from, to]) => sum + from + to, 0);
  const attention = layers * 2 * batch.rowLength * queries;
  return 2 * countForwardFlops(model, batch) + batch.tokens * (attention + 3 * 2 * adapters);
}
