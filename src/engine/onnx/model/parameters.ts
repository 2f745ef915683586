/**
 * All weights of a model in one flat buffer (store.ts), seen in two ways.
 *
 * Files and people see Hugging Face tensors (`model.layers.0.self_attn.q_proj.weight`, out x in). Graphs see fused
 * inputs (`layers.0.qkv.weight`): q, k and v are adjacent, so their concatenation is the same memory and one matrix
 * product serves all three. The same holds for gate and up.
 */
import type { ModelConfig } from "./config.ts";
import {
  buildLayout,
  type StoreLayout,
  TensorStore,
  type UnplacedInput,
  type UnplacedParameter,
} from "./store.ts";

/** Returns the fused inputs of a model in the order of the flat buffer, and the buffer's length. */
export function parameterLayout(config: ModelConfig): StoreLayout {
  return buildLayout(unplacedInputs(config));
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
  const at = (name: string) => `model.layers.${layer}.${name}`;
  const matrix = (name: string, rows: number, columns: number): UnplacedParameter => [
    at(`${name}.weight`),
    [rows, columns],
    true,
  ];
  const vector = (name: string, size: number): UnplacedParameter => [at(name), [size], false];
  const fused = (name: string, ...parts: UnplacedParameter[]) => ({
    name: `layers.${layer}.${name}`,
    parts,
  });
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

/** The weights of a model, or gradients or moments in the same layout. */
export class ParameterStore extends TensorStore {
  readonly config: ModelConfig;

  constructor(config: ModelConfig) {
    super(parameterLayout(config));
    this.config = config;
  }
}
