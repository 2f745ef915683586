/**
 * The two graphs of decoding: `step` continues every row by one sampled token, and `block` fills the cache.
 *
 * The arithmetic at a position depends only on that position, not on how its row came to be cached. A position
 * attends to the blocks of 16 before its own (padded to a length L that follows from the position), to the earlier
 * positions of its own block, and to itself. Both graphs do this by the same products of the same sizes. So decoding
 * token by token, prefilling a prompt, and prefilling again after an eviction give the same bits, and a sampled token
 * is a function of (weights, tokens, stream, position, sampling options).
 *
 * ONNX Runtime copies every output, so neither graph returns a cache, and `step` returns logits only for rows whose
 * draw is filtered. New keys and values leave the graph (the caller writes them into the cache) and, from `step`, a
 * token that is drawn inside the graph and its probability. On a device the cache and new keys and values stay there
 * (device-key-values.ts), and the mask is computed from two numbers a row. Shapes: B rows, S = L + 16 cached positions,
 * H key heads, G query heads per key head, D head size. From position 512 on most of the past is attended to by
 * segments, and only the rest of it is the cache of these shapes.
 */
import {
  add,
  declareDeviceMatrix,
  type Graph,
  gather,
  gatherMatrixRows,
  hasDeviceMemory,
  less,
  mul,
  reshape,
  slice,
  transpose,
  type Value,
  where,
} from "../graph/index.ts";
import {
  type AttentionFunction,
  applyDecoder,
  bitsOf,
  declareRotaryTables,
  declareWeights,
  headLogits,
  type LoraConfig,
  type ModelConfig,
  projectQueryKeyValue,
  type QuantizedMatrices,
  type TokenPositions,
} from "../model/index.ts";
import type { Dim } from "../proto/index.ts";
import {
  type AttentionProjections,
  attendToCacheAndSelf,
  type CachedKeysValues,
} from "./attention.ts";
import { drawToken } from "./draw.ts";
import { RowStableGraph } from "./row-stable-graph.ts";
import {
  attendWithSegments,
  declareSegmentInputs,
  type SegmentInputs,
} from "./segmented-attention.ts";

/** The number of positions in a block. */
export const BLOCK_LENGTH = 16;
/** Added to the scores of positions that do not exist. exp of it is exactly 0. */
export const MASKED = -1e30;

/** The input of embedded tokens, (n, hidden), which replaces `token` where the base is quantised. */
export const EMBEDDED_INPUT = "embedded";

/** The name prefix of the embedding table of a quantised base on a device, where rows are looked up in it. */
export const LOOKUP_PREFIX = "lookup:";

export interface DecodeGraphOptions {
  readonly lora?: LoraConfig | undefined;
  /** The matrices of a quantised base. Embedded tokens are then an input, because the table is not floats. */
  readonly quantized?: QuantizedMatrices | undefined;
  /** Whether the past of rows is cut into segments (segmented-attention.ts). */
  readonly segmented?: boolean;
  /** Whether `step` returns the logits for a filtered draw (filtered-draw.ts) instead of drawing tokens. */
  readonly returnsLogits?: boolean;
}

/**
 * Builds the graph that continues every row by one token. Inputs: token int32 (B), position int64 (B, 1),
 * {cachedKey,cachedValue}.<layer> (B, 1, H, 1, S, D), mask (B, 1, 1, 1, 1, S), inverseTemperature and uniform float32
 * (B, 1), and greedy bool (B, 1). Outputs: next int64 (B, 1), probability (B, 1), {key,value}.<layer> (B, H, 1, D).
 * With `returnsLogits`, the last three inputs and the first two outputs are replaced by the output logits (B, V).
 */
