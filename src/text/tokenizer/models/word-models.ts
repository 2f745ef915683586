/**
 * WordPiece (Wu et al. 2016), which takes the longest token again and again, and WordLevel, which knows whole words.
 */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { ModelPart } from "../format/model-tables.ts";
import { PrefixIndex } from "../parts/prefix-index.ts";
import type { TokenModel } from "./model.ts";

/** Creates the model WordPiece. */
export function createWordPieceModel(part: Extract<ModelPart, { type: "WordPiece" }>): TokenModel {
  const vocabulary = new Map(Object.entries(part.vocab));
  const prefix = part.continuing_subword_prefix;
  const starts = new PrefixIndex(vocabulary);
  const continuations = new PrefixIndex(
    [...vocabulary]
      .filter(([token]) => token.startsWith(prefix))
      .map(([token, id]) => [token.slice(prefix.length), id] as const),
  );
  return {
    vocabulary,
    encode(piece, blocked) {
      const unknown = () => [requireUnknown(vocabulary, part.unk_token)];
      if (countCharacters(piece) > part.max_input_chars_per_word) return unknown();
      const ids: number[] = [];
      for (let position = 0; position < piece.length; ) {
        const index = position === 0 ? starts : continuations;
        const found = index.findLongest(piece, position, (id) => !blocked.has(id));
        if (found === undefined) return unknown();
        ids.push(found.value);
        position += found.length;
      }
      return ids;
    },
  };
}

/** Creates the model WordLevel. */
export function createWordLevelModel(part: Extract<ModelPart, { type: "WordLevel" }>): TokenModel {
  const vocabulary = new Map(Object.entries(part.vocab));
  return {
    vocabulary,
    encode(piece, blocked) {
      const id = vocabulary.get(piece);
      if (id !== undefined && !blocked.has(id)) return [id];
      return [requireUnknown(vocabulary, part.unk_token)];
    },
  };
}

function requireUnknown(vocabulary: ReadonlyMap<string, number>, token: string): number {
  const id = vocabulary.get(token);
  if (id !== undefined) return id;
  throw new BowlineError(
    "checkpoint",
    `tokenizer.json: a word is not in model.vocab, and neither is model.unk_token ${formatValue(token)}`,
  );
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
