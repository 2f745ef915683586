/**
 * A token as it is drawn in a line of fixed letters: line feeds and tabs as marks, characters that no one sees as escapes,
 * and how many letters wide that is. A token that ends a line of the text ends the line that it is drawn in.
 */
import { splitInvisible } from "./invisible-characters.ts";

export interface TokenPiece {
  readonly kind: "plain" | "mark" | "odd";
  readonly text: string;
}

export interface TokenLayout {
  readonly pieces: readonly TokenPiece[];
  /** In letters of a font of fixed width. */
  readonly width: number;
  readonly endsLine: boolean;
}

const ORDINARY = /^[\x20-\x7e]*$/;
const MARKS: Readonly<Record<string, string>> = { "\n": "↵", "\t": "⇥" };

/** Remembers what it has seen: a rollout has many tokens, of few kinds. */
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

/** Letters of East Asian scripts and pictures take two places, combining marks none. */
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
