/** Sets beside received mail: what was sent, what waits to be sent or answered, newsletters, lists, attachments. */
import type { Reader } from "../../../../world/index.ts";
import { type Clause, type Collection, collection, type Field } from "../../algebra/parts.ts";
import {
  type Attachment,
  attachments,
  copies,
  type Draft,
  drafts,
  followUps,
  issues,
  listMembers,
  type MailingList,
  mailingLists,
  type Newsletter,
  newsletters,
  type ScheduledMail,
  scheduledMails,
  snoozes,
} from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import { type Mail, mails, type Person, people } from "../../apps/tables.ts";
import { atLeast, oneOfSome } from "../bounds.ts";
import { dayClause, fromClause, js } from "./words.ts";

// --- sent mail ---

const to = <R extends Mail | Draft | ScheduledMail>() =>
  fromClause<R>(
    "to",
    "to",
    (row) => row.person,
    (name) => [
      `to ${name}`,
      `addressed to ${name}`,
      `with ${name} as the receiver`,
      `that are meant for ${name}`,
      `whose receiver is ${name}`,
    ],
  );

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

const subjectOf = <R extends Mail | Draft | ScheduledMail>(): Field<R> => ({
  name: "subject",
  unit: "text",
  noun: "subject",
  value: (row) => row.subject,
  code: "x.subject",
});

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

// --- not sent yet ---

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

// --- newsletters, lists, attachments, correspondents ---

const issuesOf = (db: Reader, newsletter: number) => db.where(issues, { newsletter });