export function buildStepGraph(
  config: ModelConfig,
  threads: number,
  { lora, quantized, segmented = false, returnsLogits = false }: DecodeGraphOptions = {},
): RowStableGraph {
  const kind = returnsLogits ? "logits step" : "step";
  const graph = new RowStableGraph(segmented ? `segmented ${kind}` : kind, threads);
  const weights = declareWeights(graph, config, weightForm(), lora, quantized);
  const rotary = declareRotaryTables(graph, config);
  const embed = declareEmbedded(graph, weights.embed, "B", quantized);
  const positions = graph.addInput("position", "int64", ["B", 1]);
  const at = { rotary, positions };
  const attend = hasDeviceMemory()
    ? attendInPlace(graph, config, at)
    : attendToFeeds(graph, config, at, segmented);
  const hidden = applyDecoder(embed(), weights, config, attend);
  const logits = headLogits(hidden, weights, config);
  if (returnsLogits) graph.addOutput("logits", logits);
  else drawToken(graph, logits);
  return graph;
}

/**
 * Builds the graph that fills the cache, one block per row. Only the n positions without keys and values go through
 * the projections, which are most of the work. Attention sees whole blocks, in which the other positions come from
 * the cache.
 *
 * Inputs: token int32 (n) and position int64 (n, 1); place int32 (n), where each position lies in the blocks (row * 16
 * + offset); slot int32 (B * 16), the inverse of place, with any value for positions that are cached; fresh bool (B, 1,
 * 1, 1, 16, 1), whether a position is computed now; cachedKey.*, cachedValue.* and mask as in `buildStepGraph`, where a
 * row's own block is the last 16 positions. Outputs: {key,value}.<layer> (B, H, 16, D) of the whole block. On a device
 * the mask is that of `buildDeviceBlockMask`, and only fresh positions of the outputs count.
 */
export function buildBlockGraph(
  config: ModelConfig,
  threads: number,
  { lora, quantized, segmented = false }: DecodeGraphOptions = {},
): RowStableGraph {
  const { kvHeads, headSize } = config;
  const graph = new RowStableGraph(segmented ? "segmented block" : "block", threads);
  const weights = declareWeights(graph, config, weightForm(), lora, quantized);
  const rotary = declareRotaryTables(graph, config);
  const embed = declareEmbedded(graph, weights.embed, "n", quantized);
  const positions = graph.addInput("position", "int64", ["n", 1]);
  const place = graph.addInput("place", "int32", ["n"]);
  const slot = graph.addInput("slot", "int32", [`B*${BLOCK_LENGTH}`]);
  const fresh = graph.addInput("fresh", "bool", ["B", 1, 1, 1, BLOCK_LENGTH, 1]);
  const onDevice = hasDeviceMemory();
  const mask = onDevice
    ? buildDeviceBlockMask(graph, fresh)
    : buildBlockMask(graph, graph.addInput("mask", "float32", ["B", 1, 1, 1, 1, "S"]));
  const segments = segmented ? declareSegmentInputs(graph, config) : undefined;
  const toBlocks = (x: Value) => {
    const width = x.shape[2]!;
    return reshape(gather(reshape(x, ["n", width]), slot), ["B", BLOCK_LENGTH, width]);
  };
  const attend: AttentionFunction = (normed, layerWeights, layer) => {
    const projected = projectQueryKeyValue(normed, layerWeights, config, { rotary, positions });
    const own = {
      query: toBlocks(projected.query),
      key: toBlocks(projected.key),
      value: toBlocks(projected.value),
    };
    const cached = declareCachedInputs(graph, layer, config);
    const afterBlock = ["B", 1, kvHeads, 1, `S+${BLOCK_LENGTH}`, headSize];
    const withNewBlock = (name: "key" | "value") => {
      const shape = ["B", 1, kvHeads, 1, BLOCK_LENGTH, headSize];
      const byHead = transpose(
        reshape(own[name], ["B", BLOCK_LENGTH, kvHeads, headSize]),
        [0, 2, 1, 3],
      );
      if (onDevice) {
        const block = reshape(byHead, shape);
        graph.addOutput(`${name}.${layer}`, byHead);
        return graph.emit("Concat", [cached[name], block], [{ ...block, shape: afterBlock }], {
          attributes: { axis: { int: 4 } },
        })[0]!;
      }
      const block = where(
        fresh,
        reshape(byHead, shape),
        sliceAxis(cached[name], 4, [-BLOCK_LENGTH, 2 ** 31], BLOCK_LENGTH),
      );
      graph.addOutput(`${name}.${layer}`, reshape(block, ["B", kvHeads, BLOCK_LENGTH, headSize]));
      return replaceLastBlock(cached[name], block, 4);
    };
    const keysValues = { key: withNewBlock("key"), value: withNewBlock("value") };
    const mixed = attendToPast(own, keysValues, mask, config, BLOCK_LENGTH, segments?.(layer));
    return gather(reshape(mixed, [`B*${BLOCK_LENGTH}`, config.heads * headSize]), place);
  };
  applyDecoder(embed(), weights, config, attend);
  return graph;
}

