/**
 * How text is cut into pieces before merges, and how bytes are written. The trainer and its `tokenizer.json` share
 * this.
 *
 * Text is cut at whitespace, quotes, digits and closing punctuation, and a merge never crosses a cut. So a word has the
 * same tokens in a sentence and in a quoted string, which lets a small model copy a name from an instruction into code
 * token by token. A number is a sequence of digits. Code such as `.push(...r.items)` may become one token: compared
 * with cuts between letters and punctuation, this halves the number of tokens that an agent samples.
 */

import {
  charactersOf,
  complementSet,
  hasCharacter,
  toCharacterClass,
  uniteSets,
} from "./unicode/character-set.ts";
import { categorySet, WHITE_SPACE } from "./unicode/properties.ts";

export { BYTE_CHARACTERS, toByteCharacters } from "./parts/byte-characters.ts";

/** The special tokens of the compact scaffold, by id. Text never encodes to them. */
export const SPECIAL_TOKENS = ["<|pad|>", "<|task|>", "<|code|>", "<|run|>"] as const;

const WORD_END = "[.,;:!?]+(?=\\s|$)";
/**
 * The pattern of a piece: whitespace, one digit, one quote, punctuation at the end of a word, or anything else up to
 * the next of these. It uses syntax that `tokenizer.json` and JavaScript share.
 */
export const PIECE_PATTERN = `\\s+|\\p{N}|["']|${WORD_END}|(?:(?!${WORD_END})[^\\s\\p{N}"'])+`;

/** Made when it is first needed, because the classes of Unicode take megabytes. */
let chunkExpression: RegExp | undefined;
const CLOSING_PUNCTUATION = ".,;:!?";

/** Returns the expression of whitespace, one digit, one quote, or everything up to the next of these. */
function createChunkExpression(): RegExp {
  const [space, number] = [toCharacterClass(WHITE_SPACE), toCharacterClass(categorySet("N"))];
  const others = complementSet(uniteSets(WHITE_SPACE, categorySet("N"), charactersOf("\"'")));
  return new RegExp(`${space}+|${number}|["']|${toCharacterClass(others)}+`, "gu");
}

/**
 * Cuts a text as PIECE_PATTERN does, but in linear time: the pattern reads a row of punctuation again from each of its
 * characters.
 */
export function splitIntoPieces(text: string): string[] {
  chunkExpression ??= createChunkExpression();
  const chunks = text.match(chunkExpression) ?? [];
  const pieces: string[] = [];
  let position = 0;
  for (const chunk of chunks) {
    position += chunk.length;
    const end = endWithoutPunctuation(chunk);
    if (end === chunk.length || end === 0 || !isSpaceOrEnd(text, position)) pieces.push(chunk);
    else pieces.push(chunk.slice(0, end), chunk.slice(end));
  }
  return pieces;
}

function endWithoutPunctuation(chunk: string): number {
  let end = chunk.length;
  while (end > 0 && CLOSING_PUNCTUATION.includes(chunk[end - 1]!)) end--;
  return end;
}

function isSpaceOrEnd(text: string, position: number): boolean {
  return position === text.length || hasCharacter(WHITE_SPACE, text.charCodeAt(position));
}

/** The `model` section of a `tokenizer.json` for plain byte-pair encoding, without vocabulary and merges. */
export const PLAIN_BPE = {
  type: "BPE",
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
} as const;
