/** Days and times as the calendar counts with them: `2026-03-14` and `18:30`, and minutes since midnight. */
import { day, where } from "bowline/resources";
import { dayPlus } from "../shared.ts";
import type { CalendarEvent } from "../tables.ts";
import type { Rhythm } from "./tables.ts";

type OnDay = { readonly day: string };

/** Filters of lists of whatever has a day. */
export const DAYS = {
  since: [day("only on this day or later"), where((row: OnDay, first: string) => row.day >= first)],
  until: [day("only on this day or earlier"), where((row: OnDay, last: string) => row.day <= last)],
} as const;

type Timed = Pick<CalendarEvent, "id" | "day" | "time">;
const moment = ({ day, time }: Timed) => `${day} ${time}`;

/** By day and time, then oldest first. */
export const byDay = <R extends Timed>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (moment(a) === moment(b) ? a.id - b.id : moment(a) < moment(b) ? -1 : 1));

export const WEEKDAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

export function weekday(day: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
}

/** The day `count` steps after the first; a month that lacks the date takes its last day. */
export function stepAfter(first: string, every: Rhythm, count: number): string {
  if (every !== "month") {
    return dayPlus(first, count * { day: 1, week: 7, fortnight: 14 }[every]);
  }
  const [year, month, date] = first.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

export function timeOf(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
