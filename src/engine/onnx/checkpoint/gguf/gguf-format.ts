/**
 * The keys of a GGUF file that decide what a model of architecture llama, qwen2 or qwen3 computes. What a key does is
 * decided by llama.cpp. Keys of the architecture start with `ARCH.` here. Keys of tokenizer and sampling are in a table
 * of the text layer.
 */
import { z } from "zod";
import {
  computed,
  defineFormat,
  formatSchema,
  harmless,
  harmlessIf,
  refused,
} from "../../../../core/index.ts";

export const ARCHITECTURES = ["llama", "qwen2", "qwen3"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** An integer that is stored once for all layers, or once for each and is the same in all. */
const integer = z.preprocess(
  (value) => (Array.isArray(value) && new Set(value).size === 1 ? value[0] : value),
  z
    .number("expected a whole number, the same in all layers")
    .int("expected a whole number, the same in all layers"),
);
const count = integer.refine((value) => value > 0, "expected a number above 0");
const decimal = z.number().transform(shortestDecimal);

/** Returns the shortest decimal whose float32 is `value`, or `value` itself when it is not a float32. */
export function shortestDecimal(value: number): number {
  for (let digits = 1; digits < 10; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return value;
}

/** A row of keys that are neutral with one of some values, and not computed otherwise. */
const neutral = <const K extends string>(
  keys: readonly K[],
  values: readonly (number | boolean)[],
  note: string,
) => {
  const rule = harmlessIf(z.literal([...values]), values.join(" or "), note);
  return Object.fromEntries(keys.map((key) => [key, rule])) as Record<K, typeof rule>;
};

const splitKeys = {
  "split.no": computed(z.number().int().optional(), "number of the shard"),
  "split.count": computed(z.number().int().optional(), "all shards are read, whichever is named"),
  "split.tensors.count": computed(z.number().int().optional(), "tensors in all shards"),
};

const sizes = {
  "ARCH.embedding_length": computed(count, "width"),
  "ARCH.block_count": computed(count, "layers"),
  "ARCH.attention.head_count": computed(count, "heads"),
  "ARCH.attention.head_count_kv": computed(count.optional(), "heads of keys and values"),
  "ARCH.attention.key_length": computed(count.optional(), "size of a head"),
  "ARCH.attention.value_length": computed(integer.optional(), "the size of a head, or refused"),
  "ARCH.feed_forward_length": computed(count, "width of SwiGLU's hidden layer"),
  "ARCH.context_length": computed(count, "context length"),
  "ARCH.attention.layer_norm_rms_epsilon": computed(decimal, "epsilon of RMSNorm"),
  "ARCH.attention.sliding_window": computed(
    integer.optional(),
    "0, or at least the context; refused otherwise",
  ),
};

const ropeKeys = {
  "ARCH.rope.freq_base": computed(decimal.optional(), "base of the rotary frequencies"),
  "ARCH.rope.dimension_count": computed(integer.optional(), "the size of a head, or refused"),
  "ARCH.rope.scaling.type": harmlessIf(
    z.enum(["none", "linear"]),
    "none or linear",
    "Llama 3's scaling is in the tensor rope_freqs; others are not computed",
  ),
  ...neutral(
    ["ARCH.rope.scaling.factor", "ARCH.rope.scale_linear"],
    [1, 0],
    "positions are not scaled",
  ),
  ...neutral(
    ["ARCH.rope.scaling.attn_factor", "ARCH.rope.scaling.yarn_attn_factor"],
    [1],
    "positions are not scaled",
  ),
  "ARCH.rope.scaling.original_context_length": harmless("only scaling reads it"),
  "ARCH.rope.scaling.finetuned": harmless("only scaling reads it"),
  "ARCH.rope.scaling.yarn_beta_fast": harmless("only scaling reads it"),
  "ARCH.rope.scaling.yarn_beta_slow": harmless("only scaling reads it"),
};

export const ggufFormat = defineFormat({
  name: "GGUF keys of the model (ARCH is llama, qwen2 or qwen3)",
  unknown: "named",
  fields: {
    "general.architecture": computed(z.enum(ARCHITECTURES), "family"),
    "general.type": computed(z.literal("model").optional(), "adapters and projectors are refused"),
    ...sizes,
    ...ropeKeys,
    ...splitKeys,
    "general.quantization_version": harmlessIf(z.literal(2), "2", "blocks have the layout of 2"),
    "general.alignment": computed(z.number().optional(), "where tensors start"),
    ...neutral(
      ["ARCH.expert_count", "ARCH.expert_used_count", "ARCH.nextn_predict_layers"],
      [0],
      "the MLP has no experts",
    ),
    ...neutral(
      ["ARCH.logit_scale", "ARCH.residual_scale", "ARCH.embedding_scale"],
      [1],
      "nothing is scaled",
    ),
    ...neutral(
      [
        "ARCH.attn_logit_softcapping",
        "ARCH.final_logit_softcapping",
        "ARCH.attention.clamp_kqv",
        "ARCH.attention.max_alibi_bias",
      ],
      [0],
      "nothing is cut",
    ),
    ...neutral(["ARCH.attention.causal"], [true], "attention is causal"),
    ...neutral(["ARCH.use_parallel_residual"], [false], "attention comes before the MLP"),
    "ARCH.tensor_data_layout": harmlessIf(
      z.literal("Meta AI original pth"),
      "Meta AI original pth",
      "rotary pairs of llama are adjacent",
    ),
    "ARCH.attention.scale": refused("attention is scaled by the root of the size of a head"),
    "ARCH.*": refused("a key that may change what is computed"),
    "ARCH.vocab_size": harmless("the embedding tells it"),
    "ARCH.pooling_type": harmless("only embeddings of texts read it"),
    "ARCH.attention.layer_norm_epsilon": harmless("this architecture has RMSNorm"),
    "adapter.*": refused("adapters are read in PEFT's format"),
    "clip.*": refused("only models of text are run"),
    "diffusion.*": refused("only causal models are run"),
    "xielu.*": refused("another activation"),
    "general.*": harmless("about the file; sampling is in the next table"),
    "quantize.*": harmless("about the file"),
    "imatrix.*": harmless("about the file"),
    "mradermacher.*": harmless("about the file"),
    "tokenizer.*": harmless("see the next table"),
  },
});

export const ggufSchema = formatSchema(ggufFormat);
