/**
 * Lays out tokens in lines of equal height, so that a part of 20,000 tokens can be drawn without the others. Line
 * breaks are computed from widths in letters and not by the browser, so line n is always at n times the height.
 */
import type { Turn } from "../../../src/spec/rollout.ts";

export interface TokenLine {
  readonly from: number;
  /** The end of the line, exclusive. */
  readonly to: number;
  /** The turn (counted from 0) whose tokens begin in this line; absent if none begins there. */
  readonly turn?: number;
}

/**
 * Maps each token that begins a turn to the number of the turn, and each token at which context begins again to
 * undefined.
 */
export type Boundaries = ReadonlyMap<number, number | undefined>;

/** Finds the boundaries of the turns in the token row `row`. Row 0 is the linear row. */
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

/** Fills lines with up to `columns` letters. A token that is wider gets its own line. */
export function layOutLines(
  tokens: readonly MeasuredToken[],
  boundaries: Boundaries,
  columns: number,
): readonly TokenLine[] {
  const lines: TokenLine[] = [];
  let from = 0;
  let filled = 0;
  const endLine = (to: number) => {
    if (to === from) return;
    const turn = boundaries.get(from);
    lines.push(turn === undefined ? { from, to } : { from, to, turn });
    from = to;
    filled = 0;
  };
  tokens.forEach(({ width, endsLine }, i) => {
    if (boundaries.has(i) || filled + width > columns) endLine(i);
    filled += width;
    if (endsLine) endLine(i + 1);
  });
  endLine(tokens.length);
  return lines;
}

/** Returns the number of the line that contains a token. */
export function findLine(lines: readonly TokenLine[], token: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.to <= token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the token to which a key moves; undefined for other keys. */
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

/** Returns the middle of a token, in letters from the start of its line. */
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
