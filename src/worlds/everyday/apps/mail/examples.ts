/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader, Table, TableRow } from "../../../../world/index.ts";
import { newestFirst } from "../shared.ts";
import { type Folder, type Mail, mails, people } from "../tables.ts";

/** The handle of someone to whom mail may be sent. */
export function someone(db: Reader, nth = 0): string {
  return db.where(people, { blocked: false })[nth]?.handle ?? "amara.o";
}

/** The id of the newest received mail that fits. */
export function received(db: Reader, fits: (row: Mail) => boolean = () => true): number {
  const rows = newestFirst(db.where(mails, { outgoing: false, folder: "inbox" }));
  const open = rows.filter((row) => db.get(people, row.person)?.blocked === false);
  return (open.find(fits) ?? open[0])?.id ?? 1;
}

/** The id of the newest received mail in a folder. */
export function lying(db: Reader, folder: Folder): number {
  return newestFirst(db.where(mails, { outgoing: false, folder }))[0]?.id ?? 1;
}

/** The id of the newest sent mail. */
export function sentOne(db: Reader): number {
  return newestFirst(db.where(mails, { outgoing: true }))[0]?.id ?? 1;
}

export function idIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

export function nameIn<R extends TableRow & { readonly name: string }>(
  db: Reader,
  table: Table<R>,
): string {
  return db.all(table)[0]?.name ?? "none";
}

/** Whether mail may be sent to this person; nobody has left the contacts otherwise. */
export function open(db: Reader, person: number | null): boolean {
  return person !== null && db.get(people, person)?.blocked === false;
}
