/** Looking over the calendar: stretches of days, a week, and what was cancelled. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  handle,
  handleOf,
  idOf,
  line,
  named,
  notPast,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
} from "../shared.ts";
import { type CalendarEvent, events, guests } from "../tables.ts";
import { eventItem, eventView, openGuests } from "./events.ts";
import { idIn } from "./examples.ts";
import { categories, eventPlaces, filings } from "./tables.ts";
import { byDay, daysAfter, WEEKDAYS, weekday } from "./times.ts";

/** What stands in the owner's calendar: own and accepted, not cancelled. */
export function standing(db: Reader, match: Partial<CalendarEvent> = {}): readonly CalendarEvent[] {
  return db.where(events, { response: "accepted", cancelled: false, ...match });
}

const agendaItem = eventItem.extend({ host: z.string().nullable(), guests: z.int() });

const agendaView = (db: Reader) => (row: CalendarEvent) => ({
  ...eventView(row),
  host: row.host === null ? null : handleOf(db, row.host),
  guests: openGuests(db, row.id).length,
});

const agenda = defineApi({
  summary: "List own and accepted events by day and time, narrowed by several filters at once.",
  params: z.strictObject({
    since: day("only on this day or later").optional(),
    until: day("only on this day or earlier").optional(),
    hosted: z
      .enum(["me", "others"])
      .optional()
      .describe("only the owner's own events, or only those of others"),
    with: handle("only with this person as host or guest").optional(),
    category: line("only in this category").optional(),
    place: line("only at a place with these words; case is ignored").optional(),
    ...paging,
  }),
  returns: pageOf(agendaItem),
  example: () => ({ since: "2026-03-12", until: "2026-03-31", hosted: "me" }) as const,
  handler: ({ db }, { since, until, hosted, with: came, category, place, ...page }) => {
    const person = personId(db, came, "with");
    const drawer =
      category === undefined ? undefined : named(db, categories, category, "category").id;
    const rows = standing(db).filter(
      (row) =>
        (since === undefined || row.day >= since) &&
        (until === undefined || row.day <= until) &&
        (hosted === undefined || (row.host === null) === (hosted === "me")) &&
        (person === undefined || takesPart(db, row, person)) &&
        (drawer === undefined || liesIn(db, row, drawer)) &&
        (place === undefined || isAt(db, row, place)),
    );
    return paged(byDay(rows), page, agendaView(db));
  },
});

function takesPart(db: Reader, row: CalendarEvent, person: number): boolean {
  const guest = () => db.where(guests, { event: row.id, person, uninvited: false }).length > 0;
  return row.host === person || guest();
}

function liesIn(db: Reader, row: CalendarEvent, category: number): boolean {
  return db.where(filings, { event: row.id, category }).length > 0;
}

function isAt(db: Reader, row: CalendarEvent, place: string): boolean {
  return db.where(eventPlaces, { event: row.id }).some((known) => contains(known.place, place));
}

const week = defineApi({
  summary: "List own and accepted events of the week, Monday to Sunday, that a day lies in.",
  params: z.strictObject({ day: day("any day of the week"), ...paging }),
  returns: pageOf(eventItem.extend({ weekday: z.enum(WEEKDAYS) })),
  example: () => ({ day: "2026-03-12" }),
  handler: ({ db }, { day, ...page }) => {
    const sinceMonday = (WEEKDAYS.indexOf(weekday(day)) + 6) % 7;
    const monday = daysAfter(day, -sinceMonday);
    const sunday = daysAfter(monday, 6);
    const rows = standing(db).filter((row) => row.day >= monday && row.day <= sunday);
    return paged(byDay(rows), page, (row) => ({ ...eventView(row), weekday: weekday(row.day) }));
  },
});

const cancelled = defineApi({
  summary: "List the owner's cancelled events, by day and time.",
  params: z.strictObject({ since: day("only on this day or later").optional(), ...paging }),
  returns: pageOf(eventItem),
  example: () => ({}),
  handler: ({ db }, { since, ...page }) => {
    const rows = db.where(events, { host: null, cancelled: true });
    const kept = rows.filter((row) => since === undefined || row.day >= since);
    return paged(byDay(kept), page, eventView);
  },
});

const restore = defineApi({
  summary: "Undo the cancelling of an own event that still lies ahead.",
  params: z.strictObject({ id: idOf("cancelled event") }),
  returns: eventItem,
  example: (db) => ({
    id: idIn(db, events, (row) => row.cancelled && row.host === null && row.day > "2026-03-12"),
  }),
  handler: ({ db, now }, { id }) => {
    const row = rowBy(db, events, id, "event");
    if (!row.cancelled) throw new ApiError(409, `id: event ${id} is not cancelled`);
    if (row.host !== null) {
      throw new ApiError(
        422,
        `id: expected an own event, ${id} is hosted by "${handleOf(db, row.host)}"`,
      );
    }
    notPast(row.day, now, `id: event ${id}`);
    return eventView(db.update(events, id, { cancelled: false }));
  },
});

const count = defineApi({
  summary: "Count own and accepted events in a stretch of days, and the guests of the own ones.",
  params: z.strictObject({ since: day("the first day"), until: day("the last day") }),
  returns: z.strictObject({ own: z.int(), others: z.int(), guests: z.int() }),
  example: () => ({ since: "2026-03-01", until: "2026-03-31" }),
  handler: ({ db }, { since, until }) => {
    if (until < since) {
      throw new ApiError(422, `until: expected ${since} (since) or later, got ${until}`);
    }
    const rows = standing(db).filter((row) => row.day >= since && row.day <= until);
    const own = rows.filter((row) => row.host === null);
    const sizes = own.map((row) => openGuests(db, row.id).length);
    return {
      own: own.length,
      others: rows.length - own.length,
      guests: sizes.reduce((sum, size) => sum + size, 0),
    };
  },
});

export const agendaApis = { agenda, week, count, cancelled, restore };
