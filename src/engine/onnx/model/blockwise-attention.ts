/**
 * Computes softmax(scale q k' + mask) v in the training graph, one block of queries at a time, and its derivative.
 *
 * This derivative needs one pass over the scores less than the derivatives of its parts: the row sums of p * dp,
 * which softmax's derivative subtracts, equal those of mixed * d(mixed), which is far smaller.
 *
 * Rows may also attend to a prefix that comes before all of them and whose keys and values exist once. One product
 * then serves the queries of all rows. The two softmaxes are merged by the logs of their sums, as in the layered path
 * (`prefix-attention.ts`).
 */
import {
  add,
  concat,
  div,
  exp,
  log,
  matmul,
  mul,
  reduceMax,
  reduceSum,
  reshape,
  softmax,
  split,
  sub,
  transpose,
  type Value,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";

/** Queries (blocks, batch, kvHeads, group * block, size), and keys and values (batch, kvHeads, time, size). */
export interface AttentionInputs {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
}

/** Keys and values of a prefix that comes before all rows: (kvHeads, prefix, size). */
export interface SharedKeysValues {
  readonly key: Value;
  readonly value: Value;
}

/** Attention over some of the keys: a block of causal keys, or the shared prefix for all queries. */
interface PartialAttention extends AttentionInputs {
  readonly scores: Value;
  readonly p: Value;
}

/** Computes causal attention by blocks, in the layout of the queries. `masks` has a mask for each block. */
export function blockwiseAttention(inputs: AttentionInputs, masks: readonly Value[]): Value {
  let blocks: readonly PartialAttention[] = [];
  return inputs.q.graph.withCustomGradient(
    [inputs.q, inputs.k, inputs.v],
    () => {
      blocks = attendByBlock(inputs, masks);
      return [computeMixedValues(blocks)] as const;
    },
    ([mixed], dmixed) => {
      const sums = reduceSum(mul(mixed, dmixed), [-1], true);
      const { q, k, v } = attendByBlockBackward(inputs, blocks, dmixed, sums);
      return [q, k, v];
    },
  );
}

/** Computes causal attention block by block over a shared prefix and the rows' own tokens. */
export function blockwiseAttentionWithPrefix(
  inputs: AttentionInputs,
  { key, value }: SharedKeysValues,
  masks: readonly Value[],
): Value {
  const { q } = inputs;
  let blocks: readonly PartialAttention[] = [];
  return q.graph.withCustomGradient(
    [q, inputs.k, inputs.v, key, value],
    () => {
      blocks = attendByBlock(inputs, masks);
      const shared = partialAttention({ q: mergeAllQueries(q), k: key, v: value });
      const ownSum = joinBlocks(blocks.map(logSumExp));
      const [ownShare, share] = softmaxShares(ownSum, splitAllQueries(logSumExp(shared), q));
      const others = splitAllQueries(matmul(shared.p, value), q);
      const mixed = add(mul(ownShare, computeMixedValues(blocks)), mul(share, others));
      return [mixed, ownShare, mergeAllQueries(share), shared.q, shared.p] as const;
    },
    ([mixed, ownShare, share, sharedQ, sharedP], dmixed) => {
      const sums = reduceSum(mul(mixed, dmixed), [-1], true);
      const part = { q: sharedQ, k: key, v: value, p: sharedP };
      const all = partialAttentionBackward(
        part,
        mergeAllQueries(dmixed),
        mergeAllQueries(sums),
        share,
      );
      const onOwn = attendByBlockBackward(inputs, blocks, dmixed, sums, ownShare);
      return [add(onOwn.q, splitAllQueries(all.q, q)), onOwn.k, onOwn.v, all.k, all.v];
    },
  );
}

function partialAttention({ q, k, v }: AttentionInputs, mask?: Value): PartialAttention {
  const product = matmul(q, k, { transposeB: true, scale: (q.shape.at(-1) as number) ** -0.5 });
  const scores = mask ? add(product, mask) : product;
  return { q, k, v, scores, p: softmax(scores) };
}

/** Returns the log of the sum of exp of the scores. A softmax's largest probability is 1 / sum exp(s - max). */
export function logSumExp({ scores, p }: Pick<PartialAttention, "scores" | "p">): Value {
  return sub(reduceMax(scores, true), log(reduceMax(p, true)));
}

/**
 * Returns the shares of two parts in their joint softmax, given the logs of their sums. Which sum is larger does not
 * matter, because a share is the sigmoid of their difference.
 */
export function softmaxShares(logSum: Value, otherLogSum: Value): readonly [Value, Value] {
  const one = logSum.graph.scalar(1);
  const share = div(one, add(one, exp(sub(otherLogSum, logSum))));
  return [share, sub(one, share)];
}

/**
 * Returns the cotangents of queries, keys and values of one part of attention. `sums` are the row sums of mixed *
 * d(mixed), one number per query. `share` is the part's share of the whole softmax, one number per query; when absent
 * the part is the whole. The share scales the narrow matrices.
 */
export function partialAttentionBackward(
  { q, k, v, p }: Omit<PartialAttention, "scores">,
  dmixed: Value,
  sums: Value,
  share?: Value,
): AttentionInputs {
  const scale = (q.shape.at(-1) as number) ** -0.5;
  const timesShare = (x: Value) => (share ? mul(x, share) : x);
  const slope = mul(p, sub(matmul(dmixed, v, { transposeB: true }), sums));
  return {
    q: timesShare(matmul(slope, k, { scale })),
    k: matmul(slope, timesShare(q), { transposeA: true, scale }),
    v: matmul(p, timesShare(dmixed), { transposeA: true }),
  };
}

function attendByBlock({ q, k, v }: AttentionInputs, masks: readonly Value[]): PartialAttention[] {
  return splitBlocks(q).map((own, i) => {
    const mask = masks[i]!;
    const [keys, values] = [k, v].map((x) => firstPositions(x, mask.shape[1]!));
    return partialAttention({ q: own, k: keys!, v: values! }, mask);
  });
}

function computeMixedValues(blocks: readonly PartialAttention[]): Value {
  return joinBlocks(blocks.map(({ p, v }) => matmul(p, v)));
}

function attendByBlockBackward(
  { k, v }: AttentionInputs,
  blocks: readonly PartialAttention[],
  dmixed: Value,
  sums: Value,
  share?: Value,
): AttentionInputs {
  const [dys, ownSums, shares] = [
    splitBlocks(dmixed),
    splitBlocks(sums),
    share && splitBlocks(share),
  ];
  const derivatives = blocks.map((block, i) =>
    partialAttentionBackward(block, dys[i]!, ownSums[i]!, shares?.[i]),
  );
  return {
    q: joinBlocks(derivatives.map(({ q }) => q)),
    k: reshape(addGrowingPrefixes(derivatives.map((part) => part.k)), k.shape),
    v: reshape(addGrowingPrefixes(derivatives.map((part) => part.v)), v.shape),
  };
}

/**
 * Reorders (blocks, batch, kvHeads, queries, n) to (kvHeads, all queries, n), so that one product serves all queries.
 */
function mergeAllQueries(x: Value): Value {
  const [blocks, batch, kvHeads, queries, width] = x.shape as [number, Dim, number, Dim, Dim];
  return reshape(transpose(x, [2, 0, 1, 3, 4]), [kvHeads, `${blocks}*${batch}*${queries}`, width]);
}

/** Inverts `mergeAllQueries`, for a value with the query layout of `like`. */
function splitAllQueries(x: Value, like: Value): Value {
  const [blocks, batch, kvHeads, queries] = like.shape as [number, Dim, number, Dim];
  const split = reshape(x, [kvHeads, blocks, batch, queries, x.shape[2]!]);
  return transpose(split, [1, 2, 0, 3, 4]);
}

/** Inverts `splitBlocks`. */
function joinBlocks(blocks: readonly Value[]): Value {
  return blocks.length === 1 ? blocks[0]! : concat(blocks, 0);
}

/** Splits (blocks, ...) into its blocks (1, ...). */
function splitBlocks(x: Value): Value[] {
  return split(x, 0, new Array(x.shape[0] as number).fill(1));
}

/** Returns the first positions of (batch, kvHeads, time, size). */
function firstPositions(x: Value, length: Dim): Value {
  return length === x.shape[2] ? x : sliceAxis(x, 2, 0, length, length);
}

/** Adds values (1, batch, kvHeads, length, size) of growing length, all of which start at position 0. */
function addGrowingPrefixes(parts: readonly Value[]): Value {
  const { graph, shape } = parts[0]!;
  if (parts.length === 1) return parts[0]!;
  const pads = graph.shapeVector([0, 0, 0, 0, 0, 0, 0, 0, shape[3]!, 0]);
  return parts.reduce((sum, part) => add(graph.emit("Pad", [sum, pads], [part])[0]!, part));
}

/** Returns elements `start` to `end` of an axis. `size` is their number. */
export function sliceAxis(x: Value, axis: number, start: Dim, end: Dim, size: Dim): Value {
  const { graph } = x;
  const shape = x.shape.map((dim, i) => (i === axis ? size : dim));
  const axes = graph.constant("int64", [1], [axis]);
  const inputs = [x, graph.shapeVector([start]), graph.shapeVector([end]), axes];
  return graph.emit("Slice", inputs, [{ dtype: x.dtype, shape }])[0]!;
}
