/** Sets of mail that has not left yet: drafts, and what is on schedule. */
import { type Clause, type Collection, collection } from "../../../../goals/index.ts";
import { type Draft, drafts, type ScheduledMail, scheduledMails } from "../../apps/mail/tables.ts";
import { subjectOf, to } from "./addressed.ts";
import { dayClause, js } from "./words.ts";

const emptyReceiver: Clause<Draft> = {
  name: "no-receiver",
  excludes: ["to", "answers"],
  draw: () => ({
    words: [
      "without a receiver",
      "that have no receiver yet",
      "whose receiver is still missing",
      "that are not addressed to anyone",
      "which lack a receiver",
    ],
    holds: (row) => row.person === null,
    code: { test: "x.to===null" },
  }),
};

const answering: Clause<Draft> = {
  name: "answers",
  draw: () => ({
    words: [
      "that answer a mail",
      "which are replies",
      "that reply to a mail",
      "written in reply to a mail",
      "which answer a mail that I got",
    ],
    holds: (row) => row.origin !== null,
    code: { test: "apis.mail.showDraft({id:x.id}).answers!==null" },
  }),
};

export const draftMails: Collection = collection<Draft>({
  name: "mails.drafts",
  kind: "drafts",
  app: "mail",
  table: drafts,
  base: () => true,
  nouns: [
    { one: "draft", many: "drafts" },
    { one: "mail draft", many: "mail drafts" },
    { one: "unsent draft", many: "unsent drafts" },
    { one: "draft of mine", many: "drafts of mine" },
    { one: "draft in my mail", many: "drafts in my mail" },
  ],
  list: { api: "mail.drafts" },
  key: "id",
  whole: false,
  clauses: [to<Draft>(), emptyReceiver, answering],
  fields: [subjectOf<Draft>()],
  title: {
    of: (row) => row.subject,
    nouns: (title) => [
      `my draft "${title}"`,
      `the draft "${title}"`,
      `my draft with the subject "${title}"`,
      `the draft of mine called "${title}"`,
      `the unsent draft whose subject is "${title}"`,
    ],
    cells: (title, out) => [
      `var ${out}=[],p=1,r;do{r=apis.mail.drafts({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.subject===${js(title)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["The ship in the bottle", "Answer to the mayor", "Three wishes"],
  },
});

const morning: Clause<ScheduledMail> = {
  name: "morning",
  draw: () => ({
    words: [
      "that leave before noon",
      "that go out in the morning, before 12:00",
      "with a time before 12:00",
      "which are to be sent before noon",
      "set to leave before noon",
    ],
    holds: (row) => row.time < "12:00",
    code: { test: 'x.time<"12:00"' },
  }),
};

export const laterMails: Collection = collection<ScheduledMail>({
  name: "mails.scheduled",
  kind: "scheduledMails",
  app: "mail",
  table: scheduledMails,
  base: (row) => row.status === "waiting",
  nouns: [
    { one: "scheduled mail", many: "scheduled mails" },
    { one: "mail scheduled for later", many: "mails scheduled for later" },
    { one: "scheduled e-mail", many: "scheduled e-mails" },
    { one: "mail scheduled for a later day", many: "mails scheduled for a later day" },
    { one: "e-mail scheduled for later", many: "e-mails scheduled for later" },
  ],
  list: { api: "mail.scheduled" },
  key: "id",
  whole: true,
  clauses: [
    to<ScheduledMail>(),
    dayClause<ScheduledMail>(
      "until",
      "until",
      ["since"],
      (row) => row.day,
      (day) => [
        `that leave on ${day} or earlier`,
        `to be sent by ${day}`,
        `that go out on or before ${day}`,
        `set for ${day} or a day before`,
        `whose day is ${day} at the latest`,
      ],
      (day) => ({ test: `x.day<=${day}` }),
    ),
    dayClause<ScheduledMail>(
      "since",
      "since",
      [],
      (row) => row.day,
      (day) => [
        `that leave on ${day} or later`,
        `to be sent on ${day} at the earliest`,
        `that go out on or after ${day}`,
        `set for ${day} or a day after`,
        `whose day is no earlier than ${day}`,
      ],
      (day) => ({ test: `x.day>=${day}` }),
    ),
    morning,
  ],
  fields: [
    subjectOf<ScheduledMail>(),
    {
      name: "day",
      unit: "day",
      noun: "day of sending",
      value: (row) => row.day,
      code: "x.day",
      superlatives: {
        most: ["latest", "last", "farthest-off", "most distant", "latest-leaving"],
        least: ["earliest", "first", "nearest", "soonest", "earliest-leaving"],
      },
    },
  ],
});
