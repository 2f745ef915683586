/**
 * Converts `config.json` of Qwen2, Qwen3 and Llama, as Hugging Face writes it, to our model config and back.
 *
 * It reads what transformers 4 writes (`rope_theta`, `rope_scaling`, `torch_dtype`) and what transformers 5 writes
 * (`rope_parameters`, `dtype`). It writes the former, which both read. Options of these families that we do not
 * compute (other rotary scalings, sliding windows, biases on other projections, another activation, quantised
 * weights) are rejected by name and never ignored. Absent fields have the defaults of the family's class in
 * transformers.
 */
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";
import { type ModelConfig, parseModelConfig } from "../model/index.ts";
import { readRopeConfig, ropeConfigFields, ropeSchema } from "./huggingface-rope.ts";
import type { WrittenType } from "./safetensors.ts";

const positiveInteger = z.number().int().positive();

interface ModelFamily {
  readonly architecture: string;
  /** The default of transformers for an absent field. When undefined, the value is derived from other fields. */
  readonly kvHeads?: number;
  readonly headSize?: number;
}

const FAMILIES: Readonly<Record<"qwen2" | "qwen3" | "llama", ModelFamily>> = {
  qwen2: { architecture: "Qwen2ForCausalLM", kvHeads: 32 },
  qwen3: { architecture: "Qwen3ForCausalLM", kvHeads: 32, headSize: 128 },
  llama: { architecture: "LlamaForCausalLM" },
};

const fileSchema = z.looseObject({
  model_type: z.enum(["qwen2", "qwen3", "llama"]),
  vocab_size: positiveInteger,
  hidden_size: positiveInteger,
  num_hidden_layers: positiveInteger,
  num_attention_heads: positiveInteger,
  num_key_value_heads: positiveInteger.nullish(),
  head_dim: positiveInteger.nullish(),
  intermediate_size: positiveInteger,
  max_position_embeddings: positiveInteger,
  ...ropeSchema.shape,
  rms_norm_eps: z.number().positive().default(1e-6),
  tie_word_embeddings: z.boolean().default(false),
  qkv_bias: z.boolean().nullish(),
  hidden_act: z.literal("silu").default("silu"),
  // These fields are rejected unless they are off.
  attention_bias: z.literal(false).nullish(),
  mlp_bias: z.literal(false).nullish(),
  use_sliding_window: z.literal(false).nullish(),
  layer_types: z.array(z.literal("full_attention")).nullish(),
  quantization_config: z.null().optional(),
});

/** Parses a `config.json`. `path` is for messages. Throws a `checkpoint` error that names the field. */
export function parseHuggingFaceConfig(json: unknown, path: string): ModelConfig {
  requireKnownFamily(json, path);
  const result = fileSchema.safeParse(json);
  if (!result.success) {
    throw new BowlineError(
      "checkpoint",
      `${path} is not a config we can run: ${z.prettifyError(result.error)}`,
    );
  }
  const file = result.data;
  const family = FAMILIES[file.model_type];
  const heads = file.num_attention_heads;
  const defaultIfAbsent = (value: unknown, defaultValue: number | undefined) =>
    value === undefined ? defaultValue : undefined;
  return parseModelConfig({
    vocabularySize: file.vocab_size,
    hiddenSize: file.hidden_size,
    layers: file.num_hidden_layers,
    heads,
    kvHeads:
      file.num_key_value_heads ??
      defaultIfAbsent(file.num_key_value_heads, family.kvHeads) ??
      heads,
    headSize:
      file.head_dim ?? defaultIfAbsent(file.head_dim, family.headSize) ?? file.hidden_size / heads,
    intermediateSize: file.intermediate_size,
    contextLength: file.max_position_embeddings,
    ...readRopeConfig(file, path),
    rmsNormEpsilon: file.rms_norm_eps,
    tieEmbeddings: file.tie_word_embeddings,
    qkNorm: file.model_type === "qwen3",
    qkvBias: file.qkv_bias ?? file.model_type === "qwen2",
  });
}

/** Throws an error that names the model family, before the other fields are checked. */
function requireKnownFamily(json: unknown, path: string): void {
  const schema = z.looseObject({
    model_type: z.string(),
    architectures: z.array(z.string()).nullish(),
  });
  const file = schema.safeParse(json);
  if (!file.success) return;
  const { model_type: type, architectures } = file.data;
  const family = new Map<string, ModelFamily>(Object.entries(FAMILIES)).get(type);
  const names = Object.keys(FAMILIES).join(", ");
  if (family === undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path}: model_type ${type} is not supported; expected one of ${names}`,
    );
  }
  const architecture = architectures?.[0] ?? family.architecture;
  if (architecture === family.architecture) return;
  throw new BowlineError(
    "checkpoint",
    `${path}: architectures names ${architecture}; expected ${family.architecture}`,
  );
}

/** Returns the content of `config.json`, for transformers 4 and 5. */
export function toHuggingFaceConfig(
  config: ModelConfig,
  dtype: WrittenType = "F32",
): Record<string, unknown> {
  const family = config.qkNorm ? "qwen3" : config.qkvBias ? "qwen2" : "llama";
  return {
    architectures: [FAMILIES[family].architecture],
    model_type: family,
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headSize,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.contextLength,
    ...ropeConfigFields(config),
    rms_norm_eps: config.rmsNormEpsilon,
    tie_word_embeddings: config.tieEmbeddings,
    hidden_act: "silu",
    torch_dtype: dtype === "F32" ? "float32" : "bfloat16",
    // This field is ours alone. No family has both, so only we read such a checkpoint.
    ...(config.qkNorm && config.qkvBias ? { qkv_bias: true } : {}),
  };
}
