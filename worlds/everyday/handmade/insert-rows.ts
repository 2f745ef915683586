/**
 * Inserts rows for setups and goals. Columns that a caller does not give have the usual values of mails, texts, events
 * and todos.
 */
import type { Writer } from "bowline/world";
import {
  type CalendarEvent,
  events,
  type Mail,
  mails,
  type Person,
  type Text,
  type Todo,
  texts,
  todos,
} from "../apps/tables.ts";

type PartialRow<R extends { readonly id: number }> = Partial<Omit<R, "id">>;

/** Times on days shortly before the start of the task. */
export const YESTERDAY = "2026-03-11T16:20:00Z";
export const LAST_WEEK = "2026-03-05T10:40:00Z";

export function insertReceivedMail(
  db: Writer,
  from: Person,
  mail: PartialRow<Mail> & Pick<Mail, "subject" | "body">,
): Mail {
  const flags = { outgoing: false, folder: "inbox", label: null, starred: false } as const;
  const rest = { origin: null, unread: true, at: YESTERDAY, ...mail };
  return db.insert(mails, { person: from.id, ...flags, ...rest });
}

export function insertSentMail(
  db: Writer,
  to: Pick<Person, "id">,
  mail: PartialRow<Mail> & Pick<Mail, "subject" | "body">,
): Mail {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const rest = { origin: null, unread: false, at: YESTERDAY, ...mail };
  return db.insert(mails, { person: to.id, ...flags, ...rest });
}

export function insertReceivedText(
  db: Writer,
  from: Person,
  text: string,
  columns: PartialRow<Text> = {},
): Text {
  const flags = { outgoing: false, replyTo: null, reaction: null, starred: false, unread: true };
  return db.insert(texts, { person: from.id, text, ...flags, at: YESTERDAY, ...columns });
}

export function insertSentText(
  db: Writer,
  to: Pick<Person, "id">,
  text: string,
  columns: PartialRow<Text> = {},
): Text {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  return db.insert(texts, { person: to.id, text, ...flags, at: YESTERDAY, ...columns });
}

export function insertOwnEvent(
  db: Writer,
  title: string,
  day: string,
  time: string,
  columns: PartialRow<CalendarEvent> = {},
): CalendarEvent {
  const own = { host: null, response: "accepted", cancelled: false } as const;
  return db.insert(events, { title, day, time, ...own, ...columns });
}

export function insertOpenTodo(
  db: Writer,
  list: number,
  title: string,
  columns: PartialRow<Todo> = {},
): Todo {
  return db.insert(todos, { title, list, due: null, done: false, ...columns });
}

/** Returns the day in words: `20 March` for `2026-03-20`. */
export function dayAndMonth(day: string): string {
  const month = new Date(`${day}T00:00:00Z`).toLocaleString("en-GB", {
    month: "long",
    timeZone: "UTC",
  });
  return `${Number(day.slice(8))} ${month}`;
}

/** Adds days to a day. A negative number gives an earlier day. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export const firstName = ({ name }: Person): string => name.split(" ")[0]!;