export const subscriptions: Collection = collection<Newsletter>({
  name: "mail.newsletters",
  kind: "newsletters",
  app: "mail",
  table: newsletters,
  base: (row) => row.subscribed,
  nouns: [
    {
      one: "newsletter with a running subscription",
      many: "newsletters with a running subscription",
    },
    { one: "subscribed newsletter", many: "subscribed newsletters" },
    { one: "newsletter on subscription", many: "newsletters on subscription" },
    {
      one: "newsletter with a subscription of mine",
      many: "newsletters with a subscription of mine",
    },
    {
      one: "newsletter under a running subscription",
      many: "newsletters under a running subscription",
    },
  ],
  list: { api: "mail.newsletters", args: "subscribed:true" },
  key: "id",
  whole: true,
  clauses: [
    {
      name: "rhythm",
      draw: ({ rng }, rows) => {
        const rhythm = oneOfSome<string>(
          rng,
          rows.map((row) => row.rhythm),
        );
        if (rhythm === undefined) return undefined;
        return {
          words: [
            `that are ${rhythm}`,
            `with a ${rhythm} rhythm`,
            `which come out ${rhythm}`,
            `that appear ${rhythm}`,
            `whose rhythm is ${rhythm}`,
          ],
          holds: (row) => row.rhythm === rhythm,
          code: { test: `x.rhythm===${js(rhythm)}` },
        };
      },
    },
    fromClause<Newsletter>(
      "editor",
      "editor",
      (row) => row.person,
      (name) => [
        `by ${name}`,
        `edited by ${name}`,
        `that ${name} edits`,
        `whose editor is ${name}`,
        `with ${name} as editor`,
      ],
    ),
    {
      name: "issues",
      draw: ({ rng, db }, rows) => {
        const least = atLeast(
          rng,
          rows.map(({ id }) => issuesOf(db, id).length),
        );
        if (least === undefined) return undefined;
        return {
          words: [
            `with ${least} or more issues in my mail`,
            `of which at least ${least} issues came`,
            `that sent me ${least} issues or more`,
            `with no fewer than ${least} issues so far`,
            `of which I got ${least} or more issues`,
          ],
          holds: (row, reader) => issuesOf(reader, row.id).length >= least,
          code: { test: `x.issues>=${least}` },
        };
      },
    },
  ],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "issues",
      unit: "number",
      noun: "number of issues",
      value: (row, db) => issuesOf(db, row.id).length,
      code: "x.issues",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (title) => [
      `the newsletter "${title}"`,
      `my newsletter "${title}"`,
      `the newsletter called "${title}"`,
      `the newsletter with the name "${title}"`,
      `the newsletter named "${title}"`,
    ],
    cells: (title, out) => [
      `var ${out}=apis.mail.newsletters({subscribed:true,size:20}).items.filter(x=>x.name===${js(title)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["Letters from Nowhere", "The Iron Kettle", "Daily Snow"],
  },
});

const sizeOf = (db: Reader, list: number) => db.where(listMembers, { list }).length;

export const ownLists: Collection = collection<MailingList>({
  name: "mail.lists",
  kind: "mailingLists",
  app: "mail",
  table: mailingLists,
  base: () => true,
  nouns: [
    { one: "mailing list", many: "mailing lists" },
    { one: "mailing list of mine", many: "mailing lists of mine" },
    { one: "mailing list in my mail", many: "mailing lists in my mail" },
    { one: "own mailing list", many: "own mailing lists" },
    { one: "mailing list of my own", many: "mailing lists of my own" },
  ],
  list: { api: "mail.lists" },
  key: "name",
  whole: true,
  clauses: [
    {
      name: "member",
      draw: (draw, rows) => {
        const ids = rows.flatMap(({ id }) =>
          draw.db.where(listMembers, { list: id }).map(({ person }) => person),
        );
        const someone = draw.person([...new Set(ids)]);
        if (!someone) return undefined;
        const person = someone.value.id;
        return {
          words: [
            `with ${someone.words} on them`,
            `that ${someone.words} is on`,
            `that have ${someone.words} as a member`,
            `to which ${someone.words} belongs`,
            `with ${someone.words} among the members`,
          ],
          holds: (row, db) => db.where(listMembers, { list: row.id, person }).length > 0,
          code: { args: `person:${someone.code}` },
          uses: [someone],
        };
      },
    },
    {
      name: "size",
      draw: ({ rng, db }, rows) => {
        const least = atLeast(
          rng,
          rows.map(({ id }) => sizeOf(db, id)),
        );
        if (least === undefined) return undefined;
        return {
          words: [
            `with ${least} or more members`,
            `that have at least ${least} members`,
            `with no fewer than ${least} members`,
            `of ${least} members or more`,
            `on which there are at least ${least} people`,
          ],
          holds: (row, reader) => sizeOf(reader, row.id) >= least,
          code: { test: `x.size>=${least}` },
        };
      },
    },
  ],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "size",
      unit: "number",
      noun: "number of members",
      value: (row, db) => sizeOf(db, row.id),
      code: "x.size",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (title) => [
      `my mailing list "${title}"`,
      `the mailing list "${title}"`,
      `the mailing list called "${title}"`,
      `the mailing list named "${title}"`,
      `the mailing list of mine with the name "${title}"`,
    ],
    cells: (title, out) => [
      `var ${out}=apis.mail.lists({size:20}).items.filter(x=>x.name===${js(title)}).map(x=>x.name);print(${out})`,
    ],
    missing: ["moon watchers", "left-handed painters", "attic group"],
  },
});

const keptAttachment = (row: Attachment, db: Reader) => db.get(mails, row.mail)!.folder !== "trash";

export const attachedFiles: Collection = collection<Attachment>({
  name: "mail.attachments",
  kind: "attachments",
  app: "mail",
  table: attachments,
  base: keptAttachment,
  nouns: [
    { one: "attachment in inbox and archive", many: "attachments in inbox and archive" },
    {
      one: "attachment of mails in inbox and archive",
      many: "attachments of mails in inbox and archive",
    },
    {
      one: "file attached to mails in inbox and archive",
      many: "files attached to mails in inbox and archive",
    },
    {
      one: "attachment of received mails outside the trash",
      many: "attachments of received mails outside the trash",
    },
    {
      one: "file attached to received mails outside the trash",
      many: "files attached to received mails outside the trash",
    },
  ],
  list: { api: "mail.attachments" },
  key: "id",
  whole: false,
  clauses: [
    {
      name: "kind",
      draw: ({ rng }, rows) => {
        const kind = oneOfSome<string>(
          rng,
          rows.map((row) => row.kind),
        );
        if (kind === undefined) return undefined;
        return {
          words: [
            `of the kind "${kind}"`,
            `whose kind is "${kind}"`,
            `that are of kind "${kind}"`,
            `with "${kind}" as their kind`,
            `which mail lists as "${kind}"`,
          ],
          holds: (row) => row.kind === kind,
          code: { args: `kind:${js(kind)}` },
        };
      },
    },
    {
      name: "from",
      draw: (draw, rows) => {
        const senders = rows.map((row) => draw.db.get(mails, row.mail)!.person);
        const someone = draw.person([...new Set(senders)]);
        if (!someone) return undefined;
        return {
          words: [
            `from ${someone.words}`,
            `that ${someone.words} sent me`,
            `sent by ${someone.words}`,
            `that came from ${someone.words}`,
            `which I got from ${someone.words}`,
          ],
          holds: (row, db) => db.get(mails, row.mail)!.person === someone.value.id,
          code: { args: `from:${someone.code}` },
          uses: [someone],
        };
      },
    },
    {
      name: "large",
      draw: ({ rng }, rows) => {
        const least = atLeast(
          rng,
          rows.map((row) => row.kilobytes),
        );
        if (least === undefined) return undefined;
        return {
          words: [
            `of ${least} kilobytes or more`,
            `with at least ${least} kilobytes`,
            `that are ${least} kilobytes or larger`,
            `that have no less than ${least} kilobytes`,
            `whose size is at least ${least} kilobytes`,
          ],
          holds: (row) => row.kilobytes >= least,
          code: { test: `x.kilobytes>=${least}` },
        };
      },
    },
  ],
  fields: [
    { name: "name", unit: "text", noun: "file name", value: (row) => row.name, code: "x.name" },
    {
      name: "size",
      unit: "number",
      noun: "size in kilobytes",
      value: (row) => row.kilobytes,
      code: "x.kilobytes",
      superlatives: {
        most: ["largest", "biggest", "heaviest", "most sizeable", "bulkiest"],
        least: ["smallest", "tiniest", "lightest", "least sizeable", "least bulky"],
      },
    },
  ],
});

const exchanged = (db: Reader, person: number, outgoing: boolean) =>
  db.where(mails, { person, outgoing }).filter(({ folder }) => folder !== "trash").length;

/** People with whom there is mail. */
export const correspondents: Collection = collection<Person>({
  name: "people.correspondents",
  kind: "people",
  app: "mail",
  table: people,
  base: (row, db) => exchanged(db, row.id, true) + exchanged(db, row.id, false) > 0,
  nouns: [
    { one: "person in my mail", many: "people in my mail outside the trash" },
    { one: "person in my mail", many: "people in my mail (trash aside)" },
    { one: "person of my correspondence", many: "people of my correspondence (trash aside)" },
    { one: "person in my mail", many: "people in my mail (leaving the trash aside)" },
    { one: "correspondent of mine", many: "correspondents of mine (leaving the trash aside)" },
  ],
  list: { api: "mail.correspondents" },
  key: "handle",
  whole: false,
  clauses: [
    {
      name: "received",
      draw: ({ rng, db }, rows) => {
        const least = atLeast(
          rng,
          rows.map(({ id }) => exchanged(db, id, false)),
        );
        if (least === undefined || least === 0) return undefined;
        return {
          words: [
            `who sent me ${least} or more mails`,
            `who have written to me at least ${least} times`,
            `from whom I got ${least} mails or more`,
            `who wrote me no fewer than ${least} mails`,
            `from whom at least ${least} mails came`,
          ],
          holds: (row, reader) => exchanged(reader, row.id, false) >= least,
          code: { test: `x.received>=${least}` },
        };
      },
    },
    {
      name: "sent",
      excludes: ["never-wrote"],
      draw: ({ rng, db }, rows) => {
        const least = atLeast(
          rng,
          rows.map(({ id }) => exchanged(db, id, true)),
        );
        if (least === undefined || least === 0) return undefined;
        return {
          words: [
            `to whom I sent ${least} or more mails`,
            `to whom I have written at least ${least} times`,
            `who got ${least} mails or more from me`,
            `to whom no fewer than ${least} mails went`,
            `to whom I wrote at least ${least} mails`,
          ],
          holds: (row, reader) => exchanged(reader, row.id, true) >= least,
          code: { test: `x.sent>=${least}` },
        };
      },
    },
    {
      name: "never-wrote",
      draw: () => ({
        words: [
          "to whom I never sent a mail",
          "to whom I have not sent any mail",
          "who never got a mail from me",
          "to whom not one mail of mine went",
          "to whom I have sent no mail at all",
        ],
        holds: (row, db) => exchanged(db, row.id, true) === 0,
        code: { test: "x.sent===0" },
      }),
    },
  ],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "received",
      unit: "number",
      noun: "number of mails that I got",
      value: (row, db) => exchanged(db, row.id, false),
      code: "x.received",
    },
  ],
});
