/**
 * Initial weights of a from-scratch model, chosen so that it learns to copy early.
 *
 * 1. Matrices are normal with standard deviation 1/sqrt(hidden), norms are 1, and biases are 0.
 * 2. W_k starts near W_q (of the heads that share it), so that equal tokens attend to each other.
 * 3. W_o starts near the transpose of W_v, so that a value that is attended to is written back unchanged.
 * 4. What a block writes to the residual stream (W_o, W_down) starts smaller by the factor 0.5 / sqrt(2 layers), so
 *    that the last layers still recognise each token. (Repeating a random list, 4 layers of width 64, loss after 250
 *    steps: 3.5 at full size, 2.6 at a half, 0.7 at 0.35, 0.3 at 0.2.)
 * 5. With biases, the first heads of layer 0 look 1 and 2 tokens back: rotary positions turn a key bias, and it meets
 *    a query bias whose phase is set back by the offset, so that their product peaks there.
 */
import { Rng } from "../../../core/index.ts";
import type { ModelConfig } from "./config.ts";
import { ParameterStore } from "./parameters.ts";
import { quantizeRows } from "./quantized-matrices.ts";
import type { Parameter } from "./store.ts";
import { rotaryFrequency } from "./weights.ts";

/** The initial correlation between W_k and W_q, and between W_o and the transpose of W_v. */
const ALIGNMENT_CORRELATION = 0.9;
/** How many logits a positional head gives its offset above the neighbouring offsets. */
const OFFSET_MARGIN = 4;
/** Content weights of positional heads are scaled down by this factor, so that position decides. */
const CONTENT_SCALE = 0.1;
const HEAD_OFFSETS = [1, 2];
/** The number of rotary pairs that carry the offset. They are the fastest ones, which distinguish neighbours. */
const OFFSET_PAIRS = 4;

/**
 * Fills `store` with initial weights. A parameter's values depend only on the seed, its name and the config. A
 * quantised store is filled from a whole one, which lives as long as this call.
 */
export function initializeParameters(store: ParameterStore, seed: number): void {
  const { quantized } = store;
  if (quantized) {
    const floats = new ParameterStore(store.config);
    initializeParameters(floats, seed);
    quantized.resetError();
    for (const { name } of store.parameters) {
      if (store.isFloat(name)) store.view(name).set(floats.view(name));
      else quantizeRows(floats.view(name), quantized.get(name), quantized.error);
    }
    return;
  }
  const rng = new Rng(seed).child("weights");
  const deviation = store.config.hiddenSize ** -0.5;
  for (const parameter of store.parameters) {
    fillParameter(store.view(parameter.name), parameter, rng.child(parameter.name), deviation);
  }
  for (let layer = 0; layer < store.config.layers; layer++) {
    alignAttentionWeights(store, layer);
    for (const writer of ["self_attn.o_proj", "mlp.down_proj"]) {
      multiplyInPlace(
        store.view(`model.layers.${layer}.${writer}.weight`),
        residualWriteScale(store.config),
      );
    }
  }
  if (store.config.qkvBias) initializeOffsetHeads(store);
}

function fillParameter(
  view: Float32Array,
  parameter: Parameter,
  rng: Rng,
  deviation: number,
): void {
  if (parameter.shape.length === 1) {
    view.fill(parameter.name.endsWith(".bias") ? 0 : 1);
    return;
  }
  for (let i = 0; i < view.length; i++) view[i] = rng.normal() * deviation;
}

/** Returns the factor by which matrices that write to the residual stream start smaller than other matrices. */
export function residualWriteScale(config: ModelConfig): number {
  return 0.5 / Math.sqrt(2 * config.layers);
}

function multiplyInPlace(view: Float32Array, factor: number): void {
  for (let i = 0; i < view.length; i++) view[i] = view[i]! * factor;
}

/** Mixes W_q into W_k, and the transpose of W_v into W_o, keeping the standard deviation. */
function alignAttentionWeights(store: ParameterStore, layer: number): void {
  const { heads, kvHeads, headSize, hiddenSize } = store.config;
  const projectionView = (name: string) =>
    store.view(`model.layers.${layer}.self_attn.${name}.weight`);
  const [query, key, value, output] = ["q_proj", "k_proj", "v_proj", "o_proj"].map(
    projectionView,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const group = heads / kvHeads;
  const noise = Math.sqrt(1 - ALIGNMENT_CORRELATION ** 2);
  const block = headSize * hiddenSize;
  for (let i = 0; i < key.length; i++) {
    const head = Math.floor(i / block) * group;
    let sum = 0;
    for (let g = 0; g < group; g++) sum += query[(head + g) * block + (i % block)]!;
    key[i] = (ALIGNMENT_CORRELATION * sum) / Math.sqrt(group) + noise * key[i]!;
  }
  for (let row = 0; row < hiddenSize; row++) {
    for (let column = 0; column < heads * headSize; column++) {
      const kv = Math.floor(column / headSize / group) * headSize + (column % headSize);
      const at = row * heads * headSize + column;
      output[at] = ALIGNMENT_CORRELATION * value[kv * hiddenSize + row]! + noise * output[at]!;
    }
  }
}

function initializeOffsetHeads(store: ParameterStore): void {
  const { config } = store;
  const pairs = Math.min(OFFSET_PAIRS, config.headSize / 2);
  const amplitude = offsetBiasAmplitude(config, pairs);
  HEAD_OFFSETS.slice(0, config.heads).forEach((offset, head) => {
    const kv = Math.floor(head / (config.heads / config.kvHeads));
    scaleDownHead(store, "q_proj", head);
    const query = headBiasView(store, "q_proj", head);
    const key = headBiasView(store, "k_proj", kv);
    if (key[0] === 0) scaleDownHead(store, "k_proj", kv);
    for (let i = 0; i < pairs; i++) {
      const phase = offset * rotaryFrequency(config, i);
      key[i] = amplitude;
      query[i] = amplitude * Math.cos(phase);
      query[i + config.headSize / 2] = -amplitude * Math.sin(phase);
    }
  });
}

/** Returns the bias amplitude that scores the right offset OFFSET_MARGIN above a neighbouring offset. */
function offsetBiasAmplitude(config: ModelConfig, pairs: number): number {
  let drop = 0;
  for (let i = 0; i < pairs; i++) drop += 1 - Math.cos(rotaryFrequency(config, i));
  return Math.sqrt((OFFSET_MARGIN * Math.sqrt(config.headSize)) / drop);
}

function headBiasView(store: ParameterStore, name: string, head: number): Float32Array {
  const { headSize } = store.config;
  const bias = store.view(`model.layers.0.self_attn.${name}.bias`);
  return bias.subarray(head * headSize, (head + 1) * headSize);
}

function scaleDownHead(store: ParameterStore, name: string, head: number): void {
  const { headSize, hiddenSize } = store.config;
  const block = headSize * hiddenSize;
  const weight = store.view(`model.layers.0.self_attn.${name}.weight`);
  multiplyInPlace(weight.subarray(head * block, (head + 1) * block), CONTENT_SCALE);
}
