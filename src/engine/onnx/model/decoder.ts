/**
 * The decoder as a function over the graph builder: hidden states in, hidden states out.
 *
 * Training, prefill and decoding share everything but the attention core, which the caller supplies: training
 * attends causally within full rows, decoding attends to a cache. Tokens are rows of rank-2 values (n, hidden),
 * so every projection is one plain matrix product.
 */
import { assert } from "../../../core/index.ts";
import {
  linear,
  linears,
  neg,
  reshape,
  rmsNorm,
  split,
  swiglu,
  type Value,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import { adapt, type LowRank } from "./adapter.ts";
import type { ModelConfig } from "./config.ts";
import type { DecoderWeights, LayerWeights, RotaryTables } from "./weights.ts";

/** Attention of one layer: normalised hidden states (n, hidden) to mixed head values (n, heads * headSize). */
export type Attend = (normed: Value, weights: LayerWeights, layer: number) => Value;

/** Embedded tokens (n, hidden) through all blocks: (n, hidden), not yet normalised for the head. */
export function decoder(
  embedded: Value,
  weights: DecoderWeights,
  config: ModelConfig,
  attend: Attend,
): Value {
  return weights.layers.reduce(
    (x, layer, index) => block(x, layer, config, (normed, own) => attend(normed, own, index)),
    embedded,
  );
}

/** One pre-norm block: x + attention(norm x), then x + mlp(norm x). */
export function block(
  x: Value,
  weights: LayerWeights,
  config: ModelConfig,
  attend: (normed: Value, weights: LayerWeights) => Value,
): Value {
  const mixed = attend(rmsNorm(x, weights.inputNorm, config.rmsNormEpsilon), weights);
  return blockTail(x, mixed, weights, config);
}

/** What follows attention's core in a block: the output projection of mixed head values, and the MLP. */
export function blockTail(
  x: Value,
  mixed: Value,
  weights: LayerWeights,
  config: ModelConfig,
): Value {
  const { adapter } = weights;
  const [attended] = adapt(mixed, [linear(mixed, weights.output, x)], adapter.output) as [Value];
  const normed = rmsNorm(attended, weights.postNorm, config.rmsNormEpsilon);
  const size = config.intermediateSize;
  const [gate, up] = project(normed, weights.gateUp, [], [size, size], adapter.gateUp);
  const inner = swiglu(gate!, up!);
  return adapt(inner, [linear(inner, weights.down, attended)], adapter.down)[0]!;
}

/** Projections of one input to the given widths, whether their weights are fused or not, adapted or not. */
function project(
  x: Value,
  weights: readonly Value[],
  biases: readonly Value[],
  widths: readonly number[],
  update: LowRank | undefined,
): Value[] {
  const outputs = linears(x, weights, biases);
  const parts = outputs.length === widths.length ? outputs : split(outputs[0]!, -1, widths);
  return adapt(x, parts, update);
}

/** The decoder's result (n, hidden), of the tokens whose successors matter, to logits (n, vocabulary). */
export function headLogits(x: Value, weights: DecoderWeights, config: ModelConfig): Value {
  return linear(rmsNorm(x, weights.norm, config.rmsNormEpsilon), weights.head);
}

export interface Positioned {
  readonly rotary: RotaryTables;
  /** int64 (batch, time): the absolute position of each token; n = batch * time, row-major. */
  readonly positions: Value;
}

/**
 * Queries (batch, time, heads * headSize), keys and values (batch, time, kvHeads * headSize) of n = batch * time
 * tokens, biased, normalised and rotated as the config says: what attention compares and what a cache keeps.
 */
export function queryKeyValue(
  normed: Value,
  weights: LayerWeights,
  config: ModelConfig,
  at: Positioned,
): { query: Value; key: Value; value: Value } {
  const { heads, kvHeads, headSize } = config;
  const widths = [heads * headSize, kvHeads * headSize, kvHeads * headSize];
  const [batch, time] = at.positions.shape as [Dim, Dim];
  const { qkv, qkvBias, adapter } = weights;
  const projected = project(normed, qkv, qkvBias, widths, adapter.qkv);
  const [query, key, value] = projected.map((part, i) =>
    reshape(part, [batch, time, widths[i]!]),
  ) as [Value, Value, Value];
  if (!config.qkNorm) return { query: rotate(query, at), key: rotate(key, at), value };
  assert(weights.queryNorm && weights.keyNorm, "qkNorm needs its weights");
  return {
    query: rotate(normHeads(query, weights.queryNorm, config), at),
    key: rotate(normHeads(key, weights.keyNorm, config), at),
    value,
  };
}

function normHeads(x: Value, gain: Value, config: ModelConfig): Value {
  const [batch, time, width] = x.shape as [Dim, Dim, number];
  const heads = reshape(x, [batch, time, width / config.headSize, config.headSize]);
  return reshape(rmsNorm(heads, gain, config.rmsNormEpsilon), x.shape);
}

/**
 * Rotates each pair (i, i + headSize/2) of every head by position * frequency_i: (batch, time, any heads).
 * The derivative of a rotation is the opposite rotation.
 */
export function rotate(x: Value, at: Positioned): Value {
  const { cos, sin } = at.rotary;
  const apply = (input: Value, sines: Value) =>
    input.graph.emit("RotaryEmbedding", [input, at.positions, cos, sines], [input], {
      domain: "com.microsoft",
      attributes: { interleaved: { int: 0 } },
    })[0]!;
  const y = apply(x, sin);
  x.graph.differentiable([x], [y], ([dy]) => [apply(dy!, neg(sin))]);
  return y;
}
