/** The vocabulary of a GGUF file, from its keys. */
import { BowlineError } from "../../core/index.ts";
import type { TextKeys } from "./gguf-text-format.ts";

/** The values of `tokenizer.ggml.token_type`. */
export const TOKEN_TYPES = {
  /** A token that merges form. */
  normal: 1,
  /** The token for characters that are not in the vocabulary. */
  unknown: 2,
  /** A special token, which text never becomes. */
  control: 3,
  /** An added word, which text may contain. */
  added: 4,
  /** A row of the embedding without a token. */
  unused: 5,
  /** A single byte, such as `<0x41>`. */
  byte: 6,
} as const;

/** The vocabulary of a GGUF file: tokens and their types by id. */
export interface Vocabulary {
  readonly model: string;
  readonly tokens: readonly string[];
  readonly types: readonly number[];
  readonly merges: readonly string[] | undefined;
  readonly scores: readonly number[] | undefined;
}

/** Tokens that end a turn in any model, from llama.cpp. They are special whatever their type is. */
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

/** Creates the vocabulary of a file. `path` is only for messages. Throws a `checkpoint` error that names the key. */
export function readVocabulary(keys: TextKeys, path: string): Vocabulary {
  const tokens = keys["tokenizer.ggml.tokens"];
  const scores = keys["tokenizer.ggml.scores"];
  const types = keys["tokenizer.ggml.token_type"] ?? tokens.map(() => TOKEN_TYPES.normal);
  for (const [name, list] of Object.entries({ token_type: types, scores })) {
    if (list === undefined || list.length === tokens.length) continue;
    throw new BowlineError(
      "checkpoint",
      `${path}: tokenizer.ggml.${name} has ${list.length} elements, but there are ${tokens.length} tokens`,
    );
  }
  if (new Set(tokens).size !== tokens.length) {
    const twice = tokens.find((token, id) => tokens.indexOf(token) !== id);
    throw new BowlineError(
      "checkpoint",
      `${path}: tokenizer.ggml.tokens has ${JSON.stringify(twice?.slice(0, 40))} twice`,
    );
  }
  return {
    model: keys["tokenizer.ggml.model"],
    tokens,
    types: types.map((type, id) => correctType(type, tokens[id]!)),
    merges: keys["tokenizer.ggml.merges"],
    scores,
  };
}

/**
 * Returns the type that llama.cpp and its converters give a token. Files of older converters have marks such as
 * `<|im_start|>` as added words, although text must never become one.
 */
function correctType(type: number, token: string): number {
  const isMark = type === TOKEN_TYPES.added && token.startsWith("<|") && token.endsWith("|>");
  return isMark || END_TOKENS.has(token) ? TOKEN_TYPES.control : type;
}

/** Returns the ids of the tokens that end a turn in any model. */
export function findEndTokens({ tokens }: Vocabulary): number[] {
  return tokens.flatMap((token, id) => (END_TOKENS.has(token) ? [id] : []));
}

/** The tokens with a role that a file may name. */
export type TokenRole = "bos" | "eos" | "eot" | "eom" | "unknown" | "padding";

/** The ids that llama.cpp takes in a SentencePiece vocabulary when the file does not name them. */
const SENTENCE_PIECE_ROLES: Readonly<Partial<Record<TokenRole, number>>> = {
  unknown: 0,
  bos: 1,
  eos: 2,
};

/** Returns the id of the token with a role, or undefined if no token has that role. */
export function readRoleTokenId(
  keys: TextKeys,
  role: TokenRole,
  { tokens, model }: Vocabulary,
  path: string,
): number | undefined {
  const id =
    keys[`tokenizer.ggml.${role}_token_id`] ??
    (model === "llama" ? SENTENCE_PIECE_ROLES[role] : undefined);
  if (id === undefined || id < tokens.length) return id;
  throw new BowlineError(
    "checkpoint",
    `${path}: tokenizer.ggml.${role}_token_id is ${id}, but there are ${tokens.length} tokens`,
  );
}
