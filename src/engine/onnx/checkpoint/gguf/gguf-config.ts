/**
 * Converts the metadata of a GGUF file to our model config, and back. A key that asks for something we do not compute
 * is refused by its name (see gguf-format.ts).
 *
 * Numbers with a fraction are float32 in the file and were decimals before (1e-5 is stored as 9.999999747e-6), so the
 * shortest decimal with that float32 value is taken.
 */

import {
  type GgufEntry,
  type GgufShards,
  type GgufValue,
  parseGgufKeys,
} from "../../../../core/gguf/index.ts";
import { BowlineError, listNamedFields } from "../../../../core/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import { parseStoredConfig } from "../stored-config.ts";
import { dequantize } from "./dequantize.ts";
import { ARCHITECTURES, type Architecture, ggufSchema } from "./gguf-format.ts";
import { recoverRopeScaling } from "./rope-factors.ts";

export const ROPE_FACTORS_TENSOR = "rope_freqs.weight";

/** What a GGUF file says about its model. */
export interface GgufDescription {
  readonly config: ModelConfig;
  readonly architecture: Architecture;
  /** Names of keys that are not obeyed, and that llama.cpp is not known to obey. */
  readonly namedFields: readonly string[];
}

/** Reads the model config of an open file. Throws a `checkpoint` error that names the key. */
export function describeGgufModel(file: GgufShards): GgufDescription {
  requireModel(file);
  const keys = parseGgufKeys(file, ggufSchema);
  const architecture = keys["general.architecture"];
  const config = toModelConfig(file, keys);
  // Each layer has tensors, so a wrong number is found before anything of that length is allocated.
  if (config.layers > file.tensors.size) {
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.block_count is ${config.layers}, but there are ${file.tensors.size} tensors`,
    );
  }
  const window = keys["ARCH.attention.sliding_window"] ?? 0;
  if (window !== 0 && window < config.contextLength) {
    throw new BowlineError(
      "checkpoint",
      `${file.path}: ${architecture}.attention.sliding_window is ${window}, which is not supported`,
    );
  }
  const scaling = readRopeScaling(file, architecture, config);
  return {
    config: scaling === undefined ? config : { ...config, ropeScaling: scaling },
    architecture,
    namedFields: listNamedFields(keys),
  };
}

/** Throws a `checkpoint` error when a file holds no model or one of another architecture. */
function requireModel({ path, metadata }: GgufShards): void {
  const type = metadata.get("general.type") ?? "model";
  if (type !== "model") {
    throw new BowlineError(
      "checkpoint",
      `${path} holds ${type === "adapter" ? "a LoRA adapter" : `a ${formatValue(type)}`}, not a model; give the file of its base model`,
    );
  }
  const name = metadata.get("general.architecture");
  if (ARCHITECTURES.some((architecture) => architecture === name)) return;
  throw new BowlineError(
    "checkpoint",
    `${path}: general.architecture ${name === undefined ? "is missing" : `${formatValue(name)} is not supported`}; expected one of ${ARCHITECTURES.join(", ")}`,
  );
}

type Keys = ReturnType<typeof ggufSchema.parse>;

function toModelConfig(file: GgufShards, keys: Keys): ModelConfig {
  const embedding = file.tensors.get("token_embd.weight");
  if (embedding === undefined) {
    throw new BowlineError("checkpoint", `${file.path} lacks token_embd.weight`);
  }
  const heads = keys["ARCH.attention.head_count"];
  const config = {
    vocabularySize: embedding.dims[1] ?? 1,
    hiddenSize: keys["ARCH.embedding_length"],
    layers: keys["ARCH.block_count"],
    heads,
    kvHeads: keys["ARCH.attention.head_count_kv"] ?? heads,
    headSize: readHeadSize(file, keys),
    intermediateSize: keys["ARCH.feed_forward_length"],
    contextLength: keys["ARCH.context_length"],
    ropeTheta: keys["ARCH.rope.freq_base"] ?? 10_000,
    rmsNormEpsilon: keys["ARCH.attention.layer_norm_rms_epsilon"],
    tieEmbeddings: !file.tensors.has("output.weight"),
    qkNorm: keys["general.architecture"] === "qwen3",
    qkvBias: file.tensors.has("blk.0.attn_q.bias"),
  };
  return parseStoredConfig(config, file.path);
}

/** Returns the size of a head. Throws when keys and values differ in size, or only a part of each head is rotated. */
function readHeadSize({ path }: GgufShards, keys: Keys): number {
  const size =
    keys["ARCH.attention.key_length"] ??
    keys["ARCH.embedding_length"] / keys["ARCH.attention.head_count"];
  for (const key of ["ARCH.attention.value_length", "ARCH.rope.dimension_count"] as const) {
    const other = keys[key] ?? size;
    if (other === size) continue;
    throw new BowlineError(
      "checkpoint",
      `${path}: ${key.replace("ARCH", keys["general.architecture"])} is ${other}, but heads have ${size}; only models where they are equal are run`,
    );
  }
  return size;
}

function readRopeScaling(
  file: GgufShards,
  architecture: Architecture,
  config: ModelConfig,
): ModelConfig["ropeScaling"] {
  const tensor = file.tensors.get(ROPE_FACTORS_TENSOR);
  if (tensor === undefined) return undefined;
  const { headSize, ropeTheta } = config;
  if (tensor.type === "F32" && tensor.dims.join() === String(headSize / 2)) {
    const bytes = new Uint8Array(tensor.sizeBytes);
    file.readTensor(ROPE_FACTORS_TENSOR, 0, bytes);
    const factors = new Float32Array(headSize / 2);
    dequantize("F32", bytes, factors);
    const scaling = recoverRopeScaling(factors, headSize, ropeTheta);
    if (scaling === "none") return undefined;
    if (scaling !== undefined && architecture === "llama") return scaling;
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
