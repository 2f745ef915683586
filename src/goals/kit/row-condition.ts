/**
 * Conditions on a row: values of columns, a predicate, or a list of conditions that must all hold.
 *
 *     { when: { status: "active" } }
 *     { when: [isMine, { archived: false }] }
 */
import type { Reader, TableRow } from "../../world/index.ts";

type Predicate<R> = (row: R, db: Reader) => boolean;

/** A condition that a row has to meet. */
export type RowCondition<R extends TableRow> =
  | Predicate<R>
  | { readonly [C in keyof R]?: R[C] }
  | readonly RowCondition<R>[];

/** Turns a condition into a predicate. */
export function toPredicate<R extends TableRow>(when: RowCondition<R>): Predicate<R> {
  if (typeof when === "function") return when;
  if (isConditionList(when)) {
    const all = when.map((one) => toPredicate(one));
    return (row, db) => all.every((holds) => holds(row, db));
  }
  const columns = Object.entries(when) as [keyof R, unknown][];
  return (row) => columns.every(([column, value]) => row[column] === value);
}

const isConditionList = <R extends TableRow>(
  when: RowCondition<R>,
): when is readonly RowCondition<R>[] => Array.isArray(when);
