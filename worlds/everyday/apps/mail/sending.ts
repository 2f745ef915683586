/**
 * Sending beyond one mail to one person: copies, answers to all, later sending, and regret.
 *
 * A sent mail can be taken back within half a minute. It stays, and so does the recall.
 */

import {
  by,
  day,
  itemOf,
  line,
  must,
  named,
  newestFirst,
  prose,
  put,
  resource,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  clock,
  dayOf,
  handle,
  handleOf,
  notPast,
  ofPerson,
  receiver,
  someone,
  theirHandle,
} from "../shared.ts";
import { mails, people } from "../tables.ts";
import {
  copies,
  followUps,
  listMembers,
  mailingLists,
  recalls,
  SCHEDULE_STATUSES,
  scheduledMails,
  signatures,
} from "./tables.ts";
import {
  answerTo,
  countedItem,
  deliver,
  newest,
  open,
  received,
  sentItem,
  sentMail,
} from "./views.ts";

const to = handle("the receiver");
const subject = line("the subject");
const body = prose("the text");
const time = clock("the time");

/** A list's members to whom mail may be sent, in the order in which they were added. */
function onList(db: Reader, list: string, param: string) {
  const { id } = named(db, mailingLists, list, param);
  return db
    .where(listMembers, { list: id })
    .map(({ person }) => receiver(db, handleOf(db, person), param));
}

const MOST_SECONDS = 30;

const scheduledMail = resource({
  noun: "scheduled mail",
  item: itemOf(scheduledMails, {
    ...scheduledMails.fields("subject", "id"),
    to: theirHandle,
    ...scheduledMails.fields("day", "time", "status"),
  }),
});

function later(day: string, now: string): void {
  notPast(day, now, "day");
  must(day > dayOf(now), 422, `day: expected a day after today (${dayOf(now)}), got ${day}`);
}

const followUpDay = (db: Reader, mail: number) => db.where(followUps, { mail })[0]?.day ?? "";
const followUpItem = sentItem.with({ by: [z.string(), ({ id }, { db }) => followUpDay(db, id)] });

