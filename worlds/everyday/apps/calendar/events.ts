/**
 * Defines events as resources: how they are shown, which of them may still be changed, and rows for the examples of API
 * calls.
 */

import { defineItem, idParam, refuseUnless, resource, rowById, upsertRow } from "bowline/resources";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import { z } from "bowline/world";
import { exampleHandleWhere, handleOf, requireReceiver, requireTodayOrLater } from "../shared.ts";
import { type CalendarEvent, events, type Guest, guests } from "../tables.ts";

export const eventItem = defineItem(events, events.fields("title", "id", "day", "time"));

/** An event with its host and number of guests. The host of an own event is null. */
export const hostedItem = eventItem.with({
  host: [z.string().nullable(), ({ host }, { db }) => (host === null ? null : handleOf(db, host))],
  guests: [z.int(), ({ id }, { db }) => invitedGuests(db, id).length],
});

export const invitationItem = eventItem.with({
  from: [z.string(), ({ host }, { db }) => (host === null ? "" : handleOf(db, host))],
});

/** Returns an event that is not cancelled. Throws a 404 or 409 otherwise. */
export function requireActiveEvent(db: Reader, id: number): CalendarEvent {
  const row = rowById(db, events, id, { noun: "event" });
  refuseUnless(!row.cancelled, 409, `id: event ${id} is already cancelled`);
  return row;
}

export function requireOwnerIsHost(db: Reader, { id, host }: CalendarEvent): void {
  const own = host === null;
  refuseUnless(
    own,
    422,
    () => `id: expected an own event, ${id} is hosted by "${handleOf(db, host!)}"`,
  );
}

/** Returns an event that the owner hosts, which may be in the past. Throws a 404, 409 or 422 otherwise. */
export function requireHostedEvent(db: Reader, id: number): CalendarEvent {
  const row = requireActiveEvent(db, id);
  requireOwnerIsHost(db, row);
  return row;
}

/** Returns an own event of today or later, which the owner may change. Throws an API error otherwise. */
export function requireChangeableEvent(db: Reader, id: number, now: string): CalendarEvent {
  const row = requireHostedEvent(db, id);
  requireTodayOrLater(row.day, now, `id: event ${id}`);
  return row;
}

/** Makes a resource of events that `find` looks up. `idDescription` is what the documentation calls such an event. */
export const eventResource = (
  idDescription: string,
  find: (db: Reader, id: number, now: string) => CalendarEvent,
  example: (db: Reader, fits: (row: CalendarEvent) => boolean) => number = exampleOwnEventId,
) =>
  resource({
    noun: "event",
    item: eventItem,
    keys: { id: idParam(idDescription) },
    find: ({ id }, { db, now }) => find(db, id, now),
    example: (db, fits) => ({ id: example(db, fits) }),
  });

export const anyEvent = eventResource("event", requireActiveEvent);
export const ownEvents = eventResource("own event", requireChangeableEvent);

/** Matches the events in the owner's calendar: own and accepted ones that are not cancelled. */
export const IN_CALENDAR = { response: "accepted", cancelled: false } as const;

export const invitedGuests = (db: Reader, event: number): readonly Guest[] =>
  db.where(guests, { event, uninvited: false });

/**
 * Adds the guest to the event, even if the guest was uninvited before. Throws a 409 when the guest is already invited.
 */
export function inviteGuest(db: Writer, event: number, guest: string, param: string): void {
  const person = requireReceiver(db, guest, param);
  const [row] = db.where(guests, { event, person: person.id });
  refuseUnless(!row || row.uninvited, 409, `${param}: "${person.handle}" is already invited`);
  upsertRow(db, guests, { event, person: person.id }, { uninvited: false });
}

type EventFact = TableRow & { readonly event: number };

/**
 * Makes the `run` of an API that stores a fact about an event, made from the call's arguments. It replaces an earlier
 * fact.
 */
export const makeFactWriter =
  <R extends EventFact, A>(
    table: Table<R>,
    makeFact: (args: A, db: Reader, row: CalendarEvent) => Partial<R>,
  ) =>
  (row: CalendarEvent, args: A, { db }: { readonly db: Writer }): CalendarEvent => {
    upsertRow(db, table, { event: row.id } as Partial<R>, makeFact(args, db, row));
    return row;
  };

/** Makes the `run` of an API that removes the fact about an event. It throws a 409 when there is none. */
export const makeFactRemover =
  <R extends EventFact>(table: Table<R>, whenMissing: string) =>
  (row: CalendarEvent, _: unknown, { db }: { readonly db: Writer }): CalendarEvent => {
    const [known] = db.where(table, { event: row.id } as Partial<R>);
    refuseUnless(known, 409, `id: event ${row.id} ${whenMissing}`);
    db.remove(table, known.id);
    return row;
  };

// The functions below find rows for the examples of API calls. They throw nothing when the state is empty.

/** A day that is later than the time of any call in an episode. */
const SOON = "2026-03-13";

/** Returns the owner's first future event for which `fits` returns true, or else the owner's first future event. */
export function exampleFutureEvent(
  db: Reader,
  fits: (row: CalendarEvent) => boolean = () => true,
): CalendarEvent | undefined {
  const open = db.where(events, { host: null, cancelled: false }).filter(({ day }) => day >= SOON);
  return open.find(fits) ?? open[0];
}

export function exampleOwnEventId(db: Reader, fits?: (row: CalendarEvent) => boolean): number {
  return exampleFutureEvent(db, fits)?.id ?? 1;
}

/** Returns the id of the first invitation by somebody else that lies in the future and has no answer yet. */
export function exampleInvitationId(
  db: Reader,
  fits: (row: CalendarEvent) => boolean = () => true,
): number {
  const rows = db.where(events, { response: "open", cancelled: false });
  return rows.find((row) => row.host !== null && row.day >= SOON && fits(row))?.id ?? 1;
}

/** Returns a future own event with a guest, and that guest's handle. */
export function exampleInvitedGuest(db: Reader): { id: number; person: string } {
  const id = exampleOwnEventId(db, (row) => invitedGuests(db, row.id).length > 0);
  const [guest] = invitedGuests(db, id);
  return { id, person: guest ? handleOf(db, guest.person) : "amara.o" };
}

/** Returns a future own event, and the handle of a contact who is not its guest. */
export function exampleUninvitedPerson(db: Reader): { id: number; person: string } {
  const id = exampleOwnEventId(db);
  const guestIds = db.where(guests, { event: id }).map(({ person }) => person);
  return { id, person: exampleHandleWhere(db, (person) => !guestIds.includes(person.id)) };
}
