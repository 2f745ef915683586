/**
 * Converts the metadata of a GGUF file to the `config.json` of its model, so that one validation serves both, and
 * back.
 *
 * Numbers with a fraction are float32 in the file and were decimals before (1e-5 is stored as 9.999999747e-6), so the
 * shortest decimal with that float32 value is taken. A key that asks for something we do not compute is rejected by
 * its name.
 */
import {
  BowlineError,
  type GgufEntry,
  type GgufFile,
  type GgufValue,
} from "../../../../core/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import { parseHuggingFaceConfig } from "../huggingface-config.ts";
import { dequantize } from "./dequantize.ts";
import { recoverRopeScaling } from "./rope-factors.ts";

export const ROPE_FACTORS_TENSOR = "rope_freqs.weight";
const ARCHITECTURES = ["llama", "qwen2", "qwen3"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Keys that change the computation unless they have their neutral value, with a test for that value. */
const UNSUPPORTED_KEYS: Readonly<Record<string, (value: GgufValue) => boolean>> = {
  "rope.scaling.type": (value) => value === "none",
  "rope.scale_linear": (value) => value === 1,
  "rope.scaling.factor": (value) => value === 1,
  expert_count: (value) => value === 0,
  logit_scale: (value) => value === 1,
  residual_scale: (value) => value === 1,
  embedding_scale: (value) => value === 1,
  "attention.scale": () => false,
  "attention.clamp_kqv": (value) => value === 0,
  "attention.causal": (value) => value === true,
  attn_logit_softcapping: (value) => value === 0,
  final_logit_softcapping: (value) => value === 0,
  use_parallel_residual: (value) => value === false,
};

/** Returns a file's architecture. Throws a `checkpoint` error when it holds no model or an unknown architecture. */
export function readArchitecture({ path, metadata }: GgufFile): Architecture {
  const type = metadata.get("general.type") ?? "model";
  if (type !== "model") {
    throw new BowlineError(
      "checkpoint",
      `${path} holds ${type === "adapter" ? "a LoRA adapter" : `a ${formatValue(type)}`}, not a model; give the file of its base model`,
    );
  }
  const name = metadata.get("general.architecture");
  const known = ARCHITECTURES.find((architecture) => architecture === name);
  if (known !== undefined) return known;
  throw new BowlineError(
    "checkpoint",
    `${path}: general.architecture ${name === undefined ? "is missing" : `${formatValue(name)} is not supported`}; expected one of ${ARCHITECTURES.join(", ")}`,
  );
}

/** Reads the model config of an open file. Throws a `checkpoint` error that names the key. */
export function readModelConfig(file: GgufFile): ModelConfig {
  const config = parseAsHuggingFaceConfig(toHuggingFaceJson(file), file.path);
  // Each layer has tensors, so a wrong number is found before anything of that length is allocated.
  if (config.layers > file.tensors.size) {
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${readArchitecture(file)}.block_count is ${config.layers}, but there are ${file.tensors.size} tensors`,
    );
  }
  rejectUnsupportedKeys(file, config);
  const scaling = readRopeScaling(file, config);
  return scaling === undefined ? config : { ...config, ropeScaling: scaling };
}

/** Parses the values as a `config.json`. An error message is put on one line. */
function parseAsHuggingFaceConfig(json: unknown, path: string): ModelConfig {
  try {
    return parseHuggingFaceConfig(json, path);
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    const message = cause.message.replaceAll(/\s*\n\s*/g, " ");
    const named = message.startsWith(path) ? message : `${path}: ${message}`;
    throw new BowlineError("checkpoint", named, { cause });
  }
}

function toHuggingFaceJson(file: GgufFile): Record<string, unknown> {
  const architecture = readArchitecture(file);
  const readCount = (key: string) => readInteger(file, `${architecture}.${key}`);
  const readFraction = (key: string) => readDecimal(file, `${architecture}.${key}`);
  const embedding = file.tensors.get("token_embd.weight");
  if (embedding === undefined) {
    throw new BowlineError("checkpoint", `${file.path} lacks token_embd.weight`);
  }
  return {
    model_type: architecture,
    vocab_size: embedding.dims[1] ?? 1,
    hidden_size: requireKey(
      file,
      `${architecture}.embedding_length`,
      readCount("embedding_length"),
    ),
    num_hidden_layers: requireKey(file, `${architecture}.block_count`, readCount("block_count")),
    num_attention_heads: requireKey(
      file,
      `${architecture}.attention.head_count`,
      readCount("attention.head_count"),
    ),
    num_key_value_heads: readCount("attention.head_count_kv") ?? readCount("attention.head_count"),
    head_dim: readHeadSize(file, architecture),
    intermediate_size: requireKey(
      file,
      `${architecture}.feed_forward_length`,
      readCount("feed_forward_length"),
    ),
    max_position_embeddings: requireKey(
      file,
      `${architecture}.context_length`,
      readCount("context_length"),
    ),
    rope_theta: readFraction("rope.freq_base") ?? 10_000,
    rms_norm_eps: requireKey(
      file,
      `${architecture}.attention.layer_norm_rms_epsilon`,
      readFraction("attention.layer_norm_rms_epsilon"),
    ),
    tie_word_embeddings: !file.tensors.has("output.weight"),
    qkv_bias: file.tensors.has("blk.0.attn_q.bias"),
  };
}

function requireKey<T>({ path }: GgufFile, key: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new BowlineError("checkpoint", `${path} lacks the key ${key}`);
}

/** Returns the size of a head. Throws when keys and values differ in size, or only a part of each head is rotated. */
function readHeadSize(file: GgufFile, architecture: Architecture): number {
  const readCount = (key: string) => readInteger(file, `${architecture}.${key}`);
  const [hidden, heads] = [
    readCount("embedding_length") ?? 0,
    readCount("attention.head_count") ?? 1,
  ];
  const size = readCount("attention.key_length") ?? hidden / heads;
  for (const key of ["attention.value_length", "rope.dimension_count"]) {
    const other = readCount(key) ?? size;
    if (other === size) continue;
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.${key} is ${other}, but heads have ${size}; only models where they are equal are run`,
    );
  }
  return size;
}

