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
import { flag, int, oneOf, type RowOf, ref, tableOf, text } from "bowline/resources";

// --- contacts ---

export const people = tableOf("contacts.people", {
  /** First and last name; unique. */
  name: text.indexed,
  /** Short, lower-case, unique: `amara.o`. Made from the name when the contact is added. */
  handle: text.indexed.derived,
  city: text.indexed,
  phone: text,
  /** Nothing can be sent to a blocked person. */
  blocked: flag,
});
export type Person = RowOf<typeof people>;

export const groups = tableOf("contacts.groups", {
  name: text.indexed,
});
export type Group = RowOf<typeof groups>;

export const members = tableOf("contacts.members", {
  group: ref("contacts.groups").indexed,
  person: ref("contacts.people").indexed,
});
export type Member = RowOf<typeof members>;

// --- messages ---

export const texts = tableOf("messages.texts", {
  person: ref("contacts.people").indexed,
  outgoing: flag,
  text: text.loose,
  /** The message that this one answers; null for a new one. */
  replyTo: ref("messages.texts").orNull,
  /** The owner's reaction to a received message. */
  reaction: text.orNull,
  starred: flag,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Text = RowOf<typeof texts>;

// --- mail ---

export const FOLDERS = ["inbox", "sent", "archive", "trash"] as const;
export type Folder = (typeof FOLDERS)[number];

export const mails = tableOf("mail.mails", {
  person: ref("contacts.people").indexed,
  outgoing: flag,
  /** A reply's is `Re: <subject>`, a forward's `Fwd: <subject>`. */
  subject: text.loose,
  body: text.loose,
  /** Received: inbox, archive or trash. Sent: sent or trash. */
  folder: oneOf(FOLDERS).indexed,
  label: text.orNull.indexed,
  starred: flag,
  /** The mail that this one replies to or forwards; null for a new one. */
  origin: ref("mail.mails").orNull,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Mail = RowOf<typeof mails>;

// --- pay ---

export const payments = tableOf("pay.payments", {
  person: ref("contacts.people").indexed,
  outgoing: flag,
  /** Always positive. */
  cents: int,
  note: text.loose,
  /** The request that this payment settled; null for one that nobody asked for. */
  request: ref("pay.requests").orNull,
  at: text.derived,
});
export type Payment = RowOf<typeof payments>;

export const REQUEST_STATUSES = ["pending", "paid", "declined", "cancelled"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const requests = tableOf("pay.requests", {
  /** Outgoing: who shall pay the owner. Otherwise: whom the owner shall pay. */
  person: ref("contacts.people").indexed,
  outgoing: flag,
  cents: int,
  note: text.loose,
  status: oneOf(REQUEST_STATUSES).indexed,
  at: text.derived,
});
export type PayRequest = RowOf<typeof requests>;

/** One row for each time the owner reminded somebody of an outgoing request. */
export const reminders = tableOf("pay.reminders", {
  request: ref("pay.requests").indexed,
});
export type Reminder = RowOf<typeof reminders>;

/** One row: what the owner has. Every payment changes it, so it is derived. */
export const wallet = tableOf("pay.wallet", {
  cents: int.derived,
});
export type Wallet = RowOf<typeof wallet>;

// --- notes ---

export const notes = tableOf("notes.notes", {
  title: text.loose,
  /** Appended text starts on a new line. */
  text: text.loose,
  tag: text.orNull.indexed,
  pinned: flag,
});
export type Note = RowOf<typeof notes>;

export const shares = tableOf("notes.shares", {
  note: ref("notes.notes").indexed,
  person: ref("contacts.people"),
});
export type Share = RowOf<typeof shares>;

// --- todo ---

export const todoLists = tableOf("todo.lists", {
  name: text.indexed,
});
export type TodoList = RowOf<typeof todoLists>;

export const todos = tableOf("todo.todos", {
  title: text.loose,
  list: ref("todo.lists").indexed,
  /** A day, or null. */
  due: text.orNull.indexed,
  done: flag,
});
export type Todo = RowOf<typeof todos>;

// --- calendar ---

export const RSVPS = ["open", "accepted", "declined"] as const;
export type Rsvp = (typeof RSVPS)[number];

export const events = tableOf("calendar.events", {
  title: text.loose,
  day: text.indexed,
  time: text,
  /** Null: the owner's own event. Otherwise the owner is a guest of this person. */
  host: ref("contacts.people").orNull.indexed,
  /** The owner's answer to the host; `accepted` for own events. */
  response: oneOf(RSVPS),
  /** Cancelled events stay, so that their guests' invitations leave a trace. No API shows them. */
  cancelled: flag,
});
export type CalendarEvent = RowOf<typeof events>;

/** Whom the owner invited to an own event. Uninvited guests stay as rows with `uninvited`. */
export const guests = tableOf("calendar.guests", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
  uninvited: flag,
});
export type Guest = RowOf<typeof guests>;
