/** Rows as setups and goals write them: what every mail, text, event or todo has, unless told otherwise. */
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

type Some<R extends { readonly id: number }> = Partial<Omit<R, "id">>;

/** An hour of one of the days just before the start. */
export const YESTERDAY = "2026-03-11T16:20:00Z";
export const LAST_WEEK = "2026-03-05T10:40:00Z";

export function receivedMail(
  db: Writer,
  from: Person,
  mail: Some<Mail> & Pick<Mail, "subject" | "body">,
): Mail {
  const flags = { outgoing: false, folder: "inbox", label: null, starred: false } as const;
  const rest = { origin: null, unread: true, at: YESTERDAY, ...mail };
  return db.insert(mails, { person: from.id, ...flags, ...rest });
}

export function sentMail(
  db: Writer,
  to: Pick<Person, "id">,
  mail: Some<Mail> & Pick<Mail, "subject" | "body">,
): Mail {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const rest = { origin: null, unread: false, at: YESTERDAY, ...mail };
  return db.insert(mails, { person: to.id, ...flags, ...rest });
}

export function receivedText(db: Writer, from: Person, text: string, more: Some<Text> = {}): Text {
  const flags = { outgoing: false, replyTo: null, reaction: null, starred: false, unread: true };
  return db.insert(texts, { person: from.id, text, ...flags, at: YESTERDAY, ...more });
}

export function sentText(
  db: Writer,
  to: Pick<Person, "id">,
  text: string,
  more: Some<Text> = {},
): Text {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  return db.insert(texts, { person: to.id, text, ...flags, at: YESTERDAY, ...more });
}

export function ownEvent(
  db: Writer,
  title: string,
  day: string,
  time: string,
  more: Some<CalendarEvent> = {},
): CalendarEvent {
  const own = { host: null, response: "accepted", cancelled: false } as const;
  return db.insert(events, { title, day, time, ...own, ...more });
}

export function openTodo(db: Writer, list: number, title: string, more: Some<Todo> = {}): Todo {
  return db.insert(todos, { title, list, due: null, done: false, ...more });
}

/** `20 March` for `2026-03-20`. */
export function dayWords(day: string): string {
  const month = new Date(`${day}T00:00:00Z`).toLocaleString("en-GB", {
    month: "long",
    timeZone: "UTC",
  });
  return `${Number(day.slice(8))} ${month}`;
}

/** So many days after; negative: before. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export const firstName = ({ name }: Person): string => name.split(" ")[0]!;
