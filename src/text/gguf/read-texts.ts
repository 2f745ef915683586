/**
 * Reads the tokenizer, chat templates and sizes of a GGUF file as the files of a Hugging Face folder: `tokenizer.json`,
 * `tokenizer_config.json`, `generation_config.json` and `config.json`. So code that reads such a folder can read the
 * file.
 */
import { type GgufValue, readGgufMetadata } from "../../core/index.ts";
import { createTokenizerJson } from "./read-tokenizer.ts";
import {
  type Metadata,
  readRoleTokenId,
  readVocabulary,
  TOKEN_TYPES,
  type Vocabulary,
} from "./vocabulary.ts";

/** Tokens that end a turn in any model, from llama.cpp. */
const END_TOKENS = new Set([
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|endoftext|>",
  "<|end|>",
  "<end_of_turn>",
  "<EOT>",
]);
const SPECIAL_TOKEN_ROLES = {
  bos_token: "bos",
  eos_token: "eos",
  unk_token: "unknown",
  pad_token: "padding",
};
/** Keys of `general.sampling` with their names in `generation_config.json`. */
const SAMPLING_KEYS = { temp: "temperature", top_k: "top_k", top_p: "top_p", min_p: "min_p" };

/** Returns the contents of files by file name. Throws a `checkpoint` error that names the GGUF file and the key. */
export function readGgufTexts(path: string): Readonly<Record<string, string>> {
  const metadata = readGgufMetadata(path);
  const vocabulary = readVocabulary(metadata, path);
  return {
    "tokenizer.json": createTokenizerJson(metadata, path),
    "tokenizer_config.json": JSON.stringify(createTokenizerConfig(metadata, vocabulary, path)),
    "generation_config.json": JSON.stringify(createGenerationConfig(metadata, vocabulary, path)),
    "config.json": JSON.stringify({
      vocab_size: vocabulary.tokens.length,
      max_position_embeddings: metadata.get(
        `${String(metadata.get("general.architecture"))}.context_length`,
      ),
    }),
  };
}

function createTokenizerConfig(metadata: Metadata, vocabulary: Vocabulary, path: string) {
  const named = Object.entries(SPECIAL_TOKEN_ROLES).map(([name, role]) => {
    const id = readRoleTokenId(metadata, `${role}_token_id`, vocabulary, path);
    return [name, id === undefined ? undefined : vocabulary.tokens[id]];
  });
  const templates = listChatTemplates(metadata);
  return {
    tokenizer_class: "PreTrainedTokenizerFast",
    clean_up_tokenization_spaces: false,
    ...Object.fromEntries(named),
    ...(templates.length === 1 && templates[0]?.name === "default"
      ? { chat_template: templates[0].template }
      : templates.length > 0 && { chat_template: templates }),
  };
}

function listChatTemplates(metadata: Metadata): { name: string; template: GgufValue }[] {
  const templateKey = "tokenizer.chat_template";
  return [...metadata].flatMap(([key, template]) => {
    if (key === templateKey) return [{ name: "default", template }];
    return key.startsWith(`${templateKey}.`)
      ? [{ name: key.slice(templateKey.length + 1), template }]
      : [];
  });
}

/** Creates a `generation_config.json`. The end token that the GGUF file names is the first of the stop ids. */
function createGenerationConfig(metadata: Metadata, vocabulary: Vocabulary, path: string) {
  const roles = ["eos", "eot", "eom"].map((role) =>
    readRoleTokenId(metadata, `${role}_token_id`, vocabulary, path),
  );
  const { tokens, types } = vocabulary;
  const named = tokens.flatMap((token, id) =>
    END_TOKENS.has(token) && types[id] === TOKEN_TYPES.control ? [id] : [],
  );
  const sampling = Object.entries(SAMPLING_KEYS).flatMap(([key, name]) => {
    const value = metadata.get(`general.sampling.${key}`);
    return typeof value === "number" ? [[name, Number(value.toPrecision(6))] as const] : [];
  });
  return {
    eos_token_id: [...new Set([...roles.filter((id) => id !== undefined), ...named])],
    ...(sampling.length > 0 && { do_sample: true, ...Object.fromEntries(sampling) }),
  };
}
