/**
 * Runs a `tokenizer.json`: from text to ids and back, with the results of the Python library `tokenizers`.
 *
 * A text is cut at its added tokens, the rest is normalized and cut into pieces, and the model turns each piece into
 * ids. All steps take linear time in the length of the text, and merges n log n in the length of a piece.
 */

import type { ModelPart } from "./format/model-tables.ts";
import type { AddedToken, TokenizerFile } from "./format/tokenizer-format.ts";
import { createBytePairModel } from "./models/byte-pair-model.ts";
import { NOTHING_BLOCKED, type TokenModel } from "./models/model.ts";
import { createUnigramModel } from "./models/unigram-model.ts";
import { createWordLevelModel, createWordPieceModel } from "./models/word-models.ts";
import {
  checkAddedIds,
  createTokenFinder,
  type TextPart,
  type TokenFinder,
} from "./parts/added-tokens.ts";
import { createDecoder } from "./parts/decoder.ts";
import { createNormalizer, type Normalizer } from "./parts/normalizer.ts";
import { createPostProcessor } from "./parts/post-processor.ts";
import { createPreTokenizer, type PreTokenizer } from "./parts/pre-tokenizer.ts";
import type { Segment } from "./parts/segment.ts";
import { PIECE_PATTERN } from "./pieces.ts";

/** The number of pieces whose ids are remembered at a time. */
const MAX_REMEMBERED_PIECES = 50_000;
/** Longer pieces hardly ever occur again. */
const MAX_REMEMBERED_LENGTH = 256;

const LONE_SURROGATES = /[\ud800-\udfff]/gu;

/** A tokenizer that does everything that the file says. */
export interface TokenizerRunner {
  /** The largest id plus 1. */
  readonly vocabularySize: number;
  readonly addedTokens: readonly AddedToken[];
  /** Returns the ids of a text in which special tokens are tokens. */
  encode(text: string): number[];
  /** Returns the ids of a text in which special tokens are text. No special token is in the result. */
  encodeAsText(text: string): number[];
  /** Puts the special tokens around ids that the file's post-processor names. */
  postProcess(ids: readonly number[]): readonly number[];
  /** Returns the text of ids. Ids without a token become nothing. */
  decode(ids: readonly number[], options?: { readonly skipSpecialTokens?: boolean }): string;
}

/** Creates a runner. Throws a `checkpoint` error if the parts of the file do not go together. */
export function createTokenizerRunner(file: TokenizerFile): TokenizerRunner {
  const model = createModel(file.model);
  const addedTokens = file.added_tokens.filter(({ content }) => content !== "");
  // Tokenizers that were trained here at first left the special tokens out of the vocabulary. Their own ids count.
  if (!isTrainedHere(file)) checkAddedIds(addedTokens, model.vocabulary);
  const normalizer: Normalizer = file.normalizer
    ? createNormalizer(file.normalizer)
    : (segment) => segment;
  const preTokenizer = createPreTokenizer(file.pre_tokenizer);
  const parts = { model, addedTokens, normalizer, preTokenizer };
  const blocked = listBlockedIds(file.model, addedTokens);
  const ids = [...model.vocabulary.values(), ...addedTokens.map(({ id }) => id)];
  const postProcessor = file.post_processor ? createPostProcessor(file.post_processor) : undefined;
  return {
    vocabularySize: ids.reduce((most, id) => Math.max(most, id), -1) + 1,
    addedTokens,
    encode: createEncoder(parts, NOTHING_BLOCKED),
    encodeAsText: createEncoder(parts, blocked),
    postProcess: (some) => postProcessor?.(some) ?? some,
    decode: createIdDecoder(file, parts),
  };
}

function isTrainedHere({ pre_tokenizer: cut }: TokenizerFile): boolean {
  const parts = cut?.type === "Sequence" ? cut.pretokenizers : [];
  return parts.some(
    (part) =>
      part.type === "Split" &&
      "Regex" in part.pattern.source &&
      part.pattern.source.Regex === PIECE_PATTERN,
  );
}

function createModel(part: ModelPart): TokenModel {
  switch (part.type) {
    case "BPE":
      return createBytePairModel(part);
    case "Unigram":
      return createUnigramModel(part);
    case "WordPiece":
      return createWordPieceModel(part);
    case "WordLevel":
      return createWordLevelModel(part);
  }
}

