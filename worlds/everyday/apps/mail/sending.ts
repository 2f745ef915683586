/**
 * Defines the APIs that send mail with copies, answer all people of a mail, schedule mail, and recall a mail.
 *
 * A sent mail can be recalled within half a minute. Both the mail and the recall are kept.
 */

import {
  dayParam,
  defineItem,
  longTextParam,
  newestFirst,
  orderBy,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
  upsertRow,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  dayOf,
  exampleHandle,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requireReceiver,
  requireTodayOrLater,
  timeParam,
} from "../shared.ts";
import { mails, people } from "../tables.ts";
import {
  canReceive,
  exampleReceivedId,
  makeReply,
  received,
  sendMail,
  sentItem,
  sentItemWithCopies,
  sentMail,
} from "./mail-items.ts";
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

const to = handleParam("the receiver");
const subject = shortTextParam("the subject");
const body = longTextParam("the text");
const time = timeParam("the time");

/**
 * Returns the members of a mailing list in the order in which they were added. Throws a 422 when one of them is
 * blocked.
 */
function requireListReceivers(db: Reader, list: string, param: string) {
  const { id } = rowByName(db, mailingLists, list, param);
  return db
    .where(listMembers, { list: id })
    .map(({ person }) => requireReceiver(db, handleOf(db, person), param));
}

const RECALL_SECONDS = 30;

const scheduledMail = resource({
  noun: "scheduled mail",
  item: defineItem(scheduledMails, {
    ...scheduledMails.fields("subject", "id"),
    to: handleField,
    ...scheduledMails.fields("day", "time", "status"),
  }),
});

function requireLaterDay(day: string, now: string): void {
  requireTodayOrLater(day, now, "day");
  refuseUnless(
    day > dayOf(now),
    422,
    `day: expected a day after today (${dayOf(now)}), got ${day}`,
  );
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
          .array(handleParam("a person"))
          .max(20)
          .default([])
          .describe("handles of those who get a copy"),
        copyList: shortTextParam("a mailing list whose members get a copy").optional(),
        signature: shortTextParam(
          "name of a signature; it follows the text on a new line",
        ).optional(),
      },
      item: sentItemWithCopies,
      row: ({ to, subject, body, copy, copyList, signature }, context) => {
        const { db } = context;
        const person = requireReceiver(db, to, "to").id;
        const others = copy.map((handle) => requireReceiver(db, handle, "copy"));
        if (copyList !== undefined) others.push(...requireListReceivers(db, copyList, "copyList"));
        const signatureText =
          signature === undefined
            ? ""
            : `\n${rowByName(db, signatures, signature, "signature").text}`;
        return sendMail(
          context,
          { person, subject, body: `${body}${signatureText}`, origin: null },
          others,
        );
      },
      example: (db) => ({
        to: exampleHandle(db),
        subject: "Minutes",
        body: "They are on the shelf.",
        copy: [exampleHandle(db, 1)],
      }),
    },
  ),
  replyAll: received.act("Reply to a received mail and send a copy to everyone else who got it.", {
    params: { body },
    item: sentItemWithCopies,
    run: (row, { body }, context) => {
      const { db } = context;
      const letter = makeReply(db, row, body);
      const others = db
        .where(copies, { mail: row.id })
        .flatMap(({ person }) => db.get(people, person) ?? [])
        .filter(({ blocked }) => !blocked);
      return sendMail(context, letter, others);
    },
    example: (db) => ({
      id: exampleReceivedId(db, ({ id }) => db.where(copies, { mail: id }).length > 0),
      body: "I will be there.",
    }),
  }),
  sendToList: defineApi({
    summary: "Send a mail to each member of a mailing list, one mail each; says how many.",
    params: z.strictObject({ list: shortTextParam("name of the mailing list"), subject, body }),
    returns: z.strictObject({ sent: z.int() }),
    example: (db) => {
      const canReachAll = (list: number) =>
        db.where(listMembers, { list }).every(({ person }) => canReceive(db, person));
      const list = db.all(mailingLists).find(({ id }) => canReachAll(id))?.name ?? "none";
      return { list, subject: "Hello", body: "Good morning!" };
    },
    handler: (context, { list, subject, body }) => {
      const members = requireListReceivers(context.db, list, "list");
      refuseUnless(members.length > 0, 409, `list: "${list}" has no members yet`);
      for (const { id } of members) sendMail(context, { person: id, subject, body, origin: null });
      return { sent: members.length };
    },
  }),

  recall: sentMail.act("Take a sent mail back, at most 30 seconds after it was sent.", {
    run: (row, { id }, { db, now }) => {
      refuseUnless(
        db.where(recalls, { mail: id }).length === 0,
        409,
        `id: mail ${id} is already recalled`,
      );
      const seconds = (Date.parse(now) - Date.parse(row.at)) / 1000;
      const sent = `mail ${id} was sent ${seconds} seconds ago`;
      refuseUnless(
        seconds <= RECALL_SECONDS,
        409,
        `id: ${sent}, expected at most ${RECALL_SECONDS}`,
      );
      db.insert(recalls, { mail: id });
      return row;
    },
  }),
  recalled: sentMail.list("List the sent mails that were recalled, newest first.", {
    rows: (_, { db }) => db.all(recalls).map(({ mail }) => db.get(mails, mail)!),
    order: newestFirst,
  }),

  schedule: scheduledMail.add("Write a mail that leaves by itself on a later day.", {
    params: {
      to,
      subject,
      body,
      day: dayParam("the day on which it leaves, after today"),
      time: time.default("08:00"),
    },
    row: ({ to, ...rest }, { db, now }) => {
      requireLaterDay(rest.day, now);
      return { person: requireReceiver(db, to, "to").id, ...rest };
    },
    defaults: { status: "waiting" },
    example: (db) => ({
      to: exampleHandle(db),
      subject: "Happy birthday",
      body: "All the best to you!",
      day: "2026-03-20",
    }),
  }),
  scheduled: scheduledMail.list(
    "List mails that leave later, soonest first; cancelled ones only when asked for.",
    {
      filters: {
        to: personColumnFilter("only to this person", "to"),
        status: z.enum(SCHEDULE_STATUSES).default("waiting").describe("which ones"),
      },
      order: orderBy(
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
        day: dayParam("the new day, after today"),
        time: time.optional().describe("the new time; the old one when left out"),
      },
      isExample: ({ status }) => status === "waiting",
      checkRow: ({ id, status }) =>
        refuseUnless(status === "waiting", 409, `id: scheduled mail ${id} is already ${status}`),
      set: (row, { day, time = row.time }, { now }) => {
        requireLaterDay(day, now);
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

  followUp: sentMail.act(
    "Note the day by which a sent mail should be answered, in place of an earlier such day.",
    {
      params: { by: dayParam("the day") },
      item: followUpItem,
      run: (row, { by }, { db, now }) => {
        requireTodayOrLater(by, now, "by");
        upsertRow(db, followUps, { mail: row.id }, { day: by });
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
      filters: { to: personColumnFilter("only to this person", "to") },
      order: orderBy(({ id }, { db }) => followUpDay(db, id)),
    },
  ),
  settle: sentMail.act("Stop waiting for the answer to a sent mail.", {
    run: (row, { id }, { db }) => {
      const [known] = db.where(followUps, { mail: id });
      refuseUnless(known, 409, `id: nothing waits for an answer to mail ${id}`);
      db.remove(followUps, known.id);
      return row;
    },
    example: (db) => ({ id: db.all(followUps)[0]?.mail ?? 1 }),
  }),
};
