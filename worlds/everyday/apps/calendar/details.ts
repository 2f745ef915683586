/**
 * Defines the APIs of the details of an event: place, note, length, reminders and category. The owner may put a note on
 * any event.
 */

import {
  dayParam,
  defineItem,
  filterWhere,
  longTextParam,
  orderBy,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
  textOfReferencingRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { requireTodayOrLater } from "../shared.ts";
import { type CalendarEvent, events } from "../tables.ts";
import {
  anyEvent,
  eventItem,
  exampleFutureEvent,
  exampleOwnEventId,
  makeFactRemover,
  makeFactWriter,
  ownEvents,
  requireActiveEvent,
} from "./events.ts";
import {
  COLOURS,
  categories,
  type EventLength,
  type EventReminder,
  eventCategories,
  eventLengths,
  eventNotes,
  eventPlaces,
  eventReminders,
  USUAL_MINUTES,
} from "./tables.ts";

const eventLength = (db: Reader, event: number) =>
  db.where(eventLengths, { event })[0] ?? { minutes: USUAL_MINUTES, allDay: false };
const lengthFields = {
  minutes: [z.int(), ({ id }: CalendarEvent, { db }: ViewContext) => eventLength(db, id).minutes],
  allDay: [z.boolean(), ({ id }: CalendarEvent, { db }: ViewContext) => eventLength(db, id).allDay],
} as const;
const lengthItem = eventItem.with(lengthFields);

const detailedItem = eventItem.with({
  place: textOfReferencingRow(eventPlaces, "event", "place"),
  note: textOfReferencingRow(eventNotes, "event", "text"),
  ...lengthFields,
  category: [
    z.string().nullable(),
    ({ id }, { db }) => {
      const [filing] = db.where(eventCategories, { event: id });
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

const reminderMinutes = z
  .int()
  .min(0)
  .max(10_080)
  .describe("minutes before the event, at most a week");
const remindedEvent = (db: Reader, { event }: EventReminder) => db.get(events, event)!;
const findReminder = (db: Reader, event: number, minutes: number) =>
  db.where(eventReminders, { event, minutes })[0];

const reminder = resource({
  noun: "reminder",
  item: defineItem(eventReminders, {
    title: [z.string(), (row, { db }) => remindedEvent(db, row).title],
    id: [z.int(), ({ event }) => event],
    day: [z.string(), (row, { db }) => remindedEvent(db, row).day],
    time: [z.string(), (row, { db }) => remindedEvent(db, row).time],
    minutes: z.int(),
  }),
  keys: { ...anyEvent.keys, minutes: reminderMinutes },
  find: ({ id, minutes }, { db }) => {
    const known = findReminder(db, requireActiveEvent(db, id).id, minutes);
    refuseUnless(known, 404, `minutes: event ${id} has no reminder ${minutes} minutes before`);
    return known;
  },
  example: (db) => {
    const firstReminderMinutes = (event: number) => db.where(eventReminders, { event })[0]?.minutes;
    const id = exampleFutureEvent(db, (row) => firstReminderMinutes(row.id) !== undefined)?.id ?? 1;
    return { id, minutes: firstReminderMinutes(id) ?? 30 };
  },
});

export const detailApis = {
  details: anyEvent.show("Show an event's place, note, length, category and reminders.", {
    item: detailedItem,
    example: (db) => ({ id: db.all(eventPlaces)[0]?.event ?? exampleOwnEventId(db) }),
  }),
  setPlace: ownEvents.act("Set where an own event is, in place of an earlier place.", {
    params: { place: shortTextParam("the place") },
    run: makeFactWriter(eventPlaces, ({ place }) => ({ place })),
    example: { place: "Room 4" },
  }),
  clearPlace: ownEvents.act("Take the place off an own event.", {
    isExample: ({ id }, db) => db.where(eventPlaces, { event: id }).length > 0,
    run: makeFactRemover(eventPlaces, "has no place"),
  }),
  setNote: anyEvent.act("Set the owner's note on an event, in place of an earlier note.", {
    params: { note: longTextParam("the note") },
    run: makeFactWriter(eventNotes, ({ note }) => ({ text: note })),
    example: { note: "Bring the blue folder." },
  }),
  clearNote: anyEvent.act("Take the owner's note off an event.", {
    run: makeFactRemover(eventNotes, "has no note"),
    example: (db) => ({ id: db.all(eventNotes)[0]?.event ?? 1 }),
  }),
  setLength: ownEvents.act(
    "Set how many minutes an own event lasts; it is no all-day event then.",
    {
      params: { minutes: z.int().min(5).max(1440).describe("minutes, 5 to 1440") },
      item: lengthItem,
      run: makeFactWriter(eventLengths, ({ minutes }) => ({ minutes, allDay: false })),
      example: { minutes: 90 },
    },
  ),
  setAllDay: ownEvents.act("Make an own event an all-day event.", {
    item: lengthItem,
    run: makeFactWriter<EventLength, unknown>(eventLengths, (_, db, { id }) => ({
      minutes: eventLength(db, id).minutes,
      allDay: true,
    })),
  }),
  remind: reminder.add("Add a reminder before an event that lies ahead.", {
    params: reminder.keys,
    row: ({ id, minutes }, { db, now }) => {
      requireTodayOrLater(requireActiveEvent(db, id).day, now, `id: event ${id}`);
      const known = findReminder(db, id, minutes);
      refuseUnless(
        !known,
        409,
        `minutes: event ${id} has a reminder ${minutes} minutes before already`,
      );
      return { event: id, minutes };
    },
    example: (db) => ({ id: exampleOwnEventId(db), minutes: 45 }),
  }),
  unremind: reminder.remove("Remove a reminder of an event."),
  reminders: reminder.list(
    "List reminders of events that are not cancelled, by day and time of the event.",
    {
      rows: (_, { db }) =>
        db.all(eventReminders).filter((row) => !remindedEvent(db, row).cancelled),
      filters: {
        day: [
          dayParam("only of events on this day"),
          filterWhere((row, day, { db }) => remindedEvent(db, row).day === day),
        ],
      },
      order: orderBy(
        (row, { db }) => remindedEvent(db, row).day,
        (row, { db }) => remindedEvent(db, row).time,
        ({ event }) => event,
      ),
    },
  ),
};

const colour = z.enum(COLOURS).describe("its colour");
const countEventsIn = (db: Reader, category: number) =>
  db.where(eventCategories, { category }).length;

const category = resource({
  noun: "category",
  item: defineItem(categories, {
    ...categories.fields("name", "colour"),
    events: [z.int(), ({ id }, { db }) => countEventsIn(db, id)],
  }),
  keys: { category: shortTextParam("name of the category") },
  keyIsName: true,
  example: (db, fits) => {
    const all = db.all(categories);
    return { category: (all.find(fits) ?? all[0])?.name ?? "home" };
  },
});

const hasCategory = ({ id }: CalendarEvent, db: Reader) =>
  db.where(eventCategories, { event: id }).length > 0;

export const categoryApis = {
  categories: category.list(
    "List categories with their colour and number of events, oldest first.",
  ),
  addCategory: category.add("Add a category.", {
    params: { name: shortTextParam("a new name"), colour },
    example: { name: "evening classes", colour: "green" },
  }),
  removeCategory: category.remove("Remove a category that no event lies in.", {
    isExample: ({ id }, db) => countEventsIn(db, id) === 0,
    checkRow: ({ id, name }, _, { db }) => {
      const count = countEventsIn(db, id);
      const message = `category: "${name}" still has ${count} events; calendar.unfile first`;
      refuseUnless(count === 0, 409, message);
    },
  }),
  file: anyEvent.act("Put an event into a category, in place of its old one.", {
    params: category.keys,
    run: makeFactWriter(eventCategories, ({ category: name }, db) => ({
      category: rowByName(db, categories, name, "category").id,
    })),
    example: (db) => ({ id: exampleOwnEventId(db), ...category.example(db) }),
  }),
  unfile: anyEvent.act("Take an event out of its category.", {
    isExample: hasCategory,
    run: makeFactRemover(eventCategories, "lies in no category"),
  }),
};
