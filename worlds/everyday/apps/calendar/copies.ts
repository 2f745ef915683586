/** Events from events: a copy on another day, the same guests once more, and series that repeat one event. */

import { day, idOf, itemOf, listing, must, put, resource } from "bowline/resources";
import { defineApi, type Reader, type Writer, z } from "bowline/world";
import { clock, dayOf, notPast } from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";
import {
  ahead,
  eventItem,
  eventsBy,
  invited,
  openEvent,
  openGuests,
  ownEvent,
  ownEvents,
  ownId,
} from "./events.ts";
import { eventLengths, eventPlaces, occurrences, RHYTHMS, type Series, series } from "./tables.ts";
import { byDay, stepAfter } from "./times.ts";

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
    put(db, guests, { event: to, person }, { uninvited: false });
    count++;
  }
  return count;
}

const copied = eventsBy("own event, also a past one", (db, id) => {
  const row = openEvent(db, id);
  must(row.host === null, 422, `id: expected an own event, ${id} is not one`);
  return row;
});

// --- series ---

/** The first one and the later ones. */
function eventsOf(db: Reader, { id, event }: Series): CalendarEvent[] {
  const later = db.where(occurrences, { series: id }).map((row) => row.event);
  return [event, ...later].map((one) => db.get(events, one)!);
}

const standingOf = (db: Reader, row: Series) => eventsOf(db, row).filter((one) => !one.cancelled);

const oneSeries = resource({
  noun: "series",
  item: itemOf(series, {
    title: [z.string(), ({ event }, { db }) => db.get(events, event)!.title],
    ...series.fields("id", "every"),
    events: [z.int(), (row, { db }) => standingOf(db, row).length],
    ended: z.boolean(),
  }),
});

const inSeries = (db: Reader, event: number): boolean =>
  db.where(series, { event }).length + db.where(occurrences, { event }).length > 0;

export const copyApis = {
  duplicate: copied.act(
    "Add an own event with title, place, length and guests of an own event, on another day.",
    {
      params: {
        day: day("the day of the copy"),
        time: clock("the time; that of the copied event when left out").optional(),
      },
      run: (row, { day, time = row.time }, { db, now }) => {
        notPast(day, now, "day");
        return copyOf(db, row, day, time);
      },
      example: { day: "2026-04-02" },
    },
  ),
  copyGuests: defineApi({
    summary: "Invite the guests of one event to an own event as well; says how many were new.",
    params: z.strictObject({ from: idOf("event whose guests to take"), to: idOf("own event") }),
    returns: z.strictObject({ invited: z.int() }),
    example: (db) => {
      const from = invited(db).id;
      return { from, to: ownId(db, (row) => row.id !== from) };
    },
    handler: ({ db, now }, { from, to }) => {
      must(from !== to, 422, `to: expected another event than from, got ${to}`);
      openEvent(db, from);
      ownEvent(db, to, now);
      return { invited: inviteGuestsOf(db, from, to) };
    },
  }),
  repeat: oneSeries.add(
    "Repeat an own event: adds further ones with the same title, time, place and guests.",
    {
      params: {
        ...ownEvents.keys,
        every: z.enum(RHYTHMS).describe("how long until the next one"),
        times: z.int().min(1).max(12).describe("how many further events"),
      },
      row: ({ id, every, times }, { db, now }) => {
        const row = ownEvent(db, id, now);
        must(!inSeries(db, id), 409, `id: event ${id} belongs to a series already`);
        const created = db.insert(series, { event: id, every, ended: false });
        for (let i = 1; i <= times; i++) {
          const copy = copyOf(db, row, stepAfter(row.day, every, i), row.time);
          db.insert(occurrences, { series: created.id, event: copy.id });
        }
        return created;
      },
      example: (db) => ({
        id: ahead(db, (row) => !inSeries(db, row.id))?.id ?? 1,
        every: "week",
        times: 3,
      }),
    },
  ),
  series: oneSeries.list("List the series of own events, oldest first."),
  seriesEvents: listing("List the events of a series that are not cancelled, by day and time.", {
    item: eventItem,
    params: oneSeries.keys,
    rows: (args, look) => standingOf(look.db, oneSeries.find(args, look)),
    order: byDay,
    example: oneSeries.example,
  }),
  endSeries: oneSeries.act("End a series: its events of today and later are cancelled.", {
    fits: ({ ended }) => !ended,
    run: (row, { id }, { db, now }) => {
      must(!row.ended, 409, `id: series ${id} has already ended`);
      for (const event of standingOf(db, row)) {
        if (event.day >= dayOf(now)) db.update(events, event.id, { cancelled: true });
      }
      return db.update(series, id, { ended: true });
    },
  }),
};
