/**
 * All weights of a model in one flat buffer (store.ts), seen in two ways.
 *
 * Files and people see Hugging Face tensors (`model.layers.0.self_attn.q_proj.weight`, out x in). Graphs see fused
 * inputs (`layers.0.qkv.weight`): q, k and v are adjacent, so their concatenation is the same memory and one matrix
 * product serves all three. The same holds for gate and up.
 */
import {
  type DeviceMatrixUse,
  declareResident,
  devicePlaneShapes,
  devicePlanes,
  type Tensor,
  tensor,
} from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";
import {
  type BaseType,
  bitsOf,
  dequantizeRows,
  isMatrix,
  QuantizedMatrices,
} from "./quantized-matrices.ts";
import {
  buildLayout,
  type StoreLayout,
  TensorStore,
  type UnplacedInput,
  type UnplacedParameter,
} from "./store.ts";

/**
 * Returns the fused inputs of a model in the order of the flat buffer, and the buffer's length. Matrices of a
 * quantised base are not in that buffer.
 */
export function parameterLayout(config: ModelConfig, base: BaseType = "f32"): StoreLayout {
  const isStored = ([, shape]: UnplacedParameter) => base === "f32" || !isMatrix({ shape });
  return buildLayout(unplacedInputs(config), isStored);
}

function unplacedInputs(config: ModelConfig): UnplacedInput[] {
  const { vocabularySize, hiddenSize } = config;
  const table = [vocabularySize, hiddenSize];
  const layers = Array.from({ length: config.layers }, (_, layer) =>
    layerInputs(config, layer),
  ).flat();
  const head: UnplacedParameter = ["lm_head.weight", table, true];
  return [
    { name: "embed.weight", parts: [["model.embed_tokens.weight", table, false]] },
    ...layers,
    { name: "norm.weight", parts: [["model.norm.weight", [hiddenSize], false]] },
    ...(config.tieEmbeddings ? [] : [{ name: "head.weight", parts: [head] }]),
  ];
}

function layerInputs(config: ModelConfig, layer: number): UnplacedInput[] {
  const { hiddenSize: d, intermediateSize, headSize } = config;
  const [query, key] = [config.heads * headSize, config.kvHeads * headSize];
  const parameterName = (name: string) => `model.layers.${layer}.${name}`;
  const matrixParameter = (name: string, rows: number, columns: number): UnplacedParameter => [
    parameterName(`${name}.weight`),
    [rows, columns],
    true,
  ];
  const vectorParameter = (name: string, size: number): UnplacedParameter => [
    parameterName(name),
    [size],
    false,
  ];
  const fusedInput = (name: string, ...parts: UnplacedParameter[]) => ({
    name: `layers.${layer}.${name}`,
    parts,
  });
  const projections = [
    ["q_proj", query],
    ["k_proj", key],
    ["v_proj", key],
  ] as const;
  return [
    fusedInput("inputNorm.weight", vectorParameter("input_layernorm.weight", d)),
    fusedInput(
      "qkv.weight",
      ...projections.map(([name, rows]) => matrixParameter(`self_attn.${name}`, rows, d)),
    ),
    ...(config.qkvBias
      ? [
          fusedInput(
            "qkv.bias",
            ...projections.map(([name, rows]) => vectorParameter(`self_attn.${name}.bias`, rows)),
          ),
        ]
      : []),
    ...(config.qkNorm
      ? [
          fusedInput("queryNorm.weight", vectorParameter("self_attn.q_norm.weight", headSize)),
          fusedInput("keyNorm.weight", vectorParameter("self_attn.k_norm.weight", headSize)),
        ]
      : []),
    fusedInput("output.weight", matrixParameter("self_attn.o_proj", d, query)),
    fusedInput("postNorm.weight", vectorParameter("post_attention_layernorm.weight", d)),
    fusedInput(
      "gateUp.weight",
      matrixParameter("mlp.gate_proj", intermediateSize, d),
      matrixParameter("mlp.up_proj", intermediateSize, d),
    ),
    fusedInput("down.weight", matrixParameter("mlp.down_proj", d, intermediateSize)),
  ];
}

/** The weights of a model, or gradients or moments in the same layout. */
export class ParameterStore extends TensorStore {
  readonly config: ModelConfig;
  /** The matrices, when they have fewer bits. The flat buffer then holds norms and biases alone. */
  readonly quantized: QuantizedMatrices | undefined;

  constructor(config: ModelConfig, base: BaseType = "f32") {
    super(parameterLayout(config, base));
    this.config = config;
    this.quantized = base === "f32" ? undefined : new QuantizedMatrices(base, this.inputs);
  }

  /** Returns a parameter's elements in place, or of a quantised matrix a copy in floats. */
  override view(name: string): Float32Array {
    return this.quantized?.has(name) ? dequantizeRows(this.quantized.get(name)) : super.view(name);
  }

  override isFloat(name: string): boolean {
    return !this.quantized?.has(name);
  }

  /**
   * Returns the matrices of a quantised base as inputs of graphs on a device (`declareDeviceMatrix`), by the names of
   * parameters. Both uses share one copy there.
   */
  deviceMatrixFeeds(use: DeviceMatrixUse): Record<string, Tensor> {
    const { quantized } = this;
    if (!quantized) return {};
    const bits = bitsOf(quantized.type);
    const matrices = this.parameters.filter(({ name }) => quantized.has(name));
    const entries = matrices.flatMap(({ name, shape }) => {
      const { nibbles, highNibbles, scales } = quantized.get(name);
      const shapes = devicePlaneShapes(shape as [number, number], use);
      return devicePlanes(name, bits).flatMap(({ name: own, factor, hasZeros }) => {
        const zeroBytes = shapes[".zeros"].reduce((a, b) => a * b, 1);
        const data = {
          "": factor === 1 ? nibbles : highNibbles!,
          ".scales": scales,
          ...(hasZeros && { ".zeros": new Uint8Array(zeroBytes) }),
        };
        return Object.entries(data).map(([end, numbers]) => {
          const plane = tensor(numbers, shapes[end as keyof typeof shapes], "uint8");
          return [own + end, declareResident(plane, this, own + end)] as const;
        });
      });
    });
    return Object.fromEntries(entries);
  }
}
