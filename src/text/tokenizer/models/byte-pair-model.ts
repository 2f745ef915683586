/** Byte-pair encoding (Sennrich et al. 2016), with the options of the Python library `tokenizers`. */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { ModelPart } from "../format/model-tables.ts";
import { type Merges, mergeSymbols } from "./merge-queue.ts";
import { byteFallbackIds, type TokenModel } from "./model.ts";

type BytePairPart = Extract<ModelPart, { type: "BPE" }>;

/** Two ids as one number, for vocabularies below 2^26 tokens. */
const pairKey = (left: number, right: number) => left * 2 ** 26 + right;

/** Creates the model. Throws a `checkpoint` error if a merge or the unknown token is not in the vocabulary. */
export function createBytePairModel(part: BytePairPart): TokenModel {
  const vocabulary = new Map(Object.entries(part.vocab));
  const unknown = part.unk_token
    ? requireToken(vocabulary, part.unk_token, "unk_token")
    : undefined;
  const merges = createMerges(part, vocabulary);
  const encodeSymbols = createSymbolEncoder(part, vocabulary, unknown);
  return {
    vocabulary,
    encode(piece, blocked) {
      const whole = part.ignore_merges ? vocabulary.get(piece) : undefined;
      if (whole !== undefined && !blocked.has(whole)) return [whole];
      const allowed = blocked.size === 0 ? merges : withoutBlocked(merges, blocked);
      return mergeSymbols(encodeSymbols(piece), allowed);
    },
  };
}

function requireToken(
  vocabulary: ReadonlyMap<string, number>,
  token: string,
  field: string,
): number {
  const id = vocabulary.get(token);
  if (id !== undefined) return id;
  throw new BowlineError(
    "checkpoint",
    `tokenizer.json: model.${field}: the token ${formatValue(token)} is not in model.vocab`,
  );
}

function createMerges(part: BytePairPart, vocabulary: ReadonlyMap<string, number>): Merges {
  const prefixLength = part.continuing_subword_prefix?.length ?? 0;
  const ranks = new Map<number, number>();
  const results = part.merges.map(([left, right], rank) => {
    const field = `merges.${rank}`;
    const ids = [left, right].map((token) => requireToken(vocabulary, token, field));
    ranks.set(pairKey(ids[0]!, ids[1]!), rank);
    return requireToken(vocabulary, left + right.slice(prefixLength), field);
  });
  return { results, rankOf: (left, right) => ranks.get(pairKey(left, right)) ?? -1 };
}

/** Returns merges that form no blocked token. */
function withoutBlocked({ rankOf, results }: Merges, blocked: ReadonlySet<number>): Merges {
  return {
    results,
    rankOf(left, right) {
      const rank = rankOf(left, right);
      return rank >= 0 && blocked.has(results[rank]!) ? -1 : rank;
    },
  };
}

/** Creates a function that returns the ids of the single characters of a piece, before merges. */
function createSymbolEncoder(
  part: BytePairPart,
  vocabulary: ReadonlyMap<string, number>,
  unknown: number | undefined,
): (piece: string) => number[] {
  const [prefix, suffix] = [part.continuing_subword_prefix ?? "", part.end_of_word_suffix ?? ""];
  return (piece) => {
    const ids: number[] = [];
    let waitsForUnknown = false;
    const addUnknown = () => {
      if (waitsForUnknown) ids.push(unknown!);
      waitsForUnknown = false;
    };
    let position = 0;
    for (const character of piece) {
      const start = position === 0 ? "" : prefix;
      position += character.length;
      const symbol = start + character + (position === piece.length ? suffix : "");
      const id = vocabulary.get(symbol);
      // Bytes do not end a row of unknown characters, as in the Python library.
      const bytes =
        id === undefined && part.byte_fallback ? byteFallbackIds(symbol, vocabulary) : undefined;
      if (id !== undefined) {
        addUnknown();
        ids.push(id);
      } else if (bytes !== undefined) {
        ids.push(...bytes);
      } else if (unknown !== undefined) {
        if (!part.fuse_unk) addUnknown();
        waitsForUnknown = true;
      }
    }
    addUnknown();
    return ids;
  };
}
