/**
 * Causal attention over rows that start at position 0 and are padded on the right: what training runs.
 *
 * Half of the (time, time) scores lie after their query and are not wanted. Queries are cut into four blocks, and each
 * block meets only the keys up to its own end, so five eighths are computed instead of all.
 */
import { reshape, transpose, type Value } from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import { attentionCore, cut, type SharedTokens, sharedAttentionCore } from "./attention-core.ts";
import type { ModelConfig } from "./config.ts";
import { type Attend, type Positioned, queryKeyValue } from "./decoder.ts";

/** Large enough that a masked score's softmax underflows to zero. */
const MASKED = -1e9;

/** Blocks of queries; `time` is a multiple of it. */
export const QUERY_BLOCKS = 4;

/**
 * `mask`: float32 (time, time), 0 where a query (row) may look at a key (column); time is a multiple of 4. `shared`: by layer,
 * keys and values of tokens that come before all rows.
 */
export function causalAttention(
  config: ModelConfig,
  at: Positioned,
  mask: Value,
  shared?: readonly SharedTokens[],
): Attend {
  const { heads, kvHeads, headSize } = config;
  const group = heads / kvHeads;
  const [batch, time] = at.positions.shape as [Dim, Dim];
  const block = times(time, 1);
  const masks = blockMasks(mask, group);
  const blocks = [QUERY_BLOCKS, batch, kvHeads, group, block, headSize];
  return (normed, weights, layer) => {
    const { query, key, value } = queryKeyValue(normed, weights, config, at);
    // Queries that share a key head become rows of one product: (blocks, batch, kvHeads, group * block, headSize).
    const byBlock = reshape(query, [batch, QUERY_BLOCKS, block, kvHeads, group, headSize]);
    const queries = reshape(transpose(byBlock, [1, 0, 3, 4, 2, 5]), merged(blocks));
    const keys = transpose(reshape(key, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const values = transpose(reshape(value, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const own = { q: queries, k: keys, v: values };
    const before = shared?.[layer];
    const mixed = before ? sharedAttentionCore(own, before, masks) : attentionCore(own, masks);
    const perHead = transpose(reshape(mixed, blocks), [1, 0, 4, 2, 3, 5]);
    return reshape(perHead, [normed.shape[0]!, heads * headSize]);
  };
}

/** (blocks, batch, kvHeads, group, block, headSize) with a head's group and block as one axis. */
function merged([blocks, batch, kvHeads, group, block, size]: readonly Dim[]): Dim[] {
  return [blocks!, batch!, kvHeads!, product(group!, block!), size!];
}

function product(a: Dim, b: Dim): Dim {
  return typeof a === "number" && typeof b === "number" ? a * b : `${a}*${b}`;
}

/** So many blocks of `time`. */
function times(time: Dim, blocks: number): Dim {
  if (typeof time === "number") return (blocks * time) / QUERY_BLOCKS;
  if (blocks === QUERY_BLOCKS) return time;
  return blocks === 1 ? `${time}/${QUERY_BLOCKS}` : `${blocks}*${time}/${QUERY_BLOCKS}`;
}

/** The masks of the blocks: (group * block, (index + 1) * block) each. */
function blockMasks(mask: Value, group: number): Value[] {
  const time = mask.shape[1]!;
  const block = times(time, 1);
  return Array.from({ length: QUERY_BLOCKS }, (_, i) => {
    const end = times(time, i + 1);
    const own = cut(cut(mask, 0, i === 0 ? 0 : times(time, i), end, block), 1, 0, end, end);
    const shape = [product(group, block), end];
    return mask.graph.emit("Concat", new Array(group).fill(own), [{ dtype: mask.dtype, shape }], {
      attributes: { axis: { int: 0 } },
    })[0]!;
  });
}

/** The (time, time) mask that `causalAttention` takes. */
export function causalMask(time: number): Float32Array {
  const mask = new Float32Array(time * time);
  for (let query = 0; query < time; query++) {
    mask.fill(MASKED, query * time + query + 1, (query + 1) * time);
  }
  return mask;
}
