/**
 * Defines received and sent mail as resources, the one function that sends mail, and rows for the examples of API
 * calls.
 */

import {
  countReferencingRows,
  defineItem,
  idParam,
  newestFirst,
  refuseUnless,
  resource,
  rowById,
  type ViewContext,
} from "bowline/resources";
import { type CallContext, type Reader, z } from "bowline/world";
import { handleOf, requireReceiver } from "../shared.ts";
import { type Folder, type Mail, mails, type Person, people } from "../tables.ts";
import { copies, senders } from "./tables.ts";

/** Returns the other side of a mail: the handle of a contact, or the name of a company or a stranger. */
export const correspondentOf = (db: Reader, { id, person }: Pick<Mail, "id" | "person">): string =>
  person === null ? (db.where(senders, { mail: id })[0]?.name ?? "removed") : handleOf(db, person);

/** A field of a mail's item: the other side of the mail. */
export const correspondentField = [
  z.string(),
  (row: Mail, { db }: ViewContext) => correspondentOf(db, row),
] as const;

export const mailItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  from: correspondentField,
  ...mails.fields("label", "unread"),
});

export const sentItem = defineItem(mails, {
  ...mails.fields("subject", "id"),
  to: correspondentField,
});

export const sentItemWithCopies = sentItem.with({ copies: countReferencingRows(copies, "mail") });

export function requireReceivedMail(db: Reader, id: number): Mail {
  const row = rowById(db, mails, id, { noun: "mail" });
  refuseUnless(!row.outgoing, 422, `id: expected a received mail, got ${id}, which the owner sent`);
  return row;
}

/** Makes a resource of received mails. `idDescription` is what the documentation calls such a mail. */
export const receivedResource = (
  idDescription: string,
  example: (db: Reader, fits: (row: Mail) => boolean) => number,
) =>
  resource({
    noun: "mail",
    item: mailItem,
    keys: { id: idParam(idDescription) },
    find: ({ id }, { db }) => requireReceivedMail(db, id),
    example: (db, fits) => ({ id: example(db, fits) }),
  });

export const received = receivedResource("received mail", exampleReceivedId);

export const sentMail = resource({
  noun: "mail",
  item: sentItem,
  keys: { id: idParam("sent mail") },
  guard: ({ id, outgoing }) =>
    refuseUnless(outgoing, 422, `id: expected a sent mail, got ${id}, which the owner received`),
  example: (db) => ({ id: newestFirst(db.where(mails, { outgoing: true }))[0]?.id ?? 1 }),
});

export type NewMail = Pick<Mail, "person" | "subject" | "body" | "origin">;

/** Sends a mail to one person and copies of it to other people. A person who is named twice gets only one copy. */
export function sendMail(
  { db, now }: CallContext,
  newMail: NewMail,
  copyTo: readonly Person[] = [],
) {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const row = db.insert(mails, { ...newMail, ...flags, unread: false, at: now });
  for (const person of new Set(copyTo.map((other) => other.id))) {
    if (person !== newMail.person) db.insert(copies, { mail: row.id, person });
  }
  return row;
}

/** Makes the reply to a mail. Throws a 404 or 422 when nothing can be sent to the mail's sender. */
export function makeReply(db: Reader, mail: Mail, body: string): NewMail {
  const { id, person, subject } = mail;
  refuseUnless(
    person !== null,
    422,
    `id: mail ${id} is from "${correspondentOf(db, mail)}", who is no contact; mail goes to contacts only`,
  );
  requireReceiver(db, handleOf(db, person), "id");
  return { person, subject: `Re: ${subject}`, body, origin: id };
}

// The functions below find rows for the examples of API calls. They throw nothing when the state is empty.

/** Returns the id of the newest mail in the inbox that can be answered and for which `fits` returns true. */
export function exampleReceivedId(db: Reader, fits: (row: Mail) => boolean = () => true): number {
  const rows = newestFirst(db.where(mails, { outgoing: false, folder: "inbox" }));
  const answerable = rows.filter((row) => canReceive(db, row.person));
  return (answerable.find(fits) ?? answerable[0])?.id ?? 1;
}

export const newestIdInFolder = (db: Reader, folder: Folder): number =>
  newestFirst(db.where(mails, { outgoing: false, folder }))[0]?.id ?? 1;

/** Returns true when mail may be sent to this person, who must be a contact and not blocked. */
export const canReceive = (db: Reader, person: number | null): boolean =>
  person !== null && db.get(people, person)?.blocked === false;
