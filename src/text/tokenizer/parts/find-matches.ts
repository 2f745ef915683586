/** Finds where a pattern matches, and cuts a text there. */
import type { SplitBehavior } from "../format/pre-tokenizer-tables.ts";

/** Where a match starts and ends, in UTF-16 code units. */
export type Range = readonly [start: number, end: number];

/**
 * Returns the matches of a pattern with the flags `g` and `u` from left to right. As in Oniguruma's bindings, a match
 * of nothing does not count directly after another match.
 */
export function findMatches(expression: RegExp, text: string): Range[] {
  const matches: Range[] = [];
  let lastEnd = -1;
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const end = expression.lastIndex;
    const isEmpty = end === found.index;
    if (!(isEmpty && end === lastEnd)) {
      matches.push([found.index, end]);
      lastEnd = end;
    }
    if (isEmpty) expression.lastIndex += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return matches;
}

/** A stretch of a text that a pattern matches, or that lies between matches. */
interface Stretch {
  readonly start: number;
  end: number;
  readonly isMatch: boolean;
}

/** Returns all stretches of a text in order. */
function listStretches(matches: readonly Range[], length: number, invert: boolean): Stretch[] {
  const stretches: Stretch[] = [];
  let last = 0;
  for (const [start, end] of matches) {
    if (start > last) stretches.push({ start: last, end: start, isMatch: invert });
    stretches.push({ start, end, isMatch: !invert });
    last = end;
  }
  if (last < length) stretches.push({ start: last, end: length, isMatch: invert });
  return stretches;
}

/** Returns the pieces of a text of `length` code units that is cut at matches. Pieces may be empty. */
export function cutAtMatches(
  matches: readonly Range[],
  length: number,
  behavior: SplitBehavior,
  invert: boolean,
): Range[] {
  const stretches = listStretches(matches, length, invert);
  switch (behavior) {
    case "Isolated":
      return stretches.map(toRange);
    case "Removed":
      return stretches.filter(({ isMatch }) => !isMatch).map(toRange);
    case "Contiguous":
      return mergeStretches(stretches, (isMatch, wasMatch) => isMatch === wasMatch);
    case "MergedWithPrevious":
      return mergeStretches(stretches, (isMatch, wasMatch) => isMatch && !wasMatch);
    case "MergedWithNext":
      return mergeWithNext(stretches);
  }
}

const toRange = ({ start, end }: Stretch): Range => [start, end];

/**
 * Joins a stretch with the piece before it where `joins` says so. The first stretch follows a stretch without match.
 */
function mergeStretches(
  stretches: readonly Stretch[],
  joins: (isMatch: boolean, wasMatch: boolean) => boolean,
): Range[] {
  const pieces: [number, number][] = [];
  let wasMatch = false;
  for (const { start, end, isMatch } of stretches) {
    const last = pieces.at(-1);
    if (last !== undefined && joins(isMatch, wasMatch)) last[1] = end;
    else pieces.push([start, end]);
    wasMatch = isMatch;
  }
  return pieces;
}

function mergeWithNext(stretches: readonly Stretch[]): Range[] {
  const pieces: [number, number][] = [];
  let wasMatch = false;
  for (const { start, end, isMatch } of [...stretches].reverse()) {
    const last = pieces.at(-1);
    if (last !== undefined && isMatch && !wasMatch) last[0] = start;
    else pieces.push([start, end]);
    wasMatch = isMatch;
  }
  return pieces.reverse();
}
