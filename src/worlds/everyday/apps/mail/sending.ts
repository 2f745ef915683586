/**
 * Sending beyond one mail to one person: copies, answers to all, later sending, and regret.
 *
 * A sent mail can be taken back within half a minute. It stays, and so does the recall.
 */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  line,
  named,
  newestFirst,
  notPast,
  paged,
  pageOf,
  paging,
  personId,
  prose,
  receiver,
  rowBy,
} from "../shared.ts";
import { mails, people } from "../tables.ts";
import { deliver } from "./deliver.ts";
import { idIn, open, received, sentOne, someone } from "./examples.ts";
import { sentMail } from "./overview.ts";
import {
  copies,
  followUps,
  listMembers,
  mailingLists,
  recalls,
  SCHEDULE_STATUSES,
  type ScheduledMail,
  scheduledMails,
  signatures,
} from "./tables.ts";
import { receivedMail, sentItem, sentView } from "./views.ts";

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('the time, such as "18:30"');

const compose = defineApi({
  summary: "Send a mail with copies to others and one of the owner's signatures below the text.",
  params: z.strictObject({
    to: handle("the receiver"),
    subject: line("the subject"),
    body: prose("the text"),
    copy: z
      .array(handle("a person"))
      .max(20)
      .default([])
      .describe("handles of those who get a copy"),
    copyList: line("a mailing list whose members get a copy").optional(),
    signature: line("name of a signature; it follows the text on a new line").optional(),
  }),
  returns: sentItem.extend({ copies: z.int() }),
  example: (db) => ({
    to: someone(db),
    subject: "Minutes",
    body: "They are on the shelf.",
    copy: [someone(db, 1)],
  }),
  handler: (context, { to, subject, body, copy, copyList, signature }) => {
    const { db } = context;
    const person = receiver(db, to, "to").id;
    const others = [
      ...copy.map((came) => receiver(db, came, "copy")),
      ...(copyList === undefined ? [] : onList(db, copyList, "copyList")),
    ];
    const end =
      signature === undefined ? "" : `\n${named(db, signatures, signature, "signature").text}`;
    const letter = { person, subject, body: `${body}${end}`, origin: null };
    const sent = deliver(context, letter, others);
    return { ...sent, copies: db.where(copies, { mail: sent.id }).length };
  },
});

/** A list's members to whom mail may be sent, in the order in which they were added. */
export function onList(db: Reader, list: string, param: string) {
  const { id } = named(db, mailingLists, list, param);
  return db
    .where(listMembers, { list: id })
    .map(({ person }) => receiver(db, handleOf(db, person), param));
}

const replyAll = defineApi({
  summary: "Reply to a received mail and send a copy to everyone else who got it.",
  params: z.strictObject({ id: idOf("received mail"), body: prose("the text") }),
  returns: sentItem.extend({ copies: z.int() }),
  example: (db) => ({
    id: received(db, (row) => db.where(copies, { mail: row.id }).length > 0),
    body: "I will be there.",
  }),
  handler: (context, { id, body }) => {
    const { db } = context;
    const { person, subject } = receivedMail(db, id);
    receiver(db, handleOf(db, person), "id");
    const others = db
      .where(copies, { mail: id })
      .map((copy) => db.get(people, copy.person))
      .filter((other) => other !== undefined && !other.blocked);
    const letter = { person, subject: `Re: ${subject}`, body, origin: id };
    const sent = deliver(
      context,
      letter,
      others.filter((other) => other !== undefined),
    );
    return { ...sent, copies: db.where(copies, { mail: sent.id }).length };
  },
});

const sendToList = defineApi({
  summary: "Send a mail to each member of a mailing list, one mail each; says how many.",
  params: z.strictObject({
    list: line("name of the mailing list"),
    subject: line("the subject"),
    body: prose("the text"),
  }),
  returns: z.strictObject({ sent: z.int() }),
  example: (db) => {
    const reached = (list: number) =>
      db.where(listMembers, { list }).every(({ person }) => open(db, person));
    const list = db.all(mailingLists).find(({ id }) => reached(id))?.name ?? "none";
    return { list, subject: "Hello", body: "Good morning!" };
  },
  handler: (context, { list, subject, body }) => {
    const members = onList(context.db, list, "list");
    if (members.length === 0) throw new ApiError(409, `list: "${list}" has no members yet`);
    for (const { id } of members) deliver(context, { person: id, subject, body, origin: null });
    return { sent: members.length };
  },
});

// --- regret ---

const MOST_SECONDS = 30;

const recall = defineApi({
  summary: "Take a sent mail back, at most 30 seconds after it was sent.",
  params: z.strictObject({ id: idOf("sent mail") }),
  returns: sentItem,
  example: (db) => ({ id: sentOne(db) }),
  handler: ({ db, now }, { id }) => {
    const row = sentMail(db, id);
    if (db.where(recalls, { mail: id }).length > 0) {
      throw new ApiError(409, `id: mail ${id} is already recalled`);
    }
    const seconds = (Date.parse(now) - Date.parse(row.at)) / 1000;
    if (seconds > MOST_SECONDS) {
      throw new ApiError(
        409,
        `id: mail ${id} was sent ${seconds} seconds ago, expected at most ${MOST_SECONDS}`,
      );
    }
    db.insert(recalls, { mail: id });
    return sentView(db)(row);
  },
});

const recalled = defineApi({
  summary: "List the sent mails that were recalled, newest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(sentItem),
  example: () => ({}),
  handler: ({ db }, page) => {
    const rows = db.all(recalls).map(({ mail }) => db.get(mails, mail)!);
    return paged(newestFirst(rows), page, sentView(db));
  },
});

// --- later ---

