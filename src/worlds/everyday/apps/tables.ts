/**
 * The data model of `everyday/starter` on one page: the rows of its seven apps. `everyday` has them too, and what its
 * fourteen apps keep beside them stands in `<app>/tables.ts`.
 *
 * Everything belongs to one person, the owner, whom the agent works for; `person` is always the other side, and
 * `outgoing` says that the owner sent the row. Agents never see a person's id: they get and give `handle`s.
 * What leaves the house (mail, messages, payments, invitations) is never deleted, so sending and regretting shows.
 * Rows are type aliases, not interfaces: so the columns that `insert` and `where` take are checked by name.
 * Columns named `at` are instants of the clock and not content; days (`2026-03-14`) and times (`18:30`) are content.
 */
import { defineTable } from "../../../world/index.ts";

// --- contacts ---

export type Person = {
  readonly id: number;
  /** First and last name; unique. */
  readonly name: string;
  /** Short, lower-case, unique: `amara.o`. Made from the name when the contact is added. */
  readonly handle: string;
  readonly city: string;
  readonly phone: string;
  /** Nothing can be sent to a blocked person. */
  readonly blocked: boolean;
};
export const people = defineTable<Person>("contacts.people", {
  indexes: ["name", "handle", "city"],
  classes: { handle: "derived" },
});

export type Group = {
  readonly id: number;
  readonly name: string;
};
export const groups = defineTable<Group>("contacts.groups", { indexes: ["name"] });

export type Member = {
  readonly id: number;
  readonly group: number;
  readonly person: number;
};
export const members = defineTable<Member>("contacts.members", {
  indexes: ["group", "person"],
  references: { group: "contacts.groups", person: "contacts.people" },
});

// --- messages ---

export type Text = {
  readonly id: number;
  readonly person: number;
  readonly outgoing: boolean;
  readonly text: string;
  /** The message that this one answers; null for a new one. */
  readonly replyTo: number | null;
  /** The owner's reaction to a received message. */
  readonly reaction: string | null;
  readonly starred: boolean;
  readonly unread: boolean;
  readonly at: string;
};
export const texts = defineTable<Text>("messages.texts", {
  indexes: ["person"],
  classes: { unread: "bookkeeping", at: "derived" },
  references: { person: "contacts.people", replyTo: "messages.texts" },
  loose: ["text"],
});

// --- mail ---

export const FOLDERS = ["inbox", "sent", "archive", "trash"] as const;
export type Folder = (typeof FOLDERS)[number];

export type Mail = {
  readonly id: number;
  readonly person: number;
  readonly outgoing: boolean;
  /** A reply's is `Re: <subject>`, a forward's `Fwd: <subject>`. */
  readonly subject: string;
  readonly body: string;
  /** Received: inbox, archive or trash. Sent: sent or trash. */
  readonly folder: Folder;
  readonly label: string | null;
  readonly starred: boolean;
  /** The mail that this one replies to or forwards; null for a new one. */
  readonly origin: number | null;
  readonly unread: boolean;
  readonly at: string;
};
export const mails = defineTable<Mail>("mail.mails", {
  indexes: ["person", "folder", "label"],
  classes: { unread: "bookkeeping", at: "derived" },
  references: { person: "contacts.people", origin: "mail.mails" },
  loose: ["subject", "body"],
});

// --- pay ---

export type Payment = {
  readonly id: number;
  readonly person: number;
  readonly outgoing: boolean;
  /** Always positive. */
  readonly cents: number;
  readonly note: string;
  /** The request that this payment settled; null for one that nobody asked for. */
  readonly request: number | null;
  readonly at: string;
};
export const payments = defineTable<Payment>("pay.payments", {
  indexes: ["person"],
  classes: { at: "derived" },
  references: { person: "contacts.people", request: "pay.requests" },
  loose: ["note"],
});

export const REQUEST_STATUSES = ["pending", "paid", "declined", "cancelled"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export type PayRequest = {
  readonly id: number;
  /** Outgoing: who shall pay the owner. Otherwise: whom the owner shall pay. */
  readonly person: number;
  readonly outgoing: boolean;
  readonly cents: number;
  readonly note: string;
  readonly status: RequestStatus;
  readonly at: string;
};
export const requests = defineTable<PayRequest>("pay.requests", {
  indexes: ["person", "status"],
  classes: { at: "derived" },
  references: { person: "contacts.people" },
  loose: ["note"],
});

/** One row for each time the owner reminded somebody of an outgoing request. */
export type Reminder = {
  readonly id: number;
  readonly request: number;
};
export const reminders = defineTable<Reminder>("pay.reminders", {
  indexes: ["request"],
  references: { request: "pay.requests" },
});

/** One row: what the owner has. Every payment changes it, so it is derived. */
export type Wallet = {
  readonly id: number;
  readonly cents: number;
};
export const wallet = defineTable<Wallet>("pay.wallet", { classes: { cents: "derived" } });

// --- notes ---

export type Note = {
  readonly id: number;
  readonly title: string;
  /** Appended text starts on a new line. */
  readonly text: string;
  readonly tag: string | null;
  readonly pinned: boolean;
};
export const notes = defineTable<Note>("notes.notes", {
  indexes: ["tag"],
  loose: ["title", "text"],
});

export type Share = {
  readonly id: number;
  readonly note: number;
  readonly person: number;
};
export const shares = defineTable<Share>("notes.shares", {
  indexes: ["note"],
  references: { note: "notes.notes", person: "contacts.people" },
});

// --- todo ---

export type TodoList = {
  readonly id: number;
  readonly name: string;
};
export const todoLists = defineTable<TodoList>("todo.lists", { indexes: ["name"] });

export type Todo = {
  readonly id: number;
  readonly title: string;
  readonly list: number;
  /** A day, or null. */
  readonly due: string | null;
  readonly done: boolean;
};
export const todos = defineTable<Todo>("todo.todos", {
  indexes: ["list", "due"],
  references: { list: "todo.lists" },
  loose: ["title"],
});

// --- calendar ---

export const RSVPS = ["open", "accepted", "declined"] as const;
export type Rsvp = (typeof RSVPS)[number];

export type CalendarEvent = {
  readonly id: number;
  readonly title: string;
  readonly day: string;
  readonly time: string;
  /** Null: the owner's own event. Otherwise the owner is a guest of this person. */
  readonly host: number | null;
  /** The owner's answer to the host; `accepted` for own events. */
  readonly response: Rsvp;
  /** Cancelled events stay, so that their guests' invitations leave a trace. No API shows them. */
  readonly cancelled: boolean;
};
export const events = defineTable<CalendarEvent>("calendar.events", {
  indexes: ["day", "host"],
  references: { host: "contacts.people" },
  loose: ["title"],
});

/** Whom the owner invited to an own event. Uninvited guests stay as rows with `uninvited`. */
export type Guest = {
  readonly id: number;
  readonly event: number;
  readonly person: number;
  readonly uninvited: boolean;
};
export const guests = defineTable<Guest>("calendar.guests", {
  indexes: ["event", "person"],
  references: { event: "calendar.events", person: "contacts.people" },
});
