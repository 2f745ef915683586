/**
 * Writes the tokenizer and chat templates of a model as keys of a GGUF file for llama.cpp. It is the inverse of
 * read-texts.ts.
 *
 * If llama.cpp lacks a tokenizer's exact pre-tokenizer, the nearest one is written. The whole `tokenizer.json` is then
 * written too, under the format's key `tokenizer.huggingface.json`, which we read and llama.cpp ignores.
 */

import type { GgufEntry } from "../../core/gguf/index.ts";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { readGenerationConfig } from "../model-directory/generation-config.ts";
import type { ModelFiles } from "../model-directory/model-files.ts";
import { readTokenizerConfig, type TokenizerConfig } from "../model-directory/tokenizer-config.ts";
import type { ModelPart } from "../tokenizer/format/model-tables.ts";
import { parseTokenizerFile, type TokenizerFile } from "../tokenizer/format/tokenizer-format.ts";
import { createPostProcessor } from "../tokenizer/parts/post-processor.ts";
import { findPreTokenizerName } from "./pre-tokenizers.ts";
import { computeMerges } from "./sentence-piece.ts";
import { TOKEN_TYPES } from "./vocabulary.ts";

const FILE = "tokenizer.json";

/** A tokenizer of the only kind that GGUF files have here. */
type BytePairFile = TokenizerFile & { readonly model: Extract<ModelPart, { type: "BPE" }> };

/** Returns the metadata entries. Throws a `checkpoint` error if llama.cpp cannot run a similar tokenizer. */
export function createGgufEntries(files: ModelFiles, embeddingRows: number): readonly GgufEntry[] {
  const text = files.read(FILE) ?? "";
  const file = parseBytePairFile(text, files.displayPath(FILE));
  const config = readTokenizerConfig(files);
  const tokens = listTokens(file, embeddingRows);
  const { entries, isExact } = file.model.byte_fallback
    ? createSentencePieceEntries(file, tokens)
    : createBytePairEntries(file, text, tokens, files.displayPath(FILE));
  const names = new Map(tokens.map(({ content }, id) => [content, id]));
  const end = names.get(config.specialTokens["eos_token"] ?? "");
  const { stopIds } = readGenerationConfig(files, embeddingRows, [end]);
  return [
    ...entries,
    ...createRoleEntries(config, names, stopIds),
    { key: "tokenizer.ggml.add_bos_token", kind: "bool", value: addsStartToken(file) },
    ...createTemplateEntries(config),
    ...(isExact ? [] : [stringEntry("tokenizer.huggingface.json", text)]),
  ];
}

/** A token with one of `TOKEN_TYPES`. */
interface Token {
  readonly content: string;
  readonly type: number;
}

/** Returns a token for each row of the embedding. A row without a token gets a placeholder such as `[PAD7]`. */
function listTokens({ added_tokens, model }: BytePairFile, embeddingRows: number): Token[] {
  const { normal, unknown, control, added, unused, byte } = TOKEN_TYPES;
  const tokens = Array.from({ length: embeddingRows }, (_, id) => ({
    content: `[PAD${id}]`,
    type: unused,
  }));
  const out: Token[] = tokens;
  for (const [content, id] of Object.entries(model.vocab)) {
    const isByte = model.byte_fallback === true && /^<0x[0-9A-F]{2}>$/.test(content);
    out[id] = { content, type: isByte ? byte : normal };
  }
  for (const { id, content, special } of added_tokens) {
    const type = content === model.unk_token ? unknown : special ? control : added;
    out[id] = { content, type };
  }
  return out;
}

/** The metadata entries of a tokenizer. */
interface TokenizerEntries {
  readonly entries: readonly GgufEntry[];
  /** Tells whether the entries describe the tokenizer exactly. */
  readonly isExact: boolean;
}

