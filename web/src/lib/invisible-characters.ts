/**
 * Recorded text as a person may safely read it. What a model or a world wrote can hold characters that no one sees: terminal
 * codes, marks that turn the direction of reading, zero-width letters, halves of surrogate pairs. A browser draws them as
 * nothing, or draws their neighbours in another order, so that a page would show something else than what is on record.
 *
 * Text is therefore cut into pieces: ordinary ones as they are, and odd ones as escapes such as `\u202e`. A record may hold
 * those six ordinary characters too, so an escape is only ever told by its piece being `odd`, which the page draws in a frame.
 */

export interface Piece {
  readonly text: string;
  /** `text` is escapes of characters that cannot be seen, or that change how others are seen. */
  readonly isEscape: boolean;
}

/**
 * Control, format and lone surrogate characters, separators that are no plain space, line feed or tab, what fonts may draw
 * as nothing, and marks that are stacked higher than any script does. Left alone: what joins and colours emoji.
 */
const INVISIBLE = new RegExp(
  [
    String.raw`(?!(?<=\p{Extended_Pictographic})\ufe0f)`,
    String.raw`(?!(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))`,
    String.raw`(?:(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{4})\p{M})`,
  ].join(""),
  "u",
);
const INVISIBLE_RUNS = new RegExp(`(?:${INVISIBLE.source})+`, "gu");

/** In order; together they stand for the whole text. Empty for the empty text. */
export function splitInvisible(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const run of text.matchAll(INVISIBLE_RUNS)) {
    if (run.index > from) pieces.push({ text: text.slice(from, run.index), isEscape: false });
    pieces.push({ text: escapeCharacters(run[0]), isEscape: true });
    from = run.index + run[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isEscape: false });
  return pieces;
}

/** For places that take plain text alone, such as titles and names of controls: escapes stand between `⟨` and `⟩`. */
export function escapeInvisible(text: string): string {
  return splitInvisible(text)
    .map((piece) => (piece.isEscape ? `⟨${piece.text}⟩` : piece.text))
    .join("");
}

function escapeCharacters(run: string): string {
  return Array.from(run, (character) => {
    const hex = character.codePointAt(0)!.toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  }).join("");
}
