/** Orders of lists: functions from rows to sorted rows. Rows whose keys are equal keep the order in which they come. */
import type { Look } from "./item.ts";

/** What a list is sorted by. */
export type Order<R> = (rows: readonly R[], look: Look) => readonly R[];

type Get<R> = (row: R, look: Look) => string | number | boolean;
type Key<R> = Get<R> | { readonly falling: Get<R> };

/** By one key after the other, each the smallest first unless it is `falling`. Text is compared by its code units. */
export function by<R>(...keys: readonly Key<R>[]): Order<R> {
  const gets = keys.map((key) => (typeof key === "function" ? key : key.falling));
  const signs = keys.map((key) => (typeof key === "function" ? 1 : -1));
  return (rows, look) => {
    const entries = rows.map((row) => ({ row, at: gets.map((get) => get(row, look)) }));
    return entries.sort((a, b) => compare(a.at, b.at, signs)).map(({ row }) => row);
  };
}

/** Of a key: the greatest first. */
export function falling<R>(key: Get<R>): Key<R> {
  return { falling: key };
}

type Keys = readonly (string | number | boolean)[];

function compare(a: Keys, b: Keys, signs: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -signs[at]! : signs[at]!;
}
