/**
 * Trains byte-pair encoding (Sennrich et al. 2016) over bytes on the text of demonstrations.
 *
 * Training is deterministic: the most frequent adjacent pair is merged first, and of equally frequent pairs the smaller
 * one by code units. It stops at the vocabulary's size, or when no pair is frequent enough, because a small model never
 * learns a rare token. The result is the content of a Hugging Face `tokenizer.json`.
 */
import {
  BYTE_CHARACTERS,
  PIECE_PATTERN,
  PLAIN_BPE,
  SPECIAL_TOKENS,
  splitIntoPieces,
  toByteCharacters,
} from "./pieces.ts";

/** Options of the training of a tokenizer. */
export interface TokenizerOptions {
  /** The largest size of the vocabulary, including the special tokens and the 256 bytes. */
  readonly vocabularySize: number;
  /** How often a pair must occur to be merged. */
  readonly minimumCount: number;
  /** The special tokens by id. The default are the markers of the compact scaffold. */
  readonly specials?: readonly string[];
}

interface Piece {
  symbols: string[];
  readonly count: number;
}

/** Trains a tokenizer and returns its `tokenizer.json`. The ids are special tokens, bytes, then merges by rank. */
export function trainTokenizer(texts: Iterable<string>, options: TokenizerOptions): string {
  const specials = options.specials ?? SPECIAL_TOKENS;
  const pieces = countPieces(texts, specials);
  const merges: [string, string][] = [];
  const tokens: string[] = [...specials, ...BYTE_CHARACTERS];
  const known = new Set(tokens);
  while (tokens.length < options.vocabularySize) {
    const pair = findMostFrequentPair(pieces, options.minimumCount);
    if (pair === undefined) break;
    merges.push(pair);
    const merged = pair[0] + pair[1];
    // Two different merges can form the same token, which has one id.
    if (!known.has(merged)) tokens.push(merged);
    known.add(merged);
    for (const piece of pieces) piece.symbols = mergePair(piece.symbols, pair);
  }
  return formatTokenizerJson(tokens, merges, specials);
}

function countPieces(texts: Iterable<string>, specials: readonly string[]): Piece[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const piece of splitIntoPieces(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  // Merges must not form a special token, so that text which looks like one stays text.
  const plain = [...counts].filter(([text]) => !specials.some((token) => text.includes(token)));
  return plain.map(([text, count]) => ({ symbols: toByteCharacters(text), count }));
}

function findMostFrequentPair(
  pieces: readonly Piece[],
  minimum: number,
): [string, string] | undefined {
  const counts = new Map<string, number>();
  for (const { symbols, count } of pieces) {
    for (let i = 1; i < symbols.length; i++) {
      const pair = `${symbols[i - 1]} ${symbols[i]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  let best: string | undefined;
  let bestCount = minimum - 1;
  for (const [pair, count] of counts) {
    if (count > bestCount || (count === bestCount && best !== undefined && pair < best)) {
      [best, bestCount] = [pair, count];
    }
  }
  return best?.split(" ") as [string, string] | undefined;
}

function mergePair(symbols: string[], [left, right]: readonly [string, string]): string[] {
  const out: string[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const joins = symbols[i] === left && symbols[i + 1] === right;
    out.push(joins ? left + right : symbols[i]!);
    if (joins) i++;
  }
  return out.length === symbols.length ? symbols : out;
}

function formatTokenizerJson(
  tokens: readonly string[],
  merges: readonly [string, string][],
  specials: readonly string[],
): string {
  // The special tokens are included, because the tokenizers library changes the id of an added token that its model
  // lacks.
  const vocabulary = Object.fromEntries(tokens.map((token, id): [string, number] => [token, id]));
  const byteLevelPart = {
    type: "ByteLevel",
    add_prefix_space: false,
    trim_offsets: false,
    use_regex: false,
  };
  return `${JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: specials.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "Split", pattern: { Regex: PIECE_PATTERN }, behavior: "Isolated", invert: false },
        byteLevelPart,
      ],
    },
    post_processor: null,
    decoder: byteLevelPart,
    model: {
      ...PLAIN_BPE,
      byte_fallback: false,
      ignore_merges: false,
      vocab: vocabulary,
      merges,
    },
  })}\n`;
}
