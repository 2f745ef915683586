/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader, Table, TableRow } from "../../../../world/index.ts";
import { handleOf } from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";

/** Later than any call of an episode. */
const SOON = "2026-03-13";

/** The first own event that lies ahead and fits. */
export function ahead(
  db: Reader,
  fits: (row: CalendarEvent) => boolean = () => true,
): CalendarEvent | undefined {
  const rows = db.where(events, { host: null, cancelled: false });
  const open = rows.filter((row) => row.day >= SOON);
  return open.find(fits) ?? open[0];
}

export function ownId(db: Reader, fits?: (row: CalendarEvent) => boolean): number {
  return ahead(db, fits)?.id ?? 1;
}

/** The first event of somebody else that lies ahead and was answered so. */
export function theirs(db: Reader, response: CalendarEvent["response"]): number {
  const rows = db.where(events, { response, cancelled: false });
  return rows.find((row) => row.host !== null && row.day >= SOON)?.id ?? 1;
}

/** An own event ahead with a guest, and that guest. */
export function invited(db: Reader): { id: number; person: string } {
  const id = ownId(db, (row) => db.where(guests, { event: row.id, uninvited: false }).length > 0);
  const [guest] = db.where(guests, { event: id, uninvited: false });
  return { id, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

/** An own event ahead, and someone who is not its guest. */
export function stranger(db: Reader): { id: number; person: string } {
  const id = ownId(db);
  const inside = new Set(db.where(guests, { event: id }).map((guest) => guest.person));
  const other = db.where(people, { blocked: false }).find((person) => !inside.has(person.id));
  return { id, person: other?.handle ?? "amara.o" };
}

export function idIn<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}
