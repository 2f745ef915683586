/**
 * The metadata of a GGUF file as the `config.json` that its model had, so that one validation serves both; and back.
 *
 * Numbers with a fraction are float32 in the file and were decimals before: 1e-5 is stored as 9.999999747e-6, so the shortest
 * decimal is taken that gives that float32. What a key asks for and we do not compute is refused by its name.
 */
import {
  BowlineError,
  type GgufEntry,
  type GgufFile,
  type GgufValue,
} from "../../../../core/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import { fromHuggingFace } from "../huggingface-config.ts";
import { dequantize } from "./blocks.ts";
import { scalingFrom } from "./rope-factors.ts";

export const ROPE_FACTORS = "rope_freqs.weight";
const ARCHITECTURES = ["llama", "qwen2", "qwen3"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** What changes the computation where it is there and not off. */
const REFUSED: Readonly<Record<string, (value: GgufValue) => boolean>> = {
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

/** Throws a `checkpoint` error of a file that holds no model. */
export function architectureOf({ path, metadata }: GgufFile): Architecture {
  const type = metadata.get("general.type") ?? "model";
  if (type !== "model") {
    throw new BowlineError(
      "checkpoint",
      `${path} holds ${type === "adapter" ? "a LoRA adapter" : `a ${shown(type)}`}, no model; name the file of its base model`,
    );
  }
  const name = metadata.get("general.architecture");
  const known = ARCHITECTURES.find((architecture) => architecture === name);
  if (known !== undefined) return known;
  throw new BowlineError(
    "checkpoint",
    `${path}: general.architecture ${name === undefined ? "is missing" : `${shown(name)} is not supported`}; expected one of ${ARCHITECTURES.join(", ")}`,
  );
}

/** The model config of an open file. Throws a `checkpoint` error that names the key. */
export function configOf(file: GgufFile): ModelConfig {
  const config = validated(huggingFaceJson(file), file.path);
  // Each layer has tensors, so a number that lies is found before anything is as long as it.
  if (config.layers > file.tensors.size) {
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architectureOf(file)}.block_count is ${config.layers}, but there are ${file.tensors.size} tensors`,
    );
  }
  refuseUncomputed(file, config);
  const scaling = readScaling(file, config);
  return scaling === undefined ? config : { ...config, ropeScaling: scaling };
}

/** As of a `config.json`; the refusal on one line. */
function validated(json: unknown, path: string): ModelConfig {
  try {
    return fromHuggingFace(json, path);
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    const message = cause.message.replaceAll(/\s*\n\s*/g, " ");
    const named = message.startsWith(path) ? message : `${path}: ${message}`;
    throw new BowlineError("checkpoint", named, { cause });
  }
}

function huggingFaceJson(file: GgufFile): Record<string, unknown> {
  const architecture = architectureOf(file);
  const count = (key: string) => wholeOf(file, `${architecture}.${key}`);
  const fraction = (key: string) => decimalOf(file, `${architecture}.${key}`);
  const embedding = file.tensors.get("token_embd.weight");
  if (embedding === undefined) {
    throw new BowlineError("checkpoint", `${file.path} lacks token_embd.weight`);
  }
  return {
    model_type: architecture,
    vocab_size: embedding.dims[1] ?? 1,
    hidden_size: required(file, `${architecture}.embedding_length`, count("embedding_length")),
    num_hidden_layers: required(file, `${architecture}.block_count`, count("block_count")),
    num_attention_heads: required(
      file,
      `${architecture}.attention.head_count`,
      count("attention.head_count"),
    ),
    num_key_value_heads: count("attention.head_count_kv") ?? count("attention.head_count"),
    head_dim: headSizeOf(file, architecture),
    intermediate_size: required(
      file,
      `${architecture}.feed_forward_length`,
      count("feed_forward_length"),
    ),
    max_position_embeddings: required(
      file,
      `${architecture}.context_length`,
      count("context_length"),
    ),
    rope_theta: fraction("rope.freq_base") ?? 10_000,
    rms_norm_eps: required(
      file,
      `${architecture}.attention.layer_norm_rms_epsilon`,
      fraction("attention.layer_norm_rms_epsilon"),
    ),
    tie_word_embeddings: !file.tensors.has("output.weight"),
    qkv_bias: file.tensors.has("blk.0.attn_q.bias"),
  };
}

function required<T>({ path }: GgufFile, key: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new BowlineError("checkpoint", `${path} lacks the key ${key}`);
}

/** Keys and values of one size, and all of each head rotated, or it is another model. */
function headSizeOf(file: GgufFile, architecture: Architecture): number {
  const count = (key: string) => wholeOf(file, `${architecture}.${key}`);
  const [hidden, heads] = [count("embedding_length") ?? 0, count("attention.head_count") ?? 1];
  const size = count("attention.key_length") ?? hidden / heads;
  for (const key of ["attention.value_length", "rope.dimension_count"]) {
    const other = count(key) ?? size;
    if (other === size) continue;
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.${key} is ${other}, but heads have ${size}; only models where they are equal are run`,
    );
  }
  return size;
}

