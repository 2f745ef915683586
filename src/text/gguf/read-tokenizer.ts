/**
 * Creates a `tokenizer.json` from the vocabulary of a GGUF file. If the file contains a whole `tokenizer.json` under
 * the key `tokenizer.huggingface.json`, that text is used.
 */
import { BowlineError, didYouMean } from "../../core/index.ts";
import { PLAIN_BPE } from "../tokenizer/pieces.ts";
import type { TextKeys } from "./gguf-text-format.ts";
import {
  createPreTokenizerParts,
  findPreTokenizer,
  PRE_TOKENIZER_NAMES,
  type PreTokenizer,
} from "./pre-tokenizers.ts";
import { computeMerges, createSentencePieceParts } from "./sentence-piece.ts";
import { readRoleTokenId, TOKEN_TYPES, type Vocabulary } from "./vocabulary.ts";

/** Returns the content of a `tokenizer.json`. Throws a `checkpoint` error that names the key. */
export function createTokenizerJson(keys: TextKeys, vocabulary: Vocabulary, path: string): string {
  const embeddedJson = keys["tokenizer.huggingface.json"];
  if (embeddedJson !== undefined) return embeddedJson;
  switch (vocabulary.model) {
    case "gpt2":
      return createBytePairTokenizer(keys, vocabulary, path);
    case "llama":
      return createSentencePieceTokenizer(keys, vocabulary, path);
    default:
      throw new BowlineError(
        "checkpoint",
        `${path}: tokenizer.ggml.model ${vocabulary.model.slice(0, 40)} is not supported; expected gpt2 (byte-level BPE) or llama (SentencePiece BPE)`,
      );
  }
}

function createBytePairTokenizer(keys: TextKeys, vocabulary: Vocabulary, path: string): string {
  const cut = readPreTokenizer(keys, path);
  const merges = vocabulary.merges?.map((merge) => {
    const space = merge.indexOf(" ", 1);
    return [merge.slice(0, space), merge.slice(space + 1)] as const;
  });
  if (merges === undefined) {
    throw new BowlineError("checkpoint", `${path} lacks the key tokenizer.ggml.merges`);
  }
  const addsStart = keys["tokenizer.ggml.add_bos_token"] ?? cut.addsStart ?? false;
  return formatTokenizerJson(vocabulary, merges, {
    ...createPreTokenizerParts(cut),
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    post_processor: addsStart === true ? createStartTemplate(keys, vocabulary, path) : null,
    model: { ignore_merges: cut.ignoresMerges ?? false, byte_fallback: false },
  });
}

/** Finds the pre-tokenizer of a file. A file that names none has llama.cpp's pre-tokenizer "default". */
function readPreTokenizer(keys: TextKeys, path: string): PreTokenizer {
  const name = keys["tokenizer.ggml.pre"] ?? "default";
  const cut = findPreTokenizer(name);
  if (cut !== undefined) return cut;
  const shortName = name.slice(0, 40);
  throw new BowlineError(
    "checkpoint",
    `${path}: tokenizer.ggml.pre ${shortName.slice(0, 40)} is not supported${didYouMean(shortName, PRE_TOKENIZER_NAMES)}; expected one of ${PRE_TOKENIZER_NAMES.join(", ")}`,
  );
}

function createSentencePieceTokenizer(
  keys: TextKeys,
  vocabulary: Vocabulary,
  path: string,
): string {
  if (vocabulary.scores === undefined) {
    throw new BowlineError("checkpoint", `${path} lacks the key tokenizer.ggml.scores`);
  }
  const prefix = keys["tokenizer.ggml.add_space_prefix"] ?? true;
  const unknown = vocabulary.types.indexOf(TOKEN_TYPES.unknown);
  const addsStart = keys["tokenizer.ggml.add_bos_token"] ?? true;
  return formatTokenizerJson(vocabulary, computeMerges(vocabulary.tokens, vocabulary.scores), {
    ...createSentencePieceParts(prefix === true),
    post_processor: addsStart === true ? createStartTemplate(keys, vocabulary, path) : null,
    model: {
      unk_token: vocabulary.tokens[unknown] ?? null,
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
    },
  });
}

interface TokenizerParts extends Record<string, unknown> {
  readonly model: object;
}

function formatTokenizerJson(
  { tokens, types }: Vocabulary,
  merges: readonly (readonly [string, string])[],
  { model, ...parts }: TokenizerParts,
): string {
  const { normal, byte, unused, added } = TOKEN_TYPES;
  const all = tokens.map((content, id) => ({ content, id, type: types[id]! }));
  const isAdded = ({ type }: { type: number }) => ![normal, byte, unused].some((t) => t === type);
  // Added tokens need an entry too: the tokenizers library numbers those that the vocabulary lacks by their position.
  const vocab = all.filter((token) => token.type !== unused);
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: all.filter(isAdded).map(({ content, id, type }) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: type !== added,
    })),
    ...parts,
    model: {
      ...PLAIN_BPE,
      ...model,
      vocab: Object.fromEntries(vocab.map(({ content, id }) => [content, id])),
      merges,
    },
  });
}

/** Creates a post-processor that starts every text with the file's start token. */
function createStartTemplate(keys: TextKeys, vocabulary: Vocabulary, path: string): unknown {
  const id = readRoleTokenId(keys, "bos", vocabulary, path);
  if (id === undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path} lacks the key tokenizer.ggml.bos_token_id, but texts get a start token`,
    );
  }
  const name = vocabulary.tokens[id]!;
  const start = { SpecialToken: { id: name, type_id: 0 } };
  const sequence = (id: "A" | "B", type_id: number) => ({ Sequence: { id, type_id } });
  return {
    type: "TemplateProcessing",
    single: [start, sequence("A", 0)],
    pair: [start, sequence("A", 0), sequence("B", 1)],
    special_tokens: { [name]: { id: name, ids: [id], tokens: [name] } },
  };
}
