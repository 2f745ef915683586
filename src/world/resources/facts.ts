/**
 * Facts: data that an app keeps about the rows of another table. They are in a table of its own, with at most one row
 * of facts for each row. Without such a row, the facts are those of `plain`; the first change inserts it.
 */
import type { Reader, Table, TableRow, Writer } from "../define.ts";

/** Reads and changes facts by the id of the row that they describe. */
export interface RowFacts<F> {
  get(db: Reader, id: number): F;
  set(db: Writer, id: number, patch: Partial<F>): void;
}

/**
 * Returns functions that read and write facts about the rows of another table. The facts are rows of `table`, whose
 * column `about` holds the id of the row that they are about.
 */
export function factsAbout<
  R extends TableRow,
  C extends keyof R & string,
  F extends Omit<R, "id" | C> = Omit<R, "id" | C>,
>(table: Table<R>, about: C, plain: F): RowFacts<F> {
  const findFactsRow = (db: Reader, id: number) =>
    db.where(table, { [about]: id } as Partial<R>)[0];
  return {
    get: (db, id) => (findFactsRow(db, id) as F | undefined) ?? plain,
    set: (db, id, patch) => {
      const row = findFactsRow(db, id);
      if (row) db.update(table, row.id, patch as object);
      else db.insert(table, { ...plain, [about]: id, ...patch } as unknown as Omit<R, "id">);
    },
  };
}
