/** What the calendar parts share: which events are which, what belongs to one, and columns. */
import { atLeast, atMost, type ClauseOptions, type ColumnKit, superlatives } from "bowline/goals";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import {
  answers,
  type CalendarShare,
  calendarShares,
  eventLengths,
  eventPlaces,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";

export const standing = (row: CalendarEvent) => row.response === "accepted" && !row.cancelled;
export const own = (row: CalendarEvent) => standing(row) && row.host === null && row.day >= TODAY;
export const others = (row: CalendarEvent) =>
  standing(row) && row.host !== null && row.day >= TODAY;

export const guestsOf = (db: Reader, event: number): number[] =>
  db.where(guests, { event, uninvited: false }).map(({ person }) => person);

/** Host and guests. */
export const attendees = (db: Reader, { id, host }: CalendarEvent): number[] =>
  host === null ? guestsOf(db, id) : [host, ...guestsOf(db, id)];

export const placeOf = (db: Reader, event: number): string =>
  db.where(eventPlaces, { event })[0]?.place ?? "";

/** Guests who have not answered. */
export const silentOf = (db: Reader, event: number): number[] =>
  guestsOf(db, event).filter((person) => db.where(answers, { event, person }).length === 0);

/** What a copy or a todo takes over from an event; as text, to see whether any has changed. */
export function shapeOf(db: Reader, id: number): string {
  const { title, day, time } = db.get(events, id)!;
  const lengths = db.where(eventLengths, { event: id });
  const all = [title, day, time, placeOf(db, id), lengths, guestsOf(db, id), silentOf(db, id)];
  return JSON.stringify(all);
}

/** Writes the only row that matches. */
export function put<R extends TableRow>(
  db: Writer,
  table: Table<R>,
  match: Partial<R>,
  row: Omit<R, "id">,
): void {
  const [known] = db.where(table, match);
  if (known) db.update(table, known.id, row as Partial<R>);
  else db.insert(table, row);
}

export const shareWith = (db: Writer, person: number, role: CalendarShare["role"]): void =>
  put(db, calendarShares, { person }, { person, role, ended: false });

export function addOwn(
  db: Writer,
  row: Pick<CalendarEvent, "title" | "day" | "time">,
  invited: readonly number[] = [],
): number {
  const whole = { ...row, host: null, cancelled: false, response: "accepted" } as const;
  const event = db.insert(events, whole).id;
  for (const person of invited) db.insert(guests, { event, person, uninvited: false });
  return event;
}

/** Events as a set of a kind. */
export const eventsAs = (kind: string, name: string) => ({
  kind,
  name: `events.${name}`,
  app: "calendar",
  table: events,
});

export const SOON = superlatives`latest / earliest | last / first | farthest-off / soonest
  | most distant / nearest | furthest-away / closest`;

export const until = (options: ClauseOptions = {}) =>
  atMost("until", { excludes: ["since"], ...options })`on $ or earlier | up to and including $
    | that are on or before $ | until $, that day included | no later than $`;

export const since = (options: ClauseOptions = {}) =>
  atLeast("since", options)`on $ or later | from $ on, that day included | that are on or after $
    | starting with $ or a later day | no earlier than $`;

/** `x.time` is part of every item. */
export const byTime = <R extends TableRow & { readonly time: string }>({
  withProperty,
}: ColumnKit<R>) => ({
  "before-noon": withProperty(
    (row) => row.time < "12:00",
    { test: 'x.time<"12:00"' },
    { excludes: ["evening"] },
  )`that start before noon | that begin before 12:00 | with a start before 12:00
    | which start earlier than 12:00 | whose start is before noon`,
  evening: withProperty((row) => row.time >= "18:00", { test: 'x.time>="18:00"' })`
    that start at 18:00 or later | that begin no earlier than 18:00 | with a start at 18:00 or after
    | which start at six in the evening or later | whose start is 18:00 or later`,
});
