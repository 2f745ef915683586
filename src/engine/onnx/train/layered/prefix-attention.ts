/**
 * Attention of rows with a shared prefix: over the prefix, whose keys and values exist once, and causally over their
 * own tokens.
 *
 * Attention to the prefix is one product: a chunk's queries of all rows against the shared keys. The two softmaxes
 * are computed separately and merged by the logs of their sums, so that the large matrix is never copied next to the
 * small one: with l = log sum exp of each and w = exp(l - log(exp l_shared + exp l_own)), the result is w_shared
 * p_shared v_shared + w_own p_own v_own. A softmax's largest probability is 1 / sum exp(s - max), so l = max s -
 * log(max p). In the backward pass the cotangents of shared keys and values are products over all rows, which sums
 * them over the rows.
 */
import {
  add,
  floatOutput,
  Graph,
  matmul,
  mul,
  reduceSum,
  reshape,
  softmax,
  tensor,
  transpose,
  type Value,
} from "../../graph/index.ts";
import {
  logSumExp,
  type ModelConfig,
  partialAttentionBackward,
  softmaxShares,
} from "../../model/index.ts";
import type { Results } from "./layer-sessions.ts";
import { addInto } from "./row-loops.ts";
import { sliceTime } from "./strip-attention.ts";

/** The keys and values of a shared prefix, (prefix, kvHeads * headSize), after rotation. */
export interface KeyValues {
  readonly key: Float32Array;
  readonly value: Float32Array;
}

/** Attention over a part of the keys that a query sees. */
interface PartialAttention {
  /** The queries, (kvHeads, rows, queries, headSize). rows is 1 when the queries of all rows are one product. */
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  /** The softmax over this part alone: (kvHeads, rows, queries, keys). */
  readonly p: Value;
  /** The log of the sum of exp of the scores: (kvHeads, rows, queries, 1). */
  readonly sum: Value;
}

/** The layout of queries: `own` has one product per row, `shared` one product for all rows. */
type QueryLayout = "shared" | "own";

/**
 * Builds the attention graph of one strip after a shared prefix. Inputs: those of `buildAttentionGraph`, and
 * `sharedKey`, `sharedValue` (prefix, kvHeads * headSize). Output: `mixed` (batch, chunk, heads * headSize).
 */
export function buildPrefixAttentionGraph(config: ModelConfig): Graph {
  const graph = new Graph("shared attention");
  const { shared, own, weights } = declarePrefixAttention(graph, config);
  const onShared = withQueryLayout("own", mul(matmul(shared.p, shared.v), weights.shared), config);
  const mixed = add(onShared, mul(matmul(own.p, own.v), weights.own));
  graph.addOutput("mixed", toTokenOrder(mixed, config));
  return graph;
}

/**
 * Builds the backward graph of one strip after a shared prefix. Inputs, in addition to those of
 * `buildPrefixAttentionGraph`: `mixed` and `dmixed` (batch, time, heads * headSize). Outputs: `dquery` of the chunk,
 * `dkey` and `dvalue` of the own keys that it looks at, (batch, keys, kvHeads * headSize), and `dsharedKey`,
 * `dsharedValue` (prefix, kvHeads * headSize), summed over all rows.
 */
export function buildPrefixAttentionBackwardGraph(config: ModelConfig): Graph {
  const graph = new Graph("shared attention backward");
  const { shared, own, weights, takeChunk } = declarePrefixAttention(graph, config);
  const dims = ["batch", "time", config.heads * config.headSize];
  const mixed = takeChunk(graph.addInput("mixed", "float32", dims));
  const dmixed = takeChunk(graph.addInput("dmixed", "float32", dims));
  const sums = reduceSum(mul(mixed, dmixed), [-1], true);
  const onOwn = partialAttentionBackward(own, dmixed, sums, weights.own);
  const onShared = partialAttentionBackward(
    shared,
    withQueryLayout("shared", dmixed, config),
    withQueryLayout("shared", sums, config),
    weights.shared,
  );
  graph.addOutput(
    "dquery",
    toTokenOrder(add(onOwn.q, withQueryLayout("own", onShared.q, config)), config),
  );
  for (const [name, value] of [
    ["dkey", onOwn.k],
    ["dvalue", onOwn.v],
  ] as const) {
    const width = config.kvHeads * config.headSize;
    graph.addOutput(name, reshape(transpose(value, [1, 2, 0, 3]), ["batch", "keys", width]));
  }
  for (const [name, value] of [
    ["dsharedKey", onShared.k],
    ["dsharedValue", onShared.v],
  ] as const) {
    const width = config.kvHeads * config.headSize;
    graph.addOutput(name, reshape(transpose(value, [1, 2, 0, 3]), ["prefix", width]));
  }
  return graph;
}

