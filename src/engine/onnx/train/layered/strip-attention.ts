/**
 * Causal attention of one layer in chunks of queries, so that no (time, time) matrix is ever held.
 *
 * Queries start .. end look at keys 0 .. end. A chunk computes a strip of the score matrix and nothing above the
 * diagonal except in the strip's last square, half of what the whole matrix costs. The backward pass computes the
 * strip's softmax again. Its derivative needs the row sums of p * dp, which equal those of mixed * d(mixed).
 */
import {
  add,
  type Feeds,
  floatOutput,
  Graph,
  matmul,
  mul,
  reduceSum,
  reshape,
  type Session,
  softmax,
  tensor,
  transpose,
  type Value,
} from "../../graph/index.ts";
import { type ModelConfig, partialAttentionBackward } from "../../model/index.ts";
import type { Dim } from "../../proto/index.ts";
import type { Results } from "./layer-sessions.ts";
import { addInto } from "./row-loops.ts";

/** A masked score. It is so low that its softmax underflows to zero. */
const MASKED = -1e9;

/** The query (heads * headSize), key and value (kvHeads * headSize) of tokens (rows * time), row-major. */
export interface QueryKeyValue {
  readonly query: Float32Array;
  readonly key: Float32Array;
  readonly value: Float32Array;
}

/** What both graphs compute with: the queries of a chunk, and the keys and values up to its end, by key head. */
interface QueryStrip {
  /** The queries of the chunk: (batch, kvHeads, group * chunk, headSize). */
  readonly q: Value;
  /** The keys up to the end of the chunk: (batch, kvHeads, keys, headSize). */
  readonly k: Value;
  readonly v: Value;
  /** The probabilities softmax(scale q k' + mask): (batch, kvHeads, group * chunk, keys). */
  readonly p: Value;
  /** Returns the chunk, by key head, of another value with the layout of the queries. */
  readonly takeChunk: (x: Value) => Value;
}

/**
 * Builds the attention graph of one strip. Inputs: `query`, `key`, `value` float32 (batch, time, heads or kvHeads *
 * headSize), `start` and `end` int64 (1), and `mask` float32 (chunk, keys). Output: `mixed` (batch, chunk, heads *
 * headSize).
 */
export function buildAttentionGraph(config: ModelConfig): Graph {
  const graph = new Graph("attention");
  const { p, v } = declareStrip(graph, config);
  graph.addOutput("mixed", toTokenOrder(matmul(p, v), config, "chunk"));
  return graph;
}

/**
 * Builds the backward graph of one strip. Inputs, in addition to those of `buildAttentionGraph`: `mixed` and `dmixed`
 * float32 (batch, time, heads * headSize). Outputs: `dquery` of the chunk, and `dkey` and `dvalue` of the keys that
 * it looks at, (batch, keys, kvHeads * headSize).
 */
export function buildAttentionBackwardGraph(config: ModelConfig): Graph {
  const graph = new Graph("attention backward");
  const { q, k, v, p, takeChunk } = declareStrip(graph, config);
  const dims = ["batch", "time", config.heads * config.headSize];
  const mixed = takeChunk(graph.addInput("mixed", "float32", dims));
  const dmixed = takeChunk(graph.addInput("dmixed", "float32", dims));
  const sums = reduceSum(mul(mixed, dmixed), [-1], true);
  const derivatives = partialAttentionBackward({ q, k, v, p }, dmixed, sums);
  graph.addOutput("dquery", toTokenOrder(derivatives.q, config, "chunk"));
  graph.addOutput("dkey", toTokenOrder(derivatives.k, config, "keys"));
  graph.addOutput("dvalue", toTokenOrder(derivatives.v, config, "keys"));
  return graph;
}

function declareStrip(graph: Graph, config: ModelConfig): QueryStrip {
  const { heads, kvHeads, headSize } = config;
  const addTokenInput = (name: string, count: number) =>
    graph.addInput(name, "float32", ["batch", "time", count * headSize]);
  const [query, key, value] = [
    addTokenInput("query", heads),
    addTokenInput("key", kvHeads),
    addTokenInput("value", kvHeads),
  ];
  const mask = graph.addInput("mask", "float32", ["chunk", "keys"]);
  const start = graph.addInput("start", "int64", [1]);
  const end = graph.addInput("end", "int64", [1]);
  const first = graph.constant("int64", [1], [0]);
  const takeChunk = (x: Value) => groupByKeyHead(sliceTime(x, start, end, "chunk"), config);
  const visibleKeys = (x: Value) =>
    transpose(
      reshape(sliceTime(x, first, end, "keys"), ["batch", "keys", kvHeads, headSize]),
      [0, 2, 1, 3],
    );
  const [q, k, v] = [takeChunk(query), visibleKeys(key), visibleKeys(value)];
  const scores = matmul(q, k, { transposeB: true, scale: headSize ** -0.5 });
  const group = heads / kvHeads;
  const masked = add(reshape(scores, ["batch", kvHeads, group, "chunk", "keys"]), mask);
  return { q, k, v, p: reshape(softmax(masked), scores.shape), takeChunk };
}

/** Returns tokens `start` (included) to `end` (excluded) of (batch, time, width). */
export function sliceTime(x: Value, start: Value, end: Value, length: Dim): Value {
  const axis = x.graph.constant("int64", [1], [1]);
  const shape = [x.shape[0]!, length, x.shape[2]!];
  return x.graph.emit("Slice", [x, start, end, axis], [{ dtype: x.dtype, shape }])[0]!;
}

