/**
 * All weights of a model in one flat buffer, seen in two ways.
 *
 * Files and people see Hugging Face tensors (`model.layers.0.self_attn.q_proj.weight`, out x in). Graphs see
 * fused inputs (`layers.0.qkv.weight`): q, k and v lie one after the other, so their concatenation is the same
 * memory and one matrix product serves all three; likewise gate and up. Nothing is ever copied between the two
 * views, and the optimizer sees one long vector. Fused inputs start on 64-byte boundaries; the gaps stay zero.
 */
import type { Tensor } from "onnxruntime-node";
import { assert } from "../../../core/index.ts";
import { tensor } from "../graph/index.ts";
import type { ModelConfig } from "./config.ts";

export interface Parameter {
  /** Its Hugging Face name. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Position of its first element in the flat buffer. */
  readonly offset: number;
  readonly size: number;
  /** Whether weight decay applies: matrices yes; norms, biases and embeddings no. */
  readonly decays: boolean;
}

/** What a graph takes as one input: one parameter, or several that follow each other. */
export interface FusedInput {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly size: number;
  readonly parts: readonly Parameter[];
}

const ALIGNMENT = 16;
type Part = readonly [name: string, shape: readonly number[], decays: boolean];

/** The fused inputs of a model, in the order of the flat buffer, and the buffer's length. */
export function layoutOf(config: ModelConfig): { inputs: readonly FusedInput[]; length: number } {
  let offset = 0;
  const inputs = fusedParts(config).map(({ name, parts }): FusedInput => {
    const start = Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
    offset = start;
    const placed = parts.map(([partName, shape, decays]): Parameter => {
      const size = shape.reduce((a, b) => a * b, 1);
      const parameter = { name: partName, shape, offset, size, decays };
      offset += size;
      return parameter;
    });
    const rows = placed.reduce((sum, part) => sum + part.shape[0]!, 0);
    const shape = [rows, ...placed[0]!.shape.slice(1)];
    return { name, shape, offset: start, size: offset - start, parts: placed };
  });
  return { inputs, length: Math.ceil(offset / ALIGNMENT) * ALIGNMENT };
}

function fusedParts(config: ModelConfig): { name: string; parts: Part[] }[] {
  const { vocabularySize, hiddenSize } = config;
  const table = [vocabularySize, hiddenSize];
  const layers = Array.from({ length: config.layers }, (_, layer) =>
    layerParts(config, layer),
  ).flat();
  const head: Part = ["lm_head.weight", table, true];
  return [
    { name: "embed.weight", parts: [["model.embed_tokens.weight", table, false]] },
    ...layers,
    { name: "norm.weight", parts: [["model.norm.weight", [hiddenSize], false]] },
    ...(config.tieEmbeddings ? [] : [{ name: "head.weight", parts: [head] }]),
  ];
}

function layerParts(config: ModelConfig, layer: number): { name: string; parts: Part[] }[] {
  const { hiddenSize: d, intermediateSize, headSize } = config;
  const [query, key] = [config.heads * headSize, config.kvHeads * headSize];
  const at = (name: string) => `model.layers.${layer}.${name}`;
  const matrix = (name: string, rows: number, columns: number): Part => [
    at(`${name}.weight`),
    [rows, columns],
    true,
  ];
  const vector = (name: string, size: number): Part => [at(name), [size], false];
  const fused = (name: string, ...parts: Part[]) => ({ name: `layers.${layer}.${name}`, parts });
  const projections = [
    ["q_proj", query],
    ["k_proj", key],
    ["v_proj", key],
  ] as const;
  return [
    fused("inputNorm.weight", vector("input_layernorm.weight", d)),
    fused("qkv.weight", ...projections.map(([name, rows]) => matrix(`self_attn.${name}`, rows, d))),
    ...(config.qkvBias
      ? [
          fused(
            "qkv.bias",
            ...projections.map(([name, rows]) => vector(`self_attn.${name}.bias`, rows)),
          ),
        ]
      : []),
    ...(config.qkNorm
      ? [
          fused("queryNorm.weight", vector("self_attn.q_norm.weight", headSize)),
          fused("keyNorm.weight", vector("self_attn.k_norm.weight", headSize)),
        ]
      : []),
    fused("output.weight", matrix("self_attn.o_proj", d, query)),
    fused("postNorm.weight", vector("post_attention_layernorm.weight", d)),
    fused(
      "gateUp.weight",
      matrix("mlp.gate_proj", intermediateSize, d),
      matrix("mlp.up_proj", intermediateSize, d),
    ),
    fused("down.weight", matrix("mlp.down_proj", d, intermediateSize)),
  ];
}

/** The weights (or anything laid out like them: gradients, moments). */
export class ParameterStore {
  readonly config: ModelConfig;
  readonly data: Float32Array;
  readonly inputs: readonly FusedInput[];
  readonly parameters: readonly Parameter[];
  /** Number of weights, gaps left out. */
  readonly count: number;
  readonly #byName: ReadonlyMap<string, Parameter>;

  constructor(config: ModelConfig) {
    const { inputs, length } = layoutOf(config);
    this.config = config;
    this.data = new Float32Array(length);
    this.inputs = inputs;
    this.parameters = inputs.flatMap((input) => input.parts);
    this.count = this.parameters.reduce((sum, parameter) => sum + parameter.size, 0);
    this.#byName = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
  }

  parameter(name: string): Parameter {
    const parameter = this.#byName.get(name);
    assert(parameter, `the model has no parameter ${name}`);
    return parameter;
  }

  /** A parameter's weights, row-major, in place: writing changes the model. */
  view(name: string): Float32Array {
    const { offset, size } = this.parameter(name);
    return this.data.subarray(offset, offset + size);
  }

  /**
   * The graph inputs over the live buffer, under fused and under Hugging Face names: zero-copy, so build them
   * once and feed them after every update. A session takes those that its graph declares.
   */
  feeds(): Record<string, Tensor> {
    const entries = this.inputs.flatMap((input) => [input, ...input.parts]);
    return Object.fromEntries(
      entries.map(({ name, shape, offset, size }) => [
        name,
        tensor(this.data.subarray(offset, offset + size), shape),
      ]),
    );
  }
}
