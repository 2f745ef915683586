/** Received mail as sets: the inbox, what was not thrown away, and what speaks of money. */
import { type Collection, collection } from "../../../../goals/index.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import {
  archived,
  copiedTo,
  enclosed,
  from,
  labelled,
  manyFiles,
  mentions,
  since,
  sort,
  starred,
  unlabelled,
  unread,
  until,
} from "./received-clauses.ts";
import {
  amount,
  atLeastSum,
  atMostSum,
  due,
  dueBy,
  fileCount,
  received,
  subject,
  whatFor,
} from "./received-fields.ts";
import { js } from "./words.ts";

const kept = (row: Mail) => !row.outgoing && row.folder !== "trash";
const MISSING = ["Keys to the boat house", "Roof repair, second offer", "Plans for the tunnel"];

function titled(place: string, filter: string) {
  return {
    of: (row: Mail) => row.subject,
    nouns: (title: string) =>
      [
        `the mail "${title}" ${place}`,
        `the mail with the subject "${title}" ${place}`,
        `the mail ${place} whose subject is "${title}"`,
        `the mail called "${title}" ${place}`,
        `the one mail ${place} with "${title}" as its subject`,
      ] as const,
    cells: (title: string, out: string) => [
      `var ${out}=apis.mail.find({${filter}subject:${js(title)},size:20}).items.filter(x=>x.subject===${js(title)}).map(x=>x.id);print(${out})`,
    ],
    missing: MISSING,
  };
}

export const inbox: Collection = collection<Mail>({
  name: "mails.inbox",
  kind: "mails",
  app: "mail",
  table: mails,
  base: (row) => !row.outgoing && row.folder === "inbox",
  nouns: [
    { one: "mail in my inbox", many: "mails in my inbox" },
    { one: "inbox mail", many: "inbox mails" },
    { one: "e-mail in my inbox", many: "e-mails in my inbox" },
    { one: "mail in the inbox", many: "mails in the inbox" },
    { one: "mail lying in my inbox", many: "mails lying in my inbox" },
  ],
  list: { api: "mail.list" },
  key: "id",
  whole: false,
  clauses: [from, labelled, unlabelled, starred, unread, sort, mentions],
  fields: [subject],
  title: titled("in my inbox", 'folder:"inbox",'),
});

export const keptMail: Collection = collection<Mail>({
  name: "mails.kept",
  kind: "mails",
  app: "mail",
  table: mails,
  base: kept,
  nouns: [
    { one: "mail in inbox and archive", many: "mails in inbox and archive" },
    { one: "received mail outside the trash", many: "received mails outside the trash" },
    { one: "e-mail in inbox and archive", many: "e-mails in inbox and archive" },
    { one: "received e-mail outside the trash", many: "received e-mails outside the trash" },
    { one: "mail in inbox or archive", many: "mails in inbox or archive" },
  ],
  list: { api: "mail.find" },
  key: "id",
  whole: false,
  clauses: [from, since, until, enclosed, manyFiles, archived, sort, copiedTo],
  fields: [subject, received, fileCount],
});

export const receipts: Collection = collection<Mail>({
  name: "mails.receipts",
  kind: "bills",
  app: "mail",
  table: mails,
  base: (row) => kept(row) && row.label === "receipts",
  nouns: [
    {
      one: 'mail labelled "receipts" in inbox and archive',
      many: 'mails labelled "receipts" in inbox and archive',
    },
    {
      one: 'mail with the label "receipts" in inbox and archive',
      many: 'mails with the label "receipts" in inbox and archive',
    },
    {
      one: 'e-mail labelled "receipts" in inbox and archive',
      many: 'e-mails labelled "receipts" in inbox and archive',
    },
    {
      one: 'inbox and archive mail labelled "receipts"',
      many: 'inbox and archive mails labelled "receipts"',
    },
    {
      one: 'inbox and archive mail with the label "receipts"',
      many: 'inbox and archive mails with the label "receipts"',
    },
  ],
  list: { api: "mail.find", args: 'label:"receipts"' },
  key: "id",
  whole: false,
  clauses: [from, since, until, atLeastSum, atMostSum, whatFor, archived, copiedTo],
  fields: [subject, amount, received],
});

export const bills: Collection = collection<Mail>({
  name: "mails.bills",
  kind: "bills",
  app: "mail",
  table: mails,
  base: (row) => kept(row) && row.label === "bills",
  nouns: [
    {
      one: 'mail labelled "bills" in inbox and archive',
      many: 'mails labelled "bills" in inbox and archive',
    },
    {
      one: 'mail with the label "bills" in inbox and archive',
      many: 'mails with the label "bills" in inbox and archive',
    },
    {
      one: 'e-mail labelled "bills" in inbox and archive',
      many: 'e-mails labelled "bills" in inbox and archive',
    },
    {
      one: 'inbox and archive mail labelled "bills"',
      many: 'inbox and archive mails labelled "bills"',
    },
    {
      one: 'inbox and archive mail with the label "bills"',
      many: 'inbox and archive mails with the label "bills"',
    },
  ],
  list: { api: "mail.find", args: 'label:"bills"' },
  key: "id",
  whole: false,
  clauses: [from, since, atLeastSum, atMostSum, dueBy, archived],
  fields: [subject, amount, due],
});
