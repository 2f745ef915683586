/**
 * softmax(scale q k' + mask) v of the whole training graph, block of queries by block, and its derivative.
 *
 * The rule needs one sweep less over the scores than the rules of its parts: the row sums of p * dp, which softmax's
 * derivative subtracts, equal those of mixed * d(mixed), which is far smaller.
 *
 * Rows may look at tokens that come before all of them, too, whose keys and values exist once: one product for the queries of all rows.
 * The two softmaxes are joined by the logs of their sums, as the layered path joins them (`shared-attention.ts`).
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

/** Queries (blocks, batch, kvHeads, group * block, size); keys and values (batch, kvHeads, time, size). */
export interface OwnTokens {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
}

/** Keys and values of tokens that come before all rows: (kvHeads, prefix, size). */
export interface SharedTokens {
  readonly key: Value;
  readonly value: Value;
}

/** A softmax over some keys. Rows of scores: (1, batch, kvHeads, group * block), or (kvHeads, all queries) over shared ones. */
interface Part extends OwnTokens {
  readonly scores: Value;
  readonly p: Value;
}

/** `masks`: of each block, (group * block, keys up to its end). The result lies like the queries. */
export function attentionCore(own: OwnTokens, masks: readonly Value[]): Value {
  let blocks: readonly Part[] = [];
  return own.q.graph.custom(
    [own.q, own.k, own.v],
    () => {
      blocks = blocksOf(own, masks);
      return [mixedOf(blocks)] as const;
    },
    ([mixed], dmixed) => {
      const sums = reduceSum(mul(mixed, dmixed), [-1], true);
      const { q, k, v } = blocksBackward(own, blocks, dmixed, sums);
      return [q, k, v];
    },
  );
}

/** The same behind tokens that all rows look at. */
export function sharedAttentionCore(
  own: OwnTokens,
  { key, value }: SharedTokens,
  masks: readonly Value[],
): Value {
  const { q } = own;
  let blocks: readonly Part[] = [];
  return q.graph.custom(
    [q, own.k, own.v, key, value],
    () => {
      blocks = blocksOf(own, masks);
      const shared = partOf({ q: gathered(q), k: key, v: value });
      const ownSum = concat(blocks.map(logSum), 0);
      const [ownShare, share] = sharesOf(ownSum, spread(logSum(shared), q));
      const others = spread(matmul(shared.p, value), q);
      const mixed = add(mul(ownShare, mixedOf(blocks)), mul(share, others));
      return [mixed, ownShare, gathered(share), shared.q, shared.p] as const;
    },
    ([mixed, ownShare, share, sharedQ, sharedP], dmixed) => {
      const sums = reduceSum(mul(mixed, dmixed), [-1], true);
      const part = { q: sharedQ, k: key, v: value, p: sharedP };
      const all = partBackward(part, gathered(dmixed), gathered(sums), share);
      const onOwn = blocksBackward(own, blocks, dmixed, sums, ownShare);
      return [add(onOwn.q, spread(all.q, q)), onOwn.k, onOwn.v, all.k, all.v];
    },
  );
}

function partOf({ q, k, v }: OwnTokens, mask?: Value): Part {
  const product = matmul(q, k, { transposeB: true, scale: (q.shape.at(-1) as number) ** -0.5 });
  const scores = mask ? add(product, mask) : product;
  return { q, k, v, scores, p: softmax(scores) };
}

/** log of the sum of exp of the scores; a softmax's largest probability is 1 / sum exp(s - max). */
export function logSum({ scores, p }: Pick<Part, "scores" | "p">): Value {
  return sub(reduceMax(scores, true), log(reduceMax(p, true)));
}

/** Of two parts by the logs of their sums. Which is larger does not matter: shares are sigmoids of the difference. */
export function sharesOf(sum: Value, other: Value): readonly [Value, Value] {
  const one = sum.graph.scalar(1);
  const share = div(one, add(one, exp(sub(other, sum))));
  return [share, sub(one, share)];
}

/**
 * Cotangents of a part's queries, keys and values. `sums`: of mixed * d(mixed), a number a query. `share`: of the part in the whole
 * softmax, a number a query; absent: it is the whole. It scales the narrow matrices.
 */
export function partBackward(
  { q, k, v, p }: Omit<Part, "scores">,
  dmixed: Value,
  sums: Value,
  share?: Value,
): OwnTokens {
  const scale = (q.shape.at(-1) as number) ** -0.5;
  const scaled = (x: Value) => (share ? mul(x, share) : x);
  const slope = mul(p, sub(matmul(dmixed, v, { transposeB: true }), sums));
  return {
    q: scaled(matmul(slope, k, { scale })),
    k: matmul(slope, scaled(q), { transposeA: true, scale }),
    v: matmul(p, scaled(dmixed), { transposeA: true }),
  };
}

function blocksOf({ q, k, v }: OwnTokens, masks: readonly Value[]): Part[] {
  return parts(q).map((own, i) => {
    const mask = masks[i]!;
    const [keys, values] = [k, v].map((x) => prefix(x, mask.shape[1]!));
    return partOf({ q: own, k: keys!, v: values! }, mask);
  });
}

function mixedOf(blocks: readonly Part[]): Value {
  return concat(
    blocks.map(({ p, v }) => matmul(p, v)),
    0,
  );
}

function blocksBackward(
  { k, v }: OwnTokens,
  blocks: readonly Part[],
  dmixed: Value,
  sums: Value,
  share?: Value,
): OwnTokens {
  const [dys, ownSums, shares] = [parts(dmixed), parts(sums), share && parts(share)];
  const derivatives = blocks.map((block, i) =>
    partBackward(block, dys[i]!, ownSums[i]!, shares?.[i]),
  );
  return {
    q: concat(
      derivatives.map(({ q }) => q),
      0,
    ),
    k: reshape(addPrefixes(derivatives.map((part) => part.k)), k.shape),
    v: reshape(addPrefixes(derivatives.map((part) => part.v)), v.shape),
  };
}

/** (blocks, batch, kvHeads, queries, n) to (kvHeads, all queries, n): what one product takes. */
function gathered(x: Value): Value {
  const [blocks, batch, kvHeads, queries, width] = x.shape as [number, Dim, number, Dim, Dim];
  return reshape(transpose(x, [2, 0, 1, 3, 4]), [kvHeads, `${blocks}*${batch}*${queries}`, width]);
}

/** The inverse of `gathered`, for a value whose queries lie as those of `like` do. */
function spread(x: Value, like: Value): Value {
  const [blocks, batch, kvHeads, queries] = like.shape as [number, Dim, number, Dim];
  const split = reshape(x, [kvHeads, blocks, batch, queries, x.shape[2]!]);
  return transpose(split, [1, 2, 0, 3, 4]);
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

/** Elements `start` to `end` of an axis, `size` of them. */
export function cut(x: Value, axis: number, start: Dim, end: Dim, size: Dim): Value {
  const { graph } = x;
  const shape = x.shape.map((dim, i) => (i === axis ? size : dim));
  const axes = graph.constant("int64", [1], [axis]);
  const inputs = [x, graph.sizes([start]), graph.sizes([end]), axes];
  return graph.emit("Slice", inputs, [{ dtype: x.dtype, shape }])[0]!;
}
