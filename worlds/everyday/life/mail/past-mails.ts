/** Writes mails of the past: when they came, in which folder they are now, and what was attached. */
import type { Rng, Writer } from "bowline/world";
import { type AttachmentKind, attachments, copies } from "../../apps/mail/tables.ts";
import { type Folder, type Mail, mails, type Person } from "../../apps/tables.ts";
import { dayFromStart, NOW } from "../../population/time.ts";

export type MailText = Pick<Mail, "subject" | "body"> & Partial<Mail>;
export interface AttachedFile {
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly kilobytes: number;
}

export interface MailWriter {
  /** Writes a mail from a contact, or from a company or a stranger when `from` is null. */
  readonly receive: (
    from: Person | null,
    day: string,
    letter: MailText,
    with_?: Enclosures,
  ) => Mail;
  readonly send: (to: Person, day: string, letter: MailText, with_?: Enclosures) => Mail;
}

export interface Enclosures {
  readonly files?: readonly AttachedFile[];
  readonly copies?: readonly Person[];
}

export function makeMailWriter(db: Writer, rng: Rng): MailWriter {
  const write = (row: Omit<Mail, "id">, { files = [], copies: others = [] }: Enclosures) => {
    const mail = db.insert(mails, row);
    for (const file of files) db.insert(attachments, { mail: mail.id, ...file });
    for (const { id } of others) {
      if (id !== row.person) db.insert(copies, { mail: mail.id, person: id });
    }
    return mail;
  };
  return {
    receive: (from, day, letter, enclosed = {}) =>
      write({ ...drawReceivedColumns(rng, from, day), ...letter }, enclosed),
    send: (to, day, letter, enclosed = {}) =>
      write({ ...drawSentColumns(rng, to, day), ...letter }, enclosed),
  };
}

const DEFAULTS = { label: null, starred: false, origin: null, unread: false } as const;

/** Draws the columns of a received mail. Most old mails are in the archive, and some new ones are unread. */
function drawReceivedColumns(rng: Rng, from: Person | null, day: string) {
  const isRecent = day > dayFromStart(-12);
  const folder: Folder = rng.chance(0.06)
    ? "trash"
    : rng.chance(isRecent ? 0.1 : 0.4)
      ? "archive"
      : "inbox";
  const unread = folder === "inbox" && rng.chance(isRecent ? 0.45 : 0.04);
  const starred = rng.chance(0.14);
  const base = { ...DEFAULTS, person: from?.id ?? null, outgoing: false, folder, unread, starred };
  return { ...base, subject: "", body: "", at: drawInstant(rng, day) };
}

function drawSentColumns(rng: Rng, to: Person, day: string) {
  const base = { ...DEFAULTS, person: to.id, outgoing: true, folder: "sent" as const };
  return { ...base, subject: "", body: "", at: drawInstant(rng, day) };
}

/** Draws an instant of a day. When the day is not over yet, it draws an instant of yesterday. */
export function drawInstant(rng: Rng, day: string): string {
  const padToTwoDigits = (number: number) => String(number).padStart(2, "0");
  const past = day < NOW.slice(0, 10) ? day : dayFromStart(-1);
  return `${past}T${padToTwoDigits(rng.integer(6, 22))}:${padToTwoDigits(rng.integer(0, 59))}:${padToTwoDigits(rng.integer(0, 59))}Z`;
}

/**
 * Draws the time of an answer, within four hours after the mail. The answer to a mail of yesterday is still before nine
 * o'clock today.
 */
export function drawAnswerTime(rng: Rng, instant: string): string {
  const minutes = rng.integer(10, 240);
  return `${new Date(Date.parse(instant) + minutes * 60_000).toISOString().slice(0, 19)}Z`;
}

/**
 * Returns the day that is so many days after a day. When that day is not in the past, it returns one of the last eleven
 * days.
 */
export function drawPastDay(rng: Rng, day: string, days: number): string {
  const wanted = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  return wanted < NOW.slice(0, 10) ? wanted : dayFromStart(-rng.integer(1, 11));
}

export function formatPrice(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
