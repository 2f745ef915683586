/**
 * Defines the APIs that make new events from an event or its guests: copy an event to another day, invite the guests of
 * one event to another, and repeat an event in a series.
 */

import {
  dayParam,
  defineItem,
  idParam,
  listApi,
  refuseUnless,
  resource,
  upsertRow,
} from "bowline/resources";
import { defineApi, type Reader, type Writer, z } from "bowline/world";
import { dayOf, requireTodayOrLater, timeParam } from "../shared.ts";
import { type CalendarEvent, events, guests, people } from "../tables.ts";
import {
  eventItem,
  eventResource,
  exampleFutureEvent,
  exampleInvitedGuest,
  exampleOwnEventId,
  invitedGuests,
  ownEvents,
  requireActiveEvent,
  requireChangeableEvent,
} from "./events.ts";
import { eventLengths, eventPlaces, occurrences, RHYTHMS, type Series, series } from "./tables.ts";
import { repeatDay, sortByTime } from "./times.ts";

/** Inserts a new own event with the title, place, length and guests of `row`. Blocked guests are left out. */
function copyEvent(db: Writer, row: CalendarEvent, day: string, time: string): CalendarEvent {
  const ownColumns = { host: null, response: "accepted", cancelled: false } as const;
  const copy = db.insert(events, { title: row.title, day, time, ...ownColumns });
  const [place] = db.where(eventPlaces, { event: row.id });
  if (place) db.insert(eventPlaces, { event: copy.id, place: place.place });
  const [length] = db.where(eventLengths, { event: row.id });
  if (length) {
    const { minutes, allDay } = length;
    db.insert(eventLengths, { event: copy.id, minutes, allDay });
  }
  inviteSameGuests(db, row.id, copy.id);
  return copy;
}

/**
 * Invites the guests of event `from` to event `to` and returns how many were new. Guests who were uninvited before are
 * invited again.
 */
function inviteSameGuests(db: Writer, from: number, to: number): number {
  let count = 0;
  for (const { person } of invitedGuests(db, from)) {
    if (db.get(people, person)?.blocked !== false) continue;
    const [known] = db.where(guests, { event: to, person });
    if (known && !known.uninvited) continue;
    upsertRow(db, guests, { event: to, person }, { uninvited: false });
    count++;
  }
  return count;
}

const copyableEvents = eventResource("own event, also a past one", (db, id) => {
  const row = requireActiveEvent(db, id);
  refuseUnless(row.host === null, 422, `id: expected an own event, ${id} is not one`);
  return row;
});

/** Returns the first event of the series and all later ones, including cancelled events. */
function eventsInSeries(db: Reader, { id, event }: Series): CalendarEvent[] {
  const laterIds = db.where(occurrences, { series: id }).map((row) => row.event);
  return [event, ...laterIds].map((one) => db.get(events, one)!);
}

const activeEventsInSeries = (db: Reader, row: Series) =>
  eventsInSeries(db, row).filter((one) => !one.cancelled);

const seriesResource = resource({
  noun: "series",
  item: defineItem(series, {
    title: [z.string(), ({ event }, { db }) => db.get(events, event)!.title],
    ...series.fields("id", "every"),
    events: [z.int(), (row, { db }) => activeEventsInSeries(db, row).length],
    ended: z.boolean(),
  }),
});

const isInSeries = (db: Reader, event: number): boolean =>
  db.where(series, { event }).length + db.where(occurrences, { event }).length > 0;

export const copyApis = {
  duplicate: copyableEvents.act(
    "Add an own event with title, place, length and guests of an own event, on another day.",
    {
      params: {
        day: dayParam("the day of the copy"),
        time: timeParam("the time; that of the copied event when left out").optional(),
      },
      run: (row, { day, time = row.time }, { db, now }) => {
        requireTodayOrLater(day, now, "day");
        return copyEvent(db, row, day, time);
      },
      example: { day: "2026-04-02" },
    },
  ),
  copyGuests: defineApi({
    summary: "Invite the guests of one event to an own event as well; says how many were new.",
    params: z.strictObject({
      from: idParam("event whose guests to take"),
      to: idParam("own event"),
    }),
    returns: z.strictObject({ invited: z.int() }),
    example: (db) => {
      const from = exampleInvitedGuest(db).id;
      return { from, to: exampleOwnEventId(db, (row) => row.id !== from) };
    },
    handler: ({ db, now }, { from, to }) => {
      refuseUnless(from !== to, 422, `to: expected another event than from, got ${to}`);
      requireActiveEvent(db, from);
      requireChangeableEvent(db, to, now);
      return { invited: inviteSameGuests(db, from, to) };
    },
  }),
  repeat: seriesResource.add(
    "Repeat an own event: adds further ones with the same title, time, place and guests.",
    {
      params: {
        ...ownEvents.keys,
        every: z.enum(RHYTHMS).describe("how long until the next one"),
        times: z.int().min(1).max(12).describe("how many further events"),
      },
      row: ({ id, every, times }, { db, now }) => {
        const row = requireChangeableEvent(db, id, now);
        refuseUnless(!isInSeries(db, id), 409, `id: event ${id} belongs to a series already`);
        const created = db.insert(series, { event: id, every, ended: false });
        for (let i = 1; i <= times; i++) {
          const copy = copyEvent(db, row, repeatDay(row.day, every, i), row.time);
          db.insert(occurrences, { series: created.id, event: copy.id });
        }
        return created;
      },
      example: (db) => ({
        id: exampleFutureEvent(db, (row) => !isInSeries(db, row.id))?.id ?? 1,
        every: "week",
        times: 3,
      }),
    },
  ),
  series: seriesResource.list("List the series of own events, oldest first."),
  seriesEvents: listApi("List the events of a series that are not cancelled, by day and time.", {
    item: eventItem,
    params: seriesResource.keys,
    rows: (args, context) => activeEventsInSeries(context.db, seriesResource.find(args, context)),
    order: sortByTime,
    example: seriesResource.example,
  }),
  endSeries: seriesResource.act("End a series: its events of today and later are cancelled.", {
    isExample: ({ ended }) => !ended,
    run: (row, { id }, { db, now }) => {
      refuseUnless(!row.ended, 409, `id: series ${id} has already ended`);
      for (const event of activeEventsInSeries(db, row)) {
        if (event.day >= dayOf(now)) db.update(events, event.id, { cancelled: true });
      }
      return db.update(series, id, { ended: true });
    },
  }),
};
