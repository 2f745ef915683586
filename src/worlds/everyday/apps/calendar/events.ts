/** How events appear in answers, and which ones may still be changed. */
import { z } from "zod";
import { ApiError, type Reader } from "../../../../world/index.ts";
import { handleOf, notPast, rowBy } from "../shared.ts";
import { type CalendarEvent, events, type Guest, guests } from "../tables.ts";

export const eventItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  day: z.string(),
  time: z.string(),
});

export const eventView = ({ title, id, day, time }: CalendarEvent) => ({ title, id, day, time });

/** An event that is not cancelled; otherwise a 404 or 409. */
export function openEvent(db: Reader, id: number): CalendarEvent {
  const row = rowBy(db, events, id, "event");
  if (!row.cancelled) return row;
  throw new ApiError(409, `id: event ${id} is already cancelled`);
}

/** An own event of today or later, which the owner may change. */
export function ownEvent(db: Reader, id: number, now: string): CalendarEvent {
  const row = openEvent(db, id);
  if (row.host !== null) {
    const host = handleOf(db, row.host);
    throw new ApiError(422, `id: expected an own event, ${id} is hosted by "${host}"`);
  }
  notPast(row.day, now, `id: event ${id}`);
  return row;
}

export function openGuests(db: Reader, event: number): readonly Guest[] {
  return db.where(guests, { event, uninvited: false });
}
