/**
 * Lays out the text of a token in letters of fixed width. Line feeds and tabs become marks, and invisible characters
 * become escapes. A token that contains a line feed ends its line.
 */
import { splitInvisible } from "./invisible-characters.ts";

export interface TokenPiece {
  readonly kind: "plain" | "mark" | "odd";
  readonly text: string;
}

export interface TokenLayout {
  readonly pieces: readonly TokenPiece[];
  /** The width, in letters of a fixed-width font. */
  readonly width: number;
  readonly endsLine: boolean;
}

const ORDINARY = /^[\x20-\x7e]*$/;
const MARKS: Readonly<Record<string, string>> = { "\n": "↵", "\t": "⇥" };

/** Creates a cache of layouts, because a rollout has many tokens but few different ones. */
export function createTokenLayoutCache(): (text: string) => TokenLayout {
  const known = new Map<string, TokenLayout>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const made = layOutToken(text);
    known.set(text, made);
    return made;
  };
}

export function layOutToken(text: string): TokenLayout {
  if (text === "") return { pieces: [{ kind: "mark", text: "∅" }], width: 1, endsLine: false };
  if (ORDINARY.test(text)) {
    return { pieces: [{ kind: "plain", text }], width: text.length, endsLine: false };
  }
  const pieces = splitInvisible(text).flatMap(({ text, isEscape }): TokenPiece[] =>
    isEscape ? [{ kind: "odd", text }] : splitMarks(text),
  );
  const width = pieces.reduce((sum, piece) => sum + measureWidth(piece.text), 0);
  return { pieces, width, endsLine: text.includes("\n") };
}

function splitMarks(text: string): TokenPiece[] {
  return text
    .split(/([\n\t])/)
    .filter((part) => part !== "")
    .map((part) => {
      const mark = MARKS[part];
      return mark === undefined ? { kind: "plain", text: part } : { kind: "mark", text: mark };
    });
}

/** Matches letters that are two letters wide, such as East Asian letters and emoji. Combining marks have no width. */
const WIDE_LETTER =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const COMBINING_MARK = /\p{M}/u;

function measureWidth(text: string): number {
  if (ORDINARY.test(text)) return text.length;
  let width = 0;
  for (const letter of text)
    width += COMBINING_MARK.test(letter) ? 0 : WIDE_LETTER.test(letter) ? 2 : 1;
  return width;
}
