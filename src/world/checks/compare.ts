/**
 * The intended difference against the actual one: what a task checks about data.
 *
 * One check per table and kind of change and one per property, never per row; then guards against anything more.
 * Together they hold exactly when the two differences are equal.
 */
import type { Difference, Inserted } from "./difference.ts";
import { sameLinks } from "./links.ts";

/** A check without its label, which is found by running it where nothing was done. */
export interface Verdict {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export function compareData(intended: Difference, actual: Difference): Verdict[] {
  const touched = intended.tables;
  const others = actual.tables.filter((table) => !touched.includes(table));
  return [
    ...touched.flatMap((table) => compareTable(table, intended, actual)),
    ...(intended.links.length > 0
      ? [
          verdict(
            "created rows belong together",
            sameLinks(intended, actual),
            "they are linked in another way",
          ),
        ]
      : []),
    verdict("nothing else changed", others.length === 0, `also changed: ${others.join(", ")}`),
  ];
}

function compareTable(table: string, intended: Difference, actual: Difference): Verdict[] {
  return [
    ...addedRows(table, intended.of(table, "insert"), actual.of(table, "insert")),
    ...changedColumns(table, intended, actual),
    ...removedRows(table, intended, actual),
    noExtras(table, intended, actual),
  ];
}

/** Every wanted row exists; and, where rows have several properties, each property alone, for partial credit. */
function addedRows(
  table: string,
  wanted: readonly Inserted[],
  got: readonly Inserted[],
): Verdict[] {
  if (wanted.length === 0) return [];
  const columns = [...new Set(wanted.flatMap((row) => [...row.cells.keys()]))];
  const of = (rows: readonly Inserted[], column: string) =>
    rows.map((row) => row.cells.get(column) ?? "null");
  const properties = columns.map((column) => {
    const [want, have] = [of(wanted, column), of(got, column)];
    return verdict(
      `${table}: added ${column}`,
      sameBag(want, have),
      `expected ${list(want)}, got ${list(have)}`,
    );
  });
  const missing = minus(wanted.map(printRow), got.map(printRow));
  const whole = verdict(
    `${table}: all ${wanted.length} added`,
    missing.length === 0,
    `missing ${list(missing)}`,
  );
  return columns.length > 1 ? [...properties, whole] : [whole];
}

function changedColumns(table: string, intended: Difference, actual: Difference): Verdict[] {
  const wanted = intended.of(table, "update");
  const got = new Map(actual.of(table, "update").map((row) => [row.id, row.cells]));
  const columns = [...new Set(wanted.flatMap((row) => [...row.cells.keys()]))];
  return columns.map((column) => {
    const wrong = wanted
      .filter(({ cells }) => cells.has(column))
      .filter(({ id, cells }) => got.get(id)?.get(column) !== cells.get(column))
      .map(
        ({ id, cells }) =>
          `row ${id}: ${cells.get(column)}, got ${got.get(id)?.get(column) ?? "no change"}`,
      );
    return verdict(`${table}: changed ${column}`, wrong.length === 0, `expected ${list(wrong)}`);
  });
}

function removedRows(table: string, intended: Difference, actual: Difference): Verdict[] {
  const wanted = intended.of(table, "remove").map(({ id }) => `row ${id}`);
  if (wanted.length === 0) return [];
  const missing = minus(
    wanted,
    actual.of(table, "remove").map(({ id }) => `row ${id}`),
  );
  return [
    verdict(
      `${table}: all ${wanted.length} removed`,
      missing.length === 0,
      `still there: ${list(missing)}`,
    ),
  ];
}

function noExtras(table: string, intended: Difference, actual: Difference): Verdict {
  const extra = minus(pieces(table, actual), pieces(table, intended));
  return verdict(`${table}: nothing extra`, extra.length === 0, `extra: ${list(extra)}`);
}

/** What may not be there unless intended: whole added rows, changed columns whatever their value, removed rows. */
function pieces(table: string, difference: Difference): string[] {
  return [
    ...difference.of(table, "insert").map(printRow),
    ...difference
      .of(table, "update")
      .flatMap(({ id, cells }) => [...cells.keys()].map((c) => `${c} of row ${id}`)),
    ...difference.of(table, "remove").map(({ id }) => `removed row ${id}`),
  ];
}

function printRow({ cells }: Inserted): string {
  return `{ ${[...cells]
    .sort()
    .map(([column, cell]) => `${column}: ${cell}`)
    .join(", ")} }`;
}

/** The items of `a` that are left after taking each item of `b` away once. */
function minus(a: readonly string[], b: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const item of b) left.set(item, (left.get(item) ?? 0) + 1);
  return a.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0;
  });
}

function sameBag(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && minus(a, b).length === 0;
}

function list(items: readonly string[]): string {
  if (items.length === 0) return "none";
  return items.length > 3
    ? `${items.slice(0, 3).join("; ")} and ${items.length - 3} more`
    : items.join("; ");
}

export function verdict(name: string, passed: boolean, detail: string): Verdict {
  return { name, passed, detail };
}
