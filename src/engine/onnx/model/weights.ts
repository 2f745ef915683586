/** Declares the weights as graph inputs under the fused names of `parameters.ts`, and builds the rotary tables. */
import { assert } from "../../../core/index.ts";
import {
  type DeviceMatrixUse,
  declareDeviceMatrix,
  declareQuantizedWeight,
  declareResident,
  type Graph,
  hasDeviceMemory,
  type Tensor,
  tensor,
  unpackMatrix,
  type Value,
} from "../graph/index.ts";
import { declareLayerAdapter, type LayerAdapter } from "./adapter.ts";
import type { ModelConfig } from "./config.ts";
import type { LoraConfig } from "./lora.ts";
import { parameterLayout } from "./parameters.ts";
import { bitsOf, type QuantizedMatrices, toNibblePlanes } from "./quantized-matrices.ts";
import { scaleRotaryFrequency } from "./rope-scaling.ts";
import type { FusedInput } from "./store.ts";

/**
 * How projections of one input are declared. `fused`: as one weight, so that a step of few tokens runs one product
 * and splits a small result. `parts`: one by one, so that a batch of many tokens never copies its activations.
 */
export type WeightForm = "fused" | "parts";

/** The weights of one layer as graph values. */
export interface LayerWeights {
  readonly inputNorm: Value;
  /** The query, key and value rows, ((heads + 2 kvHeads) * headSize, hiddenSize), in one weight or in three. */
  readonly qkv: readonly Value[];
  /** The biases of `qkv`, or an empty list. */
  readonly qkvBias: readonly Value[];
  readonly queryNorm: Value | undefined;
  readonly keyNorm: Value | undefined;
  /** The weight of the output projection, (hiddenSize, heads * headSize). */
  readonly output: Value;
  readonly postNorm: Value;
  /** The gate and up rows, (2 * intermediateSize, hiddenSize), in one weight or in two. */
  readonly gateUp: readonly Value[];
  /** The weight of the down projection, (hiddenSize, intermediateSize). */
  readonly down: Value;
  /** What LoRA adds to `qkv`, `output`, `gateUp` and `down`. It is empty without LoRA. */
  readonly adapter: LayerAdapter;
}

/** All weights of the decoder as graph values. */
export interface DecoderWeights {
  /** The embedding table, (vocabularySize, hiddenSize). */
  readonly embed: Value;
  readonly layers: readonly LayerWeights[];
  readonly norm: Value;
  /** The head, (vocabularySize, hiddenSize). With tied embeddings it is the embedding table. */
  readonly head: Value;
  /** Every weight input by its name: a fused name, or the Hugging Face name of a part. */
  readonly byName: ReadonlyMap<string, Value>;
}

/**
 * Declares all weights as graph inputs, for `ParameterStore.feeds()` and, with `lora`, `AdapterStore.feeds()`. The
 * matrices of a quantised base are constants instead.
 */
export function declareWeights(
  graph: Graph,
  config: ModelConfig,
  form: WeightForm = "fused",
  lora?: LoraConfig,
  quantized?: QuantizedMatrices,
): DecoderWeights {
  const declared = declareWeightInputs(graph, parameterLayout(config).inputs, form, quantized);
  const layers = Array.from({ length: config.layers }, (_, layer) => ({
    ...collectLayerWeights(declared.findOne, declared.findAll, `layers.${layer}.`),
    adapter: lora ? declareLayerAdapter(graph, config, lora, layer) : {},
  }));
  const embed = declared.findOne("embed.weight");
  const head = config.tieEmbeddings ? embed : declared.findOne("head.weight");
  return { embed, layers, norm: declared.findOne("norm.weight"), head, byName: declared.byName };
}

/**
 * Declares the weights of one layer and its adapter under the names of layer 0, whichever layer feeds them. With
 * `quantized`, which works on a device, its matrices are unpacked in the graph.
 */
export function declareLayerWeights(
  graph: Graph,
  config: ModelConfig,
  form: WeightForm,
  lora?: LoraConfig,
  quantized?: QuantizedMatrices,
): { readonly weights: LayerWeights; readonly byName: ReadonlyMap<string, Value> } {
  const inputs = parameterLayout({ ...config, layers: 1 }).inputs;
  const own = inputs.filter(({ name }) => name.startsWith("layers.0."));
  const declared = declareWeightInputs(graph, own, form, quantized, "rows");
  return {
    weights: {
      ...collectLayerWeights(declared.findOne, declared.findAll, "layers.0."),
      adapter: lora ? declareLayerAdapter(graph, config, lora, 0) : {},
    },
    byName: declared.byName,
  };
}

