/**
 * The fields of `config.json` for the families Qwen2, Qwen3 and Llama, as transformers 5.24 reads them. What a field
 * does is decided by the logits that transformers computes with it.
 *
 * Unknown fields are named, not refused: published files have many of them, transformers keeps them without reading
 * them, and all that the code of these families or the code around it reads is in the tables.
 */
import { z } from "zod";
import {
  type ComputedFields,
  computed,
  defineFormat,
  type FieldRule,
  formatSchema,
  harmless,
  harmlessIf,
  named,
  refused,
} from "../../../core/index.ts";
import { SAMPLING_FIELDS } from "../../../spec/index.ts";

const count = z.number().int().positive();
const positive = z.number().positive();
const isFalse = z.literal(false);
const ids = z.union([z.number().int(), z.array(z.number().int())]);

const only = (fields: readonly string[], note: string) =>
  Object.fromEntries(fields.map((field) => [field, harmless(note)]));
const refuse = (fields: readonly string[], note: string) =>
  Object.fromEntries(fields.map((field) => [field, refused(note)]));

export const ropeFormat = defineFormat({
  name: "rope_parameters and rope_scaling in config.json",
  unknown: "refused",
  fields: {
    rope_type: computed(z.string().optional(), "default or llama3; other types are refused"),
    type: computed(z.string().optional(), "the older name of rope_type"),
    rope_theta: computed(positive.nullish(), "base of the rotary frequencies"),
    factor: computed(positive.nullish(), "Llama 3's scaling"),
    low_freq_factor: computed(positive.nullish(), "Llama 3's scaling"),
    high_freq_factor: computed(positive.nullish(), "Llama 3's scaling"),
    original_max_position_embeddings: computed(count.nullish(), "Llama 3's scaling"),
    partial_rotary_factor: harmlessIf(z.literal(1), "1", "whole heads are rotated"),
    ...only(
      [
        "attention_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "short_factor",
        "long_factor",
        "truncate",
      ],
      "only types that are refused read it",
    ),
  },
});

const sizes = {
  vocab_size: computed(count, "rows of the embedding"),
  hidden_size: computed(count, "width"),
  num_hidden_layers: computed(count, "layers"),
  num_attention_heads: computed(count, "heads"),
  num_key_value_heads: computed(count.nullish(), "heads of keys and values"),
  head_dim: computed(count.nullish(), "size of a head"),
  intermediate_size: computed(count, "width of SwiGLU's hidden layer"),
  max_position_embeddings: computed(count, "context length"),
};

const RUNTIME = [
  "use_cache",
  "gradient_checkpointing",
  "torchscript",
  "attn_implementation",
  "_attn_implementation",
  "_attn_implementation_internal",
  "experts_implementation",
  "_experts_implementation_internal",
  "chunk_size_feed_forward",
  "pretraining_tp",
  "output_hidden_states",
  "output_attentions",
  "return_dict",
];
const TRAINING = [
  "attention_dropout",
  "hidden_dropout",
  "resid_pdrop",
  "embd_pdrop",
  "classifier_dropout",
  "initializer_range",
  "initializer_factor",
  "init_std",
];
const ORIGIN = [
  "transformers_version",
  "_commit_hash",
  "name_or_path",
  "tokenizer_class",
  "transformers.js_config",
  "unsloth_fixed",
  "unsloth_version",
  "is_llama_config",
];
const OTHER_TASKS = [
  "id2label",
  "label2id",
  "num_labels",
  "problem_type",
  "finetuning_task",
  "task_specific_params",
  "is_decoder",
  "decoder_start_token_id",
  "sep_token_id",
];
/** Sampling fields of earlier versions of transformers that the text layer does not read either. */
const OLD_SAMPLING = [
  "output_scores",
  "return_dict_in_generate",
  "num_assistant_tokens",
  "num_assistant_tokens_schedule",
  "assistant_confidence_threshold",
  "assistant_lookbehind",
  "target_lookbehind",
];

