/** Estimates from shapes alone how much memory the whole training graph needs. The trainer chooses its path by it. */
import { hasDeviceMemory } from "../../graph/index.ts";
import type { ModelConfig, ParameterStore } from "../../model/index.ts";
import type { Microbatch } from "../microbatch.ts";

/** A microbatch whose activations are estimated above this goes layer by layer. */
export const MAX_WHOLE_GRAPH_BYTES = 3 * 2 ** 30;

/** How much memory of a device the tokens of a microbatch may take when it goes layer by layer. */
const DEVICE_MICROBATCH_BYTES = 2 ** 30;
/** The fewest and the most tokens of a microbatch on a device. */
const [FEWEST_DEVICE_TOKENS, MOST_DEVICE_TOKENS] = [768, 4096];
/** The length of rows for which the memory of scores is estimated. */
const ROW_LENGTH = 512;

/** Returns about how many tokens a microbatch has unless the caller says it. */
export function defaultMicrobatchTokens({
  config,
  quantized,
}: Pick<ParameterStore, "config" | "quantized">): number {
  if (hasDeviceMemory()) return deviceMicrobatchTokens(config);
  // A quantised base is chosen to save memory. Its matrices are unpacked more often then, which costs a few percent.
  return quantized ? 768 : 1536;
}

/**
 * Returns the tokens of a microbatch on a device. There the fixed cost of a run, the start of its kernels, is most of
 * its time, so a microbatch has as many tokens as an ordinary graphics card holds layer by layer: the residual stream
 * before each layer, and the activations of one.
 */
export function deviceMicrobatchTokens(config: ModelConfig): number {
  const kept = config.layers * config.hiddenSize;
  const bytesPerToken = 4 * (kept + countLayerFloats(config, config.heads * ROW_LENGTH));
  const tokens = Math.floor(DEVICE_MICROBATCH_BYTES / bytesPerToken);
  return Math.min(MOST_DEVICE_TOKENS, Math.max(FEWEST_DEVICE_TOKENS, tokens));
}

/**
 * Returns the bytes of activations that the whole graph's backward pass keeps, and of the matrices that exist with
 * them at its largest point. The estimate is within some ten percent; the runtime's allocator adds its own memory.
 */
export function estimateWholeGraphBytes(
  config: ModelConfig,
  batch: Pick<Microbatch, "batch" | "time" | "past"> & { readonly at: { readonly length: number } },
): number {
  const { heads, layers } = config;
  const tokens = batch.batch * batch.time;
  const scores = heads * (batch.past + batch.time);
  const perLayer = countLayerFloats(config, scores);
  const logits = 4 * batch.at.length * config.vocabularySize;
  return 4 * (tokens * (layers * perLayer + 3 * scores) + logits);
}

/** Returns how many numbers of a token a layer's backward pass keeps, with this many scores. */
function countLayerFloats(config: ModelConfig, scores: number): number {
  const { hiddenSize, heads, kvHeads, headSize, intermediateSize } = config;
  const projected = (heads + 2 * kvHeads) * headSize;
  return 4 * hiddenSize + 4 * projected + 2 * heads * headSize + 4 * intermediateSize + scores;
}

/** Returns how many bytes of `estimateWholeGraphBytes` are scores over a shared prefix, in all layers. */
export function estimateSharedScoreBytes(
  { heads, layers }: ModelConfig,
  batch: Microbatch,
): number {
  return 4 * batch.batch * batch.time * heads * batch.past * (layers + 3);
}
