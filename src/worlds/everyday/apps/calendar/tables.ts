/**
 * What the full calendar knows beyond events and guests: each new fact is a row of a table of its own, keyed by event.
 *
 * What others saw (proposals, shares, questions to guests) stays and changes its status; what only the owner saw
 * (places, notes, categories, reminders) may be removed again.
 */
import { defineTable } from "../../../../world/index.ts";

/** Where an event is. At most one an event, as with the next two. */
export type EventPlace = { readonly id: number; readonly event: number; readonly place: string };
export const eventPlaces = defineTable<EventPlace>("calendar.places", {
  indexes: ["event"],
  references: { event: "calendar.events" },
  loose: ["place"],
});

/** The owner's own note on an event, also on those of others. */
export type EventNote = { readonly id: number; readonly event: number; readonly text: string };
export const eventNotes = defineTable<EventNote>("calendar.notes", {
  indexes: ["event"],
  references: { event: "calendar.events" },
  loose: ["text"],
});

/** How long an event lasts; without a row it is an hour. */
export type EventLength = {
  readonly id: number;
  readonly event: number;
  readonly minutes: number;
  /** It takes the whole day and blocks no hour of it. */
  readonly allDay: boolean;
};
export const eventLengths = defineTable<EventLength>("calendar.lengths", {
  indexes: ["event"],
  references: { event: "calendar.events" },
});
export const USUAL_MINUTES = 60;

export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple"] as const;
export type Category = {
  readonly id: number;
  readonly name: string;
  readonly colour: (typeof COLOURS)[number];
};
export const categories = defineTable<Category>("calendar.categories", { indexes: ["name"] });

/** An event lies in at most one category. */
export type Filing = { readonly id: number; readonly event: number; readonly category: number };
export const filings = defineTable<Filing>("calendar.filings", {
  indexes: ["event", "category"],
  references: { event: "calendar.events", category: "calendar.categories" },
});

/** The owner is reminded so many minutes before. */
export type EventReminder = {
  readonly id: number;
  readonly event: number;
  readonly minutes: number;
};
export const eventReminders = defineTable<EventReminder>("calendar.reminders", {
  indexes: ["event"],
  references: { event: "calendar.events" },
});

export const RHYTHMS = ["day", "week", "fortnight", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];
/** An own event that comes again and again. */
export type Series = {
  readonly id: number;
  /** The first one. */
  readonly event: number;
  readonly every: Rhythm;
  readonly ended: boolean;
};
export const series = defineTable<Series>("calendar.series", {
  indexes: ["event"],
  references: { event: "calendar.events" },
});

/** The later events of a series. */
export type Occurrence = { readonly id: number; readonly series: number; readonly event: number };
export const occurrences = defineTable<Occurrence>("calendar.occurrences", {
  indexes: ["series", "event"],
  references: { series: "calendar.series", event: "calendar.events" },
});

export const ANSWERS = ["yes", "no", "maybe"] as const;
export type GuestAnswer = (typeof ANSWERS)[number];
/** What a guest of an own event said; without a row nothing yet. */
export type Answered = {
  readonly id: number;
  readonly event: number;
  readonly person: number;
  readonly answer: GuestAnswer;
};
export const answers = defineTable<Answered>("calendar.answers", {
  indexes: ["event", "person"],
  references: { event: "calendar.events", person: "contacts.people" },
});

/** The owner asked a guest once more for an answer. */
export type Nudge = { readonly id: number; readonly event: number; readonly person: number };
export const nudges = defineTable<Nudge>("calendar.nudges", {
  indexes: ["event", "person"],
  references: { event: "calendar.events", person: "contacts.people" },
});

export const PROPOSAL_STATUSES = ["open", "accepted", "declined", "withdrawn"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
/** Another time: by a guest for an own event, or by the owner for an event of someone else. */
export type Proposal = {
  readonly id: number;
  readonly event: number;
  /** The guest; null: the owner. */
  readonly person: number | null;
  readonly day: string;
  readonly time: string;
  readonly status: ProposalStatus;
};
export const proposals = defineTable<Proposal>("calendar.proposals", {
  indexes: ["event", "status"],
  references: { event: "calendar.events", person: "contacts.people" },
});

/** `busy` sees times only, `view` also titles, `edit` may add events. */
export const ROLES = ["busy", "view", "edit"] as const;
export type Role = (typeof ROLES)[number];
/** Who sees the owner's calendar. */
export type CalendarShare = {
  readonly id: number;
  readonly person: number;
  readonly role: Role;
  readonly ended: boolean;
};
export const calendarShares = defineTable<CalendarShare>("calendar.shares", {
  indexes: ["person"],
  references: { person: "contacts.people" },
});

/** Someone else's calendar that the owner sees. */
export type OtherCalendar = { readonly id: number; readonly person: number; readonly role: Role };
export const otherCalendars = defineTable<OtherCalendar>("calendar.others", {
  indexes: ["person"],
  references: { person: "contacts.people" },
});

export type OtherEvent = {
  readonly id: number;
  /** Whose calendar it is in. */
  readonly person: number;
  readonly title: string;
  readonly day: string;
  readonly time: string;
};
export const otherEvents = defineTable<OtherEvent>("calendar.otherEvents", {
  indexes: ["person", "day"],
  references: { person: "contacts.people" },
  loose: ["title"],
});

export const moreCalendarTables = [
  eventPlaces,
  eventNotes,
  eventLengths,
  categories,
  filings,
  eventReminders,
  series,
  occurrences,
  answers,
  nudges,
  proposals,
  calendarShares,
  otherCalendars,
  otherEvents,
] as const;
