/**
 * Compares the intended difference with the actual one. These comparisons are a task's checks about data.
 *
 * There is one check for each table and kind of change, and one for each property, but never one for each row. Guards
 * against any other change follow. All checks pass exactly when the two differences are equal.
 */
import type { Difference, InsertedRow } from "./difference.ts";
import { haveSameLinks } from "./links.ts";

/** A check without its label. The label is found by running the check where nothing was done but to finish. */
export interface CheckVerdict {
  readonly name: string;
  readonly passed: boolean;
  /** Why the check fails. */
  readonly detail: string;
  /** What to know about a check that passes. */
  readonly note?: string;
}

export function compareDifferences(intended: Difference, actual: Difference): CheckVerdict[] {
  const touched = intended.tables;
  const others = actual.tables.filter((table) => !touched.includes(table));
  return [
    ...touched.flatMap((table) => compareTable(table, intended, actual)),
    ...(intended.links.length > 0
      ? [
          makeVerdict(
            "created rows belong together",
            haveSameLinks(intended, actual),
            "they are linked in a different way",
          ),
        ]
      : []),
    makeVerdict("nothing else changed", others.length === 0, `also changed: ${others.join(", ")}`),
  ];
}

function compareTable(table: string, intended: Difference, actual: Difference): CheckVerdict[] {
  return [
    ...checkAddedRows(
      table,
      intended.entriesOf(table, "insert"),
      actual.entriesOf(table, "insert"),
    ),
    ...checkChangedColumns(table, intended, actual),
    ...checkRemovedRows(table, intended, actual),
    checkNoExtras(table, intended, actual),
  ];
}

/**
 * Checks that every wanted row exists. If rows have several properties, each property has its own check, which gives
 * partial credit.
 */
function checkAddedRows(
  table: string,
  wanted: readonly InsertedRow[],
  got: readonly InsertedRow[],
): CheckVerdict[] {
  if (wanted.length === 0) return [];
  const columns = [...new Set(wanted.flatMap((row) => [...row.cells.keys()]))];
  const cellsOfColumn = (rows: readonly InsertedRow[], column: string) =>
    rows.map((row) => row.cells.get(column) ?? "null");
  const properties = columns.map((column) => {
    const [want, have] = [cellsOfColumn(wanted, column), cellsOfColumn(got, column)];
    return makeVerdict(
      `${table}: added ${column}`,
      haveSameItems(want, have),
      `expected ${formatList(want)}, got ${formatList(have)}`,
    );
  });
  const missing = subtractItems(wanted.map(formatRow), got.map(formatRow));
  const whole = makeVerdict(
    `${table}: all ${wanted.length} added`,
    missing.length === 0,
    `missing ${formatList(missing)}`,
  );
  return columns.length > 1 ? [...properties, whole] : [whole];
}

function checkChangedColumns(
  table: string,
  intended: Difference,
  actual: Difference,
): CheckVerdict[] {
  const wanted = intended.entriesOf(table, "update");
  const got = new Map(actual.entriesOf(table, "update").map((row) => [row.id, row.cells]));
  const columns = [...new Set(wanted.flatMap((row) => [...row.cells.keys()]))];
  return columns.map((column) => {
    const wrong = wanted
      .filter(({ cells }) => cells.has(column))
      .filter(({ id, cells }) => got.get(id)?.get(column) !== cells.get(column))
      .map(
        ({ id, cells }) =>
          `row ${id}: ${cells.get(column)}, got ${got.get(id)?.get(column) ?? "no change"}`,
      );
    return makeVerdict(
      `${table}: changed ${column}`,
      wrong.length === 0,
      `expected ${formatList(wrong)}`,
    );
  });
}

function checkRemovedRows(table: string, intended: Difference, actual: Difference): CheckVerdict[] {
  const wanted = intended.entriesOf(table, "remove").map(({ id }) => `row ${id}`);
  if (wanted.length === 0) return [];
  const missing = subtractItems(
    wanted,
    actual.entriesOf(table, "remove").map(({ id }) => `row ${id}`),
  );
  return [
    makeVerdict(
      `${table}: all ${wanted.length} removed`,
      missing.length === 0,
      `still there: ${formatList(missing)}`,
    ),
  ];
}

function checkNoExtras(table: string, intended: Difference, actual: Difference): CheckVerdict {
  const extra = subtractItems(listChanges(table, actual), listChanges(table, intended));
  return makeVerdict(`${table}: nothing extra`, extra.length === 0, `extra: ${formatList(extra)}`);
}

/**
 * Lists the changes that must be intended: whole added rows, changed columns whatever their value, and removed rows.
 */
function listChanges(table: string, difference: Difference): string[] {
  return [
    ...difference.entriesOf(table, "insert").map(formatRow),
    ...difference
      .entriesOf(table, "update")
      .flatMap(({ id, cells }) => [...cells.keys()].map((c) => `${c} of row ${id}`)),
    ...difference.entriesOf(table, "remove").map(({ id }) => `removed row ${id}`),
  ];
}

function formatRow({ cells }: InsertedRow): string {
  return `{ ${[...cells]
    .sort()
    .map(([column, cell]) => `${column}: ${cell}`)
    .join(", ")} }`;
}

/** Returns the items of `a` that remain after each item of `b` is removed once. */
function subtractItems(a: readonly string[], b: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const item of b) left.set(item, (left.get(item) ?? 0) + 1);
  return a.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0;
  });
}

function haveSameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && subtractItems(a, b).length === 0;
}

function formatList(items: readonly string[]): string {
  if (items.length === 0) return "none";
  return items.length > 3
    ? `${items.slice(0, 3).join("; ")} and ${items.length - 3} more`
    : items.join("; ");
}

export function makeVerdict(name: string, passed: boolean, detail: string): CheckVerdict {
  return { name, passed, detail };
}
