/**
 * Makes invisible characters in recorded text visible. Text of a model or a world can contain terminal codes, marks
 * that change the reading direction, zero-width letters and half surrogate pairs. A browser draws them as nothing or
 * draws their neighbours in another order, so the page would show something else than the record.
 *
 * So text is split into ordinary pieces and escapes such as `\u202e`. A record may also contain these six ordinary
 * characters, so only `isEscape` tells them apart; the page draws an escape in a frame.
 */

export interface Piece {
  readonly text: string;
  /** True if `text` consists of escapes of invisible characters, or of characters that change how others are shown. */
  readonly isEscape: boolean;
}

/**
 * Matches control characters, format characters, half surrogate pairs, separators other than space, line feed and tab,
 * characters that fonts may draw as nothing, and combining marks in stacks that are higher than in any script. Joiners
 * and variation selectors of emoji do not match.
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

/** Splits a text into pieces in order. The empty text has no pieces. */
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

/** Writes escapes between `⟨` and `⟩`, for places that take plain text only, such as tooltips and labels. */
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
