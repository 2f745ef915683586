/**
 * Reads the tokenizer, chat templates and sizes of a GGUF file as the files of a Hugging Face folder: `tokenizer.json`,
 * `tokenizer_config.json`, `generation_config.json` and `config.json`. So code that reads such a folder can read the
 * file.
 */
import { readGgufKeys } from "../../core/gguf/index.ts";
import { readTextKeys, type TextKeys } from "./gguf-text-format.ts";
import { createTokenizerJson } from "./read-tokenizer.ts";
import { findEndTokens, readRoleTokenId, readVocabulary, type Vocabulary } from "./vocabulary.ts";

const SPECIAL_TOKEN_ROLES = {
  bos_token: "bos",
  eos_token: "eos",
  unk_token: "unknown",
  pad_token: "padding",
} as const;
/** Keys of `general.sampling` with their names in `generation_config.json`, and the values that switch them off. */
const SAMPLING_KEYS = {
  temp: { name: "temperature" },
  top_k: { name: "top_k" },
  top_p: { name: "top_p" },
  min_p: { name: "min_p" },
  penalty_repeat: { name: "repetition_penalty", off: 1 },
  xtc_probability: { name: "xtc_probability", off: 0 },
  mirostat: { name: "mirostat", off: 0 },
  sequence: { name: "sequence", off: undefined },
} as const;

/** Returns the contents of files by file name. Throws a `checkpoint` error that names the GGUF file and the key. */
export function readGgufTexts(path: string): Readonly<Record<string, string>> {
  const keys = readTextKeys(readGgufKeys(path));
  const vocabulary = readVocabulary(keys, path);
  return {
    "tokenizer.json": createTokenizerJson(keys, vocabulary, path),
    "tokenizer_config.json": JSON.stringify(createTokenizerConfig(keys, vocabulary, path)),
    "generation_config.json": JSON.stringify(createGenerationConfig(keys, vocabulary, path)),
    "config.json": JSON.stringify({
      vocab_size: vocabulary.tokens.length,
      max_position_embeddings: keys["ARCH.context_length"],
    }),
  };
}

function createTokenizerConfig(keys: TextKeys, vocabulary: Vocabulary, path: string) {
  const named = Object.entries(SPECIAL_TOKEN_ROLES).map(([name, role]) => {
    const id = readRoleTokenId(keys, role, vocabulary, path);
    return [name, id === undefined ? undefined : vocabulary.tokens[id]];
  });
  const templates = listChatTemplates(keys);
  return {
    tokenizer_class: "PreTrainedTokenizerFast",
    clean_up_tokenization_spaces: false,
    ...Object.fromEntries(named),
    ...(templates.length === 1 && templates[0]?.name === "default"
      ? { chat_template: templates[0].template }
      : templates.length > 0 && { chat_template: templates }),
  };
}

function listChatTemplates(keys: TextKeys): { name: string; template: string }[] {
  const unnamed = keys["tokenizer.chat_template"];
  const named = Object.entries(keys["tokenizer.chat_template.NAME"] ?? {});
  return [
    ...(unnamed === undefined ? [] : [{ name: "default", template: unnamed }]),
    ...named.map(([name, template]) => ({ name, template })),
  ];
}

/** Creates a `generation_config.json`. The end token that the GGUF file names is the first of the stop ids. */
function createGenerationConfig(keys: TextKeys, vocabulary: Vocabulary, path: string) {
  const roles = (["eos", "eot", "eom"] as const).map((role) =>
    readRoleTokenId(keys, role, vocabulary, path),
  );
  const sampling = Object.entries(SAMPLING_KEYS).flatMap(([key, { name, ...rest }]) => {
    const value = keys[`general.sampling.${key as keyof typeof SAMPLING_KEYS}`];
    if (value === undefined || ("off" in rest && value === rest.off)) return [];
    return [[name, typeof value === "number" ? Number(value.toPrecision(6)) : value] as const];
  });
  return {
    eos_token_id: [
      ...new Set([...roles.filter((id) => id !== undefined), ...findEndTokens(vocabulary)]),
    ],
    ...(sampling.length > 0 && { do_sample: true, ...Object.fromEntries(sampling) }),
  };
}
