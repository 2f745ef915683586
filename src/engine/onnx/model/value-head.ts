/**
 * A critic's value head: one number for a state, an MLP with ReLU on the policy's last hidden state.
 *
 *   h_0 = norm(x),  h_k = relu(W_k h_{k-1} + b_k),  V = w h_last + b
 *
 * x is the residual stream after the last block, and the norm is the policy's own, without a sampling temperature. The
 * head reads x and the norm's gain as data, so no gradient of it reaches the policy (arXiv 2502.01600, appendix C,
 * where a hidden state of 5120 goes to 3072, 2048 and 1). It is small, and lies in a flat store of its own.
 */
import { z } from "zod";
import { BowlineError, Rng } from "../../../core/index.ts";
import { type Graph, linear, relu, reshape, rmsNorm, type Value } from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";
import { type Group, place, TensorStore } from "./store.ts";

const optionsSchema = z.strictObject({
  hiddenSizes: z.array(z.number().int().positive()).optional(),
});

export interface ValueHeadOptions {
  /**
   * Widths of the hidden layers; none makes V linear in the state. Default: three and two fifths of the model's width, as
   * in the paper, rounded up to a multiple of 8.
   */
  readonly hiddenSizes?: readonly number[] | undefined;
}

/** What the engine goes by. */
export interface ValueHeadConfig {
  readonly hiddenSizes: readonly number[];
}

/** Checks options from outside. Throws a `config` error that names the field. */
export function parseValueHead(options: unknown, model: ModelConfig): ValueHeadConfig {
  const result = optionsSchema.safeParse(options);
  if (!result.success) {
    throw new BowlineError("config", `not value head options: ${z.prettifyError(result.error)}`);
  }
  const scaled = [3, 2].map((fifths) => 8 * Math.ceil((fifths * model.hiddenSize) / 40));
  return Object.freeze({ hiddenSizes: result.data.hiddenSizes ?? scaled });
}

/** The head's weights, or what is laid out like them: its gradient and moments. */
export class ValueHeadStore extends TensorStore {
  readonly model: ModelConfig;
  readonly head: ValueHeadConfig;

  constructor(model: ModelConfig, head: ValueHeadConfig) {
    super(place(layersOf(model, head).flatMap(layerParts)));
    this.model = model;
    this.head = head;
  }
}

/** [in, out] of each layer. */
function layersOf(model: ModelConfig, { hiddenSizes }: ValueHeadConfig): [number, number][] {
  const widths = [model.hiddenSize, ...hiddenSizes, 1];
  return widths.slice(1).map((width, i) => [widths[i]!, width]);
}

const weightName = (layer: number) => `value_head.${layer}.weight`;
const biasName = (layer: number) => `value_head.${layer}.bias`;

function layerParts([width, out]: readonly [number, number], layer: number): Group[] {
  const [weight, bias] = [weightName(layer), biasName(layer)];
  return [
    { name: weight, parts: [[weight, [out, width], true]] },
    { name: bias, parts: [[bias, [out], false]] },
  ];
}

/** How much smaller than its fan-in asks for the last layer starts, so that values begin near 0. */
const LAST_SCALE = 0.01;

/** Normal weights that keep the scale of activations under ReLU, biases of 0; a function of (seed, name, shape). */
export function initializeValueHead(store: ValueHeadStore, seed: number): void {
  const rng = new Rng(seed).child("value head");
  const layers = layersOf(store.model, store.head);
  for (const [layer, [width]] of layers.entries()) {
    const isLast = layer === layers.length - 1;
    const deviation = isLast ? LAST_SCALE * width ** -0.5 : (2 / width) ** 0.5;
    const own = rng.child(weightName(layer));
    const weight = store.view(weightName(layer));
    for (let i = 0; i < weight.length; i++) weight[i] = own.normal() * deviation;
    store.view(biasName(layer)).fill(0);
  }
}

/** The head inside a graph: `stream` (n, hidden) and the gain of the policy's last norm to values (n). */
export function valueHead(
  graph: Graph,
  { stream, gain }: { readonly stream: Value; readonly gain: Value },
  { model, head }: Pick<ValueHeadStore, "model" | "head">,
): { readonly values: Value; readonly weights: readonly Value[] } {
  const layers = layersOf(model, head);
  const weights: Value[] = [];
  let x = rmsNorm(stream, gain, model.rmsNormEpsilon);
  for (const [layer, [width, out]] of layers.entries()) {
    const weight = graph.input(weightName(layer), "float32", [out, width]);
    const bias = graph.input(biasName(layer), "float32", [out]);
    weights.push(weight, bias);
    const y = linear(x, weight, bias);
    x = layer < layers.length - 1 ? relu(y) : y;
  }
  return { values: reshape(x, [stream.shape[0]!]), weights };
}
