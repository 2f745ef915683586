/**
 * The two graphs of decoding: `step` continues every row by one sampled token, `block` fills the cache.
 *
 * The arithmetic at a position depends on that position alone, not on how its row came to be cached. A position
 * attends to the blocks of 16 before its own (padded to a length L that follows from the position), to the earlier
 * positions of its own block, and to itself. Both graphs do this by the same products over the same sizes, so decoding
 * token by token, prefilling a prompt, and prefilling again after an eviction give the same bits, and a sampled token
 * is a function of (weights, tokens, stream, position).
 *
 * ONNX Runtime copies every output, so neither returns a cache or logits: new keys and values leave the graph (the
 * caller writes them into the cache) and, from `step`, a token drawn inside the graph and its probability.
 * Shapes: B rows, S = L + 16 cached positions, H key heads, G query heads a key head, D head size.
 */
import {
  add,
  cast,
  concat,
  gather,
  lessOrEqual,
  matmul,
  mul,
  reduceSum,
  reshape,
  slice,
  softmax,
  transpose,
  type Value,
  where,
} from "../graph/index.ts";
import {
  type Attend,
  declareRotary,
  declareWeights,
  decoder,
  headLogits,
  type LoraConfig,
  type ModelConfig,
  queryKeyValue,
} from "../model/index.ts";
import { RowStableGraph } from "./row-stable-graph.ts";

/** Positions of a block. */
export const BLOCK = 16;
/** Added to the scores of positions that are not there; exp of it is exactly 0. */
export const MASKED = -1e30;

/** Cached keys and values of one layer: (B, H, S, D). */
interface Cached {
  readonly key: Value;
  readonly value: Value;
}

/**
 * Inputs: token int32 (B), position int64 (B, 1), {cachedKey,cachedValue}.<layer> (B, H, S, D), mask (B, 1, 1, S), and
 * inverseTemperature, uniform float32 (B, 1) and greedy bool (B, 1).
 * Outputs: next int64 (B, 1), probability (B, 1), {key,value}.<layer> (B, H, 1, D).
 */
export function stepGraph(config: ModelConfig, threads: number, lora?: LoraConfig): RowStableGraph {
  const { heads, kvHeads, headSize } = config;
  const graph = new RowStableGraph("step", threads);
  const weights = declareWeights(graph, config, "fused", lora);
  const rotary = declareRotary(graph, config);
  const token = graph.input("token", "int32", ["B"]);
  const positions = graph.input("position", "int64", ["B", 1]);
  const mask = graph.input("mask", "float32", ["B", 1, 1, "S"]);
  const group = heads / kvHeads;
  const attend: Attend = (normed, own, layer) => {
    const { query, key, value } = queryKeyValue(normed, own, config, { rotary, positions });
    const q = scaled(reshape(query, ["B", kvHeads, group, headSize]));
    const [k, v] = [key, value].map((x) => reshape(x, ["B", kvHeads, 1, headSize]));
    graph.output(`key.${layer}`, k!);
    graph.output(`value.${layer}`, v!);
    const cached = declareCached(graph, layer, config);
    const mixed = attendCachedAndSelf(q, cached, mask, { q, k: k!, v: v! });
    return reshape(mixed, ["B", heads * headSize]);
  };
  const hidden = decoder(gather(weights.embed, token), weights, config, attend);
  drawToken(graph, headLogits(hidden, weights, config));
  return graph;
}

/**
 * Inputs: token int32 (B * 16), position int64 (B, 16), cachedKey.*, cachedValue.* and mask as above, of which the last
 * 16 positions are not read. Outputs: {key,value}.<layer> (B, H, 16, D). Tokens after a row's last one are anything:
 * causality keeps them from the others.
 */
export function blockGraph(
  config: ModelConfig,
  threads: number,
  lora?: LoraConfig,
): RowStableGraph {
  const { heads, kvHeads, headSize } = config;
  const graph = new RowStableGraph("block", threads);
  const weights = declareWeights(graph, config, "fused", lora);
  const rotary = declareRotary(graph, config);
  const positions = graph.input("position", "int64", ["B", BLOCK]);
  const token = graph.input("token", "int32", ["n"]);
  const group = heads / kvHeads;
  const mask = blockMask(graph, graph.input("mask", "float32", ["B", 1, 1, "S"]), group);
  const attend: Attend = (normed, own, layer) => {
    const { query, key, value } = queryKeyValue(normed, own, config, { rotary, positions });
    const byHead = reshape(query, ["B", BLOCK, kvHeads, group, headSize]);
    const q = scaled(transpose(byHead, [0, 2, 3, 1, 4]));
    const [k, v] = [key, value].map((x) =>
      transpose(reshape(x, ["B", BLOCK, kvHeads, headSize]), [0, 2, 1, 3]),
    );
    graph.output(`key.${layer}`, k!);
    graph.output(`value.${layer}`, v!);
    const cached = declareCached(graph, layer, config);
    const seen = {
      key: withLastBlock(cached.key, k!, 2),
      value: withLastBlock(cached.value, v!, 2),
    };
    const rows = reshape(q, ["B", kvHeads, group * BLOCK, headSize]);
    const [k5, v5] = [k!, v!].map((x) => reshape(x, ["B", kvHeads, 1, BLOCK, headSize]));
    const mixed = attendCachedAndSelf(rows, seen, mask, { q, k: k5!, v: v5! });
    const split = reshape(mixed, ["B", kvHeads, group, BLOCK, headSize]);
    return reshape(transpose(split, [0, 3, 1, 2, 4]), [normed.shape[0]!, heads * headSize]);
  };
  decoder(gather(weights.embed, token), weights, config, attend);
  return graph;
}

