/**
 * What the full calendar knows beyond events and guests: each new fact is a row of a table of its own, keyed by event.
 *
 * What others saw (proposals, shares, questions to guests) stays and changes its status; what only the owner saw
 * (places, notes, categories, reminders) may be removed again.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("calendar");

/** Where an event is. At most one an event, as with the next two. */
export const eventPlaces = app.table("places", {
  event: ref("calendar.events").indexed,
  place: text.loose,
});

/** The owner's own note on an event, also on those of others. */
export const eventNotes = app.table("notes", {
  event: ref("calendar.events").indexed,
  text: text.loose,
});

/** How long an event lasts; without a row it is an hour. */
export const eventLengths = app.table("lengths", {
  event: ref("calendar.events").indexed,
  minutes: int,
  /** It takes the whole day and blocks no hour of it. */
  allDay: flag,
});
export type EventLength = RowOf<typeof eventLengths>;
export const USUAL_MINUTES = 60;

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple"] as const;
export const categories = app.table("categories", { name: text.indexed, colour: oneOf(COLOURS) });
export type Category = RowOf<typeof categories>;

/** An event lies in at most one category. */
export const filings = app.table("filings", {
  event: ref("calendar.events").indexed,
  category: ref("calendar.categories").indexed,
});

/** The owner is reminded so many minutes before. */
export const eventReminders = app.table("reminders", {
  event: ref("calendar.events").indexed,
  minutes: int,
});
export type EventReminder = RowOf<typeof eventReminders>;

export const RHYTHMS = ["day", "week", "fortnight", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];
/** An own event that comes again and again. */
export const series = app.table("series", {
  /** The first one. */
  event: ref("calendar.events").indexed,
  every: oneOf(RHYTHMS),
  ended: flag,
});
export type Series = RowOf<typeof series>;

/** The later events of a series. */
export const occurrences = app.table("occurrences", {
  series: ref("calendar.series").indexed,
  event: ref("calendar.events").indexed,
});

export const ANSWERS = ["yes", "no", "maybe"] as const;
export type GuestAnswer = (typeof ANSWERS)[number];
/** What a guest of an own event said; without a row nothing yet. */
export const answers = app.table("answers", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
  answer: oneOf(ANSWERS),
});

/** The owner asked a guest once more for an answer. */
export const nudges = app.table("nudges", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
});
export type Nudge = RowOf<typeof nudges>;

export const PROPOSAL_STATUSES = ["open", "accepted", "declined", "withdrawn"] as const;
/** Another time: by a guest for an own event, or by the owner for an event of someone else. */
export const proposals = app.table("proposals", {
  event: ref("calendar.events").indexed,
  /** The guest; null: the owner. */
  person: ref("contacts.people").orNull,
  day: text,
  time: text,
  status: oneOf(PROPOSAL_STATUSES).indexed,
});
export type Proposal = RowOf<typeof proposals>;

/** `busy` sees times only, `view` also titles, `edit` may add events. */
export const ROLES = ["busy", "view", "edit"] as const;
export type Role = (typeof ROLES)[number];
/** Who sees the owner's calendar. */
export const calendarShares = app.table("shares", {
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});
export type CalendarShare = RowOf<typeof calendarShares>;

/** Someone else's calendar that the owner sees. */
export const otherCalendars = app.table("others", {
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
});

export const otherEvents = app.table("otherEvents", {
  /** Whose calendar it is in. */
  person: ref("contacts.people").indexed,
  title: text.loose,
  day: text.indexed,
  time: text,
});

export const moreCalendarTables = app.tables;
