/**
 * Defines the APIs that look over the calendar: a range of days, a week, cancelled events, and the hours of a day
 * (which are taken or free, and which events overlap). An event lasts an hour unless its length says otherwise.
 */

import {
  containsIgnoringCase,
  dayParam,
  defineObjectItem,
  filterWhere,
  listApi,
  refuseUnless,
  rowById,
  rowByName,
  shortTextParam,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  addDays,
  handleParam,
  leavingOut,
  requirePerson,
  requireTodayOrLater,
  timeParam,
} from "../shared.ts";
import { type CalendarEvent, events, guests } from "../tables.ts";
import {
  anyEvent,
  eventItem,
  eventResource,
  hostedItem,
  IN_CALENDAR,
  invitedGuests,
  requireActiveEvent,
  requireOwnerIsHost,
} from "./events.ts";
import { categories, eventCategories, eventLengths, eventPlaces, USUAL_MINUTES } from "./tables.ts";
import {
  DAY_FILTERS,
  formatTime,
  minutesSinceMidnight,
  sortByTime,
  WEEKDAYS,
  weekdayOf,
} from "./times.ts";

const isOwnEvent = ({ host }: CalendarEvent) => host === null;

/** Returns the events in the owner's calendar from one day to another, both included. */
const eventsBetween = (db: Reader, first: string, last: string) =>
  db.where(events, IN_CALENDAR).filter((row) => row.day >= first && row.day <= last);

const cancelledEvent = eventResource(
  "cancelled event",
  (db, id) => rowById(db, events, id, { noun: "event" }),
  (db) =>
    db.all(events).find((row) => row.cancelled && isOwnEvent(row) && row.day > "2026-03-12")?.id ??
    1,
);

export const agendaApis = {
  list: anyEvent.list(
    "List own and accepted events by day and time; cancelled, declined and open ones are left out.",
    {
      item: hostedItem,
      rows: IN_CALENDAR,
      filters: {
        day: dayParam("only on this day"),
        ...DAY_FILTERS,
        hosted: [
          z.enum(["me", "others"]).describe("only the owner's own events, or only those of others"),
          filterWhere((row, whose) => isOwnEvent(row) === (whose === "me")),
        ],
        person: [
          handleParam("only with this person as host or guest"),
          (personHandle, { db }) => {
            const person = requirePerson(db, personHandle, "person").id;
            return ({ id: event, host }) =>
              host === person || db.where(guests, { event, person, uninvited: false }).length > 0;
          },
        ],
        category: [
          shortTextParam("only in this category"),
          (name, { db }) => {
            const category = rowByName(db, categories, name, "category").id;
            return ({ id: event }) => db.where(eventCategories, { event, category }).length > 0;
          },
        ],
        place: [
          shortTextParam("only at a place with these words; case is ignored"),
          filterWhere(({ id }, words, { db }) =>
            db
              .where(eventPlaces, { event: id })
              .some(({ place }) => containsIgnoringCase(place, words)),
          ),
        ],
      },
      order: sortByTime,
      example: { since: "2026-03-12", until: "2026-03-31", hosted: "me" },
    },
  ),
  week: anyEvent.list(
    leavingOut(
      "List own and accepted events of the week, Monday to Sunday, that a day lies in.",
      "cancelled, declined and open ones are",
    ),
    {
      item: eventItem.with({ weekday: [z.enum(WEEKDAYS), (row) => weekdayOf(row.day)] }),
      params: { day: dayParam("any day of the week") },
      rows: ({ day }, { db }) => {
        const monday = addDays(day, -((WEEKDAYS.indexOf(weekdayOf(day)) + 6) % 7));
        return eventsBetween(db, monday, addDays(monday, 6));
      },
      order: sortByTime,
      example: { day: "2026-03-12" },
    },
  ),
  count: defineApi({
    summary: "Count own and accepted events in a stretch of days, and the guests of the own ones.",
    params: z.strictObject({ since: dayParam("the first day"), until: dayParam("the last day") }),
    returns: z.strictObject({ own: z.int(), others: z.int(), guests: z.int() }),
    example: () => ({ since: "2026-03-01", until: "2026-03-31" }),
    handler: ({ db }, { since, until }) => {
      refuseUnless(until >= since, 422, `until: expected ${since} (since) or later, got ${until}`);
      const rows = eventsBetween(db, since, until);
      const own = rows.filter(isOwnEvent);
      const guests = own.flatMap(({ id }) => invitedGuests(db, id)).length;
      return { own: own.length, others: rows.length - own.length, guests };
    },
  }),
  cancelled: anyEvent.list("List the owner's cancelled events, by day and time.", {
    rows: { host: null, cancelled: true },
    filters: { since: DAY_FILTERS.since },
    order: sortByTime,
  }),
  restore: cancelledEvent.change("Undo the cancelling of an own event that still lies ahead.", {
    checkRow: (row, { id }, { db, now }) => {
      refuseUnless(row.cancelled, 409, `id: event ${id} is not cancelled`);
      requireOwnerIsHost(db, row);
      requireTodayOrLater(row.day, now, `id: event ${id}`);
    },
    set: { cancelled: false },
  }),
};

