/** Events as resources: how they are shown, which ones may still be changed, and rows for examples. */

import { idOf, itemOf, must, put, resource, rowById } from "bowline/resources";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import { z } from "bowline/world";
import { handleOf, notPast, receiver, someHandle } from "../shared.ts";
import { type CalendarEvent, events, type Guest, guests } from "../tables.ts";

export const eventItem = itemOf(events, events.fields("title", "id", "day", "time"));

/** The host of an own event is null. */
export const hostItem = eventItem.with({
  host: [z.string().nullable(), ({ host }, { db }) => (host === null ? null : handleOf(db, host))],
  guests: [z.int(), ({ id }, { db }) => openGuests(db, id).length],
});

export const inviteItem = eventItem.with({
  from: [z.string(), ({ host }, { db }) => (host === null ? "" : handleOf(db, host))],
});

/** An event that is not cancelled; otherwise a 404 or 409. */
export function openEvent(db: Reader, id: number): CalendarEvent {
  const row = rowById(db, events, id, { noun: "event" });
  must(!row.cancelled, 409, `id: event ${id} is already cancelled`);
  return row;
}

export function mustHost(db: Reader, { id, host }: CalendarEvent): void {
  const own = host === null;
  must(own, 422, () => `id: expected an own event, ${id} is hosted by "${handleOf(db, host!)}"`);
}

/** An event that the owner hosts, past ones too. */
export function hostedEvent(db: Reader, id: number): CalendarEvent {
  const row = openEvent(db, id);
  mustHost(db, row);
  return row;
}

/** An own event of today or later, which the owner may change. */
export function ownEvent(db: Reader, id: number, now: string): CalendarEvent {
  const row = hostedEvent(db, id);
  notPast(row.day, now, `id: event ${id}`);
  return row;
}

/** `what` is how documentation calls them. */
export const eventsBy = (
  what: string,
  find: (db: Reader, id: number, now: string) => CalendarEvent,
  example: (db: Reader, fits: (row: CalendarEvent) => boolean) => number = ownId,
) =>
  resource({
    noun: "event",
    item: eventItem,
    keys: { id: idOf(what) },
    find: ({ id }, { db, now }) => find(db, id, now),
    example: (db, fits) => ({ id: example(db, fits) }),
  });

export const anyEvent = eventsBy("event", openEvent);
export const ownEvents = eventsBy("own event", ownEvent);

/** What stands in the owner's calendar: own and accepted, not cancelled. */
export const STANDING = { response: "accepted", cancelled: false } as const;

export const openGuests = (db: Reader, event: number): readonly Guest[] =>
  db.where(guests, { event, uninvited: false });

/** Adds the guest, also one that was uninvited before; a 409 when invited already. */
export function inviteTo(db: Writer, event: number, guest: string, param: string): void {
  const person = receiver(db, guest, param);
  const [row] = db.where(guests, { event, person: person.id });
  must(!row || row.uninvited, 409, `${param}: "${person.handle}" is already invited`);
  put(db, guests, { event, person: person.id }, { uninvited: false });
}

// --- facts, each in the only row of a table that is about an event ---

type About = TableRow & { readonly event: number };

/** Keeps what is made of a call's arguments, in place of an earlier fact. */
export const keeps =
  <R extends About, A>(
    table: Table<R>,
    factOf: (args: A, db: Reader, row: CalendarEvent) => Partial<R>,
  ) =>
  (row: CalendarEvent, args: A, { db }: { readonly db: Writer }): CalendarEvent => {
    put(db, table, { event: row.id } as Partial<R>, factOf(args, db, row));
    return row;
  };

/** Forgets it; a 409 where there is none. */
export const forget =
  <R extends About>(table: Table<R>, none: string) =>
  (row: CalendarEvent, _: unknown, { db }: { readonly db: Writer }): CalendarEvent => {
    const [known] = db.where(table, { event: row.id } as Partial<R>);
    must(known, 409, `id: event ${row.id} ${none}`);
    db.remove(table, known.id);
    return row;
  };

// --- rows for examples; nothing here throws on an empty state ---

/** Later than any call of an episode. */
const SOON = "2026-03-13";

/** The first own event that lies ahead and fits. */
export function ahead(
  db: Reader,
  fits: (row: CalendarEvent) => boolean = () => true,
): CalendarEvent | undefined {
  const open = db.where(events, { host: null, cancelled: false }).filter(({ day }) => day >= SOON);
  return open.find(fits) ?? open[0];
}

export function ownId(db: Reader, fits?: (row: CalendarEvent) => boolean): number {
  return ahead(db, fits)?.id ?? 1;
}

/** The first invitation of somebody else that lies ahead and waits for an answer. */
export function theirs(db: Reader): number {
  const rows = db.where(events, { response: "open", cancelled: false });
  return rows.find(({ host, day }) => host !== null && day >= SOON)?.id ?? 1;
}

/** An own event ahead with a guest, and that guest. */
export function invited(db: Reader): { id: number; person: string } {
  const id = ownId(db, (row) => openGuests(db, row.id).length > 0);
  const [guest] = openGuests(db, id);
  return { id, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

/** An own event ahead, and someone who is not its guest. */
export function stranger(db: Reader): { id: number; person: string } {
  const id = ownId(db);
  const inside = db.where(guests, { event: id }).map(({ person }) => person);
  return { id, person: someHandle(db, (person) => !inside.includes(person.id)) };
}
