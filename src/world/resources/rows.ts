/** Finds rows for APIs, by name, by words in them, or sorted by time, with the errors for rows that are not found. */
import { nearestWord } from "../../core/index.ts";
import type { Reader, Table, TableRow, Writer } from "../define.ts";
import { refuseUnless } from "./refuse-unless.ts";

/** Returns true when two texts are equal, ignoring case and spaces around them. */
export function equalIgnoringCase(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Returns true when a text contains the query, ignoring case. */
export function containsIgnoringCase(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase());
}

/** Returns the arguments that were given, without those that are undefined, for example to match rows by filters. */
export function withoutUndefined<T extends object>(
  filters: T,
): { [C in keyof T]?: Exclude<T[C], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [C in keyof T]?: Exclude<T[C], undefined> };
}

/** Counts how often each value occurs, in the order of first appearance. */
export function tally<V>(values: Iterable<V>): [V, number][] {
  const counts = new Map<V, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** Returns the id of the first row that passes the test, for examples; 1 when there is none. */
export function firstRowId<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  matches: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(matches)?.id ?? 1;
}

/** Changes the row that matches. When there is none, inserts a row with the match and the change. */
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

/** Throws a 422 unless at least one of these optional arguments was given. */
export function requireSomeArgument(args: Readonly<Record<string, unknown>>): void {
  const none = Object.values(args).every((value) => value === undefined);
  refuseUnless(
    !none,
    422,
    `${Object.keys(args).join(", ")}: expected at least one of them, got none`,
  );
}

type NamedRow = TableRow & { readonly name: string };

/** Returns the row with this name, ignoring case, or throws a 404 that suggests the nearest name. */
export function rowByName<R extends NamedRow>(
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

/** Throws a 409 when a row other than `except` has this name. */
export function requireFreeName<R extends NamedRow>(
  db: Reader,
  table: Table<R>,
  name: string,
  except?: number,
): void {
  const taken = db.all(table).find((row) => equalIgnoringCase(row.name, name) && row.id !== except);
  refuseUnless(!taken, 409, () => `name: "${taken?.name}" exists already; expected a new name`);
}

/**
 * Returns the end of a message that suggests the nearest word: `; did you mean "x"?`. Returns "" when there is none.
 */
export function suggestion(hint: string | undefined): string {
  return hint === undefined ? "" : `; did you mean "${hint}"?`;
}

const newestFirstCache = new WeakMap<readonly TableRow[], readonly TableRow[]>();

/**
 * Sorts rows by time, newest first. The result is cached, because an unchanged table always returns the same list. Rows
 * are in the order of their ids, which is mostly the order of time, so after they are reversed hardly anything is left
 * to sort.
 */
export function newestFirst<R extends TableRow & { readonly at: string }>(
  rows: readonly R[],
): readonly R[] {
  const known = newestFirstCache.get(rows);
  if (known) return known as readonly R[];
  const sorted = rows
    .toReversed()
    .sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1));
  newestFirstCache.set(rows, sorted);
  return sorted;
}
