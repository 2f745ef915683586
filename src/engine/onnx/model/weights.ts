/** The weights as graph values, under the fused names of `parameters.ts`, and the rotary tables. */
import { assert } from "../../../core/index.ts";
import { type Graph, type Tensor, tensor, type Value } from "../graph/index.ts";
import { declareLayerAdapter, type LayerAdapter } from "./adapter.ts";
import type { ModelConfig } from "./config.ts";
import type { LoraConfig } from "./lora.ts";
import { layoutOf } from "./parameters.ts";
import { scaleFrequency } from "./rope-scaling.ts";
import type { FusedInput } from "./store.ts";

/**
 * How projections of one input are declared. `fused`: as one weight, so a step of few tokens runs one product and
 * splits a small result. `parts`: one by one, so a batch of many tokens never copies its activations.
 */
export type WeightForm = "fused" | "parts";

export interface LayerWeights {
  readonly inputNorm: Value;
  /** ((heads + 2 kvHeads) * headSize, hiddenSize): query rows, key rows, value rows; or these three. */
  readonly qkv: readonly Value[];
  /** Like `qkv`, or empty. */
  readonly qkvBias: readonly Value[];
  readonly queryNorm: Value | undefined;
  readonly keyNorm: Value | undefined;
  /** (hiddenSize, heads * headSize) */
  readonly output: Value;
  readonly postNorm: Value;
  /** (2 * intermediateSize, hiddenSize): gate rows, up rows; or these two. */
  readonly gateUp: readonly Value[];
  /** (hiddenSize, intermediateSize) */
  readonly down: Value;
  /** What LoRA adds to `qkv`, `output`, `gateUp` and `down`; empty without LoRA. */
  readonly adapter: LayerAdapter;
}

export interface DecoderWeights {
  /** (vocabularySize, hiddenSize) */
  readonly embed: Value;
  readonly layers: readonly LayerWeights[];
  readonly norm: Value;
  /** (vocabularySize, hiddenSize); the embedding itself when tied. */
  readonly head: Value;
  /** Every weight input by its name: fused names, or Hugging Face names of parts. */
  readonly byName: ReadonlyMap<string, Value>;
}

/**
 * Declares every weight as a graph input; feed them with `ParameterStore.feeds()`, and with `lora` also with
 * `AdapterStore.feeds()`.
 */
export function declareWeights(
  graph: Graph,
  config: ModelConfig,
  form: WeightForm = "fused",
  lora?: LoraConfig,
): DecoderWeights {
  const declared = declareInputs(graph, layoutOf(config).inputs, form);
  const layers = Array.from({ length: config.layers }, (_, layer) => ({
    ...layerWeights(declared.one, declared.all, `layers.${layer}.`),
    adapter: lora ? declareLayerAdapter(graph, config, lora, layer) : {},
  }));
  const embed = declared.one("embed.weight");
  const head = config.tieEmbeddings ? embed : declared.one("head.weight");
  return { embed, layers, norm: declared.one("norm.weight"), head, byName: declared.byName };
}

/** Declares the weights of one layer and its adapter, under the names of layer 0 whichever it is fed with. */
export function declareLayer(
  graph: Graph,
  config: ModelConfig,
  form: WeightForm,
  lora?: LoraConfig,
): { readonly weights: LayerWeights; readonly byName: ReadonlyMap<string, Value> } {
  const inputs = layoutOf({ ...config, layers: 1 }).inputs;
  const own = inputs.filter(({ name }) => name.startsWith("layers.0."));
  const declared = declareInputs(graph, own, form);
  return {
    weights: {
      ...layerWeights(declared.one, declared.all, "layers.0."),
      adapter: lora ? declareLayerAdapter(graph, config, lora, 0) : {},
    },
    byName: declared.byName,
  };
}

function declareInputs(graph: Graph, inputs: readonly FusedInput[], form: WeightForm) {
  const byName = new Map<string, Value>();
  const groups = new Map<string, Value[]>();
  for (const input of inputs) {
    const declared = form === "fused" ? [input] : input.parts;
    const values = declared.map(({ name, shape }) => graph.input(name, "float32", shape));
    for (const value of values) byName.set(value.name, value);
    groups.set(input.name, values);
  }
  const all = (name: string): readonly Value[] => groups.get(name) ?? [];
  const one = (name: string) => {
    const value = groups.get(name)?.[0];
    assert(value, `no weight input ${name}`);
    return value;
  };
  return { byName, all, one };
}

function layerWeights(
  one: (name: string) => Value,
  all: (name: string) => readonly Value[],
  prefix: string,
): Omit<LayerWeights, "adapter"> {
  return {
    inputNorm: one(`${prefix}inputNorm.weight`),
    qkv: all(`${prefix}qkv.weight`),
    qkvBias: all(`${prefix}qkv.bias`),
    queryNorm: all(`${prefix}queryNorm.weight`)[0],
    keyNorm: all(`${prefix}keyNorm.weight`)[0],
    output: one(`${prefix}output.weight`),
    postNorm: one(`${prefix}postNorm.weight`),
    gateUp: all(`${prefix}gateUp.weight`),
    down: one(`${prefix}down.weight`),
  };
}

/** Rectangles of rows are padded to multiples of this, in tokens. */
export const LENGTH_STEP = 8;

/** Positions that tables have: those of a row that fills the context, and of its padding. */
const rotaryLength = ({ contextLength }: ModelConfig) =>
  Math.ceil(contextLength / LENGTH_STEP) * LENGTH_STEP;

/** cos and sin of every position and frequency: (rotary length, headSize / 2). */
export interface RotaryTables {
  readonly cos: Value;
  readonly sin: Value;
}

export function declareRotary(graph: Graph, config: ModelConfig): RotaryTables {
  const shape = [rotaryLength(config), config.headSize / 2];
  return {
    cos: graph.input("rotary.cos", "float32", shape),
    sin: graph.input("rotary.sin", "float32", shape),
  };
}

/** What to feed for `declareRotary`; the same for every graph of a model. */
export function rotaryFeeds(config: ModelConfig): Record<string, Tensor> {
  const pairs = config.headSize / 2;
  const length = rotaryLength(config);
  const cos = new Float32Array(length * pairs);
  const sin = new Float32Array(length * pairs);
  for (let position = 0; position < length; position++) {
    for (let i = 0; i < pairs; i++) {
      const angle = position * rotaryFrequency(config, i);
      cos[position * pairs + i] = Math.cos(angle);
      sin[position * pairs + i] = Math.sin(angle);
    }
  }
  const dims = [length, pairs];
  return { "rotary.cos": tensor(cos, dims), "rotary.sin": tensor(sin, dims) };
}

/** Radians a token that pair i turns: theta^(-2i / headSize), rescaled where the config says so. */
export function rotaryFrequency(config: ModelConfig, pair: number): number {
  const frequency = config.ropeTheta ** ((-2 * pair) / config.headSize);
  return config.ropeScaling ? scaleFrequency(frequency, config.ropeScaling) : frequency;
}
