/** Estimates from shapes alone how much memory the whole training graph needs. The trainer chooses its path by it. */
import type { ModelConfig } from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";

/** A microbatch whose activations are estimated above this goes layer by layer. */
export const MAX_WHOLE_GRAPH_BYTES = 3 * 2 ** 30;

/**
 * Returns the bytes of activations that the whole graph's backward pass keeps, and of the matrices that exist with
 * them at its largest point. The estimate is within some ten percent; the runtime's allocator adds its own memory.
 */
export function estimateWholeGraphBytes(
  config: ModelConfig,
  batch: Pick<Microbatch, "batch" | "time" | "past"> & { readonly at: { readonly length: number } },
): number {
  const { hiddenSize: d, heads, kvHeads, headSize, intermediateSize, layers } = config;
  const tokens = batch.batch * batch.time;
  const scores = heads * (batch.past + batch.time);
  const projected = (heads + 2 * kvHeads) * headSize;
  const perLayer = 4 * d + 4 * projected + 2 * heads * headSize + 4 * intermediateSize + scores;
  const logits = 4 * batch.at.length * config.vocabularySize;
  return 4 * (tokens * (layers * perLayer + 3 * scores) + logits);
}

/** Returns how many bytes of `estimateWholeGraphBytes` are scores over a shared prefix, in all layers. */
export function estimateSharedScoreBytes(
  { heads, layers }: ModelConfig,
  batch: Microbatch,
): number {
  return 4 * batch.batch * batch.time * heads * batch.past * (layers + 3);
}
