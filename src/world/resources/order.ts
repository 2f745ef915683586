/** Orders of lists: functions that sort rows. Rows with equal keys keep their order. */
import type { ViewContext } from "./item.ts";

/** Sorts the rows of a list. */
export type Order<R> = (rows: readonly R[], look: ViewContext) => readonly R[];

type ReadKey<R> = (row: R, look: ViewContext) => string | number | boolean;
type SortKey<R> = ReadKey<R> | { readonly descending: ReadKey<R> };

/**
 * Sorts by several keys, the first key first. A key is ascending unless it is `descending`. Texts are compared by code
 * units.
 */
export function orderBy<R>(...keys: readonly SortKey<R>[]): Order<R> {
  const gets = keys.map((key) => (typeof key === "function" ? key : key.descending));
  const signs = keys.map((key) => (typeof key === "function" ? 1 : -1));
  return (rows, look) => {
    const entries = rows.map((row) => ({ row, at: gets.map((get) => get(row, look)) }));
    return entries.sort((a, b) => compareKeys(a.at, b.at, signs)).map(({ row }) => row);
  };
}

/** Makes a key that sorts the largest values first. */
export function descending<R>(key: ReadKey<R>): SortKey<R> {
  return { descending: key };
}

type Keys = readonly (string | number | boolean)[];

function compareKeys(a: Keys, b: Keys, signs: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -signs[at]! : signs[at]!;
}

/** The name of a column to sort by, with the smallest value first. After a `-`, the largest value comes first. */
type OrderColumn<R> = (keyof R & string) | `-${keyof R & string}`;

/** An order, or the columns that define it: `["-day", "name"]`. */
export type Ordering<R> = Order<R> | OrderColumn<R> | readonly OrderColumn<R>[];

/** Converts columns to an order. */
export function toOrder<R>(ordering: Ordering<R>): Order<R> {
  if (typeof ordering === "function") return ordering;
  const names = typeof ordering === "string" ? [ordering] : (ordering as readonly OrderColumn<R>[]);
  const readColumn = (name: string) => (row: R) => row[name as keyof R] as string | number;
  return orderBy(
    ...names.map((name) =>
      name[0] === "-" ? descending(readColumn(name.slice(1))) : readColumn(name),
    ),
  );
}
