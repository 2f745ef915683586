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
  readonly odd: boolean;
}

/**
 * Control, format and lone surrogate characters, separators that are no plain space, line feed or tab, what fonts may draw
 * as nothing, and marks that are stacked higher than any script does. Left alone: what joins and colours emoji.
 */
const ODD = new RegExp(
  [
    String.raw`(?!(?<=\p{Extended_Pictographic})\ufe0f)`,
    String.raw`(?!(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))`,
    String.raw`(?:(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{4})\p{M})`,
  ].join(""),
  "u",
);
const RUNS = new RegExp(`(?:${ODD.source})+`, "gu");

/** In order; together they stand for the whole text. Empty for the empty text. */
export function visible(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const run of text.matchAll(RUNS)) {
    if (run.index > from) pieces.push({ text: text.slice(from, run.index), odd: false });
    pieces.push({ text: escaped(run[0]), odd: true });
    from = run.index + run[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), odd: false });
  return pieces;
}

/** For places that take plain text alone, such as titles and names of controls: escapes stand between `⟨` and `⟩`. */
export function visibleText(text: string): string {
  return visible(text)
    .map((piece) => (piece.odd ? `⟨${piece.text}⟩` : piece.text))
    .join("");
}

function escaped(run: string): string {
  return Array.from(run, (character) => {
    const hex = character.codePointAt(0)!.toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  }).join("");
}
