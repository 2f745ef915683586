/** Sets of mail by where it went: sent, waiting for an answer, snoozed. */

import { type Clause, type Collection, collection } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { copies, followUps, snoozes } from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { subjectOf, to } from "./addressed.ts";
import { dayClause, js } from "./words.ts";

const copiesOf = (db: Reader, mail: number) => db.where(copies, { mail });

const copied: Clause<Mail> = {
  name: "copied",
  draw: (draw, rows) => {
    const ids = rows.flatMap(({ id }) => copiesOf(draw.db, id).map(({ person }) => person));
    const someone = draw.person([...new Set(ids)]);
    if (!someone) return undefined;
    const { id } = someone.value;
    return {
      words: [
        `of which ${someone.words} got a copy`,
        `that were copied to ${someone.words}`,
        `with ${someone.words} among those who got a copy`,
        `of which I sent ${someone.words} a copy`,
        `that ${someone.words} got as a copy`,
      ],
      holds: (row, db) => copiesOf(db, row.id).some(({ person }) => person === id),
      code: {
        test: `apis.mail.showSent({id:x.id}).copies.includes(${someone.code})`,
      },
      uses: [someone],
    };
  },
};

const SENT_SORTS = ["Re: Invitation", "Receipt", "Re: "] as const;
const sentSort: Clause<Mail> = {
  name: "subject-start",
  draw: ({ rng }, rows) => {
    const start = oneOfSome<string>(
      rng,
      rows.flatMap(({ subject }) => SENT_SORTS.filter((word) => subject.startsWith(word))),
    );
    if (start === undefined) return undefined;
    const shown = start.trim();
    return {
      words: [
        `whose subject begins with "${shown}"`,
        `with a subject that starts with "${shown}"`,
        `whose subject line starts with "${shown}"`,
        `with "${shown}" at the very beginning of the subject`,
        `whose subjects have "${shown}" right at the start`,
      ],
      holds: (row) => row.subject.startsWith(shown),
      code: { test: `x.subject.startsWith(${js(shown)})` },
    };
  },
};

const sentSince = dayClause<Mail>(
  "since",
  "since",
  [],
  (row) => dayOf(row.at),
  (day) => [
    `that I sent on ${day} or later`,
    `sent on or after ${day}`,
    `sent no earlier than ${day}`,
    `that left me on ${day} or after that day`,
    `that went out on ${day} at the earliest`,
  ],
  (day) => ({ test: `apis.mail.showSent({id:x.id}).day>=${day}` }),
);

export const sentMails: Collection = collection<Mail>({
  name: "mails.sent",
  kind: "sentMails",
  app: "mail",
  table: mails,
  base: (row) => row.outgoing,
  nouns: [
    { one: "sent mail", many: "sent mails" },
    { one: "mail in my sent folder", many: "mails in my sent folder" },
    { one: "sent e-mail", many: "sent e-mails" },
    { one: "sent mail of mine", many: "sent mails of mine" },
    { one: "e-mail in my sent folder", many: "e-mails in my sent folder" },
  ],
  list: { api: "mail.sent" },
  key: "id",
  whole: false,
  clauses: [to<Mail>(), copied, sentSort, sentSince],
  fields: [
    subjectOf<Mail>(),
    {
      name: "copies",
      unit: "number",
      noun: "number of people with a copy",
      value: (row, db) => copiesOf(db, row.id).length,
      code: "apis.mail.showSent({id:x.id}).copies.length",
    },
  ],
});

const dayOfFollowUp = (db: Reader, mail: number) => db.where(followUps, { mail })[0]?.day ?? "";

