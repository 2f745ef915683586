/**
 * Causal attention over rows that start at position 0 and are padded on the right: what training runs.
 *
 * Half of the (time, time) scores lie after their query and are not wanted. Queries are cut into four blocks, and each
 * block meets only the keys up to its own end, so five eighths are computed instead of all.
 */
import {
  add,
  concat,
  matmul,
  mul,
  reduceSum,
  reshape,
  softmax,
  split,
  sub,
  transpose,
  type Value,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import type { ModelConfig } from "./config.ts";
import { type Attend, type Positioned, queryKeyValue } from "./decoder.ts";

/** Large enough that a masked score's softmax underflows to zero. */
const MASKED = -1e9;

/** Blocks of queries; `time` is a multiple of it. */
export const QUERY_BLOCKS = 4;

/** `mask`: float32 (time, time), 0 where a query (row) may look at a key (column); time is a multiple of 4. */
export function causalAttention(config: ModelConfig, at: Positioned, mask: Value): Attend {
  const { heads, kvHeads, headSize } = config;
  const group = heads / kvHeads;
  const [batch, time] = at.positions.shape as [Dim, Dim];
  const block = times(time, 1);
  const masks = blockMasks(mask, group);
  const blocks = [QUERY_BLOCKS, batch, kvHeads, group, block, headSize];
  return (normed, weights) => {
    const { query, key, value } = queryKeyValue(normed, weights, config, at);
    // Queries that share a key head become rows of one product: (blocks, batch, kvHeads, group * block, headSize).
    const byBlock = reshape(query, [batch, QUERY_BLOCKS, block, kvHeads, group, headSize]);
    const queries = reshape(transpose(byBlock, [1, 0, 3, 4, 2, 5]), merged(blocks));
    const keys = transpose(reshape(key, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const values = transpose(reshape(value, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const mixed = attentionCore(queries, keys, values, masks);
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

/** Elements `start` to `end` of an axis, `size` of them. */
function cut(x: Value, axis: number, start: Dim, end: Dim, size: Dim): Value {
  const { graph } = x;
  const shape = x.shape.map((dim, i) => (i === axis ? size : dim));
  const axes = graph.constant("int64", [1], [axis]);
  const inputs = [x, graph.sizes([start]), graph.sizes([end]), axes];
  return graph.emit("Slice", inputs, [{ dtype: x.dtype, shape }])[0]!;
}

/** What one block of queries looked at, kept for its derivative. */
interface Block {
  /** (1, batch, kvHeads, group * block, size) */
  readonly q: Value;
  /** (batch, kvHeads, keys, size) */
  readonly k: Value;
  readonly v: Value;
  /** softmax(scale q k' + mask): (1, batch, kvHeads, group * block, keys) */
  readonly p: Value;
}

/**
 * softmax(scale q k' + mask) v, block by block: q (blocks, batch, kvHeads, group * block, size), k and v (batch,
 * kvHeads, time, size), result like q. Its rule needs one sweep less over the scores than the rules of its parts: the
 * row sums of p * dp, which softmax's derivative subtracts, equal those of mixed * d(mixed), which is far smaller.
 */
function attentionCore(q: Value, k: Value, v: Value, masks: readonly Value[]): Value {
  const scale = (q.shape[4] as number) ** -0.5;
  const blocks: Block[] = [];
  return q.graph.custom(
    [q, k, v],
    () => {
      const mixed = parts(q).map((own, i) => {
        const mask = masks[i]!;
        const [keys, values] = [k, v].map((x) => prefix(x, mask.shape[1]!));
        const p = softmax(add(matmul(own, keys!, { transposeB: true, scale }), mask));
        blocks.push({ q: own, k: keys!, v: values!, p });
        return matmul(p, values!);
      });
      return [concat(mixed, 0)] as const;
    },
    ([mixed], dmixed) => {
      const sums = parts(reduceSum(mul(mixed, dmixed), [-1], true));
      const derivatives = parts(dmixed).map((dy, i) => {
        const { q, k, v, p } = blocks[i]!;
        const dscores = mul(p, sub(matmul(dy, v, { transposeB: true }), sums[i]!));
        return {
          q: matmul(dscores, k, { scale }),
          k: matmul(dscores, q, { transposeA: true, scale }),
          v: matmul(p, dy, { transposeA: true }),
        };
      });
      return [
        concat(
          derivatives.map(({ q }) => q),
          0,
        ),
        reshape(addPrefixes(derivatives.map(({ k }) => k)), k.shape),
        reshape(addPrefixes(derivatives.map(({ v }) => v)), v.shape),
      ];
    },
  );
}

/** (blocks, ...) to its blocks (1, ...). */
function parts(x: Value): Value[] {
  return split(x, 0, new Array(x.shape[0] as number).fill(1));
}

/** The first positions of (batch, kvHeads, time, size). */
function prefix(x: Value, length: Dim): Value {
  return length === x.shape[2] ? x : cut(x, 2, 0, length, length);
}

/** The sum of (1, batch, kvHeads, length, size) over growing lengths, each of which counts from position 0. */
function addPrefixes(parts: readonly Value[]): Value {
  const { graph, shape } = parts[0]!;
  const pads = graph.sizes([0, 0, 0, 0, 0, 0, 0, 0, shape[3]!, 0]);
  return parts.reduce((sum, part) => add(graph.emit("Pad", [sum, pads], [part])[0]!, part));
}

/** The (time, time) mask that `causalAttention` takes. */
export function causalMask(time: number): Float32Array {
  const mask = new Float32Array(time * time);
  for (let query = 0; query < time; query++) {
    mask.fill(MASKED, query * time + query + 1, (query + 1) * time);
  }
  return mask;
}
