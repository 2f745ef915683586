/** What an event carries beside title and time: place, note, length, reminders, category. A note may be on any event. */

import {
  by,
  day,
  itemOf,
  type Look,
  line,
  must,
  named,
  ofIts,
  prose,
  resource,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { notPast } from "../shared.ts";
import { type CalendarEvent, events } from "../tables.ts";
import {
  ahead,
  anyEvent,
  eventItem,
  forget,
  keeps,
  openEvent,
  ownEvents,
  ownId,
} from "./events.ts";
import {
  COLOURS,
  categories,
  type EventLength,
  type EventReminder,
  eventLengths,
  eventNotes,
  eventPlaces,
  eventReminders,
  filings,
  USUAL_MINUTES,
} from "./tables.ts";

const lengthOf = (db: Reader, event: number) =>
  db.where(eventLengths, { event })[0] ?? { minutes: USUAL_MINUTES, allDay: false };
const length = {
  minutes: [z.int(), ({ id }: CalendarEvent, { db }: Look) => lengthOf(db, id).minutes],
  allDay: [z.boolean(), ({ id }: CalendarEvent, { db }: Look) => lengthOf(db, id).allDay],
} as const;
const lengthItem = eventItem.with(length);

const wholeItem = eventItem.with({
  place: ofIts(eventPlaces, "event", "place"),
  note: ofIts(eventNotes, "event", "text"),
  ...length,
  category: [
    z.string().nullable(),
    ({ id }, { db }) => {
      const [filing] = db.where(filings, { event: id });
      return (filing && db.get(categories, filing.category)?.name) ?? null;
    },
  ],
  reminders: [
    z.array(z.int()),
    ({ id }, { db }) => {
      const minutes = db.where(eventReminders, { event: id }).map(({ minutes }) => minutes);
      return minutes.toSorted((a, b) => a - b);
    },
  ],
});

// --- reminders ---

const minutes = z.int().min(0).max(10_080).describe("minutes before the event, at most a week");
const eventOf = (db: Reader, { event }: EventReminder) => db.get(events, event)!;
const reminderOf = (db: Reader, event: number, minutes: number) =>
  db.where(eventReminders, { event, minutes })[0];

const reminder = resource({
  noun: "reminder",
  item: itemOf(eventReminders, {
    title: [z.string(), (row, { db }) => eventOf(db, row).title],
    id: [z.int(), ({ event }) => event],
    day: [z.string(), (row, { db }) => eventOf(db, row).day],
    time: [z.string(), (row, { db }) => eventOf(db, row).time],
    minutes: z.int(),
  }),
  keys: { ...anyEvent.keys, minutes },
  find: ({ id, minutes }, { db }) => {
    const known = reminderOf(db, openEvent(db, id).id, minutes);
    must(known, 404, `minutes: event ${id} has no reminder ${minutes} minutes before`);
    return known;
  },
  example: (db) => {
    const of = (event: number) => db.where(eventReminders, { event })[0]?.minutes;
    const id = ahead(db, (row) => of(row.id) !== undefined)?.id ?? 1;
    return { id, minutes: of(id) ?? 30 };
  },
});

export const detailApis = {
  details: anyEvent.show("Show an event's place, note, length, category and reminders.", {
    item: wholeItem,
    example: (db) => ({ id: db.all(eventPlaces)[0]?.event ?? ownId(db) }),
  }),
  setPlace: ownEvents.act("Set where an own event is, in place of an earlier place.", {
    params: { place: line("the place") },
    run: keeps(eventPlaces, ({ place }) => ({ place })),
    example: { place: "Room 4" },
  }),
  clearPlace: ownEvents.act("Take the place off an own event.", {
    fits: ({ id }, db) => db.where(eventPlaces, { event: id }).length > 0,
    run: forget(eventPlaces, "has no place"),
  }),
  setNote: anyEvent.act("Set the owner's note on an event, in place of an earlier note.", {
    params: { note: prose("the note") },
    run: keeps(eventNotes, ({ note }) => ({ text: note })),
    example: { note: "Bring the blue folder." },
  }),
  clearNote: anyEvent.act("Take the owner's note off an event.", {
    run: forget(eventNotes, "has no note"),
    example: (db) => ({ id: db.all(eventNotes)[0]?.event ?? 1 }),
  }),
  setLength: ownEvents.act(
    "Set how many minutes an own event lasts; it is no all-day event then.",
    {
      params: { minutes: z.int().min(5).max(1440).describe("minutes, 5 to 1440") },
      item: lengthItem,
      run: keeps(eventLengths, ({ minutes }) => ({ minutes, allDay: false })),
      example: { minutes: 90 },
    },
  ),
  setAllDay: ownEvents.act("Make an own event an all-day event.", {
    item: lengthItem,
    run: keeps<EventLength, unknown>(eventLengths, (_, db, { id }) => ({
      minutes: lengthOf(db, id).minutes,
      allDay: true,
    })),
  }),
  remind: reminder.add("Add a reminder before an event that lies ahead.", {
    params: reminder.keys,
    row: ({ id, minutes }, { db, now }) => {
      notPast(openEvent(db, id).day, now, `id: event ${id}`);
      const known = reminderOf(db, id, minutes);
      must(!known, 409, `minutes: event ${id} has a reminder ${minutes} minutes before already`);
      return { event: id, minutes };
    },
    example: (db) => ({ id: ownId(db), minutes: 45 }),
  }),
  unremind: reminder.remove("Remove a reminder of an event."),
  reminders: reminder.list(
    "List reminders of events that are not cancelled, by day and time of the event.",
    {
      rows: (_, { db }) => db.all(eventReminders).filter((row) => !eventOf(db, row).cancelled),
      filters: {
        day: [
          day("only of events on this day"),
          where((row, day, { db }) => eventOf(db, row).day === day),
        ],
      },
      order: by(
        (row, { db }) => eventOf(db, row).day,
        (row, { db }) => eventOf(db, row).time,
        ({ event }) => event,
      ),
    },
  ),
};

// --- categories ---

const colour = z.enum(COLOURS).describe("its colour");
const sizeOf = (db: Reader, category: number) => db.where(filings, { category }).length;

const category = resource({
  noun: "category",
  item: itemOf(categories, {
    ...categories.fields("name", "colour"),
    events: [z.int(), ({ id }, { db }) => sizeOf(db, id)],
  }),
  keys: { category: line("name of the category") },
  named: true,
  example: (db, fits) => {
    const all = db.all(categories);
    return { category: (all.find(fits) ?? all[0])?.name ?? "home" };
  },
});

const isFiled = ({ id }: CalendarEvent, db: Reader) => db.where(filings, { event: id }).length > 0;

export const categoryApis = {
  categories: category.list(
    "List categories with their colour and number of events, oldest first.",
  ),
  addCategory: category.add("Add a category.", {
    params: { name: line("a new name"), colour },
    example: { name: "evening classes", colour: "green" },
  }),
  changeCategory: category.change("Rename a category or change its colour.", {
    params: { name: line("the new name").optional(), colour: colour.optional() },
    example: { colour: "purple" },
  }),
  removeCategory: category.remove("Remove a category that no event lies in.", {
    fits: ({ id }, db) => sizeOf(db, id) === 0,
    unless: ({ id, name }, _, { db }) => {
      const count = sizeOf(db, id);
      const message = `category: "${name}" still has ${count} events; calendar.unfile first`;
      must(count === 0, 409, message);
    },
  }),
  file: anyEvent.act("Put an event into a category, in place of its old one.", {
    params: category.keys,
    run: keeps(filings, ({ category: name }, db) => ({
      category: named(db, categories, name, "category").id,
    })),
    example: (db) => ({ id: ownId(db), ...category.example(db) }),
  }),
  unfile: anyEvent.act("Take an event out of its category.", {
    fits: isFiled,
    run: forget(filings, "lies in no category"),
  }),
};