/** Reorders queries by key head, so that queries that share a key head become rows of one product. */
function groupByKeyHead(x: Value, { heads, kvHeads, headSize }: ModelConfig): Value {
  const group = heads / kvHeads;
  const split = reshape(x, ["batch", "chunk", kvHeads, group, headSize]);
  const rows = `${group}*chunk`;
  return reshape(transpose(split, [0, 2, 3, 1, 4]), ["batch", kvHeads, rows, headSize]);
}

/** Reorders (batch, kvHeads, group * length, headSize) to (batch, length, width). */
function toTokenOrder(
  x: Value,
  { heads, kvHeads, headSize }: ModelConfig,
  length: "chunk" | "keys",
) {
  if (length === "keys")
    return reshape(transpose(x, [0, 2, 1, 3]), ["batch", "keys", kvHeads * headSize]);
  const split = reshape(x, ["batch", kvHeads, heads / kvHeads, "chunk", headSize]);
  return reshape(transpose(split, [0, 3, 1, 2, 4]), ["batch", "chunk", heads * headSize]);
}

/** A rectangle of rows and the size of its query chunks. */
export interface StripLayout {
  readonly batch: number;
  readonly time: number;
  /** The number of queries of a chunk. The last chunk may have fewer. */
  readonly queries: number;
}

/** Computes mixed head values (rows * time, heads * headSize). `more` holds additional feeds of the graph. */
export async function runStripAttention(
  session: Session,
  config: ModelConfig,
  strips: StripLayout,
  inputs: QueryKeyValue,
  more: Feeds = {},
): Promise<Float32Array> {
  const width = config.heads * config.headSize;
  const mixed = new Float32Array(strips.batch * strips.time * width);
  const whole = { ...allTokenFeeds(config, strips, inputs), ...more };
  for (const [start, end] of splitRange(strips.time, strips.queries)) {
    const results = await session.run({ ...whole, ...stripFeeds(start, end) });
    copyStripToRows(
      mixed,
      floatOutput(results, "mixed"),
      strips,
      start * width,
      strips.time * width,
    );
  }
  return mixed;
}

/**
 * Returns the cotangents of queries, keys and values, with their layout. `onStrip` receives the outputs of each
 * strip, to read those that are not in `buildAttentionBackwardGraph`.
 */
export async function runStripAttentionBackward(
  session: Session,
  config: ModelConfig,
  strips: StripLayout,
  inputs: QueryKeyValue & { readonly mixed: Float32Array; readonly dmixed: Float32Array },
  more: Feeds = {},
  onStrip: (results: Results) => void = () => {},
): Promise<QueryKeyValue> {
  const { batch, time } = strips;
  const width = config.heads * config.headSize;
  const query = new Float32Array(inputs.query.length);
  const key = new Float32Array(inputs.key.length);
  const value = new Float32Array(inputs.value.length);
  const dims = [batch, time, width];
  const whole = {
    ...allTokenFeeds(config, strips, inputs),
    ...more,
    mixed: tensor(inputs.mixed, dims),
    dmixed: tensor(inputs.dmixed, dims),
  };
  for (const [start, end] of splitRange(time, strips.queries)) {
    const results = await session.run({ ...whole, ...stripFeeds(start, end) });
    copyStripToRows(query, floatOutput(results, "dquery"), strips, start * width, time * width);
    addStripToRows(key, floatOutput(results, "dkey"), strips);
    addStripToRows(value, floatOutput(results, "dvalue"), strips);
    onStrip(results);
  }
  return { query, key, value };
}

/** Copies each row's part of `chunk` to its place in `target`. */
function copyStripToRows(
  target: Float32Array,
  chunk: Float32Array,
  { batch }: StripLayout,
  offset: number,
  stride: number,
): void {
  const size = chunk.length / batch;
  for (let row = 0; row < batch; row++) {
    target.set(chunk.subarray(row * size, (row + 1) * size), row * stride + offset);
  }
}

/** Adds each row's part of `strip`, which begins at time 0, to the row's part of `sum`. */
function addStripToRows(sum: Float32Array, strip: Float32Array, { batch }: StripLayout): void {
  const [stride, size] = [sum.length / batch, strip.length / batch];
  for (let row = 0; row < batch; row++) {
    addInto(sum, row * stride, strip.subarray(row * size, (row + 1) * size));
  }
}

export function* splitRange(total: number, step: number): Generator<readonly [number, number]> {
  for (let start = 0; start < total; start += step) yield [start, Math.min(total, start + step)];
}

/** Returns the feeds that are the same for every chunk. */
function allTokenFeeds(
  config: ModelConfig,
  { batch, time }: StripLayout,
  inputs: QueryKeyValue,
): Feeds {
  const { heads, kvHeads, headSize } = config;
  return {
    query: tensor(inputs.query, [batch, time, heads * headSize]),
    key: tensor(inputs.key, [batch, time, kvHeads * headSize]),
    value: tensor(inputs.value, [batch, time, kvHeads * headSize]),
  };
}

/** Returns the feeds that say which queries a chunk has and which keys each of them may look at. */
function stripFeeds(start: number, end: number): Feeds {
  const mask = new Float32Array((end - start) * end);
  for (let query = start; query < end; query++) {
    const row = (query - start) * end;
    mask.fill(MASKED, row + query + 1, row + end);
  }
  return {
    start: tensor(BigInt64Array.of(BigInt(start)), [1]),
    end: tensor(BigInt64Array.of(BigInt(end)), [1]),
    mask: tensor(mask, [end - start, end]),
  };
}
