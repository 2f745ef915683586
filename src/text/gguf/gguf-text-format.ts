/**
 * The keys of a GGUF file that say how text becomes tokens, and how its authors sample. What a key does is decided by
 * llama.cpp. Keys of the architecture start with `ARCH.`.
 */
import { z } from "zod";
import { type GgufKeys, parseGgufKeys } from "../../core/gguf/index.ts";
import {
  computed,
  defineFormat,
  formatSchema,
  harmless,
  harmlessIf,
  refused,
} from "../../core/index.ts";

/** Templates with a name are collected in one record, and their key stands for all of them. */
const TEMPLATE = "tokenizer.chat_template";
const NAMED_TEMPLATES = "tokenizer.chat_template.NAME";

const id = z.number().int().nonnegative().optional();
const number = z.number().optional();
const flag = z.boolean().optional();
const isFalse = harmlessIf(z.literal(false), "false", "nothing else is added to texts");
const notText = harmless("no text becomes it by itself");

const samplingKeys = {
  "general.sampling.temp": computed(number, "temperature"),
  "general.sampling.top_k": computed(number, "as in generation_config.json"),
  "general.sampling.top_p": computed(number, "as in generation_config.json"),
  "general.sampling.min_p": computed(number, "as in generation_config.json"),
  "general.sampling.penalty_repeat": computed(number, "as repetition_penalty"),
  "general.sampling.xtc_probability": computed(number, "the user is told when it is not 0"),
  "general.sampling.mirostat": computed(number, "the user is told when it is not 0"),
  "general.sampling.sequence": computed(z.string().optional(), "the user is told"),
  "general.sampling.xtc_threshold": harmless("it matters only with xtc_probability"),
  "general.sampling.mirostat_tau": harmless("it matters only with mirostat"),
  "general.sampling.mirostat_eta": harmless("it matters only with mirostat"),
  "general.sampling.penalty_last_n": harmless("it matters only with penalty_repeat"),
};

export const ggufTextFormat = defineFormat({
  name: "GGUF keys of tokenizer and sampling",
  unknown: "refused",
  fields: {
    "tokenizer.ggml.model": computed(z.string(), "gpt2 or llama; others are refused"),
    "tokenizer.ggml.pre": computed(
      z.string().optional(),
      "how text is cut; unknown ones are refused",
    ),
    "tokenizer.ggml.tokens": computed(z.array(z.string()).min(1), "the vocabulary"),
    "tokenizer.ggml.token_type": computed(
      z.array(z.number().int()).optional(),
      "kinds of tokens; marks such as <|im_end|> are special also as user-defined tokens",
    ),
    "tokenizer.ggml.merges": computed(z.array(z.string()).optional(), "merges"),
    "tokenizer.ggml.scores": computed(z.array(z.number()).optional(), "order of merges in llama"),
    "tokenizer.ggml.bos_token_id": computed(id, "start token"),
    "tokenizer.ggml.eos_token_id": computed(id, "stop id"),
    "tokenizer.ggml.eot_token_id": computed(id, "stop id"),
    "tokenizer.ggml.eom_token_id": computed(id, "stop id"),
    "tokenizer.ggml.unknown_token_id": computed(id, "special token"),
    "tokenizer.ggml.padding_token_id": computed(id, "special token"),
    "tokenizer.ggml.add_bos_token": computed(flag, "texts get a start token"),
    "tokenizer.ggml.add_space_prefix": computed(flag, "texts get a space first, in llama"),
    "tokenizer.huggingface.json": computed(z.string().optional(), "replaces the keys above"),
    "tokenizer.chat_template": computed(z.string().optional(), "chat template"),
    [NAMED_TEMPLATES]: computed(z.record(z.string(), z.string()).optional(), "chat templates"),
    "tokenizer.chat_templates": harmless("their names"),
    "tokenizer.ggml.add_eos_token": isFalse,
    "tokenizer.ggml.add_sep_token": isFalse,
    "tokenizer.ggml.remove_extra_whitespaces": isFalse,
    "tokenizer.ggml.normalizer.lowercase": isFalse,
    "tokenizer.ggml.seperator_token_id": notText,
    "tokenizer.ggml.cls_token_id": notText,
    "tokenizer.ggml.mask_token_id": notText,
    "tokenizer.ggml.prefix_token_id": notText,
    "tokenizer.ggml.suffix_token_id": notText,
    "tokenizer.ggml.middle_token_id": notText,
    "tokenizer.ggml.fim_*": notText,
    "tokenizer.rwkv.world": harmless("only other kinds of tokenizers read it"),
    "tokenizer.*": refused("a key that may change how text becomes tokens"),
    ...samplingKeys,
    "general.sampling.*": refused("a key that may change the sampling"),
    "general.architecture": computed(z.string().optional(), "family"),
    "ARCH.context_length": computed(z.number().int().positive().optional(), "context length"),
    "*": harmless("see the table before"),
  },
});

const schema = formatSchema(ggufTextFormat);
/** The keys of a file that the text layer reads, by their names in the table. */
export type TextKeys = ReturnType<typeof schema.parse>;

/** Reads the keys of a file. Throws a `checkpoint` error of one line that names the key. */
export function readTextKeys({ path, metadata }: GgufKeys): TextKeys {
  const others = [...metadata].filter(([key]) => !key.startsWith(`${TEMPLATE}.`));
  const templates = [...metadata].flatMap(([key, value]) =>
    key.startsWith(`${TEMPLATE}.`) ? [[key.slice(TEMPLATE.length + 1), value]] : [],
  );
  const named: [string, unknown][] =
    templates.length > 0 ? [[NAMED_TEMPLATES, Object.fromEntries(templates)]] : [];
  return parseGgufKeys({ path, metadata: new Map([...others, ...named]) }, schema);
}
