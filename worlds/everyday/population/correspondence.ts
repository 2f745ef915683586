/** Old messages and mail. What waits for the owner (unread, starred, labelled) comes from the circle alone. */
import type { Rng, Writer } from "bowline/world";
import { type Mail, mails, type Person, type Text, texts } from "../apps/index.ts";
import type { Everyone } from "./people.ts";
import { earlier, oneOf } from "./time.ts";
import { LETTERS, MAIL_LABELS, TEXT_LINES } from "./topics.ts";

export function addMessages(db: Writer, rng: Rng, everyone: Everyone): void {
  const write = (person: Person, flags: Partial<Text> = {}) =>
    db.insert(texts, {
      person: person.id,
      outgoing: false,
      text: rng.pick(TEXT_LINES),
      replyTo: null,
      reaction: null,
      starred: false,
      unread: false,
      at: earlier(rng),
      ...flags,
    });
  for (let i = 0; i < 60; i++) {
    const person = oneOf(rng, everyone);
    const got = write(person);
    if (i % 4 === 0) write(person, { outgoing: true, replyTo: got.id, at: later(got.at) });
    if (i % 6 === 0) write(oneOf(rng, everyone), { outgoing: true });
  }
  for (let i = 0; i < 8; i++) {
    write(rng.pick(everyone.circle), { unread: i < 3, starred: i > 4 });
  }
}

export function addMail(db: Writer, rng: Rng, everyone: Everyone): void {
  const write = (person: Person, flags: Partial<Mail> = {}) => {
    const { subject, body } = rng.pick(LETTERS);
    return db.insert(mails, {
      person: person.id,
      outgoing: false,
      subject,
      body,
      folder: "inbox",
      label: null,
      starred: false,
      origin: null,
      unread: false,
      at: earlier(rng),
      ...flags,
    });
  };
  for (let i = 0; i < 60; i++) {
    const folder = i % 3 < 2 ? "inbox" : i % 4 === 0 ? "trash" : "archive";
    const got = write(oneOf(rng, everyone), { folder });
    if (i % 3 === 0) answer(db, rng, got);
  }
  for (let i = 0; i < 8; i++) {
    write(rng.pick(everyone.circle), { unread: i < 4, starred: i > 5 });
  }
  for (const label of MAIL_LABELS) {
    write(rng.pick(everyone.circle), { label });
    write(rng.pick(everyone.circle), { label, folder: "archive" });
  }
}

function answer(db: Writer, rng: Rng, got: Mail): void {
  const { body } = rng.pick(LETTERS);
  const flags = { outgoing: true, label: null, starred: false, unread: false };
  const subject = `Re: ${got.subject}`;
  const row = { person: got.person, subject, body, origin: got.id, at: later(got.at) };
  db.insert(mails, { ...row, ...flags, folder: "sent" });
}

function later(instant: string): string {
  return instant.replace(/..Z$/, "59Z");
}
