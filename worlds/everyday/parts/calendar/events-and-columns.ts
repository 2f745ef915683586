/**
 * Functions that several calendar parts use: they select events, read what belongs to an event, and declare columns.
 */
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

export const isAcceptedEvent = (row: CalendarEvent) =>
  row.response === "accepted" && !row.cancelled;
export const isOwnUpcomingEvent = (row: CalendarEvent) =>
  isAcceptedEvent(row) && row.host === null && row.day >= TODAY;
export const isUpcomingEventOfOthers = (row: CalendarEvent) =>
  isAcceptedEvent(row) && row.host !== null && row.day >= TODAY;

export const idsOfGuests = (db: Reader, event: number): number[] =>
  db.where(guests, { event, uninvited: false }).map(({ person }) => person);

/** Returns the ids of the host and the guests. */
export const idsOfAttendees = (db: Reader, { id, host }: CalendarEvent): number[] =>
  host === null ? idsOfGuests(db, id) : [host, ...idsOfGuests(db, id)];

export const placeOfEvent = (db: Reader, event: number): string =>
  db.where(eventPlaces, { event })[0]?.place ?? "";

/** Returns the ids of guests who have not answered. */
export const idsOfSilentGuests = (db: Reader, event: number): number[] =>
  idsOfGuests(db, event).filter((person) => db.where(answers, { event, person }).length === 0);

/**
 * Describes, as a text, everything that a copy of an event or a todo about it contains. When two texts are equal,
 * nothing of this has changed.
 */
export function describeEventContent(db: Reader, id: number): string {
  const { title, day, time } = db.get(events, id)!;
  const lengths = db.where(eventLengths, { event: id });
  const all = [
    title,
    day,
    time,
    placeOfEvent(db, id),
    lengths,
    idsOfGuests(db, id),
    idsOfSilentGuests(db, id),
  ];
  return JSON.stringify(all);
}

/** Updates the only row that matches, or inserts the row when none does. */
export function updateOrInsertRow<R extends TableRow>(
  db: Writer,
  table: Table<R>,
  match: Partial<R>,
  row: Omit<R, "id">,
): void {
  const [existing] = db.where(table, match);
  if (existing) db.update(table, existing.id, row as Partial<R>);
  else db.insert(table, row);
}

export const shareCalendar = (db: Writer, person: number, role: CalendarShare["role"]): void =>
  updateOrInsertRow(db, calendarShares, { person }, { person, role, ended: false });

export function insertOwnEvent(
  db: Writer,
  row: Pick<CalendarEvent, "title" | "day" | "time">,
  invited: readonly number[] = [],
): number {
  const whole = { ...row, host: null, cancelled: false, response: "accepted" } as const;
  const event = db.insert(events, whole).id;
  for (const person of invited) db.insert(guests, { event, person, uninvited: false });
  return event;
}

/** Returns the options that all collections of events have in common. */
export const eventCollectionOptions = (kind: string, name: string) => ({
  kind,
  name: `events.${name}`,
  app: "calendar",
  table: events,
});

export const SOON_SUPERLATIVES = superlatives`latest / earliest | last / first | latest / next |
  last / first | latest / earliest`;

export const untilClause = (options: ClauseOptions = {}) =>
  atMost("until", {
    excludes: ["since"],
    ...options,
  })`on $ or earlier | up to and including $ | that are on or before $ | until $ (that day
    included) | that are no later than $`;

export const sinceClause = (options: ClauseOptions = {}) =>
  atLeast(
    "since",
    options,
  )`on $ or later | from $ on (that day included) | that are on or after $ | that are on $ or a
    later day | that are no earlier than $`;

/** Declares the columns for the time of day of events. Every item shows the time. */
export const timeOfDayColumns = <R extends TableRow & { readonly time: string }>({
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