const MINUTES_A_DAY = 24 * 60;

interface BusySpan {
  readonly row: CalendarEvent;
  /** The start of the span, in minutes since midnight. */
  readonly from: number;
  readonly until: number;
}

/**
 * Returns the spans of time that these events of one day take, earliest first. All-day events take no time. An event
 * that would go on after midnight ends at 24:00.
 */
function busySpans(db: Reader, rows: readonly CalendarEvent[]): BusySpan[] {
  return sortByTime(rows).flatMap((row) => {
    const [length] = db.where(eventLengths, { event: row.id });
    if (length?.allDay) return [];
    const from = minutesSinceMidnight(row.time);
    const until = Math.min(MINUTES_A_DAY, from + (length?.minutes ?? USUAL_MINUTES));
    return [{ row, from, until }];
  });
}

const busySpansOnDay = (db: Reader, day: string) =>
  busySpans(db, db.where(events, { ...IN_CALENDAR, day }));

function freeGaps(spans: readonly BusySpan[], from: number, until: number): [number, number][] {
  const gaps: [number, number][] = [];
  let freeFrom = from;
  for (const span of spans) {
    if (span.from > freeFrom) gaps.push([freeFrom, Math.min(span.from, until)]);
    freeFrom = Math.max(freeFrom, span.until);
  }
  if (freeFrom < until) gaps.push([freeFrom, until]);
  return gaps.filter(([start, end]) => end > start);
}

export const hourApis = {
  busy: listApi(
    "List what takes hours of a day, earliest first; all-day events take none, and cancelled ones are left out.",
    {
      item: defineObjectItem({
        title: z.string(),
        id: z.int(),
        from: z.string(),
        until: z.string(),
      }),
      params: { day: dayParam("the day") },
      rows: ({ day }, { db }) =>
        busySpansOnDay(db, day).map(({ row: { title, id }, from, until }) => ({
          title,
          id,
          from: formatTime(from),
          until: formatTime(until),
        })),
      example: { day: "2026-03-14" },
    },
  ),
  free: listApi(
    "List the free stretches of a day, earliest first; cancelled and all-day events are left out.",
    {
      item: defineObjectItem({ from: z.string(), until: z.string(), minutes: z.int() }),
      params: {
        day: dayParam("the day"),
        from: timeParam("nothing before this time").default("08:00"),
        until: timeParam("nothing after this time").default("20:00"),
        minutes: z
          .int()
          .min(15)
          .max(720)
          .default(60)
          .describe("only stretches of this length or more"),
      },
      rows: ({ day, from, until, minutes }, { db }) => {
        refuseUnless(until > from, 422, `until: expected later than ${from}, got ${until}`);
        return freeGaps(
          busySpansOnDay(db, day),
          minutesSinceMidnight(from),
          minutesSinceMidnight(until),
        )
          .filter(([start, end]) => end - start >= minutes)
          .map(([start, end]) => ({
            from: formatTime(start),
            until: formatTime(end),
            minutes: end - start,
          }));
      },
      example: { day: "2026-03-14", minutes: 90 },
    },
  ),
  conflicts: listApi(
    "List the other events of the same day whose hours overlap with those of an event.",
    {
      item: eventItem,
      params: anyEvent.keys,
      rows: ({ id }, { db }) => {
        const event = requireActiveEvent(db, id);
        const [ownSpan] = busySpans(db, [event]);
        const overlaps = ({ row, from, until }: BusySpan) =>
          ownSpan && row.id !== id && from < ownSpan.until && ownSpan.from < until;
        return busySpansOnDay(db, event.day)
          .filter(overlaps)
          .map(({ row }) => row);
      },
      example: anyEvent.example,
    },
  ),
};