function declareWeightInputs(
  graph: Graph,
  inputs: readonly FusedInput[],
  form: WeightForm,
  quantized?: QuantizedMatrices,
  use: DeviceMatrixUse = "product",
) {
  const declareOnDevice = (name: string, shape: readonly number[], bits: 4 | 8) => {
    const weight = declareDeviceMatrix(graph, name, shape as [number, number], bits, use);
    return use === "rows" ? unpackMatrix(weight) : weight;
  };
  const declareOne = ({ name, shape }: Pick<FusedInput, "name" | "shape">) =>
    quantized?.has(name)
      ? hasDeviceMemory()
        ? declareOnDevice(name, shape, bitsOf(quantized.type))
        : declareQuantizedWeight(
            graph,
            name,
            shape as [number, number],
            toNibblePlanes(quantized.get(name)),
          )
      : graph.addInput(name, "float32", shape);
  const byName = new Map<string, Value>();
  const groups = new Map<string, Value[]>();
  for (const input of inputs) {
    const declared = form === "fused" ? [input] : input.parts;
    const values = declared.map(declareOne);
    for (const [i, value] of values.entries()) byName.set(declared[i]!.name, value);
    groups.set(input.name, values);
  }
  const findAll = (name: string): readonly Value[] => groups.get(name) ?? [];
  const findOne = (name: string) => {
    const value = groups.get(name)?.[0];
    assert(value, `no weight input ${name}`);
    return value;
  };
  return { byName, findAll, findOne };
}

function collectLayerWeights(
  findOne: (name: string) => Value,
  findAll: (name: string) => readonly Value[],
  prefix: string,
): Omit<LayerWeights, "adapter"> {
  return {
    inputNorm: findOne(`${prefix}inputNorm.weight`),
    qkv: findAll(`${prefix}qkv.weight`),
    qkvBias: findAll(`${prefix}qkv.bias`),
    queryNorm: findAll(`${prefix}queryNorm.weight`)[0],
    keyNorm: findAll(`${prefix}keyNorm.weight`)[0],
    output: findOne(`${prefix}output.weight`),
    postNorm: findOne(`${prefix}postNorm.weight`),
    gateUp: findAll(`${prefix}gateUp.weight`),
    down: findOne(`${prefix}down.weight`),
  };
}

/** The time axis of a batch is padded to a multiple of this many tokens. */
export const ROW_LENGTH_MULTIPLE = 8;

/** Returns how many positions the rotary tables have: enough for a row that fills the context and its padding. */
const rotaryTableLength = ({ contextLength }: ModelConfig) =>
  Math.ceil(contextLength / ROW_LENGTH_MULTIPLE) * ROW_LENGTH_MULTIPLE;

/** The cosine and sine of every position and frequency: (rotary length, headSize / 2). */
export interface RotaryTables {
  readonly cos: Value;
  readonly sin: Value;
}

export function declareRotaryTables(graph: Graph, config: ModelConfig): RotaryTables {
  const shape = [rotaryTableLength(config), config.headSize / 2];
  return {
    cos: graph.addInput("rotary.cos", "float32", shape),
    sin: graph.addInput("rotary.sin", "float32", shape),
  };
}

/** Returns the feeds for `declareRotaryTables`, which are the same for every graph of a model. */
export function rotaryFeeds(config: ModelConfig): Record<string, Tensor> {
  const pairs = config.headSize / 2;
  const length = rotaryTableLength(config);
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
  const owner = { version: 0 };
  const declareTable = (name: string, data: Float32Array) =>
    [name, declareResident(tensor(data, dims), owner, name)] as const;
  return Object.fromEntries([declareTable("rotary.cos", cos), declareTable("rotary.sin", sin)]);
}

/** Returns the radians per token of a rotary pair: theta^(-2 pair / headSize), rescaled if the config says so. */
export function rotaryFrequency(config: ModelConfig, pair: number): number {
  const frequency = config.ropeTheta ** ((-2 * pair) / config.headSize);
  return config.ropeScaling ? scaleRotaryFrequency(frequency, config.ropeScaling) : frequency;
}
