/**
 * Compares actual with intended changes, row by row and cell by cell: which agree, which are missing, which are
 * unintended.
 *
 * The checks decide whether a state is right; this comparison only shows the reason. Rows that existed before are
 * matched by id. Rows that the agent inserted have other ids than the intended ones, so they are matched by similarity.
 * A cell that refers to an inserted row counts as equal to a reference to any inserted row.
 */
import type { Change } from "../../../src/spec/studio/index.ts";

/** A change or a part of a change. `cells` are the columns that belong to the part. A removed row has no cells. */
export interface ChangePart {
  readonly change: Change;
  readonly cells: readonly string[];
  /** The change in the other list that has another value in the same cells. */
  readonly instead?: Change;
}

export interface ChangeComparison {
  readonly both: readonly ChangePart[];
  readonly missing: readonly ChangePart[];
  readonly extra: readonly ChangePart[];
}

type Cell = NonNullable<Change["after"]>[string];

/** Compares both lists of changes. Bookkeeping is left out unless the other list contains the same row. */
export function compareChanges(
  wanted: readonly Change[],
  done: readonly Change[],
): ChangeComparison {
  const both: ChangePart[] = [];
  const missing: ChangePart[] = [];
  const extra: ChangePart[] = [];
  const compareCells = createCellComparison(wanted, done);
  const remaining = new Set(done);
  for (const change of wanted) {
    const other = findPartner(change, remaining, compareCells);
    if (!other) {
      missing.push({ change, cells: listChangedColumns(change) });
      continue;
    }
    remaining.delete(other);
    const cells = listChangedColumns(change);
    const equal = cells.filter((column) => compareCells(column, change, other));
    const unequal = cells.filter((column) => !equal.includes(column));
    const more = listChangedColumns(other).filter((column) => !equal.includes(column));
    if (equal.length > 0 || cells.length === 0) both.push({ change: other, cells: equal });
    if (unequal.length > 0) missing.push({ change, cells: unequal, instead: other });
    if (more.length > 0) extra.push({ change: other, cells: more, instead: change });
  }
  for (const change of remaining) {
    if (change.content) extra.push({ change, cells: listChangedColumns(change) });
  }
  return { both, missing, extra };
}

/** Lists the columns that a table shows as changed. */
export function listChangedColumns({ kind, before, after, columns }: Change): readonly string[] {
  if (kind === "remove") return [];
  const named = Object.keys(after ?? {}).filter((column) => column !== "id");
  if (columns) return named.filter((column) => columns.includes(column));
  return kind === "insert"
    ? named
    : named.filter((column) => !areCellsEqual(before?.[column], after?.[column]));
}

type CompareCells = (column: string, wanted: Change, done: Change) => boolean;

/**
 * Creates a comparison of cells. Two cells are equal if the checks find them equal, or if both are ids of inserted
 * rows.
 */
function createCellComparison(wanted: readonly Change[], done: readonly Change[]): CompareCells {
  const listInsertedIds = (changes: readonly Change[]) =>
    new Set(changes.flatMap(({ kind, id }) => (kind === "insert" ? [id] : [])));
  const [toMake, made] = [listInsertedIds(wanted), listInsertedIds(done)];
  return (column, a, b) => {
    const [x, y] = [a.after?.[column], b.after?.[column]];
    const [text, other] = [a.texts?.[column], b.texts?.[column]];
    if (areCellsEqual(x, y) || (text !== undefined && text === other)) return true;
    const isReference = typeof x === "number" && typeof y === "number" && column !== "id";
    return isReference && toMake.has(x) && made.has(y);
  };
}

function findPartner(
  change: Change,
  candidates: ReadonlySet<Change>,
  compareCells: CompareCells,
): Change | undefined {
  const { table, kind, id } = change;
  const rows = [...candidates].filter((other) => other.table === table && other.kind === kind);
  if (kind !== "insert") return rows.find((other) => other.id === id);
  const columns = listChangedColumns(change);
  const countEqualCells = (other: Change) =>
    columns.filter((c) => compareCells(c, change, other)).length;
  let best: Change | undefined;
  for (const row of rows) if (!best || countEqualCells(row) > countEqualCells(best)) best = row;
  return best && countEqualCells(best) * 2 >= columns.length ? best : undefined;
}

function areCellsEqual(a: Cell | undefined, b: Cell | undefined): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