/** A count may stand once for all layers, or once for each; undefined: it is not there. */
function wholeOf({ path, metadata }: GgufFile, key: string): number | undefined {
  const value = metadata.get(key);
  if (value === undefined) return undefined;
  const all = Array.isArray(value) ? new Set<GgufValue>(value) : new Set([value]);
  const [one] = all;
  if (all.size === 1 && typeof one === "number" && Number.isInteger(one)) return one;
  const expected = all.size > 1 ? "the same number in all layers" : "a whole number";
  throw new BowlineError("checkpoint", `${path}: ${key} is ${shown(value)}; expected ${expected}`);
}

function decimalOf({ path, metadata }: GgufFile, key: string): number | undefined {
  const value = metadata.get(key);
  if (value === undefined) return undefined;
  if (typeof value === "number") return shortestDecimal(value);
  throw new BowlineError("checkpoint", `${path}: ${key} is ${shown(value)}; expected a number`);
}

/** Of a float32; a number that is none stays. */
export function shortestDecimal(value: number): number {
  for (let digits = 1; digits < 10; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return value;
}

function refuseUncomputed(file: GgufFile, { contextLength }: ModelConfig): void {
  const architecture = architectureOf(file);
  for (const [key, isOff] of Object.entries(REFUSED)) {
    const value = file.metadata.get(`${architecture}.${key}`);
    if (value === undefined || isOff(value)) continue;
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.${key} is ${shown(value)}, which is not supported`,
    );
  }
  const window = wholeOf(file, `${architecture}.attention.sliding_window`) ?? 0;
  if (window === 0 || window >= contextLength) return;
  throw new BowlineError(
    "checkpoint",
    `${file.path}: ${architecture}.attention.sliding_window is ${window}, which is not supported`,
  );
}

function readScaling(file: GgufFile, config: ModelConfig): ModelConfig["ropeScaling"] {
  const tensor = file.tensors.get(ROPE_FACTORS);
  if (tensor === undefined) return undefined;
  const { headSize, ropeTheta } = config;
  if (tensor.type === "F32" && tensor.dims.join() === String(headSize / 2)) {
    const bytes = new Uint8Array(tensor.sizeBytes);
    file.readAt(tensor.position, bytes);
    const factors = new Float32Array(headSize / 2);
    dequantize("F32", bytes, factors);
    const scaling = scalingFrom(factors, headSize, ropeTheta);
    if (scaling === "none") return undefined;
    if (scaling !== undefined && architectureOf(file) === "llama") return scaling;
  }
  throw new BowlineError(
    "checkpoint",
    `${file.path}: ${ROPE_FACTORS} scales rotary positions in a way that is not Llama 3's, which is not supported`,
  );
}

/** The inverse of `configOf`. Throws a `config` error of a shape that llama.cpp has no architecture for. */
export function entriesOf(config: ModelConfig): readonly GgufEntry[] {
  const architecture = architectureFor(config);
  const whole = (key: string, value: number): GgufEntry => ({
    key: `${architecture}.${key}`,
    kind: "uint32",
    value,
  });
  const fraction = (key: string, value: number): GgufEntry => ({
    key: `${architecture}.${key}`,
    kind: "float32",
    value,
  });
  return [
    { key: "general.architecture", kind: "string", value: architecture },
    whole("block_count", config.layers),
    whole("context_length", config.contextLength),
    whole("embedding_length", config.hiddenSize),
    whole("feed_forward_length", config.intermediateSize),
    whole("attention.head_count", config.heads),
    whole("attention.head_count_kv", config.kvHeads),
    whole("attention.key_length", config.headSize),
    whole("attention.value_length", config.headSize),
    whole("rope.dimension_count", config.headSize),
    fraction("rope.freq_base", config.ropeTheta),
    fraction("attention.layer_norm_rms_epsilon", config.rmsNormEpsilon),
    whole("vocab_size", config.vocabularySize),
  ];
}

export function architectureFor({ qkNorm, qkvBias, ropeScaling }: ModelConfig): Architecture {
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

function shown(value: GgufValue): string {
  const text = JSON.stringify(value, (_, inner) =>
    typeof inner === "bigint" ? String(inner) : inner,
  );
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
