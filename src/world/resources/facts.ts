/**
 * Facts: what an app keeps of another table's row in a table of its own, at most one row each. Whatever has no row is as
 * `plain` says; the first change makes one.
 */
import type { Reader, Table, TableRow, Writer } from "../define.ts";

/** Reads and changes facts by the id of the row that they are of. */
export interface RowFacts<F> {
  get(db: Reader, id: number): F;
  set(db: Writer, id: number, patch: Partial<F>): void;
}

/** `about` is the column of the row that they are of. */
export function factsAbout<
  R extends TableRow,
  C extends keyof R & string,
  F extends Omit<R, "id" | C> = Omit<R, "id" | C>,
>(table: Table<R>, about: C, plain: F): RowFacts<F> {
  const rowOf = (db: Reader, id: number) => db.where(table, { [about]: id } as Partial<R>)[0];
  return {
    get: (db, id) => (rowOf(db, id) as F | undefined) ?? plain,
    set: (db, id, patch) => {
      const row = rowOf(db, id);
      if (row) db.update(table, row.id, patch as object);
      else db.insert(table, { ...plain, [about]: id, ...patch } as unknown as Omit<R, "id">);
    },
  };
}
