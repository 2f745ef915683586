/** Rows as APIs look for them: by name, newest first, by words; and the errors where there is none. */
import { nearestWord } from "../../core/index.ts";
import type { Reader, Table, TableRow, Writer } from "../define.ts";
import { refuseUnless } from "./must.ts";

/** Case and spaces around are ignored. */
export function equalIgnoringCase(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Whether a text has these words, case ignored. */
export function containsIgnoringCase(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase());
}

/** What was given of optional arguments, such as a `where` match of filters. */
export function withoutUndefined<T extends object>(
  filters: T,
): { [C in keyof T]?: Exclude<T[C], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [C in keyof T]?: Exclude<T[C], undefined> };
}

/** How often each value occurs, in the order in which they first do. */
export function tally<V>(values: Iterable<V>): [V, number][] {
  const counts = new Map<V, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** The id of the first row that fits, for examples; 1 where there is none. */
export function firstRowId<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

/** Changes the row that matches; where there is none, makes one of what it matches and the change. */
export function upsertRow<R extends TableRow>(
  db: Writer,
  table: Table<R>,
  match: Partial<R>,
  patch: Partial<R>,
): R {
  const [row] = db.where(table, match);
  if (row) return db.update(table, row.id, patch);
  return db.insert(table, { ...match, ...patch } as unknown as Omit<R, "id">);
}

/** A 422 when none of these optional arguments was given. */
export function requireSomeArgument(args: Readonly<Record<string, unknown>>): void {
  const none = Object.values(args).every((value) => value === undefined);
  refuseUnless(
    !none,
    422,
    `${Object.keys(args).join(", ")}: expected at least one of them, got none`,
  );
}

type Named = TableRow & { readonly name: string };

/** The row of this name, or a 404 that knows the nearest one. */
export function rowByName<R extends Named>(
  db: Reader,
  table: Table<R>,
  name: string,
  param: string,
): R {
  const rows = db.all(table);
  const found = rows.find((row) => equalIgnoringCase(row.name, name));
  refuseUnless(found, 404, () => {
    const names = rows.map((row) => row.name);
    return `${param}: there is no ${param} "${name}"${suggestion(nearestWord(name, names))}`;
  });
  return found;
}

/** A 409 when a row of that name exists (other than `except`). */
export function requireFreeName<R extends Named>(
  db: Reader,
  table: Table<R>,
  name: string,
  except?: number,
): void {
  const taken = db.all(table).find((row) => equalIgnoringCase(row.name, name) && row.id !== except);
  refuseUnless(!taken, 409, () => `name: "${taken?.name}" exists already; expected a new name`);
}

/** The end of a message: the nearest one that there is. */
export function suggestion(hint: string | undefined): string {
  return hint === undefined ? "" : `; did you mean "${hint}"?`;
}

const newest = new WeakMap<readonly TableRow[], readonly TableRow[]>();

/**
 * The same list, as an untouched table gives it again and again, is sorted once. Rows come by id, mostly in order of
 * time: reversed, hardly anything is left to sort.
 */
export function newestFirst<R extends TableRow & { readonly at: string }>(
  rows: readonly R[],
): readonly R[] {
  const known = newest.get(rows);
  if (known) return known as readonly R[];
  const sorted = rows
    .toReversed()
    .sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1));
  newest.set(rows, sorted);
  return sorted;
}