function declareCached(graph: RowStableGraph, layer: number, config: ModelConfig): Cached {
  const shape = ["B", config.kvHeads, "S", config.headSize];
  return {
    key: graph.input(`cachedKey.${layer}`, "float32", shape),
    value: graph.input(`cachedValue.${layer}`, "float32", shape),
  };
}

/** `x`, S long on `axis`, with its last block replaced. */
function withLastBlock(x: Value, block: Value, axis: number): Value {
  const shape = x.shape.map((dim, i) => (i === axis ? "L" : dim));
  const vector = (value: number) => x.graph.constant("int64", [1], [value]);
  const [past] = x.graph.emit(
    "Slice",
    [x, vector(0), vector(-BLOCK), vector(axis)],
    [{ dtype: x.dtype, shape }],
  );
  return x.graph.emit("Concat", [past!, block], [x], { attributes: { axis: { int: axis } } })[0]!;
}

/** (B, 1, G * 16, S): the past as it is masked, and of its own block what comes before a position. */
function blockMask(graph: RowStableGraph, mask: Value, group: number): Value {
  const rows = group * BLOCK;
  const tall = add(mask, graph.constant("float32", [rows, 1], new Array(rows).fill(0)));
  const earlier = graph.constant("float32", [rows, BLOCK], strictlyCausal(rows));
  const own = add(slice(mul(mask, graph.scalar(0)), -1, 0, BLOCK), earlier);
  return withLastBlock(tall, own, 3);
}

/** A position sees those before it, not itself. */
function strictlyCausal(rows: number): number[] {
  return Array.from({ length: rows * BLOCK }, (_, i) => {
    const [query, key] = [Math.floor(i / BLOCK) % BLOCK, i % BLOCK];
    return key < query ? 0 : MASKED;
  });
}

/**
 * Attention of q (B, H, rows, D) over what is cached and itself: (B, H, rows, D). The second part is elementwise;
 * `self` holds q, k and v in shapes that broadcast against each other (k and v without the group).
 *
 * Every query is a product of its own, with one row: those read the cache where it lies, while products of two rows or
 * more first copy it into panels, which for so few rows is most of the work (a step of 64 rows: 1.4 times as fast). The
 * one-row kernel wants no factor, so queries come scaled. `block` must then do so too, where panels would pay: rounding
 * goes before speed.
 */
function attendCachedAndSelf(
  q: Value,
  cached: Cached,
  mask: Value,
  self: { readonly q: Value; readonly k: Value; readonly v: Value },
): Value {
  const { graph } = q;
  const outer = q.shape.slice(0, -1);
  const single = reshape(q, [...outer, 1, q.shape.at(-1)!]);
  const scores = matmul(single, shared(cached.key), { transposeB: true });
  const toCached = add(reshape(scores, [...outer, "S"]), mask);
  const toSelf = reshape(reduceSum(mul(self.q, self.k), [-1], true), [...outer, 1]);
  const weights = softmax(concat([toCached, toSelf], -1));
  const [onCached, onSelf] = graph.emit(
    "Split",
    [weights, graph.sizes(["S", 1])],
    ["S", 1].map((length) => ({ dtype: "float32", shape: [...outer, length] })),
    { attributes: { axis: { int: outer.length } } },
  );
  const own = mul(reshape(onSelf!, [...self.q.shape.slice(0, -1), 1]), self.v);
  const mixed = matmul(reshape(onCached!, [...outer, 1, "S"]), shared(cached.value));
  return add(reshape(mixed, q.shape), reshape(own, q.shape));
}

/** Queries (..., D) over the square root of D. */
function scaled(q: Value): Value {
  return mul(q, q.graph.scalar((q.shape.at(-1) as number) ** -0.5));
}

/** (B, H, S, D) as (B, H, 1, S, D), for all queries of a key head. */
function shared(cached: Value): Value {
  const [batch, heads, ...rest] = cached.shape;
  return reshape(cached, [batch!, heads!, 1, ...rest]);
}

/**
 * Draws one token a row by inverting the cumulative distribution at the row's uniform number: the count of cumulative
 * sums at or below it. A token of probability 0 is never drawn. Greedy rows take the largest logit. (No Log node: its
 * kernel rounds the last elements of a thread's share otherwise than the rest, so a row would see its batch.)
 */
function drawToken(graph: RowStableGraph, logits: Value): void {
  const size = logits.shape[1] as number;
  const inverseTemperature = graph.input("inverseTemperature", "float32", ["B", 1]);
  const uniform = graph.input("uniform", "float32", ["B", 1]);
  const greedy = graph.input("greedy", "bool", ["B", 1]);
  const probabilities = softmax(mul(logits, inverseTemperature));
  const [sums] = graph.emit("CumSum", [probabilities, graph.constant("int64", [], [1])], [logits]);
  const threshold = mul(uniform, slice(sums!, 1, size - 1, size));
  const below = cast(lessOrEqual(sums!, threshold), "float32");
  const drawn = cast(reduceSum(below, [1], true), "int64");
  const [best] = graph.emit("ArgMax", [logits], [{ dtype: "int64", shape: ["B", 1] }], {
    attributes: { axis: { int: 1 }, keepdims: { int: 1 } },
  });
  const next = where(greedy, best!, drawn);
  graph.output("next", next);
  const [chosen] = graph.emit("GatherElements", [probabilities, next], [uniform], {
    attributes: { axis: { int: 1 } },
  });
  graph.output("probability", chosen!);
}
