/**
 * Writes the messages between the owner and others: texts, group chats with their polls, drafts, and scheduled texts.
 *
 * Texts mention facts of `life`: who paid how much for what and where, and when something starts. Each received text
 * has at most one amount and names no person, so that it can be understood without knowing other people.
 */
import type { Rng, Writer } from "bowline/world";
import { details } from "../apps/contacts/tables.ts";
import { conversations, revisions, scheduledTexts, textDrafts } from "../apps/messages/tables.ts";
import { type Person, people, type Text, texts } from "../apps/tables.ts";
import { TEXT_LINES } from "../population/background-texts.ts";
import { PARTS } from "../population/name-pools.ts";
import { dayFromStart, drawPastInstant, NOW } from "../population/time.ts";
import type { Cost, Happening, Life } from "./life.ts";
import { addChats } from "./message-chats.ts";
import { makePaidSentence, makeStartSentence } from "./message-lines.ts";

export function addMessages(db: Writer, rng: Rng, life: Life): void {
  const drafts = [
    ...life.happenings.flatMap((happening, i) =>
      textsAroundHappening(rng.child("around").child(i), happening),
    ),
    ...makeSmallTalk(rng.child("talk"), life),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  for (const draft of drafts) insertText(db, draft);
  markTexts(db, rng.child("flags"), life);
  addCorrections(db, rng.child("slips"));
  addRecentText(db, rng.child("just"), life);
  addDraftsAndScheduled(db, rng.child("unsent"), life);
  addConversations(db, rng.child("conversations"));
  addChats(db, rng.child("chats"), life);
}

interface TextDraft {
  readonly person: Person;
  readonly text: string;
  readonly at: string;
  readonly outgoing?: boolean;
  /** The owner's answer half an hour later. */
  readonly answer?: string;
}

const DEFAULTS = { replyTo: null, reaction: null, starred: false, unread: false } as const;

function insertText(db: Writer, { person, text, at, outgoing = false, answer }: TextDraft): void {
  const row = db.insert(texts, { ...DEFAULTS, person: person.id, outgoing, text, at });
  if (answer === undefined) return;
  const reply = { outgoing: true, text: answer, replyTo: row.id, at: halfAnHourAfter(at) };
  db.insert(texts, { ...DEFAULTS, person: person.id, ...reply });
}

function halfAnHourAfter(at: string): string {
  const instant = Math.min(Date.parse(at) + 1_800_000, Date.parse(NOW) - 3_600_000);
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Draws an instant on the day that is so many days after a day. It is never after the start of the episode. */
function drawInstant(rng: Rng, day: string, days: number): string {
  const date = Date.parse(day) + days * 86_400_000 + rng.integer(8 * 60, 22 * 60) * 60_000;
  const latest = Date.parse(NOW) - rng.integer(60, 12 * 60) * 60_000;
  return `${new Date(Math.min(date, latest)).toISOString().slice(0, 19)}Z`;
}

/** Makes the texts before and after a happening. */
function textsAroundHappening(rng: Rng, happening: Happening): TextDraft[] {
  const { day, host, people, costs } = happening;
  return [
    ...(host && rng.chance(0.7) ? [makeInvitation(rng, happening, host)] : []),
    ...(rng.chance(0.35)
      ? [
          {
            person: rng.pick(people),
            text: makeStartSentence(rng, happening),
            at: drawInstant(rng, day, -2),
          },
        ]
      : []),
    ...costs.map((cost) => makePaymentText(rng.child(cost.what), happening, cost)),
  ];
}

function makeInvitation(rng: Rng, { title, day, time }: Happening, person: Person): TextDraft {
  const text = `You are invited: ${title}, on ${day} at ${time}. Are you coming?`;
  const answer = rng.chance(0.6)
    ? rng.pick(["Yes, gladly.", "I will be there.", "Count me in."])
    : undefined;
  return {
    person,
    text,
    at: drawInstant(rng, day, -rng.integer(5, 14)),
    ...(answer && { answer }),
  };
}

/**
 * Makes the text about a payment by the person who paid. Another person writes it to the owner, and the owner writes it
 * to one of the others.
 */
function makePaymentText(rng: Rng, happening: Happening, cost: Cost): TextDraft {
  const at = drawInstant(rng, happening.day, rng.integer(1, 3));
  const text = makePaidSentence(rng, happening, cost);
  if (cost.payer) return { person: cost.payer, text, at };
  return { person: rng.pick(happening.people), text, at, outgoing: true };
}

/**
 * Makes texts of small talk. People who took part in no happening come first, so that nearly everybody has written.
 */
function makeSmallTalk(rng: Rng, life: Life): TextDraft[] {
  const together = new Set(life.happenings.flatMap(({ people }) => people));
  const everyone = rng.shuffle(PARTS.flatMap((part) => life.everyone[part]));
  const [near, far] = [true, false].map((wanted) =>
    everyone.filter((person) => together.has(person) === wanted),
  );
  const correspondents = [...far!, ...near!].slice(0, Math.round(80 * life.density));
  return correspondents.map((person, i) => {
    const draft = { person, text: rng.pick(TEXT_LINES), at: drawPastInstant(rng) };
    return i % 6 === 0 ? { ...draft, outgoing: true } : draft;
  });
}

/**
 * Sets the owner's marks: in each part of the population some texts are unread, some are starred, and a few have a
 * reaction.
 */
function markTexts(db: Writer, rng: Rng, life: Life): void {
  const received = db.where(texts, { outgoing: false });
  for (const part of PARTS) {
    const own = new Set(life.everyone[part].map(({ id }) => id));
    const rows = rng.shuffle(received.filter(({ person }) => own.has(person)));
    const count = part === "train" ? 3 : 1;
    const answered = (row: Text) => db.where(texts, { replyTo: row.id }).length > 0;
    const waiting = rows.filter((row) => !answered(row)).slice(0, count);
    for (const { id } of waiting) db.update(texts, id, { unread: true });
    for (const { id } of rows.slice(-count)) db.update(texts, id, { starred: true });
    const liked = rows.filter((row) => !waiting.includes(row));
    for (const { id } of liked.slice(0, Math.round(rows.length / 8))) {
      db.update(texts, id, { reaction: rng.pick(["like", "love", "laugh", "sad"]) });
    }
  }
}

/** Adds earlier wordings of some sent texts, which contained a mistake. */
function addCorrections(db: Writer, rng: Rng): void {
  for (const { id, text } of rng.sample(db.where(texts, { outgoing: true }), 7)) {
    db.insert(revisions, { message: id, before: text.toLowerCase().replace(/[.!?]$/, "") });
  }
}

/** Adds a text that was sent a few minutes ago, so that it may still be edited. */
function addRecentText(db: Writer, rng: Rng, { everyone }: Life): void {
  const person = rng.pick(everyone.circle).id;
  const text = "I will call you at noon.";
  db.insert(texts, { ...DEFAULTS, person, outgoing: true, text, at: "2026-03-12T08:52:00Z" });
}

const BEGINNINGS = [
  "Sorry that I missed your call,",
  "I have been meaning to ask you,",
  "About next week:",
  "Here is what I think:",
  "Long time no see!",
] as const;

function addDraftsAndScheduled(db: Writer, rng: Rng, life: Life): void {
  for (const part of PARTS) {
    for (const person of rng.sample(life.everyone[part], part === "train" ? 5 : 2)) {
      db.insert(textDrafts, { person: person.id, text: rng.pick(BEGINNINGS) });
    }
    for (const person of rng.sample(life.everyone[part], part === "train" ? 18 : 6)) {
      const wish = birthdayWithinTwoMonths(db, person);
      const text = wish ? `Happy birthday, ${person.name.split(" ")[0]}!` : rng.pick(TEXT_LINES);
      const time = `${String(rng.integer(7, 21)).padStart(2, "0")}:${rng.pick(["00", "15", "30"])}`;
      const day = wish ?? dayFromStart(rng.integer(1, 30));
      const cancelled = rng.chance(0.2);
      db.insert(scheduledTexts, { person: person.id, text, day, time, cancelled });
    }
  }
}

/** Returns the day of the person's next birthday when it comes within two months. */
function birthdayWithinTwoMonths(db: Writer, person: Person): string | undefined {
  const birthday = db.where(details, { person: person.id })[0]?.birthday;
  const day = birthday && `2026-${birthday.slice(5)}`;
  return day && day > dayFromStart(0) && day <= dayFromStart(60) ? day : undefined;
}

function addConversations(db: Writer, rng: Rng): void {
  const writers = new Set(db.all(texts).map(({ person }) => person));
  const known = rng.shuffle(db.all(people).filter(({ id }) => writers.has(id)));
  for (const [i, { id: person }] of known.slice(0, 21).entries()) {
    const flags = { pinned: i < 8, muted: i >= 6 && i < 15, archived: i >= 13 };
    db.insert(conversations, { person, ...flags });
  }
}
