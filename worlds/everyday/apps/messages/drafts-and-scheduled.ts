/** Defines the APIs of drafts (at most one to each person), and of messages that are scheduled for a day and time. */

import {
  dayParam,
  defineItem,
  longTextParam,
  orderBy,
  refuseUnless,
  resource,
  upsertRow,
} from "bowline/resources";
import { z } from "bowline/world";
import {
  dayOf,
  exampleHandle,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requireReceiver,
  timeParam,
} from "../shared.ts";
import { people } from "../tables.ts";
import { sendText } from "./index.ts";
import { scheduledTexts, textDrafts } from "./tables.ts";

const to = handleParam("the receiver");
const text = longTextParam("the text");
const time = timeParam("the time");

const receiverFilter = personColumnFilter("only to this person", "to");

const drafts = resource({
  noun: "draft",
  item: defineItem(textDrafts, { ...textDrafts.fields("text", "id"), to: handleField }),
});

/** Scheduled messages that were not cancelled. The guard throws a 409 for a cancelled one. */
const scheduledResource = resource({
  noun: "scheduled message",
  item: defineItem(scheduledTexts, {
    ...scheduledTexts.fields("text", "id"),
    to: handleField,
    ...scheduledTexts.fields("day", "time", "cancelled"),
  }),
  guard: ({ id, cancelled }) => {
    const refusal = `scheduled message ${id} was cancelled; messages.schedule a new one`;
    refuseUnless(!cancelled, 409, `id: ${refusal}`);
  },
  isExample: ({ cancelled }) => !cancelled,
});

/** Throws a 422 when this day and time are not after `now`. */
function requireFuture(day: string, time: string, now: string): void {
  const today = dayOf(now);
  const isLater = day > today || (day === today && time > now.slice(11, 16));
  const [param, given] = day < today ? ["day", day] : ["time", time];
  const current = `${today} ${now.slice(11, 16)}`;
  refuseUnless(isLater, 422, `${param}: expected a moment after ${current}, got ${given}`);
}

export const draftAndScheduleApis = {
  drafts: drafts.list("List drafts, the oldest first.", { filters: { to: receiverFilter } }),
  draft: drafts.add("Write a draft to someone; it takes the place of an earlier draft to them.", {
    params: { to, text },
    row: ({ to, text }, { db }) => {
      return upsertRow(db, textDrafts, { person: requireReceiver(db, to, "to").id }, { text });
    },
    example: (db) => ({ to: exampleHandle(db), text: "Shall we say Saturday?" }),
  }),
  sendDraft: drafts.act("Send a draft; it becomes a sent message.", {
    run: ({ id, person, text }, _, context) => {
      requireReceiver(context.db, handleOf(context.db, person), "id");
      context.db.remove(textDrafts, id);
      return sendText(context, person, text);
    },
    isExample: ({ person }, db) => db.get(people, person)?.blocked === false,
  }),
  dropDraft: drafts.remove("Remove a draft."),
  scheduled: scheduledResource.list(
    "List messages that leave later, by day and time; cancelled ones are left out unless asked for.",
    {
      filters: {
        to: receiverFilter,
        day: dayParam("only on this day"),
        cancelled: z.boolean().default(false).describe("cancelled ones instead of waiting ones"),
      },
      order: orderBy(
        ({ day }) => day,
        ({ time }) => time,
      ),
    },
  ),
  schedule: scheduledResource.add("Write a message that leaves at a day and time.", {
    params: { to, text, day: dayParam("the day"), time },
    row: ({ to, ...message }, { db, now }) => {
      const person = requireReceiver(db, to, "to").id;
      requireFuture(message.day, message.time, now);
      return { person, ...message, cancelled: false };
    },
    example: (db) => ({
      to: exampleHandle(db),
      text: "Happy birthday!",
      day: "2026-04-02",
      time: "08:00",
    }),
  }),
  reschedule: scheduledResource.change("Change when a waiting message leaves.", {
    params: {
      day: dayParam("the new day"),
      time: time.optional().describe("the new time; the old one when left out"),
    },
    set: (row, { day, time = row.time }, { now }) => {
      requireFuture(day, time, now);
      return { day, time };
    },
    example: { day: "2026-04-03", time: "09:30" },
  }),
  unschedule: scheduledResource.set("Cancel a waiting message.", { cancelled: true }),
};
