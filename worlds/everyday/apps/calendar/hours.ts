/**
 * Looking over the calendar: stretches of days, a week, what was cancelled; and the hours of a day: what is taken, what is
 * free, what collides. An event is an hour unless it says otherwise.
 */

import { asIs, contains, day, line, listing, must, named, rowById, where } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { clock, dayPlus, handle, notPast, personBy } from "../shared.ts";
import { type CalendarEvent, events, guests } from "../tables.ts";
import {
  anyEvent,
  eventItem,
  eventsBy,
  hostItem,
  mustHost,
  openEvent,
  openGuests,
  STANDING,
} from "./events.ts";
import { categories, eventLengths, eventPlaces, filings, USUAL_MINUTES } from "./tables.ts";
import { byDay, DAYS, minutesOf, timeOf, WEEKDAYS, weekday } from "./times.ts";

const isOwn = ({ host }: CalendarEvent) => host === null;

/** From a day to another, both included. */
const between = (db: Reader, first: string, last: string) =>
  db.where(events, STANDING).filter((row) => row.day >= first && row.day <= last);

const cancelledEvent = eventsBy(
  "cancelled event",
  (db, id) => rowById(db, events, id, { noun: "event" }),
  (db) =>
    db.all(events).find((row) => row.cancelled && isOwn(row) && row.day > "2026-03-12")?.id ?? 1,
);

export const agendaApis = {
  agenda: anyEvent.list(
    "List own and accepted events by day and time, narrowed by several filters at once.",
    {
      item: hostItem,
      rows: STANDING,
      filters: {
        ...DAYS,
        hosted: [
          z.enum(["me", "others"]).describe("only the owner's own events, or only those of others"),
          where((row, whose) => isOwn(row) === (whose === "me")),
        ],
        with: [
          handle("only with this person as host or guest"),
          (came, { db }) => {
            const person = personBy(db, came, "with").id;
            return ({ id: event, host }) =>
              host === person || db.where(guests, { event, person, uninvited: false }).length > 0;
          },
        ],
        category: [
          line("only in this category"),
          (name, { db }) => {
            const category = named(db, categories, name, "category").id;
            return ({ id: event }) => db.where(filings, { event, category }).length > 0;
          },
        ],
        place: [
          line("only at a place with these words; case is ignored"),
          where(({ id }, words, { db }) =>
            db.where(eventPlaces, { event: id }).some(({ place }) => contains(place, words)),
          ),
        ],
      },
      order: byDay,
      example: { since: "2026-03-12", until: "2026-03-31", hosted: "me" },
    },
  ),
  week: anyEvent.list(
    "List own and accepted events of the week, Monday to Sunday, that a day lies in.",
    {
      item: eventItem.with({ weekday: [z.enum(WEEKDAYS), (row) => weekday(row.day)] }),
      params: { day: day("any day of the week") },
      rows: ({ day }, { db }) => {
        const monday = dayPlus(day, -((WEEKDAYS.indexOf(weekday(day)) + 6) % 7));
        return between(db, monday, dayPlus(monday, 6));
      },
      order: byDay,
      example: { day: "2026-03-12" },
    },
  ),
  count: defineApi({
    summary: "Count own and accepted events in a stretch of days, and the guests of the own ones.",
    params: z.strictObject({ since: day("the first day"), until: day("the last day") }),
    returns: z.strictObject({ own: z.int(), others: z.int(), guests: z.int() }),
    example: () => ({ since: "2026-03-01", until: "2026-03-31" }),
    handler: ({ db }, { since, until }) => {
      must(until >= since, 422, `until: expected ${since} (since) or later, got ${until}`);
      const rows = between(db, since, until);
      const own = rows.filter(isOwn);
      const guests = own.flatMap(({ id }) => openGuests(db, id)).length;
      return { own: own.length, others: rows.length - own.length, guests };
    },
  }),
  cancelled: anyEvent.list("List the owner's cancelled events, by day and time.", {
    rows: { host: null, cancelled: true },
    filters: { since: DAYS.since },
    order: byDay,
  }),
  restore: cancelledEvent.change("Undo the cancelling of an own event that still lies ahead.", {
    unless: (row, { id }, { db, now }) => {
      must(row.cancelled, 409, `id: event ${id} is not cancelled`);
      mustHost(db, row);
      notPast(row.day, now, `id: event ${id}`);
    },
    set: { cancelled: false },
  }),
};

// --- the hours of a day ---

const MINUTES_A_DAY = 24 * 60;

interface Span {
  readonly row: CalendarEvent;
  /** Minutes since midnight. */
  readonly from: number;
  readonly until: number;
}

/** What takes hours of a day, earliest first. What would go on after midnight ends at 24:00. */
function spansOf(db: Reader, rows: readonly CalendarEvent[]): Span[] {
  return byDay(rows).flatMap((row) => {
    const [length] = db.where(eventLengths, { event: row.id });
    if (length?.allDay) return [];
    const from = minutesOf(row.time);
    const until = Math.min(MINUTES_A_DAY, from + (length?.minutes ?? USUAL_MINUTES));
    return [{ row, from, until }];
  });
}

const spansOn = (db: Reader, day: string) => spansOf(db, db.where(events, { ...STANDING, day }));

function gapsIn(spans: readonly Span[], from: number, until: number): [number, number][] {
  const gaps: [number, number][] = [];
  let open = from;
  for (const span of spans) {
    if (span.from > open) gaps.push([open, Math.min(span.from, until)]);
    open = Math.max(open, span.until);
  }
  if (open < until) gaps.push([open, until]);
  return gaps.filter(([start, end]) => end > start);
}

export const hourApis = {
  busy: listing("List what takes hours of a day, earliest first; all-day events take none.", {
    item: asIs({ title: z.string(), id: z.int(), from: z.string(), until: z.string() }),
    params: { day: day("the day") },
    rows: ({ day }, { db }) =>
      spansOn(db, day).map(({ row: { title, id }, from, until }) => ({
        title,
        id,
        from: timeOf(from),
        until: timeOf(until),
      })),
    example: { day: "2026-03-14" },
  }),
  free: listing("List the free stretches of a day, earliest first.", {
    item: asIs({ from: z.string(), until: z.string(), minutes: z.int() }),
    params: {
      day: day("the day"),
      from: clock("nothing before this time").default("08:00"),
      until: clock("nothing after this time").default("20:00"),
      minutes: z
        .int()
        .min(15)
        .max(720)
        .default(60)
        .describe("only stretches of this length or more"),
    },
    rows: ({ day, from, until, minutes }, { db }) => {
      must(until > from, 422, `until: expected later than ${from}, got ${until}`);
      return gapsIn(spansOn(db, day), minutesOf(from), minutesOf(until))
        .filter(([start, end]) => end - start >= minutes)
        .map(([start, end]) => ({
          from: timeOf(start),
          until: timeOf(end),
          minutes: end - start,
        }));
    },
    example: { day: "2026-03-14", minutes: 90 },
  }),
  conflicts: listing(
    "List the other events of the same day whose hours overlap with those of an event.",
    {
      item: eventItem,
      params: anyEvent.keys,
      rows: ({ id }, { db }) => {
        const event = openEvent(db, id);
        const [mine] = spansOf(db, [event]);
        const hit = ({ row, from, until }: Span) =>
          mine && row.id !== id && from < mine.until && mine.from < until;
        return spansOn(db, event.day)
          .filter(hit)
          .map(({ row }) => row);
      },
      example: anyEvent.example,
    },
  ),
};
