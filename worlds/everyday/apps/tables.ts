/**
 * The data model of `everyday/starter` on one page: the rows of its seven apps. `everyday` has the same tables; the
 * additional tables of its fourteen apps are in `<app>/tables.ts`.
 *
 * Everything belongs to one person, the owner, whom the agent works for. The column `person` is always the other
 * person, and `outgoing` is true when the owner sent the message, mail, payment or request. Agents never see a person's
 * id: they receive and pass `handle`s. What was sent (mail, messages, payments, invitations) is never deleted, so that
 * sending something and taking it back leaves a trace. Row types are type aliases and not interfaces, so that the
 * columns passed to `insert` and `where` are checked by name. Columns named `at` are instants of the clock, which
 * checks ignore. Checks compare days (`2026-03-14`) and times (`18:30`).
 */
import { declareTable, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

export const people = declareTable("contacts.people", {
  /** The first and last name, which is unique among contacts. */
  name: text.indexed,
  /** A short, lower-case, unique name such as `amara.o`. It is made from the name when the contact is added. */
  handle: text.indexed.derived,
  city: text.indexed,
  phone: text,
  /** Nothing can be sent to a blocked person. */
  blocked: flag,
});
export type Person = RowOf<typeof people>;

export const groups = declareTable("contacts.groups", {
  name: text.indexed,
});
export type Group = RowOf<typeof groups>;

export const members = declareTable("contacts.members", {
  group: ref("contacts.groups").indexed,
  person: ref("contacts.people").indexed,
});
export type Member = RowOf<typeof members>;

export const texts = declareTable("messages.texts", {
  person: ref("contacts.people").indexed,
  outgoing: flag,
  text: text.loose,
  /** The message that this one answers, or null when it answers none. */
  replyTo: ref("messages.texts").orNull,
  /** The owner's reaction to a received message. */
  reaction: text.orNull,
  starred: flag,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Text = RowOf<typeof texts>;

export const FOLDERS = ["inbox", "sent", "archive", "trash"] as const;
export type Folder = (typeof FOLDERS)[number];

export const mails = declareTable("mail.mails", {
  /** The contact, or null for a received mail from a company or a stranger, of which the starter has none. */
  person: ref("contacts.people").orNull.indexed,
  outgoing: flag,
  /** The subject of a reply is `Re: <subject>`, that of a forwarded mail `Fwd: <subject>`. */
  subject: text.loose,
  body: text.loose,
  /** A received mail is in inbox, archive or trash; a sent mail is in sent or trash. */
  folder: oneOf(FOLDERS).indexed,
  label: text.orNull.indexed,
  starred: flag,
  /** The mail that this one replies to or forwards, or null when it is a new one. */
  origin: ref("mail.mails").orNull,
  unread: flag.bookkeeping,
  at: text.derived,
});
export type Mail = RowOf<typeof mails>;

export const payments = declareTable("pay.payments", {
  person: ref("contacts.people").indexed,
  outgoing: flag,
  /** The amount, which is always positive; `outgoing` gives the direction. */
  cents: int,
  note: text.loose,
  /** The request that this payment settled, or null when nobody asked for it. */
  request: ref("pay.requests").orNull,
  at: text.derived,
});
export type Payment = RowOf<typeof payments>;

export const REQUEST_STATUSES = ["pending", "paid", "declined", "cancelled"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const requests = declareTable("pay.requests", {
  /** In an outgoing request this person shall pay the owner; otherwise the owner shall pay this person. */
  person: ref("contacts.people").indexed,
  outgoing: flag,
  cents: int,
  note: text.loose,
  status: oneOf(REQUEST_STATUSES).indexed,
  at: text.derived,
});
export type PayRequest = RowOf<typeof requests>;

/** The table has one row for each time that the owner reminded somebody of an outgoing request. */
export const reminders = declareTable("pay.reminders", {
  request: ref("pay.requests").indexed,
});
export type Reminder = RowOf<typeof reminders>;

/** The table has one row: the owner's balance. It is derived, because every payment changes it. */
export const wallet = declareTable("pay.wallet", {
  cents: int.derived,
});
export type Wallet = RowOf<typeof wallet>;

export const notes = declareTable("notes.notes", {
  title: text.loose,
  /** The text of the note. Appended text starts on a new line. */
  text: text.loose,
  tag: text.orNull.indexed,
  pinned: flag,
});
export type Note = RowOf<typeof notes>;

export const shares = declareTable("notes.shares", {
  note: ref("notes.notes").indexed,
  person: ref("contacts.people"),
});
export type Share = RowOf<typeof shares>;

export const todoLists = declareTable("todo.lists", {
  name: text.indexed,
});
export type TodoList = RowOf<typeof todoLists>;

export const todos = declareTable("todo.todos", {
  title: text.loose,
  list: ref("todo.lists").indexed,
  /** The day on which the todo is due, or null when it has no such day. */
  due: text.orNull.indexed,
  done: flag,
});
export type Todo = RowOf<typeof todos>;

export const RSVPS = ["open", "accepted", "declined"] as const;
export type Rsvp = (typeof RSVPS)[number];

export const events = declareTable("calendar.events", {
  title: text.loose,
  day: text.indexed,
  time: text,
  /** The person who invited the owner, or null when the event is the owner's own. */
  host: ref("contacts.people").orNull.indexed,
  /** The owner's answer to the host. It is `accepted` for the owner's own events. */
  response: oneOf(RSVPS),
  /**
   * Cancelled events are kept, so that the invitations of their guests leave a trace. No API of the starter shows them.
   */
  cancelled: flag,
});
export type CalendarEvent = RowOf<typeof events>;

/** The people whom the owner invited to an own event. A guest who was uninvited keeps the row, marked `uninvited`. */
export const guests = declareTable("calendar.guests", {
  event: ref("calendar.events").indexed,
  person: ref("contacts.people").indexed,
  uninvited: flag,
});
export type Guest = RowOf<typeof guests>;
