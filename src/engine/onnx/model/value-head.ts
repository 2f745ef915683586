/**
 * A critic's value head: an MLP with ReLU that maps the policy's last hidden state to one number.
 *
 *   h_0 = norm(x),  h_k = relu(W_k h_{k-1} + b_k),  V = w h_last + b
 *
 * x is the residual stream after the last block, and the norm is the policy's own, without a sampling temperature.
 * The head reads x and the norm's gain as data, so none of its gradient reaches the policy (arXiv 2502.01600,
 * appendix C, where a hidden state of 5120 goes to 3072, 2048 and 1). The head is small and has its own flat store.
 */
import { z } from "zod";
import { BowlineError, errorMessage, Rng } from "../../../core/index.ts";
import { type Graph, linear, relu, reshape, rmsNorm, type Value } from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";
import { buildLayout, TensorStore, type UnplacedInput } from "./store.ts";

const optionsSchema = z.strictObject({
  hiddenSizes: z.array(z.number().int().positive()).optional(),
});

/** The options of a value head. */
export interface ValueHeadOptions {
  /**
   * The widths of the hidden layers. An empty list makes V linear in the state. By default there are two layers of
   * three and two fifths of the model's width, as in the paper, rounded up to a multiple of 8.
   */
  readonly hiddenSizes?: readonly number[] | undefined;
}

/** Checked options of a value head. */
export interface ValueHeadConfig {
  readonly hiddenSizes: readonly number[];
}

/** Checks untrusted value head options. Throws a `config` error that names the field. */
export function parseValueHeadOptions(options: unknown, model: ModelConfig): ValueHeadConfig {
  const result = optionsSchema.safeParse(options);
  if (!result.success) {
    throw new BowlineError("config", `not value head options: ${errorMessage(result.error)}`);
  }
  const scaled = [3, 2].map((fifths) => 8 * Math.ceil((fifths * model.hiddenSize) / 40));
  return Object.freeze({ hiddenSizes: result.data.hiddenSizes ?? scaled });
}

/** The head's weights, or its gradient or moments in the same layout. */
export class ValueHeadStore extends TensorStore {
  readonly model: ModelConfig;
  readonly config: ValueHeadConfig;

  constructor(model: ModelConfig, config: ValueHeadConfig) {
    super(buildLayout(layerSizes(model, config).flatMap(layerInputs)));
    this.model = model;
    this.config = config;
  }
}

/** Returns [in, out] of each layer. */
function layerSizes(model: ModelConfig, { hiddenSizes }: ValueHeadConfig): [number, number][] {
  const widths = [model.hiddenSize, ...hiddenSizes, 1];
  return widths.slice(1).map((width, i) => [widths[i]!, width]);
}

const weightName = (layer: number) => `value_head.${layer}.weight`;
const biasName = (layer: number) => `value_head.${layer}.bias`;

function layerInputs([width, out]: readonly [number, number], layer: number): UnplacedInput[] {
  const [weight, bias] = [weightName(layer), biasName(layer)];
  return [
    { name: weight, parts: [[weight, [out, width], true]] },
    { name: bias, parts: [[bias, [out], false]] },
  ];
}

/** The last layer's weights are scaled by this factor, so that values start near 0. */
const LAST_SCALE = 0.01;

/**
 * Fills the head with normal weights that keep the scale of activations under ReLU, and zero biases. The values
 * depend only on the seed, the names and the shapes.
 */
export function initializeValueHead(store: ValueHeadStore, seed: number): void {
  const rng = new Rng(seed).child("value head");
  const layers = layerSizes(store.model, store.config);
  for (const [layer, [width]] of layers.entries()) {
    const isLast = layer === layers.length - 1;
    const deviation = isLast ? LAST_SCALE * width ** -0.5 : (2 / width) ** 0.5;
    const own = rng.child(weightName(layer));
    const weight = store.view(weightName(layer));
    for (let i = 0; i < weight.length; i++) weight[i] = own.normal() * deviation;
    store.view(biasName(layer)).fill(0);
  }
}

/**
 * Builds the head inside a graph: maps `stream` (n, hidden), with the gain of the policy's last norm, to values (n).
 */
export function buildValueHead(
  graph: Graph,
  { stream, gain }: { readonly stream: Value; readonly gain: Value },
  { model, config }: Pick<ValueHeadStore, "model" | "config">,
): { readonly values: Value; readonly weights: readonly Value[] } {
  const layers = layerSizes(model, config);
  const weights: Value[] = [];
  let x = rmsNorm(stream, gain, model.rmsNormEpsilon);
  for (const [layer, [width, out]] of layers.entries()) {
    const weight = graph.addInput(weightName(layer), "float32", [out, width]);
    const bias = graph.addInput(biasName(layer), "float32", [out]);
    weights.push(weight, bias);
    const y = linear(x, weight, bias);
    x = layer < layers.length - 1 ? relu(y) : y;
  }
  return { values: reshape(x, [stream.shape[0]!]), weights };
}
