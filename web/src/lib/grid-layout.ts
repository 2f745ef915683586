/**
 * Computes where each group is on the grid. An iteration is a row of cells. A row that is wider than the page is broken
 * into several lines. Cells shrink, but only as long as they can be distinguished.
 */
import type { Grid } from "../../../src/spec/studio/index.ts";

export type GridGroup = Grid["iterations"][number]["groups"][number];

/** The outcome of a group. `none` means that no rollout of the group was evaluated. */
export type GroupOutcome = "wrong" | "mixed" | "right" | "none";

export function classifyGroup({ size, passed }: Pick<GridGroup, "size" | "passed">): GroupOutcome {
  if (size === 0) return "none";
  if (passed === 0) return "wrong";
  return passed === size ? "right" : "mixed";
}

const OUTCOME_WORDS: { readonly [K in GroupOutcome]: string } = {
  wrong: "all failed",
  mixed: "mixed",
  right: "all passed",
  none: "not evaluated",
};

export function describeGroup(group: Pick<GridGroup, "size" | "passed">): string {
  const words = OUTCOME_WORDS[classifyGroup(group)];
  return group.size === 0 ? words : `${group.passed} of ${group.size} passed, ${words}`;
}

/** The position of a cell: its row (the iteration) and its column in the row, both counted from 0. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridLayout {
  /** The side of a cell in pixels; `step` is the distance from one cell to the next. */
  readonly side: number;
  readonly step: number;
  /** The width of the space to the left of the cells, for the numbers of the iterations. */
  readonly margin: number;
  readonly perLine: number;
  /** The top of each row in pixels. */
  readonly tops: readonly number[];
  readonly height: number;
}

const MAX_CELL_STEP = 24;
const MIN_CELL_STEP = 9;
const ROW_GAP = 3;
export const MARGIN = 40;

export function computeGridLayout(counts: readonly number[], width: number): GridLayout {
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const room = Math.max(MIN_CELL_STEP, width - MARGIN);
  const step = Math.min(MAX_CELL_STEP, Math.max(MIN_CELL_STEP, Math.floor(room / most)));
  const perLine = Math.max(1, Math.floor(room / step));
  const tops: number[] = [];
  let height = 0;
  for (const count of counts) {
    tops.push(height);
    height += Math.max(1, Math.ceil(count / perLine)) * step + ROW_GAP;
  }
  return { side: step - (step > 12 ? 3 : 2), step, margin: MARGIN, perLine, tops, height };
}

export function findCellOrigin({ step, perLine, tops }: GridLayout, { row, column }: GridPosition) {
  return {
    x: MARGIN + (column % perLine) * step,
    y: tops[row]! + Math.floor(column / perLine) * step,
  };
}

/** Returns the last row that begins at or above `y`. */
export function findRow({ tops }: Pick<GridLayout, "tops">, y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tops[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function findCell(
  layout: GridLayout,
  counts: readonly number[],
  x: number,
  y: number,
): GridPosition | undefined {
  if (x < MARGIN || y < 0 || y >= layout.height || counts.length === 0) return undefined;
  const row = findRow(layout, y);
  const line = Math.floor((y - layout.tops[row]!) / layout.step);
  const inLine = Math.floor((x - MARGIN) / layout.step);
  if (inLine >= layout.perLine) return undefined;
  const column = line * layout.perLine + inLine;
  return column < counts[row]! ? { row, column } : undefined;
}

/** Returns the cell to which a key moves from a cell; undefined for other keys. Rows without cells are skipped. */
export function moveByKey(
  { perLine }: Pick<GridLayout, "perLine">,
  counts: readonly number[],
  at: GridPosition,
  key: string,
): GridPosition | undefined {
  switch (key) {
    case "ArrowLeft":
      return { row: at.row, column: Math.max(0, at.column - 1) };
    case "ArrowRight":
      return { row: at.row, column: Math.min(counts[at.row]! - 1, at.column + 1) };
    case "ArrowUp":
      return at.column >= perLine
        ? { row: at.row, column: at.column - perLine }
        : stepToRow(counts, at, -1, perLine);
    case "ArrowDown":
      return at.column + perLine < counts[at.row]!
        ? { row: at.row, column: at.column + perLine }
        : stepToRow(counts, at, 1, perLine);
    case "Home":
      return { row: at.row, column: 0 };
    case "End":
      return { row: at.row, column: counts[at.row]! - 1 };
    case "PageUp":
      return { row: findRowWithCells(counts, 0, 1), column: 0 };
    case "PageDown":
      return { row: findRowWithCells(counts, counts.length - 1, -1), column: 0 };
    default:
      return undefined;
  }
}

function stepToRow(
  counts: readonly number[],
  at: GridPosition,
  by: 1 | -1,
  perLine: number,
): GridPosition {
  const row = findRowWithCells(counts, at.row + by, by);
  if (row < 0 || row >= counts.length) return at;
  const inLine = at.column % perLine;
  const lines = Math.ceil(counts[row]! / perLine);
  const column = by > 0 ? inLine : (lines - 1) * perLine + inLine;
  return { row, column: Math.min(column, counts[row]! - 1) };
}

function findRowWithCells(counts: readonly number[], from: number, by: 1 | -1): number {
  let row = from;
  while (row >= 0 && row < counts.length && counts[row] === 0) row += by;
  return row;
}
