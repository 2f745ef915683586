/**
 * Conditions on a row: columns with these values, a predicate, or all of several.
 *
 *     { when: { status: "active" } }
 *     { when: [isMine, { archived: false }] }
 */
import type { Reader, TableRow } from "../../world/index.ts";

type Predicate<R> = (row: R, db: Reader) => boolean;

/** What a row has to fulfil. */
export type When<R extends TableRow> =
  | Predicate<R>
  | { readonly [C in keyof R]?: R[C] }
  | readonly When<R>[];

/** A condition as a predicate. */
export function met<R extends TableRow>(when: When<R>): Predicate<R> {
  if (typeof when === "function") return when;
  if (isSeveral(when)) {
    const all = when.map((one) => met(one));
    return (row, db) => all.every((holds) => holds(row, db));
  }
  const columns = Object.entries(when) as [keyof R, unknown][];
  return (row) => columns.every(([column, value]) => row[column] === value);
}

const isSeveral = <R extends TableRow>(when: When<R>): when is readonly When<R>[] =>
  Array.isArray(when);
