/** What is not sent yet: drafts, one a person, and messages that leave at a day and time. */

import { by, day, itemOf, must, prose, put, resource } from "bowline/resources";
import { z } from "bowline/world";
import {
  clock,
  dayOf,
  handle,
  handleOf,
  ofPerson,
  receiver,
  someone,
  theirHandle,
} from "../shared.ts";
import { people } from "../tables.ts";
import { deliver } from "./index.ts";
import { scheduledTexts, textDrafts } from "./tables.ts";

const to = handle("the receiver");
const text = prose("the text");
const time = clock("the time");

const toPerson = ofPerson("only to this person", "to");

const drafts = resource({
  noun: "draft",
  item: itemOf(textDrafts, { ...textDrafts.fields("text", "id"), to: theirHandle }),
});

/** Messages that still wait; a cancelled one is a 409. */
const waiting = resource({
  noun: "scheduled message",
  item: itemOf(scheduledTexts, {
    ...scheduledTexts.fields("text", "id"),
    to: theirHandle,
    ...scheduledTexts.fields("day", "time", "cancelled"),
  }),
  guard: ({ id, cancelled }) => {
    const over = `scheduled message ${id} was cancelled; messages.schedule a new one`;
    must(!cancelled, 409, `id: ${over}`);
  },
  fits: ({ cancelled }) => !cancelled,
});

/** A 422 when that moment is over. */
function expectLater(day: string, time: string, now: string): void {
  const today = dayOf(now);
  const isLater = day > today || (day === today && time > now.slice(11, 16));
  const [param, came] = day < today ? ["day", day] : ["time", time];
  const present = `${today} ${now.slice(11, 16)}`;
  must(isLater, 422, `${param}: expected a moment after ${present}, got ${came}`);
}

export const laterApis = {
  drafts: drafts.list("List drafts, the oldest first.", { filters: { to: toPerson } }),
  draft: drafts.add("Write a draft to someone; it takes the place of an earlier draft to them.", {
    params: { to, text },
    row: ({ to, text }, { db }) => {
      return put(db, textDrafts, { person: receiver(db, to, "to").id }, { text });
    },
    example: (db) => ({ to: someone(db), text: "Shall we say Saturday?" }),
  }),
  sendDraft: drafts.act("Send a draft; it becomes a sent message.", {
    run: ({ id, person, text }, _, context) => {
      receiver(context.db, handleOf(context.db, person), "id");
      context.db.remove(textDrafts, id);
      return deliver(context, person, text);
    },
    fits: ({ person }, db) => db.get(people, person)?.blocked === false,
  }),
  dropDraft: drafts.remove("Remove a draft."),
  scheduled: waiting.list("List messages that leave later, by day and time.", {
    filters: {
      to: toPerson,
      day: day("only on this day"),
      cancelled: z.boolean().default(false).describe("cancelled ones instead of waiting ones"),
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
    example: { day: "2026-04-03", time: "09:30" },
  }),
  unschedule: waiting.set("Cancel a waiting message.", { cancelled: true }),
};
