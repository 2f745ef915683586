/**
 * The two graphs of decoding: `step` continues every row by one sampled token, `block` fills the cache.
 *
 * The arithmetic at a position depends on that position alone, not on how its row came to be cached. A position
 * attends to three parts: `past` (all whole blocks of 16 before it, padded to a length that follows from the
 * position), `window` (the earlier positions of its own block) and itself. Both graphs compute these three parts by
 * the same products over the same sizes, so decoding token by token, prefilling a prompt, and prefilling again after
 * an eviction give the same bits, and a sampled token is a function of (weights, tokens, stream, position).
 *
 * ONNX Runtime copies every output, so neither returns a cache or logits: new keys and values leave the graph (the
 * caller writes them into the cache) and, from `step`, a token drawn inside the graph and its probability.
 * Shapes: B rows, L padded past length, H key heads, G query heads a key head, D head size.
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
  type ModelConfig,
  queryKeyValue,
} from "../model/index.ts";
import { RowStableGraph } from "./row-stable-graph.ts";

/** Positions of a block. */
export const BLOCK = 16;
/** Added to the scores of positions that are not there; exp of it is exactly 0. */
export const MASKED = -1e30;

/** What attention sees beside the new tokens: cached keys and values (B, H, n, D) of one layer. */
interface Cached {
  readonly key: Value;
  readonly value: Value;
}

/**
 * Inputs: token int32 (B), position int64 (B, 1), past.{key,value}.<layer> (B, H, L, D), window.{key,value}.<layer>
 * (B, H, 16, D), pastMask (B, 1, 1, L), windowMask (B, 1, 1, 16), inverseTemperature, uniform float32 (B, 1) and
 * greedy bool (B, 1). Outputs: next int64 (B, 1), probability (B, 1), {key,value}.<layer> (B, H, 1, D).
 */
export function stepGraph(config: ModelConfig, threads: number): RowStableGraph {
  const { heads, kvHeads, headSize } = config;
  const graph = new RowStableGraph("step", threads);
  const weights = declareWeights(graph, config);
  const rotary = declareRotary(graph, config);
  const token = graph.input("token", "int32", ["B"]);
  const positions = graph.input("position", "int64", ["B", 1]);
  const masks = declareMasks(graph);
  const windowMask = graph.input("windowMask", "float32", ["B", 1, 1, BLOCK]);
  const group = heads / kvHeads;
  const attend: Attend = (normed, own, layer) => {
    const { query, key, value } = queryKeyValue(normed, own, config, { rotary, positions });
    const single = reshape(query, ["B", kvHeads, group, headSize]);
    // A product with one row takes another path in the kernel: one query head a key head is doubled.
    const q = group === 1 ? concat([single, single], 2) : single;
    const [k, v] = [key, value].map((x) => reshape(x, ["B", kvHeads, 1, headSize]));
    graph.output(`key.${layer}`, k!);
    graph.output(`value.${layer}`, v!);
    const past = declareCached(graph, "past", layer, config, "L");
    const window = declareCached(graph, "window", layer, config, BLOCK);
    const mixed = attendThree(q, past, window, masks, windowMask, { q, k: k!, v: v! });
    const kept = group === 1 ? slice(mixed, 2, 0, 1) : mixed;
    return reshape(kept, ["B", heads * headSize]);
  };
  const hidden = decoder(gather(weights.embed, token), weights, config, attend);
  drawToken(graph, headLogits(hidden, weights, config));
  return graph;
}

/**
 * Inputs: token int32 (B * 16), position int64 (B, 16), past.* and pastMask as above. Outputs: {key,value}.<layer>
 * (B, H, 16, D). Tokens after a row's last one are anything: causality keeps them from the others.
 */