export const sendingApis = {
  compose: sentMail.add(
    "Send a mail with copies to others and one of the owner's signatures below the text.",
    {
      params: {
        to,
        subject,
        body,
        copy: z
          .array(handle("a person"))
          .max(20)
          .default([])
          .describe("handles of those who get a copy"),
        copyList: line("a mailing list whose members get a copy").optional(),
        signature: line("name of a signature; it follows the text on a new line").optional(),
      },
      item: countedItem,
      row: ({ to, subject, body, copy, copyList, signature }, context) => {
        const { db } = context;
        const person = receiver(db, to, "to").id;
        const others = copy.map((came) => receiver(db, came, "copy"));
        if (copyList !== undefined) others.push(...onList(db, copyList, "copyList"));
        const end =
          signature === undefined ? "" : `\n${named(db, signatures, signature, "signature").text}`;
        return deliver(context, { person, subject, body: `${body}${end}`, origin: null }, others);
      },
      example: (db) => ({
        to: someone(db),
        subject: "Minutes",
        body: "They are on the shelf.",
        copy: [someone(db, 1)],
      }),
    },
  ),
  replyAll: received.act("Reply to a received mail and send a copy to everyone else who got it.", {
    params: { body },
    item: countedItem,
    run: (row, { body }, context) => {
      const { db } = context;
      const letter = answerTo(db, row, body);
      const others = db
        .where(copies, { mail: row.id })
        .flatMap(({ person }) => db.get(people, person) ?? [])
        .filter(({ blocked }) => !blocked);
      return deliver(context, letter, others);
    },
    example: (db) => ({
      id: newest(db, ({ id }) => db.where(copies, { mail: id }).length > 0),
      body: "I will be there.",
    }),
  }),
  sendToList: defineApi({
    summary: "Send a mail to each member of a mailing list, one mail each; says how many.",
    params: z.strictObject({ list: line("name of the mailing list"), subject, body }),
    returns: z.strictObject({ sent: z.int() }),
    example: (db) => {
      const reached = (list: number) =>
        db.where(listMembers, { list }).every(({ person }) => open(db, person));
      const list = db.all(mailingLists).find(({ id }) => reached(id))?.name ?? "none";
      return { list, subject: "Hello", body: "Good morning!" };
    },
    handler: (context, { list, subject, body }) => {
      const members = onList(context.db, list, "list");
      must(members.length > 0, 409, `list: "${list}" has no members yet`);
      for (const { id } of members) deliver(context, { person: id, subject, body, origin: null });
      return { sent: members.length };
    },
  }),

  // --- regret ---

  recall: sentMail.act("Take a sent mail back, at most 30 seconds after it was sent.", {
    run: (row, { id }, { db, now }) => {
      must(db.where(recalls, { mail: id }).length === 0, 409, `id: mail ${id} is already recalled`);
      const seconds = (Date.parse(now) - Date.parse(row.at)) / 1000;
      const sent = `mail ${id} was sent ${seconds} seconds ago`;
      must(seconds <= MOST_SECONDS, 409, `id: ${sent}, expected at most ${MOST_SECONDS}`);
      db.insert(recalls, { mail: id });
      return row;
    },
  }),
  recalled: sentMail.list("List the sent mails that were recalled, newest first.", {
    rows: (_, { db }) => db.all(recalls).map(({ mail }) => db.get(mails, mail)!),
    order: newestFirst,
  }),

  // --- later ---

  schedule: scheduledMail.add("Write a mail that leaves by itself on a later day.", {
    params: {
      to,
      subject,
      body,
      day: day("the day on which it leaves, after today"),
      time: time.default("08:00"),
    },
    row: ({ to, ...rest }, { db, now }) => {
      later(rest.day, now);
      return { person: receiver(db, to, "to").id, ...rest };
    },
    plain: { status: "waiting" },
    example: (db) => ({
      to: someone(db),
      subject: "Happy birthday",
      body: "All the best to you!",
      day: "2026-03-20",
    }),
  }),
  scheduled: scheduledMail.list(
    "List mails that leave later, soonest first; cancelled ones only when asked for.",
    {
      filters: {
        to: ofPerson("only to this person", "to"),
        status: z.enum(SCHEDULE_STATUSES).default("waiting").describe("which ones"),
      },
      order: by(
        (row) => row.day,
        (row) => row.time,
      ),
    },
  ),
  showScheduled: scheduledMail.show("Show a mail that leaves later, with its body.", {
    item: scheduledMail.item.with({ body: z.string() }),
  }),
  reschedule: scheduledMail.change(
    "Let a scheduled mail leave on another day or at another time.",
    {
      params: {
        day: day("the new day, after today"),
        time: time.optional().describe("the new time; the old one when left out"),
      },
      fits: ({ status }) => status === "waiting",
      unless: ({ id, status }) =>
        must(status === "waiting", 409, `id: scheduled mail ${id} is already ${status}`),
      set: (row, { day, time = row.time }, { now }) => {
        later(day, now);
        return { day, time };
      },
      example: { day: "2026-04-01" },
    },
  ),
  cancelScheduled: scheduledMail.set(
    "Cancel a mail that would leave later.",
    { status: "cancelled" },
    "is already cancelled",
  ),

  // --- waiting for an answer ---

  followUp: sentMail.act(
    "Note the day by which a sent mail should be answered, in place of an earlier such day.",
    {
      params: { by: day("the day") },
      item: followUpItem,
      run: (row, { by }, { db, now }) => {
        notPast(by, now, "by");
        put(db, followUps, { mail: row.id }, { day: by });
        return row;
      },
      example: { by: "2026-03-18" },
    },
  ),
  followUps: sentMail.list(
    "List sent mails that wait for an answer, by the day until which they wait.",
    {
      item: followUpItem,
      rows: (_, { db }) => db.all(followUps).map(({ mail }) => db.get(mails, mail)!),
      filters: { to: ofPerson("only to this person", "to") },
      order: by(({ id }, { db }) => followUpDay(db, id)),
    },
  ),
  settle: sentMail.act("Stop waiting for the answer to a sent mail.", {
    run: (row, { id }, { db }) => {
      const [known] = db.where(followUps, { mail: id });
      must(known, 409, `id: nothing waits for an answer to mail ${id}`);
      db.remove(followUps, known.id);
      return row;
    },
    example: (db) => ({ id: db.all(followUps)[0]?.mail ?? 1 }),
  }),
};
