/**
 * Attention of rows that begin alike: over the tokens that they share, whose keys and values exist once, and causally
 * over their own.
 *
 * What all rows look at is one product: a chunk's queries of all rows against the shared keys. Both softmaxes are taken
 * apart and joined by the logs of their sums, so that the large matrix is never copied beside the small one: with
 * l = log sum exp of each and w = exp(l - log(exp l_shared + exp l_own)), the mixture is w_shared p_shared v_shared +
 * w_own p_own v_own. A softmax's largest probability is 1 / sum exp(s - max), so l = max s - log(max p).
 * In the backward pass the cotangents of shared keys and values are products over all rows: they meet by themselves.
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
import { sliceTime } from "./strip-attention.ts";
import type { Results } from "./layer-sessions.ts";
import { addInto } from "./row-loops.ts";

/** Of shared tokens (prefix, kvHeads * headSize), after rotation. */
export interface KeyValue {
  readonly key: Float32Array;
  readonly value: Float32Array;
}

/** A softmax over a part of what a query sees. */
interface Part {
  /** (kvHeads, rows, queries, headSize): rows is 1 where all rows' queries are one product. */
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  /** softmax over this part alone: (kvHeads, rows, queries, keys) */
  readonly p: Value;
  /** log of the sum of exp of the scores: (kvHeads, rows, queries, 1) */
  readonly sum: Value;
}

/** The part's share of the whole softmax is as `like` says, laid out as one of the two. */
type Layout = "shared" | "own";

/**
 * Inputs: those of `attentionGraph`, and `sharedKey`, `sharedValue` (prefix, kvHeads * headSize).
 * Output: `mixed` (batch, chunk, heads * headSize).
 */
export function sharedAttentionGraph(config: ModelConfig): Graph {
  const graph = new Graph("shared attention");
  const { shared, own, weights } = parts(graph, config);
  const onShared = as("own", mul(matmul(shared.p, shared.v), weights.shared), config);
  const mixed = add(onShared, mul(matmul(own.p, own.v), weights.own));
  graph.addOutput("mixed", byToken(mixed, config));
  return graph;
}

/**
 * Inputs beside those: `mixed` and `dmixed` (batch, time, heads * headSize). Outputs: `dquery` of the chunk, `dkey` and
 * `dvalue` of the own keys that it looks at, (batch, keys, kvHeads * headSize), and `dsharedKey`, `dsharedValue`
 * (prefix, kvHeads * headSize), summed over all rows.
 */
export function sharedAttentionBackwardGraph(config: ModelConfig): Graph {
  const graph = new Graph("shared attention backward");
  const { shared, own, weights, chunkOf } = parts(graph, config);
  const dims = ["batch", "time", config.heads * config.headSize];
  const mixed = chunkOf(graph.addInput("mixed", "float32", dims));
  const dmixed = chunkOf(graph.addInput("dmixed", "float32", dims));
  const sums = reduceSum(mul(mixed, dmixed), [-1], true);
  const onOwn = partialAttentionBackward(own, dmixed, sums, weights.own);
  const onShared = partialAttentionBackward(
    shared,
    as("shared", dmixed, config),
    as("shared", sums, config),
    weights.shared,
  );
  graph.addOutput("dquery", byToken(add(onOwn.q, as("own", onShared.q, config)), config));
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

function parts(graph: Graph, config: ModelConfig) {
  const { heads, kvHeads, headSize } = config;
  const tokens = (name: string, count: number) =>
    graph.addInput(name, "float32", ["batch", "time", count * headSize]);
  const [query, key, value] = [
    tokens("query", heads),
    tokens("key", kvHeads),
    tokens("value", kvHeads),
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
  const chunkOf = (x: Value) => byHead(sliceTime(x, start, end, "chunk"), config);
  const seen = (x: Value) => {
    const split = reshape(sliceTime(x, first, end, "keys"), ["batch", "keys", kvHeads, headSize]);
    return transpose(split, [2, 0, 1, 3]);
  };
  const q = chunkOf(query);
  const own = partOf(q, seen(key), seen(value), config, mask);
  const shared = partOf(as("shared", q, config), sharedKey!, sharedValue!, config);
  const [ownWeight, rest] = softmaxShares(own.sum, as("own", shared.sum, config));
  const sharedWeight = as("shared", rest, config);
  return { shared, own, weights: { own: ownWeight, shared: sharedWeight }, chunkOf };
}

function partOf(q: Value, k: Value, v: Value, config: ModelConfig, mask?: Value): Part {
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

/** (batch, chunk, heads * headSize) to (kvHeads, batch, group * chunk, headSize). */
function byHead(x: Value, { heads, kvHeads, headSize }: ModelConfig): Value {
  const group = heads / kvHeads;
  const split = reshape(x, ["batch", "chunk", kvHeads, group, headSize]);
  return reshape(transpose(split, [2, 0, 3, 1, 4]), [kvHeads, "batch", `${group}*chunk`, headSize]);
}

/** Between one product a row and one product for all rows; the numbers lie the same. */
function as(layout: Layout, x: Value, { heads, kvHeads }: ModelConfig): Value {
  const queries = `${heads / kvHeads}*chunk`;
  const width = x.shape[3]!;
  return layout === "own"
    ? reshape(x, [kvHeads, "batch", queries, width])
    : reshape(x, [kvHeads, 1, `batch*${queries}`, width]);
}

/** The inverse of `byHead`. */
function byToken(x: Value, { heads, kvHeads, headSize }: ModelConfig): Value {
  const split = reshape(x, [kvHeads, "batch", heads / kvHeads, "chunk", headSize]);
  return reshape(transpose(split, [1, 3, 0, 2, 4]), ["batch", "chunk", heads * headSize]);
}

/** What the graphs take beside the inputs of rows apart, for `runAttention` and `runAttentionBackward`. */
export function sharedFeeds({ kvHeads, headSize }: ModelConfig, { key, value }: KeyValue) {
  const width = kvHeads * headSize;
  return {
    sharedKey: tensor(key, [key.length / width, width]),
    sharedValue: tensor(value, [value.length / width, width]),
  };
}

/** For `runAttentionBackward`: adds a strip's cotangents of shared keys and values. */
export function addShared(dshared: KeyValue): (results: Results) => void {
  return (results) => {
    addInto(dshared.key, 0, floatOutput(results, "dsharedKey"));
    addInto(dshared.value, 0, floatOutput(results, "dsharedValue"));
  };
}
