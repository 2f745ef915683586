/**
 * Writes the owner's mailbox. Each happening has mails that announce it, give directions, ask for money and send
 * pictures. All other mails are those that fill any mailbox. Amounts in receipts are those of the happenings' costs.
 */
import type { Reader, Rng, Writer } from "bowline/world";
import {
  drafts,
  followUps,
  listMembers,
  mailingLists,
  recalls,
  rules,
  scheduledMails,
  signatures,
  snoozes,
  templates,
} from "../apps/mail/tables.ts";
import { type Mail, mails } from "../apps/tables.ts";
import { PARTS } from "../population/name-pools.ts";
import { dayFromStart, NOW } from "../population/time.ts";
import type { Life } from "./life.ts";
import { addBackgroundMails } from "./mail/background.ts";
import { addHappeningMails } from "./mail/happenings.ts";
import { makeMailWriter } from "./mail/past-mails.ts";
import { ANSWERS, MAILING_LISTS, MATTERS, makeSignatures, TEMPLATES } from "./mail/texts.ts";
import { firstName } from "./owner.ts";

export function addMail(db: Writer, rng: Rng, life: Life): void {
  const mailWriter = makeMailWriter(db, rng.child("post"));
  for (const [i, happening] of life.happenings.entries()) {
    addHappeningMails(
      mailWriter,
      rng.child("happenings").child(i),
      happening,
      firstName(life.owner),
    );
  }
  addBackgroundMails(db, mailWriter, rng.child("background"), life);
  for (const row of makeSignatures(life.owner)) db.insert(signatures, row);
  for (const row of TEMPLATES) db.insert(templates, row);
  addLists(db, rng.child("lists"), life);
  addDrafts(db, rng.child("drafts"), life);
  addScheduled(db, rng.child("scheduled"), life);
  addSnoozesAndFollowUps(db, rng.child("waiting"));
  addRules(db, rng.child("rules"), life);
  addRecalls(db, rng.child("recalls"), life);
}

/** Adds three mailing lists for each part of the population. All members of a list are of the same part. */
function addLists(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const [i, name] of MAILING_LISTS.entries()) {
    const list = db.insert(mailingLists, { name }).id;
    const people = rng.sample(everyone[PARTS[i % PARTS.length]!], rng.integer(3, 8));
    for (const { id } of people) db.insert(listMembers, { list, person: id });
  }
}

/** Adds drafts. One in five has no receiver yet, and some answer a mail. */
function addDrafts(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const [i, { subject, body }] of rng.shuffle(MATTERS).slice(0, 20).entries()) {
    const person = i % 5 === 4 ? null : rng.pick(everyone[PARTS[i % PARTS.length]!]).id;
    db.insert(drafts, { person, subject, body, origin: null });
  }
  for (const { id, person, subject } of rng.sample(mailsInInbox(db), 8)) {
    const body = rng.pick(ANSWERS);
    db.insert(drafts, { person, subject: `Re: ${subject}`, body, origin: id });
  }
}

function addScheduled(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const [i, { subject, body }] of rng.shuffle(MATTERS).slice(0, 18).entries()) {
    const person = rng.pick(everyone[PARTS[i % PARTS.length]!]).id;
    const time = `${rng.pick(["07", "08", "09", "17"])}:${rng.pick(["00", "30"])}`;
    const row = { person, subject, body, day: dayFromStart(rng.integer(1, 30)), time };
    db.insert(scheduledMails, { ...row, status: i % 6 === 5 ? "cancelled" : "waiting" });
  }
}

/**
 * Adds snoozed mails, which are in the archive, and sent mails that have no answer yet and for which the owner waits.
 */
function addSnoozesAndFollowUps(db: Writer, rng: Rng): void {
  const archived = db.where(mails, { outgoing: false, folder: "archive" });
  for (const { id } of rng.sample(archived, 14)) {
    db.insert(snoozes, { mail: id, until: dayFromStart(rng.integer(1, 25)) });
  }
  const answered = new Set(db.all(mails).map(({ origin }) => origin));
  const unanswered = db.where(mails, { outgoing: true }).filter(({ id }) => !answered.has(id));
  for (const { id } of rng.sample(unanswered, 14)) {
    db.insert(followUps, { mail: id, day: dayFromStart(rng.integer(0, 20)) });
  }
}

function addRules(db: Writer, rng: Rng, { everyone }: Life): void {
  const rule = { person: null, words: null, label: null, archives: false, active: true };
  const someone = rng.pick(everyone.circle).id;
  db.insert(rules, { ...rule, name: "receipts", words: "Receipt:", label: "receipts" });
  db.insert(rules, { ...rule, name: "invoices", words: "Invoice", label: "bills" });
  db.insert(rules, { ...rule, name: "pictures", words: "Pictures:", label: "pictures" });
  db.insert(rules, { ...rule, name: "directions", words: "Directions:", label: "travel" });
  db.insert(rules, {
    ...rule,
    name: "newsletters",
    words: ", issue ",
    archives: true,
    active: false,
  });
  db.insert(rules, { ...rule, name: "close ones", person: someone, label: "close", active: false });
}

/** Adds two recalled mails, and one mail that was sent a moment ago and can still be recalled. */
function addRecalls(db: Writer, rng: Rng, { everyone }: Life): void {
  const old = rng.sample(db.where(mails, { outgoing: true }), 2);
  for (const { id } of old) db.insert(recalls, { mail: id });
  const { subject, body } = rng.pick(MATTERS);
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const at = `${new Date(Date.parse(NOW) - 8000).toISOString().slice(0, 19)}Z`;
  const letter = { subject, body, origin: null, unread: false, at };
  db.insert(mails, { person: rng.pick(everyone.circle).id, ...flags, ...letter });
}

function mailsInInbox(db: Reader): readonly Mail[] {
  return db.where(mails, { outgoing: false, folder: "inbox" });
}
