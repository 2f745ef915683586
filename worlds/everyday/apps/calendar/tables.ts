/**
 * Defines the tables of the full calendar beyond events and guests. Each kind of fact has a table of its own, keyed by
 * event.
 *
 * Rows that others have seen (proposals, shares, questions to guests) are never removed, but their status changes. Rows
 * that only the owner has seen (places, notes, categories, reminders) may be removed again.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("calendar");

/** The places of events. An event has at most one place, one note and one length. */
export const eventPlaces = app.table("places", {
  event: ref("calendar.events").indexed,
  place: text.loose,
});

/** The owner's notes on events, also on events of others. */
export const eventNotes = app.table("notes", {
  event: ref("calendar.events").indexed,
  text: text.loose,
});

/** The lengths of events. An event without a row lasts an hour. */
export const eventLengths = app.table("lengths", {
  event: ref("calendar.events").indexed,
  minutes: int,
  /** An all-day event belongs to the whole day, and all hours of the day stay free. */
  allDay: flag,
});
export type EventLength = RowOf<typeof eventLengths>;
export const USUAL_MINUTES = 60;

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple"] as const;
export const categories = app.table("categories", { name: text.indexed, colour: oneOf(COLOURS) });
export type Category = RowOf<typeof categories>;

/** The category of an event. An event has at most one category. */
export const eventCategories = app.table("filings", {
  event: ref("calendar.events").indexed,
  category: ref("calendar.categories").indexed,
});

/** The reminders: the owner is reminded so many minutes before the event. */
export const eventReminders = app.table("reminders", {
  event: ref("calendar.events").indexed,
  minutes: int,
});
export type EventReminder = RowOf<typeof eventReminders>;

export const RHYTHMS = ["day", "week", "fortnight", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];
/** A series: an own event that repeats. */
export const series = app.table("series", {
  /** The first event of the series. */
  event: ref("calendar.events").indexed,
  every: oneOf(RHYTHMS),
  ended: flag,
});
export type Series = RowOf<typeof series>;

/** The events of a series after its first one. */
export const occurrences = app.table("occurrences", {
  series: ref("calendar.series").indexed,
  event: ref("calendar.events").indexed,
});

export const ANSWERS = ["yes", "no", "maybe"] as const;
export type GuestAnswer = (typeof ANSWERS)[number];
/** The answers of guests to the owner's events. A guest without a row has not answered yet. */
export const answers = app.table("answers", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
  answer: oneOf(ANSWERS),
});

/** The guests whom the owner asked once more for an answer. */
export const nudges = app.table("nudges", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
});
export type Nudge = RowOf<typeof nudges>;

export const PROPOSAL_STATUSES = ["open", "accepted", "declined", "withdrawn"] as const;
/** The proposals of another time: by a guest for an own event, or by the owner for an event of someone else. */
export const proposals = app.table("proposals", {
  event: ref("calendar.events").indexed,
  /** The guest who made the proposal, or null when the owner made it. */
  person: ref("contacts.people").orNull,
  day: text,
  time: text,
  status: oneOf(PROPOSAL_STATUSES).indexed,
});
export type Proposal = RowOf<typeof proposals>;

/** The role `busy` sees only times, `view` also sees titles, and `edit` may also add events. */
export const ROLES = ["busy", "view", "edit"] as const;
export type Role = (typeof ROLES)[number];
/** The people who see the owner's calendar, each with a role. */
export const calendarShares = app.table("shares", {
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});
export type CalendarShare = RowOf<typeof calendarShares>;

/** The calendars of other people that the owner sees. */
export const otherCalendars = app.table("others", {
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
});

export const otherEvents = app.table("otherEvents", {
  /** The person whose calendar the event is in. */
  person: ref("contacts.people").indexed,
  title: text.loose,
  day: text.indexed,
  time: text,
});

export const moreCalendarTables = app.tables;
