/** Adds old messages and mail to the starter. Unread, starred and labelled ones come only from the circle. */
import type { Rng, Writer } from "bowline/world";
import { type Mail, mails, type Person, type Text, texts } from "../apps/index.ts";
import { LETTERS, MAIL_LABELS, TEXT_LINES } from "./background-texts.ts";
import type { Everyone } from "./people.ts";
import { drawAnyone, drawPastInstant } from "./time.ts";

export function addMessages(db: Writer, rng: Rng, everyone: Everyone): void {
  const addText = (person: Person, flags: Partial<Text> = {}) =>
    db.insert(texts, {
      person: person.id,
      outgoing: false,
      text: rng.pick(TEXT_LINES),
      replyTo: null,
      reaction: null,
      starred: false,
      unread: false,
      at: drawPastInstant(rng),
      ...flags,
    });
  for (let i = 0; i < 60; i++) {
    const person = drawAnyone(rng, everyone);
    const got = addText(person);
    if (i % 4 === 0)
      addText(person, { outgoing: true, replyTo: got.id, at: laterInTheSameMinute(got.at) });
    if (i % 6 === 0) addText(drawAnyone(rng, everyone), { outgoing: true });
  }
  for (let i = 0; i < 8; i++) {
    addText(rng.pick(everyone.circle), { unread: i < 3, starred: i > 4 });
  }
}

export function addMail(db: Writer, rng: Rng, everyone: Everyone): void {
  const addMailRow = (person: Person, flags: Partial<Mail> = {}) => {
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
      at: drawPastInstant(rng),
      ...flags,
    });
  };
  for (let i = 0; i < 60; i++) {
    const folder = i % 3 < 2 ? "inbox" : i % 4 === 0 ? "trash" : "archive";
    const got = addMailRow(drawAnyone(rng, everyone), { folder });
    if (i % 3 === 0) addAnswer(db, rng, got);
  }
  for (let i = 0; i < 8; i++) {
    addMailRow(rng.pick(everyone.circle), { unread: i < 4, starred: i > 5 });
  }
  for (const label of MAIL_LABELS) {
    addMailRow(rng.pick(everyone.circle), { label });
    addMailRow(rng.pick(everyone.circle), { label, folder: "archive" });
  }
}

function addAnswer(db: Writer, rng: Rng, got: Mail): void {
  const { body } = rng.pick(LETTERS);
  const flags = { outgoing: true, label: null, starred: false, unread: false };
  const subject = `Re: ${got.subject}`;
  const row = {
    person: got.person,
    subject,
    body,
    origin: got.id,
    at: laterInTheSameMinute(got.at),
  };
  db.insert(mails, { ...row, ...flags, folder: "sent" });
}

function laterInTheSameMinute(instant: string): string {
  return instant.replace(/..Z$/, "59Z");
}
