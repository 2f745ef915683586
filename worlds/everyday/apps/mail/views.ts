/** Received and sent mail as resources, the one way in which mail leaves the house, and rows for examples. */

import { countOf, idOf, itemOf, must, newestFirst, resource, rowById } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { handleOf, receiver, theirHandle } from "../shared.ts";
import { type Folder, type Mail, mails, type Person, people } from "../tables.ts";
import { copies } from "./tables.ts";

export const mailItem = itemOf(mails, {
  ...mails.fields("subject", "id"),
  from: theirHandle,
  ...mails.fields("label", "unread"),
});

export const sentItem = itemOf(mails, { ...mails.fields("subject", "id"), to: theirHandle });

export const countedItem = sentItem.with({ copies: countOf(copies, "mail") });

export function receivedMail(db: Reader, id: number): Mail {
  const row = rowById(db, mails, id, { noun: "mail" });
  must(!row.outgoing, 422, `id: expected a received mail, got ${id}, which the owner sent`);
  return row;
}

/** `what` is how documentation calls them. */
export const receivedAs = (
  what: string,
  example: (db: Reader, fits: (row: Mail) => boolean) => number,
) =>
  resource({
    noun: "mail",
    item: mailItem,
    keys: { id: idOf(what) },
    find: ({ id }, { db }) => receivedMail(db, id),
    example: (db, fits) => ({ id: example(db, fits) }),
  });

export const received = receivedAs("received mail", newest);

export const sentMail = resource({
  noun: "mail",
  item: sentItem,
  keys: { id: idOf("sent mail") },
  guard: ({ id, outgoing }) =>
    must(outgoing, 422, `id: expected a sent mail, got ${id}, which the owner received`),
  example: (db) => ({ id: newestFirst(db.where(mails, { outgoing: true }))[0]?.id ?? 1 }),
});

// --- leaving ---

export type Letter = Pick<Mail, "person" | "subject" | "body" | "origin">;

/** `others` get a copy; repeats count once. */
export function deliver({ db, now }: CallContext, letter: Letter, others: readonly Person[] = []) {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const row = db.insert(mails, { ...letter, ...flags, unread: false, at: now });
  for (const person of new Set(others.map((other) => other.id))) {
    if (person !== letter.person) db.insert(copies, { mail: row.id, person });
  }
  return row;
}

/** What an answer takes from the mail that it answers, whose sender must be one to write to. */
export function answerTo(db: Reader, { id, person, subject }: Mail, body: string): Letter {
  receiver(db, handleOf(db, person), "id");
  return { person, subject: `Re: ${subject}`, body, origin: id };
}

// --- rows for examples; nothing here throws on an empty state ---

/** The id of the newest mail in the inbox that fits and can be answered. */
export function newest(db: Reader, fits: (row: Mail) => boolean = () => true): number {
  const rows = newestFirst(db.where(mails, { outgoing: false, folder: "inbox" }));
  const answerable = rows.filter((row) => open(db, row.person));
  return (answerable.find(fits) ?? answerable[0])?.id ?? 1;
}

export const lying = (db: Reader, folder: Folder): number =>
  newestFirst(db.where(mails, { outgoing: false, folder }))[0]?.id ?? 1;

/** Whether mail may be sent to this person; nobody has left the contacts otherwise. */
export const open = (db: Reader, person: number | null): boolean =>
  person !== null && db.get(people, person)?.blocked === false;
