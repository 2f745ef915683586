/**
 * What was done against what was wanted, row by row and cell by cell: what is both, what is missing, what is too much.
 *
 * The checks decide (`checks` of a state); this only shows why they decide so. Rows that were there before are compared by
 * their id. Rows that the agent made have other ids than the intended ones, so each is laid beside the made row that is
 * most like it; an id of a made row in a cell stands for that row, whatever its number.
 */
import type { Change } from "../../../src/spec/studio/index.ts";

/** A change, or a part of it: `cells` are the columns that stand in this part; a removed row has none. */
export interface Part {
  readonly change: Change;
  readonly cells: readonly string[];
  /** What stands in the other difference in its place: another value of the same cell. */
  readonly instead?: Change;
}

export interface Comparison {
  readonly both: readonly Part[];
  readonly missing: readonly Part[];
  readonly extra: readonly Part[];
}

type Cell = NonNullable<Change["after"]>[string];

/** Bookkeeping is left out, unless the other side is about that very row. */
export function compareChanges(wanted: readonly Change[], done: readonly Change[]): Comparison {
  const both: Part[] = [];
  const missing: Part[] = [];
  const extra: Part[] = [];
  const same = sameCells(wanted, done);
  const left = new Set(done);
  for (const change of wanted) {
    const other = partnerOf(change, left, same);
    if (!other) {
      missing.push({ change, cells: columnsOf(change) });
      continue;
    }
    left.delete(other);
    const cells = columnsOf(change);
    const equal = cells.filter((column) => same(column, change, other));
    const unequal = cells.filter((column) => !equal.includes(column));
    const more = columnsOf(other).filter((column) => !equal.includes(column));
    if (equal.length > 0 || cells.length === 0) both.push({ change: other, cells: equal });
    if (unequal.length > 0) missing.push({ change, cells: unequal, instead: other });
    if (more.length > 0) extra.push({ change: other, cells: more, instead: change });
  }
  for (const change of left) {
    if (change.content) extra.push({ change, cells: columnsOf(change) });
  }
  return { both, missing, extra };
}

/** The columns of a change that a table shows as changed. */
export function columnsOf({ kind, before, after, columns }: Change): readonly string[] {
  if (kind === "remove") return [];
  const named = Object.keys(after ?? {}).filter((column) => column !== "id");
  if (columns) return named.filter((column) => columns.includes(column));
  return kind === "insert"
    ? named
    : named.filter((column) => !sameCell(before?.[column], after?.[column]));
}

type Same = (column: string, wanted: Change, done: Change) => boolean;

/** Equal cells: by letters and digits, and an id of a row that was made by an id of a row that was made. */
function sameCells(wanted: readonly Change[], done: readonly Change[]): Same {
  const madeIn = (changes: readonly Change[]) =>
    new Set(changes.flatMap(({ kind, id }) => (kind === "insert" ? [id] : [])));
  const [toMake, made] = [madeIn(wanted), madeIn(done)];
  return (column, a, b) => {
    const [x, y] = [a.after?.[column], b.after?.[column]];
    if (sameCell(x, y)) return true;
    const isReference = typeof x === "number" && typeof y === "number" && column !== "id";
    return isReference && toMake.has(x) && made.has(y);
  };
}

function partnerOf(change: Change, among: ReadonlySet<Change>, same: Same): Change | undefined {
  const { table, kind, id } = change;
  const rows = [...among].filter((other) => other.table === table && other.kind === kind);
  if (kind !== "insert") return rows.find((other) => other.id === id);
  const columns = columnsOf(change);
  const likeness = (other: Change) => columns.filter((c) => same(c, change, other)).length;
  let best: Change | undefined;
  for (const row of rows) if (!best || likeness(row) > likeness(best)) best = row;
  return best && likeness(best) * 2 >= columns.length ? best : undefined;
}

function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return printed(a) === printed(b);
}

function printed(cell: Cell | undefined): string {
  if (typeof cell !== "string") return JSON.stringify(cell ?? null);
  const letters = cell.normalize("NFKC").toLowerCase();
  return JSON.stringify(letters.replace(/[^\p{L}\p{N}]+/gu, "") || letters.trim());
}
