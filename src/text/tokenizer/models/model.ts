/** What all models of a tokenizer have. */

/** Turns a piece of text into ids. */
export interface TokenModel {
  /** The ids of the model's tokens by their text. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /**
   * Returns the ids of a piece. Ids in `blocked` are not used, except the one for unknown text. Throws a `checkpoint`
   * error if the model has no token for a part of the piece and none for unknown text.
   */
  encode(piece: string, blocked: ReadonlySet<number>): number[];
}

export const NOTHING_BLOCKED: ReadonlySet<number> = new Set();

/** Returns the ids of the UTF-8 bytes of a text, such as `<0x41>`, or undefined if the vocabulary lacks one of them. */
export function byteFallbackIds(
  text: string,
  vocabulary: ReadonlyMap<string, number>,
): number[] | undefined {
  const ids: number[] = [];
  for (const byte of Buffer.from(text, "utf8")) {
    const id = vocabulary.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}