/** Returns the attention of a step over a cache that is fed, with new keys and values as outputs. */
function attendToFeeds(
  graph: RowStableGraph,
  config: ModelConfig,
  at: TokenPositions,
  segmented: boolean,
): AttentionFunction {
  const mask = graph.addInput("mask", "float32", ["B", 1, 1, 1, 1, "S"]);
  const segments = segmented ? declareSegmentInputs(graph, config) : undefined;
  return (normed, layerWeights, layer) => {
    const { query, key, value } = projectQueryKeyValue(normed, layerWeights, config, at);
    [key, value].forEach((x, i) => {
      const name = `${i === 0 ? "key" : "value"}.${layer}`;
      graph.addOutput(name, reshape(x, ["B", config.kvHeads, 1, config.headSize]));
    });
    const cached = declareCachedInputs(graph, layer, config);
    const own = { query, key, value };
    const mixed = attendToPast(own, cached, mask, config, 1, segments?.(layer));
    return reshape(mixed, [normed.shape[0]!, config.heads * config.headSize]);
  };
}

/**
 * Returns the attention of a step on a device. One operator writes the new keys and values into the cache in place,
 * after the `cached` positions of a row, int32 (B, 1), and attends to all of them. `longest` is int32 (1), the largest
 * of these numbers plus 1. The caches are (B, H, S, D), and are also the outputs {key,value}.<layer>.
 */
function attendInPlace(
  graph: RowStableGraph,
  config: ModelConfig,
  at: TokenPositions,
): AttentionFunction {
  const cached = graph.addInput("cached", "int32", ["B", 1]);
  const longest = graph.addInput("longest", "int32", [1]);
  const shape = ["B", config.kvHeads, "S", config.headSize];
  return (normed, layerWeights, layer) => {
    const { query, key, value } = projectQueryKeyValue(normed, layerWeights, config, at);
    const pastKey = graph.addInput(`cachedKey.${layer}`, "float32", shape);
    const pastValue = graph.addInput(`cachedValue.${layer}`, "float32", shape);
    const inputs = [query, key, value, pastKey, pastValue, cached, longest];
    const [mixed, newKey, newValue] = graph.emit(
      "GroupQueryAttention",
      inputs,
      [query, pastKey, pastValue],
      {
        domain: "com.microsoft",
        attributes: { num_heads: { int: config.heads }, kv_num_heads: { int: config.kvHeads } },
      },
    );
    graph.addOutput(`key.${layer}`, newKey!);
    graph.addOutput(`value.${layer}`, newValue!);
    return reshape(mixed!, [normed.shape[0]!, config.heads * config.headSize]);
  };
}

/** On a device the weights exist once, as training reads them. */
const weightForm = () => (hasDeviceMemory() ? "parts" : "fused");

/**
 * Declares the tokens, int32 (n), or the embedded tokens, (n, hidden). The returned function gives embedded tokens.
 */
function declareEmbedded(
  graph: Graph,
  table: Value,
  count: Dim,
  quantized: QuantizedMatrices | undefined,
): () => Value {
  if (quantized && !hasDeviceMemory()) {
    const embedded = graph.addInput(EMBEDDED_INPUT, "float32", [count, table.shape[1]!]);
    return () => embedded;
  }
  const token = graph.addInput("token", "int32", [count]);
  if (!quantized) return () => gather(table, token);
  const name = `${LOOKUP_PREFIX}model.embed_tokens.weight`;
  const shape = table.shape as [number, number];
  const rows = declareDeviceMatrix(graph, name, shape, bitsOf(quantized.type), "rows");
  return () => gatherMatrixRows(rows, token);
}

