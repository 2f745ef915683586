/**
 * `config.json` as Hugging Face writes it for Qwen2, Qwen3 and Llama, to our model config and back.
 *
 * What these families offer and we do not compute (scaled rotary positions, sliding windows, biases on other
 * projections, another activation) is refused by name, never ignored.
 */
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";
import { type ModelConfig, parseModelConfig } from "../model/index.ts";

const count = z.number().int().positive();

const fileSchema = z.looseObject({
  model_type: z.enum(["qwen2", "qwen3", "llama"]),
  vocab_size: count,
  hidden_size: count,
  num_hidden_layers: count,
  num_attention_heads: count,
  num_key_value_heads: count.nullish(),
  head_dim: count.nullish(),
  intermediate_size: count,
  max_position_embeddings: count,
  rope_theta: z.number().positive().nullish(),
  rope_parameters: z.looseObject({ rope_theta: z.number().positive().optional() }).nullish(),
  rms_norm_eps: z.number().positive().default(1e-6),
  tie_word_embeddings: z.boolean().default(false),
  qkv_bias: z.boolean().nullish(),
  hidden_act: z.literal("silu").default("silu"),
  // Refused unless they are off.
  attention_bias: z.literal(false).nullish(),
  mlp_bias: z.literal(false).nullish(),
  use_sliding_window: z.literal(false).nullish(),
  rope_scaling: z.null().optional(),
});

/** `path` is only for messages. Throws a `checkpoint` error that names the field. */
export function fromHuggingFace(json: unknown, path: string): ModelConfig {
  const result = fileSchema.safeParse(json);
  if (!result.success) {
    throw new BowlineError(
      "checkpoint",
      `${path} is not a config we can run: ${z.prettifyError(result.error)}`,
    );
  }
  const file = result.data;
  const scaled = file.rope_parameters?.["rope_type"] ?? "default";
  if (scaled !== "default") {
    throw new BowlineError("checkpoint", `${path}: rope_type must be default, but it is ${scaled}`);
  }
  const theta = file.rope_theta ?? file.rope_parameters?.rope_theta;
  return parseModelConfig({
    vocabularySize: file.vocab_size,
    hiddenSize: file.hidden_size,
    layers: file.num_hidden_layers,
    heads: file.num_attention_heads,
    kvHeads: file.num_key_value_heads ?? file.num_attention_heads,
    headSize: file.head_dim ?? file.hidden_size / file.num_attention_heads,
    intermediateSize: file.intermediate_size,
    contextLength: file.max_position_embeddings,
    ...(theta ? { ropeTheta: theta } : {}),
    rmsNormEpsilon: file.rms_norm_eps,
    tieEmbeddings: file.tie_word_embeddings,
    qkNorm: file.model_type === "qwen3",
    qkvBias: file.qkv_bias ?? file.model_type === "qwen2",
  });
}

const FAMILIES = {
  qwen2: "Qwen2ForCausalLM",
  qwen3: "Qwen3ForCausalLM",
  llama: "LlamaForCausalLM",
} as const;

export function toHuggingFace(config: ModelConfig): Record<string, unknown> {
  const family = config.qkNorm ? "qwen3" : config.qkvBias ? "qwen2" : "llama";
  return {
    architectures: [FAMILIES[family]],
    model_type: family,
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headSize,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.contextLength,
    rope_theta: config.ropeTheta,
    rms_norm_eps: config.rmsNormEpsilon,
    tie_word_embeddings: config.tieEmbeddings,
    hidden_act: "silu",
    torch_dtype: "float32",
    // Ours alone: no family has both; only we read such a checkpoint back.
    ...(config.qkNorm && config.qkvBias ? { qkv_bias: true } : {}),
  };
}
