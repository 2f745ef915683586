/**
 * Before and after sending: drafts, one a person; messages that leave at a day and time; and changing what was just sent,
 * within a quarter of an hour, with the old wordings kept.
 */
import { z } from "zod";
import { by, either, itemOf, listOf, must, resource, rowById } from "../../../../world/index.ts";
import { day, dayOf, handle, handleOf, ofPerson, prose, receiver, theirHandle } from "../shared.ts";
import { people, texts } from "../tables.ts";
import { sentOne, someone } from "./examples.ts";
import { sentText, sentTexts } from "./index.ts";
import { revisions, scheduledTexts, textDrafts } from "./tables.ts";

const to = handle("the receiver");
const text = prose("the text");
const toPerson = ofPerson("only to this person", "to");

// --- drafts ---

const drafts = resource({
  table: textDrafts,
  noun: "draft",
  item: itemOf(textDrafts, { text: z.string(), id: z.int(), to: theirHandle }),
});

const draftApis = {
  drafts: drafts.list("List drafts, the oldest first.", { filters: { to: toPerson } }),
  draft: drafts.add("Write a draft to someone; it takes the place of an earlier draft to them.", {
    params: { to, text },
    row: ({ to, text }, { db }) => {
      const person = receiver(db, to, "to").id;
      const [earlier] = db.where(textDrafts, { person });
      return earlier ? db.update(textDrafts, earlier.id, { text }) : { person, text };
    },
    example: (db) => ({ to: someone(db), text: "Shall we say Saturday?" }),
  }),
  sendDraft: drafts.act("Send a draft; it becomes a sent message.", {
    run: ({ id, person, text }, _, { db, now }) => {
      receiver(db, handleOf(db, person), "id");
      db.remove(textDrafts, id);
      return db.insert(texts, sentText(person, text, now));
    },
    fits: ({ person }, db) => db.get(people, person)?.blocked === false,
  }),
  dropDraft: drafts.remove("Remove a draft."),
};

// --- for later ---

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('the time, such as "18:30"');

const waiting = resource({
  table: scheduledTexts,
  noun: "scheduled message",
  item: itemOf(scheduledTexts, {
    text: z.string(),
    id: z.int(),
    to: theirHandle,
    day: z.string(),
    time: z.string(),
    cancelled: z.boolean(),
  }),
  find: ({ id }, { db }) => {
    const row = rowById(db, scheduledTexts, id, { noun: "scheduled message" });
    const message = `id: scheduled message ${id} was cancelled; messages.schedule a new one`;
    must(!row.cancelled, 409, message);
    return row;
  },
});

/** A 422 when that moment is over. */
function expectLater(day: string, time: string, now: string): void {
  const [today, minute] = [dayOf(now), now.slice(11, 16)];
  const [param, came] = day < today ? ["day", day] : ["time", time];
  must(
    day > today || (day === today && time > minute),
    422,
    `${param}: expected a moment after ${today} ${minute}, got ${came}`,
  );
}

export const laterApis = {
  ...draftApis,
  scheduled: waiting.list("List messages that leave later, by day and time.", {
    filters: {
      to: toPerson,
      day: day("only on this day"),
      cancelled: either("cancelled ones instead of waiting ones").default(false),
    },
    order: by(
      ({ day }) => day,
      ({ time }) => time,
    ),
  }),
  schedule: waiting.add("Write a message that leaves at a day and time.", {
    params: { to, text, day: day("the day"), time },
    row: ({ to, ...message }, { db, now }) => {
      const person = receiver(db, to, "to").id;
      expectLater(message.day, message.time, now);
      return { person, ...message, cancelled: false };
    },
    example: (db) => ({
      to: someone(db),
      text: "Happy birthday!",
      day: "2026-04-02",
      time: "08:00",
    }),
  }),
  reschedule: waiting.change("Change when a waiting message leaves.", {
    params: {
      day: day("the new day"),
      time: time.optional().describe("the new time; the old one when left out"),
    },
    set: (row, { day, time = row.time }, { now }) => {
      expectLater(day, time, now);
      return { day, time };
    },
    fits: ({ cancelled }) => !cancelled,
    example: { day: "2026-04-03", time: "09:30" },
  }),
  unschedule: waiting.change("Cancel a waiting message.", { set: { cancelled: true } }),
};

// --- just sent ---

const MINUTES = 15;

/** A 422 when the row was sent longer ago than that. */
export function expectFresh({ id, at }: { id: number; at: string }, now: string): void {
  const minutes = (Date.parse(now) - Date.parse(at)) / 60_000;
  const sent = `${at.slice(0, 10)} ${at.slice(11, 16)}`;
  const message = `id: expected one sent within ${MINUTES} minutes, ${id} is of ${sent}`;
  must(minutes <= MINUTES, 422, message);
}

export const editingApis = {
  edit: sentTexts.change(
    "Change the text of a message sent within the last 15 minutes; the old wording is kept.",
    {
      params: { text: prose("the new text") },
      unless: (row, { text }, { now }) => {
        expectFresh(row, now);
        must(row.text !== text, 409, `text: message ${row.id} says that already`);
      },
      set: ({ id, text: before }, { text }, { db }) => {
        db.insert(revisions, { message: id, before });
        return { text };
      },
      example: { text: "On my way, ten minutes." },
    },
  ),
  wordings: listOf(
    itemOf(revisions, { text: [z.string(), ({ before }) => before] }),
    "List the earlier wordings of a sent message, the first one first.",
    {
      of: [sentTexts, "message"],
      example: (db) => ({ id: db.all(revisions)[0]?.message ?? sentOne(db) }),
    },
    revisions,
  ),
};
