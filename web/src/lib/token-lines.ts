/**
 * Tokens laid out in lines of equal height, so that any part of 20,000 of them can be drawn alone. Where each line breaks is
 * worked out here, from widths in letters, and not by the browser: then line n is at n times the height, always.
 */
import type { Turn } from "../../../src/spec/rollout.ts";

export interface TokenLine {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The turn (from 0) whose tokens begin with this line. */
  readonly turn?: number;
}

/** Where tokens of turns begin, and where context begins again (undefined). */
export type Boundaries = ReadonlyMap<number, number | undefined>;

/** Of the turns whose tokens stand in row `row` (0: the linear one). */
export function findBoundaries(
  turns: readonly Pick<Turn, "span" | "segment">[],
  row: number,
): Boundaries {
  const boundaries = new Map<number, number | undefined>();
  const own = turns.flatMap(({ span, segment = 0 }, turn) =>
    span && segment === row ? [{ span, turn }] : [],
  );
  for (const { span } of own) boundaries.set(span[1], undefined);
  for (const { span, turn } of own) boundaries.set(span[0], turn);
  return boundaries;
}

interface MeasuredToken {
  readonly width: number;
  readonly endsLine: boolean;
}

/** A line is as full as `columns` letters allow; one wider token has a line of its own. */
export function layOutLines(
  tokens: readonly MeasuredToken[],
  boundaries: Boundaries,
  columns: number,
): readonly TokenLine[] {
  const lines: TokenLine[] = [];
  let from = 0;
  let filled = 0;
  const end = (to: number) => {
    if (to === from) return;
    const turn = boundaries.get(from);
    lines.push(turn === undefined ? { from, to } : { from, to, turn });
    from = to;
    filled = 0;
  };
  tokens.forEach(({ width, endsLine }, i) => {
    if (boundaries.has(i) || filled + width > columns) end(i);
    filled += width;
    if (endsLine) end(i + 1);
  });
  end(tokens.length);
  return lines;
}

/** The line that a token stands in. */
export function findLine(lines: readonly TokenLine[], token: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.to <= token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a key leads from a token; undefined for keys that lead nowhere. */
export function moveTokenByKey(
  key: string,
  token: number,
  lines: readonly TokenLine[],
  widthOf: (token: number) => number,
  page: number,
): number | undefined {
  const last = (lines.at(-1)?.to ?? 1) - 1;
  const at = findLine(lines, token);
  const line = lines[at];
  if (!line) return undefined;
  const vertical = LINE_STEPS[key];
  if (vertical !== undefined) {
    const to = at + vertical * (key.startsWith("Page") ? page : 1);
    const target = lines[Math.min(Math.max(to, 0), lines.length - 1)]!;
    return findTokenAt(target, findMiddle(line, token, widthOf), widthOf);
  }
  if (key === "ArrowRight") return Math.min(token + 1, last);
  if (key === "ArrowLeft") return Math.max(token - 1, 0);
  if (key === "Home") return line.from;
  if (key === "End") return line.to - 1;
  return undefined;
}

const LINE_STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -1,
  PageDown: 1,
};

/** The middle of a token, in letters from the beginning of its line. */
function findMiddle(line: TokenLine, token: number, widthOf: (token: number) => number): number {
  let place = widthOf(token) / 2;
  for (let i = line.from; i < token; i++) place += widthOf(i);
  return place;
}

function findTokenAt(line: TokenLine, place: number, widthOf: (token: number) => number): number {
  let end = 0;
  for (let i = line.from; i < line.to; i++) {
    end += widthOf(i);
    if (place < end) return i;
  }
  return line.to - 1;
}
