/** Events from events: a copy on another day, the same guests once more, and series that repeat one event. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import { day, dayOf, idOf, notPast, paged, pageOf, paging, rowBy } from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";
import { eventItem, eventView, openEvent, openGuests, ownEvent } from "./events.ts";
import { ahead, idIn, invited, ownId } from "./examples.ts";
import { eventLengths, eventPlaces, occurrences, RHYTHMS, type Series, series } from "./tables.ts";
import { byDay, stepAfter, timeOfDay } from "./times.ts";

/** A new own event with title, place, length and guests of another; blocked guests are left out. */
function copyOf(db: Writer, row: CalendarEvent, day: string, time: string): CalendarEvent {
  const own = { host: null, response: "accepted", cancelled: false } as const;
  const copy = db.insert(events, { title: row.title, day, time, ...own });
  const [place] = db.where(eventPlaces, { event: row.id });
  if (place) db.insert(eventPlaces, { event: copy.id, place: place.place });
  const [length] = db.where(eventLengths, { event: row.id });
  if (length) {
    const { minutes, allDay } = length;
    db.insert(eventLengths, { event: copy.id, minutes, allDay });
  }
  inviteGuestsOf(db, row.id, copy.id);
  return copy;
}

/** How many were new. Who was uninvited before is invited again. */
function inviteGuestsOf(db: Writer, from: number, to: number): number {
  let count = 0;
  for (const { person } of openGuests(db, from)) {
    if (db.get(people, person)?.blocked !== false) continue;
    const [known] = db.where(guests, { event: to, person });
    if (known && !known.uninvited) continue;
    if (known) db.update(guests, known.id, { uninvited: false });
    else db.insert(guests, { event: to, person, uninvited: false });
    count++;
  }
  return count;
}

const duplicate = defineApi({
  summary: "Add an own event with title, place, length and guests of an own event, on another day.",
  params: z.strictObject({
    id: idOf("own event, also a past one"),
    day: day("the day of the copy"),
    time: timeOfDay("the time; that of the copied event when left out").optional(),
  }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), day: "2026-04-02" }),
  handler: ({ db, now }, { id, day, time }) => {
    const row = openEvent(db, id);
    if (row.host !== null) throw new ApiError(422, `id: expected an own event, ${id} is not one`);
    notPast(day, now, "day");
    return eventView(copyOf(db, row, day, time ?? row.time));
  },
});

const copyGuests = defineApi({
  summary: "Invite the guests of one event to an own event as well; says how many were new.",
  params: z.strictObject({ from: idOf("event whose guests to take"), to: idOf("own event") }),
  returns: z.strictObject({ invited: z.int() }),
  example: (db) => {
    const from = invited(db).id;
    return { from, to: ownId(db, (row) => row.id !== from) };
  },
  handler: ({ db, now }, { from, to }) => {
    if (from === to) throw new ApiError(422, `to: expected another event than from, got ${to}`);
    openEvent(db, from);
    ownEvent(db, to, now);
    return { invited: inviteGuestsOf(db, from, to) };
  },
});

// --- series ---

const seriesItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  every: z.enum(RHYTHMS),
  events: z.int(),
  ended: z.boolean(),
});

/** The first one and the later ones. */
function eventsOf(db: Reader, row: Series): CalendarEvent[] {
  const ids = [row.event, ...db.where(occurrences, { series: row.id }).map(({ event }) => event)];
  return ids.map((id) => db.get(events, id)!);
}

const seriesView = (db: Reader) => (row: Series) => ({
  title: db.get(events, row.event)!.title,
  id: row.id,
  every: row.every,
  events: eventsOf(db, row).filter((event) => !event.cancelled).length,
  ended: row.ended,
});

const repeat = defineApi({
  summary: "Repeat an own event: adds further ones with the same title, time, place and guests.",
  params: z.strictObject({
    id: idOf("own event"),
    every: z.enum(RHYTHMS).describe("how long until the next one"),
    times: z.int().min(1).max(12).describe("how many further events"),
  }),
  returns: seriesItem,
  example: (db) => ({
    id: ahead(db, (row) => !inSeries(db, row.id))?.id ?? 1,
    every: "week" as const,
    times: 3,
  }),
  handler: ({ db, now }, { id, every, times }) => {
    const row = ownEvent(db, id, now);
    if (inSeries(db, id)) throw new ApiError(409, `id: event ${id} belongs to a series already`);
    const created = db.insert(series, { event: id, every, ended: false });
    for (let i = 1; i <= times; i++) {
      const copy = copyOf(db, row, stepAfter(row.day, every, i), row.time);
      db.insert(occurrences, { series: created.id, event: copy.id });
    }
    return seriesView(db)(created);
  },
});

function inSeries(db: Reader, event: number): boolean {
  return db.where(series, { event }).length + db.where(occurrences, { event }).length > 0;
}

const list = defineApi({
  summary: "List the series of own events, oldest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(seriesItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(series), page, seriesView(db)),
});

const seriesEvents = defineApi({
  summary: "List the events of a series that are not cancelled, by day and time.",
  params: z.strictObject({ id: idOf("series"), ...paging }),
  returns: pageOf(eventItem),
  example: (db) => ({ id: idIn(db, series) }),
  handler: ({ db }, { id, ...page }) => {
    const rows = eventsOf(db, rowBy(db, series, id, "series")).filter((row) => !row.cancelled);
    return paged(byDay(rows), page, eventView);
  },
});

const endSeries = defineApi({
  summary: "End a series: its events of today and later are cancelled.",
  params: z.strictObject({ id: idOf("series") }),
  returns: seriesItem,
  example: (db) => ({ id: idIn(db, series, (row) => !row.ended) }),
  handler: ({ db, now }, { id }) => {
    const row = rowBy(db, series, id, "series");
    if (row.ended) throw new ApiError(409, `id: series ${id} has already ended`);
    for (const event of eventsOf(db, row)) {
      if (!event.cancelled && event.day >= dayOf(now)) {
        db.update(events, event.id, { cancelled: true });
      }
    }
    return seriesView(db)(db.update(series, id, { ended: true }));
  },
});

export const copyApis = {
  duplicate,
  copyGuests,
  repeat,
  series: list,
  seriesEvents,
  endSeries,
};
