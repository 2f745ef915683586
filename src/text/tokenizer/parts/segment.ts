/** Stretches of text with where they come from, and the changes that several parts make to them. */
import { hasCharacter } from "../unicode/character-set.ts";
import { WHITE_SPACE } from "../unicode/properties.ts";
import { findMatches } from "./find-matches.ts";

/** A stretch of text on its way from the input to tokens. */
export interface Segment {
  readonly text: string;
  /**
   * How many of its first code units come from the first character of the whole input. `Metaspace` with the scheme
   * `first` asks for that, and normalizers may have replaced the character by several or removed it.
   */
  readonly head: number;
}

/** Returns the segment with another text, in which each character comes from the same place as before. */
export function mapSegment({ text, head }: Segment, change: (text: string) => string): Segment {
  const changed = change(text);
  return { text: changed, head: head === 0 ? 0 : change(text.slice(0, head)).length };
}

/** Returns the segment with a text before it, which comes from where the segment starts. */
export function prependToSegment({ text, head }: Segment, prefix: string): Segment {
  return { text: prefix + text, head: head === 0 ? 0 : head + prefix.length };
}

/** Returns a part of the segment. */
export function sliceSegment({ text, head }: Segment, start: number, end: number): Segment {
  return { text: text.slice(start, end), head: Math.max(0, Math.min(head, end) - start) };
}

/** Replaces all matches. A replacement comes from where its match ends. */
export function replaceMatches(
  { text, head }: Segment,
  expression: RegExp,
  content: string,
): Segment {
  const matches = findMatches(expression, text);
  if (matches.length === 0) return { text, head };
  let [replaced, newHead, last] = ["", 0, 0];
  for (const [start, end] of matches) {
    if (last < head) newHead = replaced.length + Math.min(start, head) - last;
    replaced += text.slice(last, start) + content;
    if (end <= head) newHead = replaced.length;
    last = end;
  }
  if (last < head) newHead = replaced.length + head - last;
  return { text: replaced + text.slice(last), head: head === 0 ? 0 : newHead };
}

/** Returns where the white space that ends at `end` starts. */
export function startOfSpace(text: string, end: number): number {
  let from = end;
  while (from > 0 && hasCharacter(WHITE_SPACE, text.charCodeAt(from - 1))) from--;
  return from;
}

/** Returns where the white space that starts at `start` ends. */
export function endOfSpace(text: string, start: number): number {
  let to = start;
  while (to < text.length && hasCharacter(WHITE_SPACE, text.charCodeAt(to))) to++;
  return to;
}
