/** Sets around mail: newsletters, mailing lists, attachments, and the people of the correspondence. */

import { type Collection, collection } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  type Attachment,
  attachments,
  issues,
  listMembers,
  type MailingList,
  mailingLists,
  type Newsletter,
  newsletters,
} from "../../apps/mail/tables.ts";
import { mails, type Person, people } from "../../apps/tables.ts";
import { atLeast, oneOfSome } from "../bounds.ts";
import { fromClause, js } from "./words.ts";

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