export const waitingMails: Collection = collection<Mail>({
  name: "mails.waiting",
  kind: "waitingMails",
  app: "mail",
  table: mails,
  base: (row, db) => row.outgoing && dayOfFollowUp(db, row.id) !== "",
  nouns: [
    { one: "sent mail on my follow-up list", many: "sent mails on my follow-up list" },
    { one: "sent mail marked for follow-up", many: "sent mails marked for follow-up" },
    { one: "sent mail with a follow-up day", many: "sent mails with a follow-up day" },
    { one: "sent e-mail with a follow-up day", many: "sent e-mails with a follow-up day" },
    { one: "sent e-mail marked for follow-up", many: "sent e-mails marked for follow-up" },
  ],
  list: { api: "mail.followUps" },
  key: "id",
  whole: true,
  clauses: [
    to<Mail>(),
    dayClause<Mail>(
      "by",
      "until",
      ["from-day"],
      (row, db) => dayOfFollowUp(db, row.id),
      (day) => [
        `that should be answered by ${day}`,
        `whose follow-up day is ${day} or earlier`,
        `with a follow-up day no later than ${day}`,
        `to be followed up on or before ${day}`,
        `with ${day} or an earlier day for following up`,
      ],
      (day) => ({ test: `x.by<=${day}` }),
    ),
    dayClause<Mail>(
      "from-day",
      "since",
      [],
      (row, db) => dayOfFollowUp(db, row.id),
      (day) => [
        `whose follow-up day is ${day} or later`,
        `with a follow-up day no earlier than ${day}`,
        `to be followed up on or after ${day}`,
        `that wait until ${day} at least`,
        `with ${day} or a later day for following up`,
      ],
      (day) => ({ test: `x.by>=${day}` }),
    ),
  ],
  fields: [
    subjectOf<Mail>(),
    {
      name: "by",
      unit: "day",
      noun: "follow-up day",
      value: (row, db) => dayOfFollowUp(db, row.id),
      code: "x.by",
      superlatives: {
        most: ["latest due", "last due", "least urgent", "least pressing", "farthest-off"],
        least: ["earliest due", "first due", "most urgent", "most pressing", "soonest due"],
      },
    },
  ],
});

const snoozedUntil = (db: Reader, mail: number) => db.where(snoozes, { mail })[0]?.until ?? "";

export const snoozedMails: Collection = collection<Mail>({
  name: "mails.snoozed",
  kind: "snoozedMails",
  app: "mail",
  table: mails,
  base: (row, db) => !row.outgoing && row.folder === "archive" && snoozedUntil(db, row.id) !== "",
  nouns: [
    { one: "snoozed mail", many: "snoozed mails" },
    { one: "mail on snooze", many: "mails on snooze" },
    { one: "mail put on snooze", many: "mails put on snooze" },
    { one: "snoozed e-mail", many: "snoozed e-mails" },
    { one: "e-mail on snooze", many: "e-mails on snooze" },
  ],
  list: { api: "mail.snoozed" },
  key: "id",
  whole: true,
  clauses: [
    dayClause<Mail>(
      "until",
      "until",
      ["later"],
      (row, db) => snoozedUntil(db, row.id),
      (day) => [
        `that are due again on ${day} or earlier`,
        `whose snooze ends by ${day}`,
        `which wait until ${day} or an earlier day`,
        `that come back on or before ${day}`,
        `whose snooze is over on ${day} at the latest`,
      ],
      (day) => ({ args: `until:${day}` }),
    ),
    dayClause<Mail>(
      "later",
      "since",
      [],
      (row, db) => snoozedUntil(db, row.id),
      (day) => [
        `that are due again on ${day} or later`,
        `whose snooze ends on ${day} or after`,
        `which wait until ${day} or a later day`,
        `that come back no earlier than ${day}`,
        `whose snooze is over on ${day} at the earliest`,
      ],
      (day) => ({ test: `x.until>=${day}` }),
    ),
    {
      name: "unlabelled",
      draw: () => ({
        words: [
          "without a label",
          "that have no label",
          "which are not labelled",
          "that carry no label",
          "with no label at all",
        ],
        holds: (row) => row.label === null,
        code: { test: "x.label===null" },
      }),
    },
  ],
  fields: [
    subjectOf<Mail>(),
    {
      name: "until",
      unit: "day",
      noun: "day on which it is due again",
      value: (row, db) => snoozedUntil(db, row.id),
      code: "x.until",
      superlatives: {
        most: ["latest due", "last due", "farthest-off", "latest-returning", "last-returning"],
        least: ["earliest due", "first due", "soonest due", "first-returning", "next due"],
      },
    },
  ],
});
