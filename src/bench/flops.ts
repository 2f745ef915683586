/**
 * Floating point operations of a decoder, by hand: what a training step must compute, no more.
 *
 * A product (m, k) @ (k, n) is 2 m k n. Per token forward: the projections of every layer, causal attention over T/2
 * keys on average, and the head where it is asked for. The backward pass costs twice the forward. Norms, rotations and
 * the optimizer are not counted, nor is padding, nor anything recomputed.
 */
import type { ModelConfig } from "../engine/index.ts";

/** Weights that take part in products, without the head. */
export function productWeights(model: ModelConfig): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = model;
  const attention = d * headSize * (2 * heads + 2 * kvHeads);
  return layers * (attention + 3 * d * intermediateSize);
}

/** Operations of one forward pass over `tokens` tokens in rows of `rowLength`, the head at `asked` of them. */
export function forwardFlops(
  model: ModelConfig,
  { tokens, rowLength, asked }: { tokens: number; rowLength: number; asked: number },
): number {
  const { hiddenSize: d, heads, headSize, layers, vocabularySize } = model;
  const attention = layers * 2 * rowLength * heads * headSize; // scores and values, T/2 keys each
  return tokens * (2 * productWeights(model) + attention) + asked * 2 * d * vocabularySize;
}

export function trainingFlops(
  model: ModelConfig,
  batch: { tokens: number; rowLength: number; asked: number },
): number {
  return 3 * forwardFlops(model, batch);
}

/**
 * With LoRA of `rank` on every projection: the weights are frozen, so a product has one product backward instead of two,
 * attention still has both, and each adapter's two small products have all three.
 */
export function loraFlops(
  model: ModelConfig,
  batch: { tokens: number; rowLength: number; asked: number },
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
  return 2 * forwardFlops(model, batch) + batch.tokens * (attention + 3 * 2 * adapters);
}
