/** What an event carries beside title and time: place, note, length, reminders. The owner's notes may be on any event. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { day, idOf, line, notPast, paged, pageOf, paging, prose } from "../shared.ts";
import { events } from "../tables.ts";
import { eventItem, eventView, openEvent, ownEvent } from "./events.ts";
import { ahead, ownId } from "./examples.ts";
import {
  categories,
  eventLengths,
  eventNotes,
  eventPlaces,
  eventReminders,
  filings,
  USUAL_MINUTES,
} from "./tables.ts";
import { byDay } from "./times.ts";

const id = idOf("event");
const own = idOf("own event");

const details = defineApi({
  summary: "Show an event's place, note, length, category and reminders.",
  params: z.strictObject({ id }),
  returns: eventItem.extend({
    place: z.string().nullable(),
    note: z.string().nullable(),
    minutes: z.int(),
    allDay: z.boolean(),
    category: z.string().nullable(),
    reminders: z.array(z.int()),
  }),
  example: (db) => ({ id: db.all(eventPlaces)[0]?.event ?? ownId(db) }),
  handler: ({ db }, { id }) => {
    const row = openEvent(db, id);
    const [length] = db.where(eventLengths, { event: id });
    const [filing] = db.where(filings, { event: id });
    const minutes = db.where(eventReminders, { event: id }).map((reminder) => reminder.minutes);
    return {
      ...eventView(row),
      place: db.where(eventPlaces, { event: id })[0]?.place ?? null,
      note: db.where(eventNotes, { event: id })[0]?.text ?? null,
      minutes: length?.minutes ?? USUAL_MINUTES,
      allDay: length?.allDay ?? false,
      category: (filing && db.get(categories, filing.category)?.name) ?? null,
      reminders: minutes.toSorted((a, b) => a - b),
    };
  },
});

const setPlace = defineApi({
  summary: "Set where an own event is, in place of an earlier place.",
  params: z.strictObject({ id: own, place: line("the place") }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), place: "Room 4" }),
  handler: ({ db, now }, { id, place }) => {
    const row = ownEvent(db, id, now);
    const [known] = db.where(eventPlaces, { event: id });
    if (known) db.update(eventPlaces, known.id, { place });
    else db.insert(eventPlaces, { event: id, place });
    return eventView(row);
  },
});

const clearPlace = defineApi({
  summary: "Take the place off an own event.",
  params: z.strictObject({ id: own }),
  returns: eventItem,
  example: (db) => ({
    id: ownId(db, (row) => db.where(eventPlaces, { event: row.id }).length > 0),
  }),
  handler: ({ db, now }, { id }) => {
    const row = ownEvent(db, id, now);
    const [known] = db.where(eventPlaces, { event: id });
    if (!known) throw new ApiError(409, `id: event ${id} has no place`);
    db.remove(eventPlaces, known.id);
    return eventView(row);
  },
});

const setNote = defineApi({
  summary: "Set the owner's note on an event, in place of an earlier note.",
  params: z.strictObject({ id, note: prose("the note") }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), note: "Bring the blue folder." }),
  handler: ({ db }, { id, note: text }) => {
    const row = openEvent(db, id);
    const [known] = db.where(eventNotes, { event: id });
    if (known) db.update(eventNotes, known.id, { text });
    else db.insert(eventNotes, { event: id, text });
    return eventView(row);
  },
});

const clearNote = defineApi({
  summary: "Take the owner's note off an event.",
  params: z.strictObject({ id }),
  returns: eventItem,
  example: (db) => ({ id: db.all(eventNotes)[0]?.event ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = openEvent(db, id);
    const [known] = db.where(eventNotes, { event: id });
    if (!known) throw new ApiError(409, `id: event ${id} has no note`);
    db.remove(eventNotes, known.id);
    return eventView(row);
  },
});

const setLength = defineApi({
  summary: "Set how many minutes an own event lasts; it is no all-day event then.",
  params: z.strictObject({
    id: own,
    minutes: z.int().min(5).max(1440).describe("minutes, 5 to 1440"),
  }),
  returns: eventItem.extend({ minutes: z.int(), allDay: z.boolean() }),
  example: (db) => ({ id: ownId(db), minutes: 90 }),
  handler: ({ db, now }, { id, minutes }) => {
    const row = ownEvent(db, id, now);
    const length = { minutes, allDay: false };
    const [known] = db.where(eventLengths, { event: id });
    if (known) db.update(eventLengths, known.id, length);
    else db.insert(eventLengths, { event: id, ...length });
    return { ...eventView(row), ...length };
  },
});

const setAllDay = defineApi({
  summary: "Make an own event an all-day event.",
  params: z.strictObject({ id: own }),
  returns: eventItem.extend({ minutes: z.int(), allDay: z.boolean() }),
  example: (db) => ({ id: ownId(db) }),
  handler: ({ db, now }, { id }) => {
    const row = ownEvent(db, id, now);
    const [known] = db.where(eventLengths, { event: id });
    const length = { minutes: known?.minutes ?? USUAL_MINUTES, allDay: true };
    if (known) db.update(eventLengths, known.id, length);
    else db.insert(eventLengths, { event: id, ...length });
    return { ...eventView(row), ...length };
  },
});

// --- reminders ---

const reminderItem = eventItem.extend({ minutes: z.int() });
const minutes = z.int().min(0).max(10_080).describe("minutes before the event, at most a week");

const remind = defineApi({
  summary: "Add a reminder before an event that lies ahead.",
  params: z.strictObject({ id, minutes }),
  returns: reminderItem,
  example: (db) => ({ id: ownId(db), minutes: 45 }),
  handler: ({ db, now }, { id, minutes }) => {
    const row = openEvent(db, id);
    notPast(row.day, now, `id: event ${id}`);
    if (reminderOf(db, id, minutes)) {
      throw new ApiError(
        409,
        `minutes: event ${id} has a reminder ${minutes} minutes before already`,
      );
    }
    db.insert(eventReminders, { event: id, minutes });
    return { ...eventView(row), minutes };
  },
});

function reminderOf(db: Reader, event: number, minutes: number) {
  return db.where(eventReminders, { event, minutes })[0];
}

const unremind = defineApi({
  summary: "Remove a reminder of an event.",
  params: z.strictObject({ id, minutes }),
  returns: reminderItem,
  example: (db) => {
    const of = (event: number) => db.where(eventReminders, { event })[0]?.minutes;
    const row = ahead(db, (candidate) => of(candidate.id) !== undefined);
    return { id: row?.id ?? 1, minutes: of(row?.id ?? 1) ?? 30 };
  },
  handler: ({ db }, { id, minutes }) => {
    const row = openEvent(db, id);
    const known = reminderOf(db, id, minutes);
    if (!known) {
      throw new ApiError(404, `minutes: event ${id} has no reminder ${minutes} minutes before`);
    }
    db.remove(eventReminders, known.id);
    return { ...eventView(row), minutes };
  },
});

const reminders = defineApi({
  summary: "List reminders of events that are not cancelled, by day and time of the event.",
  params: z.strictObject({ day: day("only of events on this day").optional(), ...paging }),
  returns: pageOf(reminderItem),
  example: () => ({}),
  handler: ({ db }, { day, ...page }) => {
    const rows = db.all(eventReminders).flatMap(({ event, minutes }) => {
      const row = db.get(events, event)!;
      const kept = !row.cancelled && (day === undefined || row.day === day);
      return kept ? [{ ...row, minutes }] : [];
    });
    return paged(byDay(rows), page, (row) => ({ ...eventView(row), minutes: row.minutes }));
  },
});

export const detailApis = {
  details,
  setPlace,
  clearPlace,
  setNote,
  clearNote,
  setLength,
  setAllDay,
  remind,
  unremind,
  reminders,
};