function declarePrefixAttention(graph: Graph, config: ModelConfig) {
  const { heads, kvHeads, headSize } = config;
  const addTokenInput = (name: string, count: number) =>
    graph.addInput(name, "float32", ["batch", "time", count * headSize]);
  const [query, key, value] = [
    addTokenInput("query", heads),
    addTokenInput("key", kvHeads),
    addTokenInput("value", kvHeads),
  ];
  const [sharedKey, sharedValue] = ["sharedKey", "sharedValue"].map((name) => {
    const input = graph.addInput(name, "float32", ["prefix", kvHeads * headSize]);
    const heads = reshape(input, ["prefix", kvHeads, headSize]);
    return reshape(transpose(heads, [1, 0, 2]), [kvHeads, 1, "prefix", headSize]);
  });
  const mask = graph.addInput("mask", "float32", ["chunk", "keys"]);
  const start = graph.addInput("start", "int64", [1]);
  const end = graph.addInput("end", "int64", [1]);
  const first = graph.constant("int64", [1], [0]);
  const takeChunk = (x: Value) => groupByKeyHead(sliceTime(x, start, end, "chunk"), config);
  const visibleKeys = (x: Value) => {
    const split = reshape(sliceTime(x, first, end, "keys"), ["batch", "keys", kvHeads, headSize]);
    return transpose(split, [2, 0, 1, 3]);
  };
  const q = takeChunk(query);
  const own = partialAttention(q, visibleKeys(key), visibleKeys(value), config, mask);
  const shared = partialAttention(
    withQueryLayout("shared", q, config),
    sharedKey!,
    sharedValue!,
    config,
  );
  const [ownWeight, rest] = softmaxShares(own.sum, withQueryLayout("own", shared.sum, config));
  const sharedWeight = withQueryLayout("shared", rest, config);
  return { shared, own, weights: { own: ownWeight, shared: sharedWeight }, takeChunk };
}

function partialAttention(
  q: Value,
  k: Value,
  v: Value,
  config: ModelConfig,
  mask?: Value,
): PartialAttention {
  const { heads, kvHeads, headSize } = config;
  const scores = matmul(q, k, { transposeB: true, scale: headSize ** -0.5 });
  const masked = mask
    ? reshape(
        add(reshape(scores, [kvHeads, "batch", heads / kvHeads, "chunk", "keys"]), mask),
        scores.shape,
      )
    : scores;
  const p = softmax(masked);
  return { q, k, v, p, sum: logSumExp({ scores: masked, p }) };
}

/** Reorders (batch, chunk, heads * headSize) to (kvHeads, batch, group * chunk, headSize). */
function groupByKeyHead(x: Value, { heads, kvHeads, headSize }: ModelConfig): Value {
  const group = heads / kvHeads;
  const split = reshape(x, ["batch", "chunk", kvHeads, group, headSize]);
  return reshape(transpose(split, [2, 0, 3, 1, 4]), [kvHeads, "batch", `${group}*chunk`, headSize]);
}

/** Reshapes queries to one product per row or one product for all rows. The order of the numbers stays the same. */
function withQueryLayout(layout: QueryLayout, x: Value, { heads, kvHeads }: ModelConfig): Value {
  const queries = `${heads / kvHeads}*chunk`;
  const width = x.shape[3]!;
  return layout === "own"
    ? reshape(x, [kvHeads, "batch", queries, width])
    : reshape(x, [kvHeads, 1, `batch*${queries}`, width]);
}

/** Inverts `groupByKeyHead`. */
function toTokenOrder(x: Value, { heads, kvHeads, headSize }: ModelConfig): Value {
  const split = reshape(x, [kvHeads, "batch", heads / kvHeads, "chunk", headSize]);
  return reshape(transpose(split, [1, 3, 0, 2, 4]), ["batch", "chunk", heads * headSize]);
}

/** Returns the feeds of keys and values of a prefix, for `runStripAttention` and `runStripAttentionBackward`. */
export function prefixKeyValueFeeds({ kvHeads, headSize }: ModelConfig, { key, value }: KeyValues) {
  const width = kvHeads * headSize;
  return {
    sharedKey: tensor(key, [key.length / width, width]),
    sharedValue: tensor(value, [value.length / width, width]),
  };
}

/** Returns an `onStrip` callback that adds a strip's cotangents of shared keys and values to `dshared`. */
export function createCotangentAdder(dshared: KeyValues): (results: Results) => void {
  return (results) => {
    addInto(dshared.key, 0, floatOutput(results, "dsharedKey"));
    addInto(dshared.value, 0, floatOutput(results, "dsharedValue"));
  };
}
