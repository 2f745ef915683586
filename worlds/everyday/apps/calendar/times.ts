/**
 * Converts, sorts and filters days and times in the forms in which the calendar uses them: `2026-03-14`, `18:30`, and
 * minutes since midnight.
 */
import { dayParam, filterWhere } from "bowline/resources";
import { addDays } from "../shared.ts";
import type { CalendarEvent } from "../tables.ts";
import type { Rhythm } from "./tables.ts";

type HasDay = { readonly day: string };

/** The filters by day of lists whose rows have a day. */
export const DAY_FILTERS = {
  since: [
    dayParam("only on this day or later"),
    filterWhere((row: HasDay, first: string) => row.day >= first),
  ],
  until: [
    dayParam("only on this day or earlier"),
    filterWhere((row: HasDay, last: string) => row.day <= last),
  ],
} as const;

type Timed = Pick<CalendarEvent, "id" | "day" | "time">;
const dayAndTime = ({ day, time }: Timed) => `${day} ${time}`;

/** Sorts rows by day and time. Rows at the same time are ordered by id, oldest first. */
export const sortByTime = <R extends Timed>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) =>
    dayAndTime(a) === dayAndTime(b) ? a.id - b.id : dayAndTime(a) < dayAndTime(b) ? -1 : 1,
  );

export const WEEKDAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

export function weekdayOf(day: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
}

/** Returns the day that is `count` repetitions after the first day. A month that lacks the date takes its last day. */
export function repeatDay(first: string, every: Rhythm, count: number): string {
  if (every !== "month") {
    return addDays(first, count * { day: 1, week: 7, fortnight: 14 }[every]);
  }
  const [year, month, date] = first.split("-").map(Number) as [number, number, number];
  const lastDate = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, lastDate)))
    .toISOString()
    .slice(0, 10);
}

export function minutesSinceMidnight(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

export function formatTime(minutes: number): string {
  const padToTwoDigits = (part: number) => String(part).padStart(2, "0");
  return `${padToTwoDigits(Math.floor(minutes / 60))}:${padToTwoDigits(minutes % 60)}`;
}
