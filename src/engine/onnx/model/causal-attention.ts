/**
 * Causal attention for training, over rows that start at position 0 and are padded on the right.
 *
 * Half of the (time, time) scores come after their query and are not needed. Queries are cut into four blocks, and
 * each block meets only the keys up to its own end, so that five eighths of the scores are computed instead of all. On
 * a device, where starting a kernel costs more than the scores of a short row, there is one block (`queryBlocks`).
 */
import {
  type Feeds,
  type Graph,
  hasDeviceMemory,
  less,
  reshape,
  type Tensor,
  transpose,
  type Value,
  viewOnDevice,
  where,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import {
  blockwiseAttention,
  blockwiseAttentionWithPrefix,
  type SharedKeysValues,
  sliceAxis,
} from "./blockwise-attention.ts";
import type { ModelConfig } from "./config.ts";
import { type AttentionFunction, projectQueryKeyValue, type TokenPositions } from "./decoder.ts";

/** A masked score. It is so low that its softmax underflows to zero. */
const MASKED = -1e9;

/** The most query blocks. `time` is a multiple of it. */
export const QUERY_BLOCKS = 4;
/** The number of tokens up to which the scores of a row are cheaper than the kernels of more blocks. */
const ONE_BLOCK_TIME = 512;

/** Returns into how many blocks queries of rows of this length are cut. A row's bits depend on it. */
export function queryBlocks(time: number): number {
  return hasDeviceMemory() && time <= ONE_BLOCK_TIME ? 1 : QUERY_BLOCKS;
}

/** Receives the keys and values (batch, time, kvHeads * headSize) of a layer. */
export type OnKeysValues = (key: Value, value: Value) => void;

/**
 * Returns the attention function of causal attention. `mask` is float32 (time, time), 0 where a query (row) may look
 * at a key (column). Time is a multiple of 4. `shared` holds, by layer, the keys and values of a prefix that comes
 * before all rows. `count` is the number of query blocks.
 */
export function causalAttention(
  config: ModelConfig,
  positioned: TokenPositions,
  mask: Value,
  shared?: readonly SharedKeysValues[],
  onKeysValues?: OnKeysValues,
  count = QUERY_BLOCKS,
): AttentionFunction {
  const { heads, kvHeads, headSize } = config;
  const group = heads / kvHeads;
  const [batch, time] = positioned.positions.shape as [Dim, Dim];
  const block = lengthOfBlocks(time, 1, count);
  const masks = blockMasks(mask, group, count);
  const blocks = [count, batch, kvHeads, group, block, headSize];
  return (normed, weights, layer) => {
    const { query, key, value } = projectQueryKeyValue(normed, weights, config, positioned);
    onKeysValues?.(key, value);
    // Queries that share a key head become rows of one product: (blocks, batch, kvHeads, group * block, headSize).
    const byBlock = reshape(query, [batch, count, block, kvHeads, group, headSize]);
    const queries = reshape(transpose(byBlock, [1, 0, 3, 4, 2, 5]), mergedHeadShape(blocks));
    const keys = transpose(reshape(key, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const values = transpose(reshape(value, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const own = { q: queries, k: keys, v: values };
    const before = shared?.[layer];
    const mixed = before
      ? blockwiseAttentionWithPrefix(own, before, masks)
      : blockwiseAttention(own, masks);
    const perHead = transpose(reshape(mixed, blocks), [1, 0, 4, 2, 3, 5]);
    return reshape(perHead, [normed.shape[0]!, heads * headSize]);
  };
}

/** Merges the group and block axes of (blocks, batch, kvHeads, group, block, headSize). */
function mergedHeadShape([blocks, batch, kvHeads, group, block, size]: readonly Dim[]): Dim[] {
  return [blocks!, batch!, kvHeads!, multiplyDims(group!, block!), size!];
}

function multiplyDims(a: Dim, b: Dim): Dim {
  return typeof a === "number" && typeof b === "number" ? a * b : `${a}*${b}`;
}

/** Returns the length of this many of the `count` blocks of `time`. */
function lengthOfBlocks(time: Dim, blocks: number, count: number): Dim {
  if (typeof time === "number") return (blocks * time) / count;
  if (blocks === count) return time;
  return blocks === 1 ? `${time}/${count}` : `${blocks}*${time}/${count}`;
}

/** Returns the mask of each block: (group * block, (index + 1) * block). */
function blockMasks(mask: Value, group: number, count: number): Value[] {
  const time = mask.shape[1]!;
  const block = lengthOfBlocks(time, 1, count);
  return Array.from({ length: count }, (_, i) => {
    const end = lengthOfBlocks(time, i + 1, count);
    const start = i === 0 ? 0 : lengthOfBlocks(time, i, count);
    const own =
      count === 1 ? mask : sliceAxis(sliceAxis(mask, 0, start, end, block), 1, 0, end, end);
    const shape = [multiplyDims(group, block), end];
    return mask.graph.emit("Concat", new Array(group).fill(own), [{ dtype: mask.dtype, shape }], {
      attributes: { axis: { int: 0 } },
    })[0]!;
  });
}

/**
 * Declares the mask of `causalAttention` as the input `mask` (time, time). On a device it is computed from the places
 * of tokens 0, 1, 2, ..., which are there already: `places.column` (time, 1) and `places.row` (1, time).
 */
export function declareCausalMask(graph: Graph): Value {
  if (!hasDeviceMemory()) return graph.addInput("mask", "float32", ["time", "time"]);
  const column = graph.addInput("places.column", "float32", ["time", 1]);
  const row = graph.addInput("places.row", "float32", [1, "time"]);
  return where(less(column, row), graph.scalar(MASKED), graph.scalar(0));
}

/** Returns the feeds of `declareCausalMask` on a device, from the numbers 0, 1, 2, ... there. */
export function devicePlaceFeeds(numbers: Tensor, time: number): Feeds {
  return {
    "places.column": viewOnDevice(numbers, [time, 1]),
    "places.row": viewOnDevice(numbers, [1, time]),
  };
}

/** Returns the (time, time) mask that `causalAttention` takes. */
export function causalMask(time: number): Float32Array {
  const mask = new Float32Array(time * time);
  for (let query = 0; query < time; query++) {
    mask.fill(MASKED, query * time + query + 1, (query + 1) * time);
  }
  return mask;
}
