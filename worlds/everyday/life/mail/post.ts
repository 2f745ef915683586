/** The clerk who writes mails of the past: when they came, where they lie now, and what was attached. */
import type { Rng, Writer } from "bowline/world";
import { type AttachmentKind, attachments, copies } from "../../apps/mail/tables.ts";
import { type Folder, type Mail, mails, type Person } from "../../apps/tables.ts";
import { dayAfter, NOW } from "../../population/time.ts";

export type Letter = Pick<Mail, "subject" | "body"> & Partial<Mail>;
export interface File {
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly kilobytes: number;
}

export interface Post {
  readonly receive: (from: Person, day: string, letter: Letter, with_?: Enclosed) => Mail;
  readonly send: (to: Person, day: string, letter: Letter, with_?: Enclosed) => Mail;
}

export interface Enclosed {
  readonly files?: readonly File[];
  readonly copies?: readonly Person[];
}

export function postOffice(db: Writer, rng: Rng): Post {
  const write = (row: Omit<Mail, "id">, { files = [], copies: others = [] }: Enclosed) => {
    const mail = db.insert(mails, row);
    for (const file of files) db.insert(attachments, { mail: mail.id, ...file });
    for (const { id } of others) {
      if (id !== row.person) db.insert(copies, { mail: mail.id, person: id });
    }
    return mail;
  };
  return {
    receive: (from, day, letter, enclosed = {}) =>
      write({ ...received(rng, from, day), ...letter }, enclosed),
    send: (to, day, letter, enclosed = {}) => write({ ...sent(rng, to, day), ...letter }, enclosed),
  };
}

const PLAIN = { label: null, starred: false, origin: null, unread: false } as const;

/** What is old has mostly been put away; what is new is sometimes unread. */
function received(rng: Rng, from: Person, day: string) {
  const recent = day > dayAfter(-12);
  const folder: Folder = rng.chance(0.06)
    ? "trash"
    : rng.chance(recent ? 0.1 : 0.4)
      ? "archive"
      : "inbox";
  const unread = folder === "inbox" && rng.chance(recent ? 0.45 : 0.04);
  const starred = rng.chance(0.14);
  const base = { ...PLAIN, person: from.id, outgoing: false, folder, unread, starred };
  return { ...base, subject: "", body: "", at: instant(rng, day) };
}

function sent(rng: Rng, to: Person, day: string) {
  const base = { ...PLAIN, person: to.id, outgoing: true, folder: "sent" as const };
  return { ...base, subject: "", body: "", at: instant(rng, day) };
}

/** Some time of a day; yesterday for days that are not over. */
export function instant(rng: Rng, day: string): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const past = day < NOW.slice(0, 10) ? day : dayAfter(-1);
  return `${past}T${two(rng.integer(6, 22))}:${two(rng.integer(0, 59))}:${two(rng.integer(0, 59))}Z`;
}

/** Some time within the next hours; for what came yesterday that is still before today's nine o'clock. */
export function answeredAt(rng: Rng, instant: string): string {
  const minutes = rng.integer(10, 240);
  return `${new Date(Date.parse(instant) + minutes * 60_000).toISOString().slice(0, 19)}Z`;
}

/** So many days after a day, and at the latest some days before today. */
export function pastDay(rng: Rng, day: string, days: number): string {
  const wanted = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  return wanted < NOW.slice(0, 10) ? wanted : dayAfter(-rng.integer(1, 11));
}

export function price(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
