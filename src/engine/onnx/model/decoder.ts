/**
 * The decoder as a function in the graph builder: hidden states in, hidden states out.
 *
 * Training, prefill and decoding share everything but the attention itself, which the caller supplies: training
 * attends causally within full rows, decoding attends to a cache. Tokens are rows of rank-2 values (n, hidden), so
 * every projection is one plain matrix product.
 */
import { assert } from "../../../core/index.ts";
import {
  linear,
  linearMaps,
  neg,
  reshape,
  rmsNorm,
  split,
  swiglu,
  type Value,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import { addLowRankUpdates, type LowRankUpdate } from "./adapter.ts";
import type { ModelConfig } from "./config.ts";
import type { DecoderWeights, LayerWeights, RotaryTables } from "./weights.ts";

/** Attention of one layer: maps normalised hidden states (n, hidden) to mixed head values (n, heads * headSize). */
export type AttentionFunction = (normed: Value, weights: LayerWeights, layer: number) => Value;

/** Passes embedded tokens (n, hidden) through all blocks. The result (n, hidden) is not yet normalised for the head. */
export function applyDecoder(
  embedded: Value,
  weights: DecoderWeights,
  config: ModelConfig,
  attend: AttentionFunction,
): Value {
  return weights.layers.reduce(
    (x, layer, index) => applyBlock(x, layer, config, (normed, own) => attend(normed, own, index)),
    embedded,
  );
}

/** Applies one pre-norm block: x + attention(norm x), then x + mlp(norm x). */
export function applyBlock(
  x: Value,
  weights: LayerWeights,
  config: ModelConfig,
  attend: (normed: Value, weights: LayerWeights) => Value,
): Value {
  const mixed = attend(rmsNorm(x, weights.inputNorm, config.rmsNormEpsilon), weights);
  return applyBlockTail(x, mixed, weights, config);
}

/** Applies the part of a block after attention: the output projection of mixed head values, and the MLP. */
export function applyBlockTail(
  x: Value,
  mixed: Value,
  weights: LayerWeights,
  config: ModelConfig,
): Value {
  const { adapter } = weights;
  const [attended] = addLowRankUpdates(
    mixed,
    [linear(mixed, weights.output, x)],
    adapter.output,
  ) as [Value];
  const normed = rmsNorm(attended, weights.postNorm, config.rmsNormEpsilon);
  const size = config.intermediateSize;
  const [gate, up] = applyProjections(normed, weights.gateUp, [], [size, size], adapter.gateUp);
  const inner = swiglu(gate!, up!);
  return addLowRankUpdates(inner, [linear(inner, weights.down, attended)], adapter.down)[0]!;
}

/** Projects one input to the given widths. The weights may be fused or not, and adapted or not. */
function applyProjections(
  x: Value,
  weights: readonly Value[],
  biases: readonly Value[],
  widths: readonly number[],
  update: LowRankUpdate | undefined,
): Value[] {
  const outputs = linearMaps(x, weights, biases);
  const parts = outputs.length === widths.length ? outputs : split(outputs[0]!, -1, widths);
  return addLowRankUpdates(x, parts, update);
}

/** Maps the decoder's result (n, hidden) to logits (n, vocabulary) of the next tokens. */
export function headLogits(x: Value, weights: DecoderWeights, config: ModelConfig): Value {
  return linear(rmsNorm(x, weights.norm, config.rmsNormEpsilon), weights.head);
}

/** The absolute positions of tokens and the rotary tables. */
export interface TokenPositions {
  readonly rotary: RotaryTables;
  /** The absolute position of each token, int64 (batch, time). n is batch * time, row-major. */
  readonly positions: Value;
}

/**
 * Returns queries (batch, time, heads * headSize), keys and values (batch, time, kvHeads * headSize) of n = batch *
 * time tokens, with biases, normalisation and rotation as in the config. Attention compares them, and a cache keeps
 * the keys and values.
 */
export function projectQueryKeyValue(
  normed: Value,
  weights: LayerWeights,
  config: ModelConfig,
  positioned: TokenPositions,
): { query: Value; key: Value; value: Value } {
  const { heads, kvHeads, headSize } = config;
  const widths = [heads * headSize, kvHeads * headSize, kvHeads * headSize];
  const [batch, time] = positioned.positions.shape as [Dim, Dim];
  const { qkv, qkvBias, adapter } = weights;
  const projected = applyProjections(normed, qkv, qkvBias, widths, adapter.qkv);
  const [query, key, value] = projected.map((part, i) =>
    reshape(part, [batch, time, widths[i]!]),
  ) as [Value, Value, Value];
  if (!config.qkNorm)
    return { query: applyRotary(query, positioned), key: applyRotary(key, positioned), value };
  assert(weights.queryNorm && weights.keyNorm, "qkNorm needs its weights");
  return {
    query: applyRotary(normalizeHeads(query, weights.queryNorm, config), positioned),
    key: applyRotary(normalizeHeads(key, weights.keyNorm, config), positioned),
    value,
  };
}

function normalizeHeads(x: Value, gain: Value, config: ModelConfig): Value {
  const [batch, time, width] = x.shape as [Dim, Dim, number];
  const heads = reshape(x, [batch, time, width / config.headSize, config.headSize]);
  return reshape(rmsNorm(heads, gain, config.rmsNormEpsilon), x.shape);
}

/**
 * Rotates each pair (i, i + headSize/2) of every head by position * frequency_i. `x` is (batch, time, any heads). The
 * derivative of a rotation is the opposite rotation.
 */
export function applyRotary(x: Value, positioned: TokenPositions): Value {
  const { cos, sin } = positioned.rotary;
  const rotateBy = (input: Value, sines: Value) =>
    input.graph.emit("RotaryEmbedding", [input, positioned.positions, cos, sines], [input], {
      domain: "com.microsoft",
      attributes: { interleaved: { int: 0 } },
    })[0]!;
  const y = rotateBy(x, sin);
  x.graph.defineGradient([x], [y], ([dy]) => [rotateBy(dy!, neg(sin))]);
  return y;
}