/** Returns an integer that is stored once for all layers or once for each, or undefined when the key is missing. */
function readInteger({ path, metadata }: GgufFile, key: string): number | undefined {
  const value = metadata.get(key);
  if (value === undefined) return undefined;
  const all = Array.isArray(value) ? new Set<GgufValue>(value) : new Set([value]);
  const [one] = all;
  if (all.size === 1 && typeof one === "number" && Number.isInteger(one)) return one;
  const expected = all.size > 1 ? "the same number in all layers" : "a whole number";
  throw new BowlineError(
    "checkpoint",
    `${path}: ${key} is ${formatValue(value)}; expected ${expected}`,
  );
}

function readDecimal({ path, metadata }: GgufFile, key: string): number | undefined {
  const value = metadata.get(key);
  if (value === undefined) return undefined;
  if (typeof value === "number") return shortestDecimal(value);
  throw new BowlineError(
    "checkpoint",
    `${path}: ${key} is ${formatValue(value)}; expected a number`,
  );
}

/** Returns the shortest decimal whose float32 is `value`, or `value` itself when it is not a float32. */
export function shortestDecimal(value: number): number {
  for (let digits = 1; digits < 10; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return value;
}

function rejectUnsupportedKeys(file: GgufFile, { contextLength }: ModelConfig): void {
  const architecture = readArchitecture(file);
  for (const [key, isOff] of Object.entries(UNSUPPORTED_KEYS)) {
    const value = file.metadata.get(`${architecture}.${key}`);
    if (value === undefined || isOff(value)) continue;
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.${key} is ${formatValue(value)}, which is not supported`,
    );
  }
  const window = readInteger(file, `${architecture}.attention.sliding_window`) ?? 0;
  if (window === 0 || window >= contextLength) return;
  throw new BowlineError(
    "checkpoint",
    `${file.path}: ${architecture}.attention.sliding_window is ${window}, which is not supported`,
  );
}

function readRopeScaling(file: GgufFile, config: ModelConfig): ModelConfig["ropeScaling"] {
  const tensor = file.tensors.get(ROPE_FACTORS_TENSOR);
  if (tensor === undefined) return undefined;
  const { headSize, ropeTheta } = config;
  if (tensor.type === "F32" && tensor.dims.join() === String(headSize / 2)) {
    const bytes = new Uint8Array(tensor.sizeBytes);
    file.readAt(tensor.position, bytes);
    const factors = new Float32Array(headSize / 2);
    dequantize("F32", bytes, factors);
    const scaling = recoverRopeScaling(factors, headSize, ropeTheta);
    if (scaling === "none") return undefined;
    if (scaling !== undefined && readArchitecture(file) === "llama") return scaling;
  }
  throw new BowlineError(
    "checkpoint",
    `${file.path}: ${ROPE_FACTORS_TENSOR} scales rotary positions in a way that is not Llama 3's, which is not supported`,
  );
}

/** Returns the file entries of a model config. Throws a `config` error when llama.cpp has no architecture for it. */
export function modelEntries(config: ModelConfig): readonly GgufEntry[] {
  const architecture = chooseArchitecture(config);
  const integerEntry = (key: string, value: number): GgufEntry => ({
    key: `${architecture}.${key}`,
    kind: "uint32",
    value,
  });
  const floatEntry = (key: string, value: number): GgufEntry => ({
    key: `${architecture}.${key}`,
    kind: "float32",
    value,
  });
  return [
    { key: "general.architecture", kind: "string", value: architecture },
    integerEntry("block_count", config.layers),
    integerEntry("context_length", config.contextLength),
    integerEntry("embedding_length", config.hiddenSize),
    integerEntry("feed_forward_length", config.intermediateSize),
    integerEntry("attention.head_count", config.heads),
    integerEntry("attention.head_count_kv", config.kvHeads),
    integerEntry("attention.key_length", config.headSize),
    integerEntry("attention.value_length", config.headSize),
    integerEntry("rope.dimension_count", config.headSize),
    floatEntry("rope.freq_base", config.ropeTheta),
    floatEntry("attention.layer_norm_rms_epsilon", config.rmsNormEpsilon),
    integerEntry("vocab_size", config.vocabularySize),
  ];
}

export function chooseArchitecture({ qkNorm, qkvBias, ropeScaling }: ModelConfig): Architecture {
  const architecture = qkNorm ? "qwen3" : qkvBias ? "qwen2" : "llama";
  const why =
    qkNorm && qkvBias
      ? "norms and biases on query and key at once"
      : ropeScaling && architecture !== "llama"
        ? "Llama 3's scaling of positions in a Qwen model"
        : undefined;
  if (why === undefined) return architecture;
  throw new BowlineError("config", `llama.cpp has no architecture with ${why}; export it as hf`);
}

function formatValue(value: GgufValue): string {
  const text = JSON.stringify(value, (_, inner) =>
    typeof inner === "bigint" ? String(inner) : inner,
  );
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