export function blockGraph(config: ModelConfig, threads: number): RowStableGraph {
  const { heads, kvHeads, headSize } = config;
  const graph = new RowStableGraph("block", threads);
  const weights = declareWeights(graph, config);
  const rotary = declareRotary(graph, config);
  const positions = graph.input("position", "int64", ["B", BLOCK]);
  const token = graph.input("token", "int32", ["n"]);
  const masks = declareMasks(graph);
  const group = heads / kvHeads;
  const earlier = graph.constant("float32", [group * BLOCK, BLOCK], strictlyCausal(group));
  const attend: Attend = (normed, own, layer) => {
    const { query, key, value } = queryKeyValue(normed, own, config, { rotary, positions });
    const heads5 = reshape(query, ["B", BLOCK, kvHeads, group, headSize]);
    const q5 = transpose(heads5, [0, 2, 3, 1, 4]);
    const q = reshape(q5, ["B", kvHeads, group * BLOCK, headSize]);
    const [k, v] = [key, value].map((x) =>
      transpose(reshape(x, ["B", BLOCK, kvHeads, headSize]), [0, 2, 1, 3]),
    );
    graph.output(`key.${layer}`, k!);
    graph.output(`value.${layer}`, v!);
    const past = declareCached(graph, "past", layer, config, "L");
    const [k5, v5] = [k!, v!].map((x) => reshape(x, ["B", kvHeads, 1, BLOCK, headSize]));
    const self = { q: q5, k: k5!, v: v5! };
    const mixed = attendThree(q, past, { key: k!, value: v! }, masks, earlier, self);
    const byToken = transpose(
      reshape(mixed, ["B", kvHeads, group, BLOCK, headSize]),
      [0, 3, 1, 2, 4],
    );
    return reshape(byToken, [normed.shape[0]!, heads * headSize]);
  };
  decoder(gather(weights.embed, token), weights, config, attend);
  return graph;
}

function declareMasks(graph: RowStableGraph): Value {
  return graph.input("pastMask", "float32", ["B", 1, 1, "L"]);
}

function declareCached(
  graph: RowStableGraph,
  part: "past" | "window",
  layer: number,
  config: ModelConfig,
  length: number | string,
): Cached {
  const shape = ["B", config.kvHeads, length, config.headSize];
  return {
    key: graph.input(`${part}.key.${layer}`, "float32", shape),
    value: graph.input(`${part}.value.${layer}`, "float32", shape),
  };
}

/** The mask (group * 16, 16) of a block: a position sees those before it, not itself (that is the third part). */
function strictlyCausal(group: number): number[] {
  return Array.from({ length: group * BLOCK * BLOCK }, (_, i) => {
    const [query, key] = [Math.floor(i / BLOCK) % BLOCK, i % BLOCK];
    return key < query ? 0 : MASKED;
  });
}

/**
 * Attention of q (B, H, rows, D) over past, window and itself, each with its mask: (B, H, rows, D). The third part is
 * elementwise; `self` holds q, k and v in shapes that broadcast against each other (k and v without the group).
 */
function attendThree(
  q: Value,
  past: Cached,
  window: Cached,
  pastMask: Value,
  windowMask: Value,
  self: { readonly q: Value; readonly k: Value; readonly v: Value },
): Value {
  const { graph } = q;
  const size = q.shape.at(-1) as number;
  const scale = size ** -0.5;
  const toPast = add(matmul(q, past.key, { transposeB: true, scale }), pastMask);
  const toWindow = add(matmul(q, window.key, { transposeB: true, scale }), windowMask);
  const products = reduceSum(mul(self.q, self.k), [-1], true);
  const toSelf = reshape(mul(products, graph.scalar(scale)), [...q.shape.slice(0, -1), 1]);
  const weights = softmax(concat([toPast, toWindow, toSelf], -1));
  const lengths = ["L", BLOCK, 1];
  const [onPast, onWindow, onSelf] = graph.emit(
    "Split",
    [weights, graph.sizes(lengths)],
    lengths.map((length) => ({ dtype: "float32", shape: [...q.shape.slice(0, -1), length] })),
    { attributes: { axis: { int: q.shape.length - 1 } } },
  );
  const own = mul(reshape(onSelf!, [...self.q.shape.slice(0, -1), 1]), self.v);
  const cached = add(matmul(onPast!, past.value), matmul(onWindow!, window.value));
  return add(cached, reshape(own, q.shape));
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
