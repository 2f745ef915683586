/** What is not sent yet: drafts, one a person, and messages that leave at a day and time. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  paged,
  pageOf,
  paging,
  personId,
  prose,
  receiver,
  rowBy,
} from "../shared.ts";
import { people, texts } from "../tables.ts";
import { firstId, someone } from "./examples.ts";
import { type ScheduledText, scheduledTexts, type TextDraft, textDrafts } from "./tables.ts";

const to = handle("the receiver");
const text = prose("the text");
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('the time, such as "18:30"');

const item = z.strictObject({ text: z.string(), id: z.int(), to: z.string() });
const view =
  (db: Reader) =>
  ({ text, id, person }: TextDraft) => ({ text, id, to: handleOf(db, person) });

const listDrafts = defineApi({
  summary: "List drafts, the oldest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(item),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const rows = db.where(textDrafts, given({ person: personId(db, to, "to") }));
    return paged(rows, page, view(db));
  },
});

const draft = defineApi({
  summary: "Write a draft to someone; it takes the place of an earlier draft to them.",
  params: z.strictObject({ to, text }),
  returns: item,
  example: (db) => ({ to: someone(db), text: "Shall we say Saturday?" }),
  handler: ({ db }, { to, text }) => {
    const person = receiver(db, to, "to").id;
    const [earlier] = db.where(textDrafts, { person });
    const row = earlier
      ? db.update(textDrafts, earlier.id, { text })
      : db.insert(textDrafts, { person, text });
    return view(db)(row);
  },
});

const sendDraft = defineApi({
  summary: "Send a draft; it becomes a sent message.",
  params: z.strictObject({ id: idOf("draft") }),
  returns: item,
  example: (db) => ({ id: sendable(db) }),
  handler: ({ db, now }, { id }) => {
    const { person, text } = rowBy(db, textDrafts, id, "draft");
    receiver(db, handleOf(db, person), "id");
    db.remove(textDrafts, id);
    const flags = { outgoing: true, reaction: null, starred: false, unread: false };
    return view(db)(db.insert(texts, { person, text, replyTo: null, ...flags, at: now }));
  },
});

function sendable(db: Reader): number {
  return firstId(db, textDrafts, ({ person }) => db.get(people, person)?.blocked === false);
}

const dropDraft = defineApi({
  summary: "Remove a draft.",
  params: z.strictObject({ id: idOf("draft") }),
  returns: item,
  example: (db) => ({ id: firstId(db, textDrafts) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, textDrafts, id, "draft");
    db.remove(textDrafts, id);
    return view(db)(row);
  },
});

// --- for later ---

const laterItem = item.extend({ day: z.string(), time: z.string(), cancelled: z.boolean() });
const laterView = (db: Reader) => (row: ScheduledText) => {
  const { day, time, cancelled } = row;
  return { ...view(db)(row), day, time, cancelled };
};

const listLater = defineApi({
  summary: "List messages that leave later, by day and time.",
  params: z.strictObject({
    to: handle("only to this person").optional(),
    day: day("only on this day").optional(),
    cancelled: z.boolean().default(false).describe("cancelled ones instead of waiting ones"),
    ...paging,
  }),
  returns: pageOf(laterItem),
  example: () => ({}),
  handler: ({ db }, { to, day, cancelled, ...page }) => {
    const match = given({ person: personId(db, to, "to"), day, cancelled });
    const key = (row: ScheduledText) => `${row.day} ${row.time}`;
    const rows = db.where(scheduledTexts, match);
    const sorted = rows.toSorted((a, b) =>
      key(a) === key(b) ? a.id - b.id : key(a) < key(b) ? -1 : 1,
    );
    return paged(sorted, page, laterView(db));
  },
});

/** A 422 when that moment is over. */
function expectLater(day: string, time: string, now: string): void {
  const today = dayOf(now);
  if (day > today || (day === today && time > now.slice(11, 16))) return;
  const [param, came] = day < today ? ["day", day] : ["time", time];
  throw new ApiError(
    422,
    `${param}: expected a moment after ${today} ${now.slice(11, 16)}, got ${came}`,
  );
}

const schedule = defineApi({
  summary: "Write a message that leaves at a day and time.",
  params: z.strictObject({ to, text, day: day("the day"), time }),
  returns: laterItem,
  example: (db) => ({
    to: someone(db),
    text: "Happy birthday!",
    day: "2026-04-02",
    time: "08:00",
  }),
  handler: ({ db, now }, { to, ...message }) => {
    const person = receiver(db, to, "to").id;
    expectLater(message.day, message.time, now);
    return laterView(db)(db.insert(scheduledTexts, { person, ...message, cancelled: false }));
  },
});

/** A message that still waits; otherwise a 409. */
function waiting(db: Reader, id: number): ScheduledText {
  const row = rowBy(db, scheduledTexts, id, "scheduled message");
  if (!row.cancelled) return row;
  throw new ApiError(409, `id: scheduled message ${id} was cancelled; messages.schedule a new one`);
}

const waitingId = (db: Reader) => firstId(db, scheduledTexts, ({ cancelled }) => !cancelled);

const reschedule = defineApi({
  summary: "Change when a waiting message leaves.",
  params: z.strictObject({
    id: idOf("scheduled message"),
    day: day("the new day"),
    time: time.optional().describe("the new time; the old one when left out"),
  }),
  returns: laterItem,
  example: (db) => ({ id: waitingId(db), day: "2026-04-03", time: "09:30" }),
  handler: ({ db, now }, { id, day, ...given }) => {
    const { time: old } = waiting(db, id);
    const { time = old } = given;
    expectLater(day, time, now);
    return laterView(db)(db.update(scheduledTexts, id, { day, time }));
  },
});

const unschedule = defineApi({
  summary: "Cancel a waiting message.",
  params: z.strictObject({ id: idOf("scheduled message") }),
  returns: laterItem,
  example: (db) => ({ id: waitingId(db) }),
  handler: ({ db }, { id }) => {
    waiting(db, id);
    return laterView(db)(db.update(scheduledTexts, id, { cancelled: true }));
  },
});

export const laterApis = {
  drafts: listDrafts,
  draft,
  sendDraft,
  dropDraft,
  scheduled: listLater,
  schedule,
  reschedule,
  unschedule,
};