/** Returns the ids that text never becomes: all special tokens except the one for unknown text. */
function listBlockedIds(part: ModelPart, tokens: readonly AddedToken[]): ReadonlySet<number> {
  const unknownToken =
    part.type === "Unigram" ? part.vocab[part.unk_id ?? -1]?.[0] : part.unk_token;
  const blocked = tokens.filter(({ special, content }) => special && content !== unknownToken);
  return new Set(blocked.map(({ id }) => id));
}

interface RunnerParts {
  readonly model: TokenModel;
  readonly addedTokens: readonly AddedToken[];
  readonly normalizer: Normalizer;
  readonly preTokenizer: PreTokenizer;
}

const isNormalized = ({ normalized }: AddedToken) => normalized;

function normalizedContent({ content }: AddedToken, normalizer: Normalizer): string {
  return normalizer({ text: content, head: 0 }).text;
}

/** Creates the two finders of added tokens: in the text itself, and in normalized text. */
function createFinders(
  { addedTokens, normalizer }: RunnerParts,
  asText: boolean,
): { readonly inText: TokenFinder; readonly inNormalized: TokenFinder } {
  const special = asText ? addedTokens.filter((token) => token.special) : [];
  const ignored = new Set(special.map(({ id }) => id));
  const plain = addedTokens.filter((token) => !isNormalized(token));
  const normalized = addedTokens.filter(isNormalized);
  const contents = normalized.map((token) => normalizedContent(token, normalizer));
  return {
    inText: createTokenFinder(
      plain,
      plain.map(({ content }) => content),
      ignored,
    ),
    inNormalized: createTokenFinder(normalized, contents, ignored),
  };
}

/** Creates a function from text to ids. With `blocked` ids, special tokens stay text. */
function createEncoder(
  parts: RunnerParts,
  blocked: ReadonlySet<number>,
): (text: string) => number[] {
  const { normalizer, preTokenizer } = parts;
  const { inText, inNormalized } = createFinders(parts, blocked !== NOTHING_BLOCKED);
  const encodePiece = createPieceEncoder(parts, blocked);
  const addSegment = (out: number[], segment: Segment) => {
    for (const piece of preTokenizer.cut(segment)) {
      for (const id of encodePiece(piece)) out.push(id);
    }
  };
  return (text) => {
    if (text === "") return [];
    const whole = text.replace(LONE_SURROGATES, "\ufffd");
    const head = preTokenizer.readsHead ? String.fromCodePoint(whole.codePointAt(0)!).length : 0;
    const out: number[] = [];
    visitParts(inText({ text: whole, head }), out, (segment) => {
      const normalized = normalizer(segment);
      visitParts(inNormalized(normalized), out, (rest) => addSegment(out, rest));
    });
    return out;
  };
}

function visitParts(
  parts: readonly TextPart[],
  out: number[],
  visit: (segment: Segment) => void,
): void {
  for (const part of parts) {
    if ("id" in part) out.push(part.id);
    else visit(part.segment);
  }
}

/** Creates a function that returns the ids of a piece, and remembers those of short pieces. */
function createPieceEncoder(
  { model, preTokenizer }: RunnerParts,
  blocked: ReadonlySet<number>,
): (piece: string) => readonly number[] {
  const remembered = new Map<string, readonly number[]>();
  return (piece) => {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const ids = model.encode(preTokenizer.rewrite(piece), blocked);
    if (piece.length > MAX_REMEMBERED_LENGTH) return ids;
    if (remembered.size >= MAX_REMEMBERED_PIECES) remembered.clear();
    remembered.set(piece, ids);
    return ids;
  };
}

/** Creates a function from ids to text. An added token that normalization changes is decoded in its changed form. */
function createIdDecoder(
  file: TokenizerFile,
  { model, addedTokens, normalizer }: RunnerParts,
): TokenizerRunner["decode"] {
  const tokens = new Map([...model.vocabulary].map(([token, id]) => [id, token]));
  for (const token of addedTokens) {
    const text = isNormalized(token) ? normalizedContent(token, normalizer) : token.content;
    tokens.set(token.id, text);
  }
  const special = new Set(addedTokens.filter((one) => one.special).map(({ content }) => content));
  const decoder = file.decoder ? createDecoder(file.decoder) : undefined;
  return (ids, { skipSpecialTokens = false } = {}) => {
    const found: string[] = [];
    for (const id of ids) {
      const token = tokens.get(id);
      if (token !== undefined && !(skipSpecialTokens && special.has(token))) found.push(token);
    }
    return decoder === undefined ? found.join(" ") : decoder(found).join("");
  };
}
