/** How much memory the whole training graph would need, from the shapes alone: what decides which path serves. */
import type { ModelConfig } from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";

/**
 * Bytes of activations that the whole graph's backward pass keeps, and of the matrices that live beside them at its
 * widest place. An estimate from above and below by some ten percent; the runtime's allocator adds its own.
 */
export function estimateWholeGraphBytes(config: ModelConfig, batch: Microbatch): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = config;
  const tokens = batch.batch * batch.time;
  const scores = heads * (batch.past + batch.time);
  const projected = (heads + 2 * kvHeads) * headSize;
  const perLayer = 4 * d + 4 * projected + 2 * heads * headSize + 4 * intermediateSize + scores;
  const logits = 4 * batch.at.length * config.vocabularySize;
  return 4 * (tokens * (layers * perLayer + 3 * scores) + logits);
}

/** The share of those bytes that is scores over tokens which rows share; one graph for all layers keeps those of every layer. */
export function estimateSharedScoreBytes({ heads, layers }: ModelConfig, batch: Microbatch): number {
  return 4 * batch.batch * batch.time * heads * batch.past * (layers + 3);
}
