/** Times in the owner's calendar: drawing free and taken ones, and the code that finds out which they are. */
import type { Reader, Rng, Writer } from "bowline/world";
import { eventLengths, USUAL_MINUTES } from "../../apps/calendar/tables.ts";
import { formatTime, minutesSinceMidnight } from "../../apps/calendar/times.ts";
import { type CalendarEvent, events } from "../../apps/tables.ts";
import { insertOwnEvent } from "../../handmade/insert-rows.ts";
import { dayFromStart } from "../../population/time.ts";

export { formatTime, minutesSinceMidnight };

/** A day and a time. */
export interface Slot {
  readonly day: string;
  readonly time: string;
}

/** Returns true when no event of the owner overlaps with the minutes after this time. */
export function isFree(base: Reader, { day, time }: Slot, minutes: number): boolean {
  const from = minutesSinceMidnight(time);
  return base
    .where(events, { day, response: "accepted", cancelled: false })
    .every(({ id, time: start }) => {
      const length = base.where(eventLengths, { event: id })[0];
      if (length?.allDay) return true;
      const begins = minutesSinceMidnight(start);
      return begins + (length?.minutes ?? USUAL_MINUTES) <= from || from + minutes <= begins;
    });
}

/** What times are drawn: how long the owner must be free, and between which hours they begin. */
export interface FreeTime {
  readonly minutes: number;
  readonly from?: number;
  readonly until?: number;
}

/** Draws a time, on a quarter of an hour, at which the owner is free on this day, if there is one. */
export function drawFreeTime(
  rng: Rng,
  base: Reader,
  day: string,
  { minutes, from = 9, until = 18 }: FreeTime,
): string | undefined {
  const quarters = Array.from({ length: 4 * (until - from) }, (_, i) => 60 * from + 15 * i);
  const times = rng.shuffle(quarters.map(formatTime));
  return times.find((time) => isFree(base, { day, time }, minutes));
}

/** Draws slots of different days at which the owner is free, sorted by day. `days` are counted from the start. */
export function drawFreeSlots(
  rng: Rng,
  base: Reader,
  count: number,
  { days, ...free }: FreeTime & { readonly days: readonly [first: number, last: number] },
): Slot[] {
  const [first, last] = days;
  const all = Array.from({ length: last - first + 1 }, (_, i) => dayFromStart(first + i));
  const slots = rng.shuffle(all).flatMap((day) => {
    const time = drawFreeTime(rng, base, day, free);
    return time === undefined ? [] : { day, time };
  });
  if (slots.length < count)
    throw new Error(`the owner is free on only ${slots.length} days, ${count} are needed`);
  return slots.slice(0, count).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Returns the time so many minutes later on the same day, or earlier when negative. */
export const shiftTime = (time: string, minutes: number): string =>
  formatTime(minutesSinceMidnight(time) + minutes);

/** Inserts an own event that takes the slot, so that the owner is not free then. */
export function takeSlot(db: Writer, { day, time }: Slot, title: string): CalendarEvent {
  return insertOwnEvent(db, title, day, time);
}

/**
 * Declares `isFreeAt(day, time, minutes)` for solutions, by `calendar.busy`, and `dayInMarch(number)`, which makes
 * `2026-03-17` of `17`.
 */
export const CALENDAR_CODE = `function minutesOf(time) {
  const [hours, minutes] = time.split(":").map(Number);
  return 60 * hours + minutes;
}
function isFreeAt(day, time, minutes) {
  const from = minutesOf(time);
  return readAll((page) => apis.calendar.busy({ day, page, size: 20 }))
    .every((span) => minutesOf(span.until) <= from || from + minutes <= minutesOf(span.from));
}
function dayInMarch(number) {
  return "2026-03-" + String(number).padStart(2, "0");
}`;
