/** Reads `config.json` of a Hugging Face folder: the shape of a decoder, from fields that a table lists. */
import { BowlineError, errorMessage, formatValue, listNamedFields } from "../../../core/index.ts";
import type { ModelConfig } from "../model/index.ts";
import { type ConfigFile, configSchema, type Family, familySchema } from "./huggingface-format.ts";
import { readRopeConfig, ropeConfigFields } from "./huggingface-rope.ts";
import type { WrittenType } from "./safetensors.ts";
import { parseStoredConfig } from "./stored-config.ts";

interface ModelFamily {
  readonly architecture: string;
  /** The default of transformers for an absent field. When undefined, the value is derived from other fields. */
  readonly kvHeads?: number;
  readonly headSize?: number;
}

const FAMILIES: Readonly<Record<Family, ModelFamily>> = {
  qwen2: { architecture: "Qwen2ForCausalLM", kvHeads: 32 },
  qwen3: { architecture: "Qwen3ForCausalLM", kvHeads: 32, headSize: 128 },
  llama: { architecture: "LlamaForCausalLM" },
};

/** What a model's own file says about it. */
export interface ModelDescription {
  readonly config: ModelConfig;
  /** The ids that end a text, when the model's other files name none. */
  readonly stopIds?: number | readonly number[] | null | undefined;
  /** Names of fields that are not obeyed, and that no program is known to obey. */
  readonly namedFields: readonly string[];
}

/** Parses a `config.json`. `path` is for messages. Throws a `checkpoint` error that names the field. */
export function parseHuggingFaceConfig(json: unknown, path: string): ModelConfig {
  return describeHuggingFaceModel(json, path).config;
}

/** Parses a `config.json` as `parseHuggingFaceConfig` does, with what it says besides the model's shape. */
export function describeHuggingFaceModel(json: unknown, path: string): ModelDescription {
  const family = requireKnownFamily(json, path);
  const result = configSchema(family).safeParse(json);
  if (!result.success) {
    throw new BowlineError(
      "checkpoint",
      `${path} is not a config we can run: ${errorMessage(result.error)}`,
    );
  }
  const file = result.data;
  return {
    config: parseStoredConfig({ ...toModelConfig(file), ...readRopeConfig(file, path) }, path),
    stopIds: file.eos_token_id,
    namedFields: listNamedFields(file),
  };
}

function toModelConfig(file: ConfigFile) {
  const family = FAMILIES[file.model_type];
  const heads = file.num_attention_heads;
  const defaultIfAbsent = (value: unknown, defaultValue: number | undefined) =>
    value === undefined ? defaultValue : undefined;
  return {
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
    rmsNormEpsilon: file.rms_norm_eps,
    tieEmbeddings: file.tie_word_embeddings,
    qkNorm: file.model_type === "qwen3",
    qkvBias: file.model_type === "qwen2" || file.qkv_bias === true,
  };
}

/** Returns the model family. Throws an error that names it when it is unknown, before the other fields are checked. */
function requireKnownFamily(json: unknown, path: string): Family {
  const file = familySchema.safeParse(json);
  if (!file.success) {
    throw new BowlineError(
      "checkpoint",
      `${path} is not a config we can run: ${errorMessage(file.error)}`,
    );
  }
  const { model_type: type, architectures } = file.data;
  const families = Object.keys(FAMILIES) as Family[];
  const family = families.find((name) => name === type);
  if (family === undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path}: model_type ${formatValue(type)} is not supported; expected one of ${families.join(", ")}`,
    );
  }
  const expected = FAMILIES[family].architecture;
  const architecture = architectures?.[0] ?? expected;
  if (architecture === expected) return family;
  throw new BowlineError(
    "checkpoint",
    `${path}: architectures names ${formatValue(architecture)}; expected ${expected}`,
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