const commonFields = {
  model_type: computed(z.enum(["qwen2", "qwen3", "llama"]), "family"),
  architectures: computed(z.array(z.string()).nullish(), "the family's causal language model"),
  ...sizes,
  rope_theta: computed(positive.nullish(), "base of the rotary frequencies"),
  rope_scaling: computed(formatSchema(ropeFormat).nullish(), "replaces rope_parameters"),
  rope_parameters: computed(formatSchema(ropeFormat).nullish(), "rotary positions"),
  rms_norm_eps: computed(positive.default(1e-6), "epsilon of RMSNorm"),
  tie_word_embeddings: computed(z.boolean().default(false), "the head is the embedding"),
  eos_token_id: computed(ids.nullish(), "stop ids, when generation_config.json has none"),
  _name_or_path: computed(z.unknown().optional(), "name of the base in exported adapters"),
  hidden_act: harmlessIf(z.enum(["silu", "swish"]), "silu or swish", "SwiGLU"),
  layer_types: harmlessIf(
    z.array(z.literal("full_attention")),
    "full_attention in all layers",
    "layers attend to the whole context",
  ),
  partial_rotary_factor: harmlessIf(z.literal(1), "1", "whole heads are rotated"),
  rope_interleaved: harmlessIf(isFalse, "false", "rotary pairs are half a head apart"),
  use_mrope: harmlessIf(isFalse, "false", "positions are those of text"),
  is_causal: harmlessIf(z.literal(true), "true", "attention is causal"),
  use_bidirectional_attention: harmlessIf(isFalse, "false", "attention is causal"),
  is_encoder_decoder: harmlessIf(isFalse, "false", "only decoders are run"),
  tie_encoder_decoder: harmlessIf(isFalse, "false", "only decoders are run"),
  add_cross_attention: harmlessIf(isFalse, "false", "only decoders are run"),
  pruned_heads: harmlessIf(z.record(z.string(), z.never()), "an empty object", "all heads are run"),
  transformers_weights: harmlessIf(
    z.literal("model.safetensors"),
    "model.safetensors",
    "other names of the weights are not read",
  ),
  ...refuse(
    ["quantization_config", "compression_config", "quantization"],
    "quantised weights are read from GGUF files only",
  ),
  ...refuse(["per_layer_config", "fusion_config"], "all layers are alike"),
  distributed_config: refused("weights in parts for several devices are not read"),
  original_max_position_embeddings: refused("it belongs into rope_parameters"),
  attention_chunk_size: refused("layers attend to the whole context"),
  ...refuse(["text_config", "vision_config", "audio_config"], "only models of text are run"),
  auto_map: named("code in the folder is never run"),
  dtype: harmless("numbers are computed in 32 bits"),
  torch_dtype: harmless("numbers are computed in 32 bits"),
  ...only(["bos_token_id", "pad_token_id"], "tokenizer files say it"),
  ...only(RUNTIME, "how transformers computes, not what"),
  ...only(TRAINING, "only training with transformers reads it"),
  ...only(ORIGIN, "about the file"),
  ...only(OTHER_TASKS, "only other kinds of models read it"),
  ...only([...SAMPLING_FIELDS, ...OLD_SAMPLING], "sampling; see the table of texts"),
};

export const configFormat = defineFormat({
  name: "config.json of Qwen2, Qwen3 and Llama",
  unknown: "named",
  fields: commonFields,
});

/** Rules that one family has in addition. */
interface FamilyFields {
  readonly attention_bias: FieldRule;
  readonly mlp_bias: FieldRule;
  readonly use_sliding_window: FieldRule;
  readonly sliding_window: FieldRule;
  readonly max_window_layers: FieldRule;
}
const notRead = harmless("this family does not read it");
const qwenWindows = {
  use_sliding_window: harmlessIf(isFalse, "false", "layers attend to the whole context"),
  sliding_window: harmless("it matters only with use_sliding_window"),
  max_window_layers: harmless("it matters only with use_sliding_window"),
};
const noBiases = (note: string) => harmlessIf(isFalse, "false", note);

export const familyFormats = {
  qwen2: defineFormat({
    name: "config.json of Qwen2, in addition",
    unknown: "named",
    fields: {
      attention_bias: notRead,
      mlp_bias: notRead,
      qkv_bias: harmlessIf(z.literal(true), "true", "this family has biases"),
      ...qwenWindows,
    } satisfies FamilyFields & { readonly qkv_bias: FieldRule },
  }),
  qwen3: defineFormat({
    name: "config.json of Qwen3, in addition",
    unknown: "named",
    fields: {
      attention_bias: noBiases("biases of the output are not computed"),
      mlp_bias: notRead,
      qkv_bias: computed(
        z.boolean().nullish(),
        "only Bowline writes it: biases on query, key and value",
      ),
      ...qwenWindows,
    } satisfies FamilyFields & { readonly qkv_bias: FieldRule },
  }),
  llama: defineFormat({
    name: "config.json of Llama, in addition",
    unknown: "named",
    fields: {
      attention_bias: noBiases("biases of the output are not computed"),
      mlp_bias: noBiases("biases of the MLP are not computed"),
      qkv_bias: noBiases("this family has no such biases"),
      use_sliding_window: notRead,
      sliding_window: named("layers attend to the whole context; transformers caches a window"),
      max_window_layers: notRead,
    } satisfies FamilyFields & { readonly qkv_bias: FieldRule },
  }),
};
export type Family = keyof typeof familyFormats;

/** What the readers of a `config.json` get. */
export type ConfigFile = ComputedFields<typeof commonFields> & {
  readonly qkv_bias?: boolean | null | undefined;
};

/** Returns the schema of a family's `config.json`. */
export function configSchema(family: Family): z.ZodType<ConfigFile> {
  const fields: Readonly<Record<string, FieldRule>> = {
    ...commonFields,
    ...familyFormats[family].fields,
  };
  return formatSchema({ ...configFormat, fields }) as unknown as z.ZodType<ConfigFile>;
}

/** The field that tells where a model came from. It is read also when other fields are wrong. */
export const originSchema = formatSchema({
  ...configFormat,
  fields: { _name_or_path: commonFields._name_or_path },
});

/** The fields that tell the family, which is known before the other fields are checked. */
export const familySchema = formatSchema({
  ...configFormat,
  fields: {
    model_type: { ...commonFields.model_type, schema: z.string() },
    architectures: commonFields.architectures,
  },
});

export const indexFormat = defineFormat({
  name: "model.safetensors.index.json",
  unknown: "refused",
  fields: {
    weight_map: computed(
      z.record(z.string(), z.string()),
      "the files of the model; only read without model.safetensors",
    ),
    metadata: harmless("sizes of the files"),
  },
});

const offset = z.number().int().nonnegative();
export const safetensorsFormat = defineFormat({
  name: "a tensor in the header of a safetensors file",
  unknown: "refused",
  fields: {
    dtype: computed(z.string(), "F32, F16 or BF16; others are refused"),
    shape: computed(z.array(offset), "shape"),
    data_offsets: computed(z.tuple([offset, offset]), "place in the file"),
  },
});