const scheduledItem = z.strictObject({
  subject: z.string(),
  id: z.int(),
  to: z.string(),
  day: z.string(),
  time: z.string(),
  status: z.enum(SCHEDULE_STATUSES),
});

const scheduledView =
  (db: Reader) =>
  ({ subject, id, person, day, time, status }: ScheduledMail) => ({
    subject,
    id,
    to: handleOf(db, person),
    day,
    time,
    status,
  });

const schedule = defineApi({
  summary: "Write a mail that leaves by itself on a later day.",
  params: z.strictObject({
    to: handle("the receiver"),
    subject: line("the subject"),
    body: prose("the text"),
    day: day("the day on which it leaves, after today"),
    time: time.default("08:00"),
  }),
  returns: scheduledItem,
  example: (db) => ({
    to: someone(db),
    subject: "Happy birthday",
    body: "All the best to you!",
    day: "2026-03-20",
  }),
  handler: ({ db, now }, { to, subject, body, day, time }) => {
    later(day, now);
    const person = receiver(db, to, "to").id;
    const row = { person, subject, body, day, time, status: "waiting" } as const;
    return scheduledView(db)(db.insert(scheduledMails, row));
  },
});

function later(day: string, now: string): void {
  notPast(day, now, "day");
  if (day > dayOf(now)) return;
  throw new ApiError(422, `day: expected a day after today (${dayOf(now)}), got ${day}`);
}

const scheduled = defineApi({
  summary: "List mails that leave later, soonest first; cancelled ones only when asked for.",
  params: z.strictObject({
    to: handle("only to this person").optional(),
    status: z.enum(SCHEDULE_STATUSES).default("waiting").describe("which ones"),
    ...paging,
  }),
  returns: pageOf(scheduledItem),
  example: () => ({}),
  handler: ({ db }, { to, status, ...page }) => {
    const rows = db.where(scheduledMails, given({ status, person: personId(db, to, "to") }));
    const key = (row: ScheduledMail) => `${row.day} ${row.time}`;
    const order = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
    return paged(order, page, scheduledView(db));
  },
});

function waiting(db: Reader, id: number): ScheduledMail {
  const row = rowBy(db, scheduledMails, id, "scheduled mail");
  if (row.status === "waiting") return row;
  throw new ApiError(409, `id: scheduled mail ${id} is already ${row.status}`);
}

const someWaiting = (db: Reader) => idIn(db, scheduledMails, (row) => row.status === "waiting");

const showScheduled = defineApi({
  summary: "Show a mail that leaves later, with its body.",
  params: z.strictObject({ id: idOf("scheduled mail") }),
  returns: scheduledItem.extend({ body: z.string() }),
  example: (db) => ({ id: idIn(db, scheduledMails) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, scheduledMails, id, "scheduled mail");
    return { ...scheduledView(db)(row), body: row.body };
  },
});

const reschedule = defineApi({
  summary: "Let a scheduled mail leave on another day or at another time.",
  params: z.strictObject({
    id: idOf("scheduled mail"),
    day: day("the new day, after today"),
    time: time.optional().describe("the new time; the old one when left out"),
  }),
  returns: scheduledItem,
  example: (db) => ({ id: someWaiting(db), day: "2026-04-01" }),
  handler: ({ db, now }, { id, day, time }) => {
    const row = waiting(db, id);
    later(day, now);
    return scheduledView(db)(db.update(scheduledMails, id, { day, time: time ?? row.time }));
  },
});

const cancelScheduled = defineApi({
  summary: "Cancel a mail that would leave later.",
  params: z.strictObject({ id: idOf("scheduled mail") }),
  returns: scheduledItem,
  example: (db) => ({ id: someWaiting(db) }),
  handler: ({ db }, { id }) =>
    scheduledView(db)(db.update(scheduledMails, waiting(db, id).id, { status: "cancelled" })),
});

// --- waiting for an answer ---

const followUpItem = sentItem.extend({ by: z.string() });

const followUp = defineApi({
  summary: "Note the day by which a sent mail should be answered, in place of an earlier such day.",
  params: z.strictObject({ id: idOf("sent mail"), by: day("the day") }),
  returns: followUpItem,
  example: (db) => ({ id: sentOne(db), by: "2026-03-18" }),
  handler: ({ db, now }, { id, by }) => {
    const row = sentMail(db, id);
    notPast(by, now, "by");
    const [known] = db.where(followUps, { mail: id });
    if (known) db.update(followUps, known.id, { day: by });
    else db.insert(followUps, { mail: id, day: by });
    return { ...sentView(db)(row), by };
  },
});

const listFollowUps = defineApi({
  summary: "List sent mails that wait for an answer, by the day until which they wait.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(followUpItem),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const person = personId(db, to, "to");
    const rows = db
      .all(followUps)
      .filter(({ mail }) => person === undefined || db.get(mails, mail)!.person === person);
    const order = rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    return paged(order, page, ({ mail, day }) => ({
      ...sentView(db)(db.get(mails, mail)!),
      by: day,
    }));
  },
});

const settle = defineApi({
  summary: "Stop waiting for the answer to a sent mail.",
  params: z.strictObject({ id: idOf("sent mail") }),
  returns: sentItem,
  example: (db) => ({ id: db.all(followUps)[0]?.mail ?? 1 }),
  handler: ({ db }, { id }) => {
    const row = sentMail(db, id);
    const [known] = db.where(followUps, { mail: id });
    if (!known) throw new ApiError(409, `id: nothing waits for an answer to mail ${id}`);
    db.remove(followUps, known.id);
    return sentView(db)(row);
  },
});

export const sendingApis = {
  compose,
  replyAll,
  sendToList,
  recall,
  recalled,
  schedule,
  scheduled,
  showScheduled,
  reschedule,
  cancelScheduled,
  followUp,
  followUps: listFollowUps,
  settle,
};