function createBytePairEntries(
  { model }: BytePairFile,
  json: string,
  tokens: readonly Token[],
  path: string,
): TokenizerEntries {
  const cut = findPreTokenizerName(JSON.parse(json));
  if (cut === undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path} has a pre-tokenizer that llama.cpp does not support, so no GGUF file is written; export it as hf`,
    );
  }
  const merges = model.merges.map(([left, right]) => `${left} ${right}`);
  return {
    entries: [
      stringEntry("tokenizer.ggml.model", "gpt2"),
      stringEntry("tokenizer.ggml.pre", cut.name),
      ...createTokenEntries(tokens),
      { key: "tokenizer.ggml.merges", kind: "strings", value: merges },
    ],
    isExact: cut.isExact,
  };
}

/** Creates entries in which the score of a token is minus the rank of the merge that forms it. */
function createSentencePieceEntries(
  { model: { merges }, normalizer }: BytePairFile,
  tokens: readonly Token[],
): TokenizerEntries {
  const ranks = new Map<string, number>();
  for (const [rank, [left, right]] of merges.entries()) {
    if (!ranks.has(left + right)) ranks.set(left + right, rank);
  }
  const scores = tokens.map(({ content }) => -(ranks.get(content) ?? merges.length));
  const recomputedMerges = computeMerges(
    tokens.map(({ content }) => content),
    scores,
  );
  return {
    entries: [
      stringEntry("tokenizer.ggml.model", "llama"),
      stringEntry("tokenizer.ggml.pre", "default"),
      ...createTokenEntries(tokens),
      { key: "tokenizer.ggml.scores", kind: "float32s", value: scores },
      {
        key: "tokenizer.ggml.add_space_prefix",
        kind: "bool",
        value: JSON.stringify(normalizer ?? null).includes('"Prepend"'),
      },
    ],
    isExact: JSON.stringify(recomputedMerges) === JSON.stringify(merges),
  };
}

function createTokenEntries(tokens: readonly Token[]): GgufEntry[] {
  return [
    {
      key: "tokenizer.ggml.tokens",
      kind: "strings",
      value: tokens.map(({ content }) => content),
    },
    { key: "tokenizer.ggml.token_type", kind: "int32s", value: tokens.map(({ type }) => type) },
  ];
}

/**
 * Creates entries for the tokens with a role. There is a key for one more stop id besides the tokenizer's end token.
 */
function createRoleEntries(
  { specialTokens }: TokenizerConfig,
  names: ReadonlyMap<string, number>,
  stopIds: readonly number[],
): GgufEntry[] {
  const named = (name: string) => names.get(specialTokens[name] ?? "");
  const end = named("eos_token") ?? stopIds[0];
  const roles = {
    bos: named("bos_token"),
    eos: end,
    eot: stopIds.find((id) => id !== end),
    unknown: named("unk_token"),
    padding: named("pad_token"),
  };
  return Object.entries(roles).flatMap(([role, id]): GgufEntry[] =>
    id === undefined ? [] : [{ key: `tokenizer.ggml.${role}_token_id`, kind: "uint32", value: id }],
  );
}

/** Tells whether the post-processor puts a token before a text. */
function addsStartToken({ post_processor }: TokenizerFile): boolean {
  const text = -1;
  return post_processor ? createPostProcessor(post_processor)([text])[0] !== text : false;
}

function createTemplateEntries({ templates }: TokenizerConfig): GgufEntry[] {
  const named = [...templates.keys()].filter((name) => name !== "default");
  const entries = [...templates].map(([name, { source }]) =>
    stringEntry(`tokenizer.chat_template${name === "default" ? "" : `.${name}`}`, source),
  );
  if (named.length === 0) return entries;
  return [...entries, { key: "tokenizer.chat_templates", kind: "strings", value: named }];
}

function stringEntry(key: string, value: string): GgufEntry {
  return { key, kind: "string", value };
}

/** Parses a `tokenizer.json`. Throws a `checkpoint` error that names the file. */
function parseBytePairFile(text: string, path: string): BytePairFile {
  try {
    const { model, ...file } = parseTokenizerFile(text);
    if (model.type === "BPE") return { ...file, model };
    throw new BowlineError("checkpoint", `expected byte-pair encoding (BPE), got ${model.type}`);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new BowlineError("checkpoint", `${path} cannot be written as GGUF: ${reason}`, { cause });
  }
}