function attendToPast(
  projections: AttentionProjections,
  cached: CachedKeysValues,
  mask: Value,
  config: ModelConfig,
  positions: number,
  segments: SegmentInputs | undefined,
): Value {
  if (segments) return attendWithSegments(projections, cached, mask, segments, config, positions);
  return attendToCacheAndSelf(projections, cached, mask, config, positions).mixed;
}

function declareCachedInputs(
  graph: RowStableGraph,
  layer: number,
  config: ModelConfig,
): CachedKeysValues {
  const shape = ["B", 1, config.kvHeads, 1, "S", config.headSize];
  return {
    key: graph.addInput(`cachedKey.${layer}`, "float32", shape),
    value: graph.addInput(`cachedValue.${layer}`, "float32", shape),
  };
}

/** Returns `x`, which has length S on `axis`, with its last block replaced. */
function replaceLastBlock(x: Value, block: Value, axis: number): Value {
  const past = sliceAxis(x, axis, [0, -BLOCK_LENGTH], "L");
  return x.graph.emit("Concat", [past, block], [x], { attributes: { axis: { int: axis } } })[0]!;
}

/** Returns elements `start` to `end` of an axis. Negative bounds count from its end. `length` is their number. */
function sliceAxis(
  x: Value,
  axis: number,
  [start, end]: readonly [number, number],
  length: Dim,
): Value {
  const int64Vector = (value: number) => x.graph.constant("int64", [1], [value]);
  const shape = x.shape.map((dim, i) => (i === axis ? length : dim));
  const inputs = [x, int64Vector(start), int64Vector(end), int64Vector(axis)];
  return x.graph.emit("Slice", inputs, [{ dtype: x.dtype, shape }])[0]!;
}

/** Returns a block's mask (B, 16, 1, 1, 1, S): the given mask for the past, a causal one for the row's own block. */
function buildBlockMask(graph: RowStableGraph, mask: Value): Value {
  const each = [1, BLOCK_LENGTH, 1, 1, 1];
  const tall = add(mask, graph.constant("float32", [...each, 1], new Array(BLOCK_LENGTH).fill(0)));
  const earlier = graph.constant("float32", [...each, BLOCK_LENGTH], strictlyCausalMask());
  const own = add(slice(mul(mask, graph.scalar(0)), -1, 0, BLOCK_LENGTH), earlier);
  return replaceLastBlock(tall, own, 5);
}

/**
 * Returns a block's mask on a device, (B, 16, 1, 1, 1, S + 16): for the cache the `cached` positions of a row, float32
 * (B, 1, 1, 1, 1, 1), and behind it the positions of the block that are computed now, causally. `places`, float32 (1,
 * 1, 1, 1, 1, S), is 0, 1, 2, ...
 */
function buildDeviceBlockMask(graph: RowStableGraph, fresh: Value): Value {
  const places = graph.addInput("places", "float32", [1, 1, 1, 1, 1, "S"]);
  const cached = graph.addInput("cached", "float32", ["B", 1, 1, 1, 1, 1]);
  const [none, masked] = [graph.scalar(0), graph.scalar(MASKED)];
  const onCache = where(less(places, cached), none, masked);
  const each = [1, BLOCK_LENGTH, 1, 1, 1];
  const zeros = graph.constant("float32", [...each, 1], new Array(BLOCK_LENGTH).fill(0));
  const earlier = graph.constant("float32", [...each, BLOCK_LENGTH], strictlyCausalMask());
  const isFresh = transpose(fresh, [0, 1, 2, 3, 5, 4]);
  const own = add(where(isFresh, none, masked), earlier);
  return graph.emit(
    "Concat",
    [add(onCache, zeros), own],
    [{ dtype: "float32", shape: ["B", BLOCK_LENGTH, 1, 1, 1, `S+${BLOCK_LENGTH}`] }],
    { attributes: { axis: { int: 5 } } },
  )[0]!;
}

/** Returns a mask in which a position sees the positions before it and not itself. */
function strictlyCausalMask(): number[] {
  return Array.from({ length: BLOCK_LENGTH * BLOCK_LENGTH }, (_, i) => {
    const [query, key] = [Math.floor(i / BLOCK_LENGTH), i % BLOCK_LENGTH];
    return key < query ? 0 : MASKED;
  });
}
