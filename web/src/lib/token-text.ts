/**
 * A token as it is drawn in a line of fixed letters: line feeds and tabs as marks, characters that no one sees as escapes,
 * and how many letters wide that is. A token that ends a line of the text ends the line that it is drawn in.
 */
import { visible } from "./visible.ts";

export interface TokenPiece {
  readonly kind: "plain" | "mark" | "odd";
  readonly text: string;
}

export interface TokenText {
  readonly pieces: readonly TokenPiece[];
  /** In letters of a font of fixed width. */
  readonly width: number;
  readonly endsLine: boolean;
}

const ORDINARY = /^[\x20-\x7e]*$/;
const MARKS: Readonly<Record<string, string>> = { "\n": "↵", "\t": "⇥" };

/** Remembers what it has seen: a rollout has many tokens, of few kinds. */
export function tokenTexts(): (text: string) => TokenText {
  const known = new Map<string, TokenText>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const made = tokenText(text);
    known.set(text, made);
    return made;
  };
}

export function tokenText(text: string): TokenText {
  if (text === "") return { pieces: [{ kind: "mark", text: "∅" }], width: 1, endsLine: false };
  if (ORDINARY.test(text)) {
    return { pieces: [{ kind: "plain", text }], width: text.length, endsLine: false };
  }
  const pieces = visible(text).flatMap(({ text, odd }): TokenPiece[] =>
    odd ? [{ kind: "odd", text }] : marked(text),
  );
  const width = pieces.reduce((sum, piece) => sum + widthOf(piece.text), 0);
  return { pieces, width, endsLine: text.includes("\n") };
}

function marked(text: string): TokenPiece[] {
  return text
    .split(/([\n\t])/)
    .filter((part) => part !== "")
    .map((part) => {
      const mark = MARKS[part];
      return mark === undefined ? { kind: "plain", text: part } : { kind: "mark", text: mark };
    });
}

/** Letters of East Asian scripts and pictures take two places, combining marks none. */
const TWO =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const NONE = /\p{M}/u;

function widthOf(text: string): number {
  if (ORDINARY.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += NONE.test(letter) ? 0 : TWO.test(letter) ? 2 : 1;
  return width;
}
