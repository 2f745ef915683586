/**
 * The unigram model (Kudo 2018). Of all ways to cut a piece into tokens, it takes the one whose scores have the highest
 * sum, found by Viterbi's algorithm. Scores are added from left to right in 64 bits, and of equal sums the first
 * counts.
 */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { ModelPart } from "../format/model-tables.ts";
import { PrefixIndex } from "../parts/prefix-index.ts";
import { byteFallbackIds, type TokenModel } from "./model.ts";

type UnigramPart = Extract<ModelPart, { type: "Unigram" }>;

/** An unknown character has the lowest score of all tokens minus this. */
const UNKNOWN_PENALTY = 10;

/** The best way to cut a piece up to each position. */
interface BestPath {
  readonly scores: Float64Array;
  /** Where the last token starts, or -1 if no token ends at the position. */
  readonly starts: Int32Array;
  readonly ids: Int32Array;
}

/** Creates the model. Throws a `checkpoint` error if the id for unknown text is not in the vocabulary. */
export function createUnigramModel(part: UnigramPart): TokenModel {
  const { vocab, unk_id: unknown } = part;
  if (unknown !== undefined && unknown !== null && unknown >= vocab.length) {
    throw new BowlineError(
      "checkpoint",
      `tokenizer.json: model.unk_id is ${unknown}, but the vocabulary has ${vocab.length} tokens`,
    );
  }
  const vocabulary = new Map(vocab.map(([token], id) => [token, id]));
  const index = new PrefixIndex(vocabulary);
  const lowest = vocab.reduce((least, [, score]) => Math.min(least, score), Infinity);
  const scores = Float64Array.from(vocab, ([, score]) => score);
  const findPath = (piece: string, blocked: ReadonlySet<number>) =>
    findBestPath(piece, index, scores, lowest - UNKNOWN_PENALTY, unknown ?? undefined, blocked);
  return {
    vocabulary,
    encode(piece, blocked) {
      const tokens = listTokens(piece, findPath(piece, blocked), unknown ?? undefined);
      return tokens.flatMap((token) => {
        const id = vocabulary.get(token);
        if (id !== undefined && !blocked.has(id)) return [id];
        const bytes = part.byte_fallback ? byteFallbackIds(token, vocabulary) : undefined;
        return bytes ?? [unknown ?? throwUnknown(token)];
      });
    },
  };
}

function findBestPath(
  piece: string,
  index: PrefixIndex,
  tokenScores: Float64Array,
  unknownScore: number,
  unknown: number | undefined,
  blocked: ReadonlySet<number>,
): BestPath {
  const { length } = piece;
  const scores = new Float64Array(length + 1);
  const starts = new Int32Array(length + 1).fill(-1);
  const ids = new Int32Array(length + 1);
  const offer = (start: number, end: number, id: number, score: number) => {
    const sum = score + scores[start]!;
    if (starts[end] !== -1 && sum <= scores[end]!) return;
    scores[end] = sum;
    starts[end] = start;
    ids[end] = id;
  };
  for (let start = 0; start < length; ) {
    const size = piece.codePointAt(start)! > 0xffff ? 2 : 1;
    let hasSingle = false;
    index.visitPrefixes(piece, start, (tokenLength, id) => {
      if (blocked.has(id)) return;
      offer(start, start + tokenLength, id, tokenScores[id]!);
      if (tokenLength === size) hasSingle = true;
    });
    if (!hasSingle) {
      const id = unknown ?? throwUnknown(piece.slice(start, start + size));
      offer(start, start + size, id, unknownScore);
    }
    start += size;
  }
  return { scores, starts, ids };
}

/** Returns the tokens of a path. Unknown characters in a row are one token. */
function listTokens(
  piece: string,
  { starts, ids }: BestPath,
  unknown: number | undefined,
): string[] {
  const tokens: string[] = [];
  let unknownEnd = -1;
  for (let end = piece.length; end > 0; end = starts[end]!) {
    const start = starts[end]!;
    if (ids[end] === unknown) {
      if (unknownEnd < 0) unknownEnd = end;
      if (start === 0) tokens.push(piece.slice(0, unknownEnd));
      continue;
    }
    if (unknownEnd >= 0) tokens.push(piece.slice(end, unknownEnd));
    unknownEnd = -1;
    tokens.push(piece.slice(start, end));
  }
  return tokens.reverse();
}

function throwUnknown(text: string): never {
  throw new BowlineError(
    "checkpoint",
    `tokenizer.json: the vocabulary has no token for ${formatValue(text)}, and model.unk_id is missing`,
  );
}
