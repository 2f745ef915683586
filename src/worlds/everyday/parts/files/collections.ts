/** The owner's files as sets: all of them, tables of costs, receipts, guest lists. */

import { type Collection, collection, type Forms, type Title } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { linesOf } from "../../apps/files/access.ts";
import { below, folderAt } from "../../apps/files/paths.ts";
import { files, type StoredFile } from "../../apps/files/tables.ts";
import { bounded, having, js } from "../old-papers.ts";
import {
  before,
  day,
  type FileClause,
  type FileField,
  favourite,
  folder,
  kind,
  large,
  lineCount,
  lines,
  locked,
  name,
  says,
  since,
  size,
  tag,
  textOf,
  title,
  total,
} from "./clauses.ts";
import { columnOf, isOwn, numberAfter, sumOf } from "./words.ts";

export const ownFiles = collection<StoredFile>({
  name: "files",
  kind: "files",
  app: "files",
  table: files,
  base: isOwn,
  nouns: [
    { one: "file of mine", many: "files of mine" },
    { one: "own file", many: "own files" },
    { one: "file that I own", many: "files that I own" },
    { one: "file in my folders", many: "files in my folders" },
    { one: "file of my own", many: "files of my own" },
  ],
  list: { api: "files.list" },
  key: "id",
  whole: false,
  clauses: [since, before, kind, tag, favourite, locked, folder, large, lines, says],
  fields: [name, size, lineCount, day],
  title: title("file", [
    "Brass Dragon plan.md",
    "moon diary.txt",
    "yacht prices.csv",
    "tower minutes.md",
  ]),
});

const inFolder = (path: string) => {
  return (row: StoredFile, db: Reader) => {
    if (!isOwn(row)) return false;
    const top = folderAt(db, path);
    return top !== undefined && below(db, top?.id ?? null).has(row.folder);
  };
};

/** Own files of one folder and what is below it, which are all of one form. */
function papers(
  kind: string,
  folder: string,
  nouns: Collection<StoredFile>["nouns"],
  more: {
    readonly clauses: readonly FileClause[];
    readonly fields: readonly FileField[];
    readonly title: Title<StoredFile>;
  },
): Collection {
  return collection<StoredFile>({
    name: kind,
    kind,
    app: "files",
    table: files,
    base: inFolder(folder),
    nouns,
    list: { api: "files.list", args: `folder:${js(folder)}` },
    key: "id",
    whole: true,
    ...more,
  });
}

const paidBy: FileClause = {
  name: "payer",
  excludes: ["since", "before", "what", "tag"],
  draw: (draw, rows) => {
    const payers = new Set(rows.flatMap((row) => columnOf(row, "paid by")));
    const among = draw.people.filter(({ name }) => payers.has(name)).map(({ id }) => id);
    const person = draw.person(among);
    if (!person) return undefined;
    const who = person.value.name;
    return {
      words: [
        `in which ${who} paid something`,
        `with a cost that ${who} paid`,
        `where ${who} is named as a payer`,
        `in which at least one cost was paid by ${who}`,
        `with ${who} among the payers`,
      ],
      holds: (row) => columnOf(row, "paid by").includes(who),
      code: {
        test: `apis.files.readRows({id:x.id,column:"paid by",value:${js(who)}}).items.length>0`,
      },
    };
  },
};

const hasCost: FileClause = having({
  name: "what",
  of: (row) => columnOf(row, "what"),
  words: (what): Forms => [
    `with a row for "${what}"`,
    `that list a cost called "${what}"`,
    `in which there is a cost named "${what}"`,
    `that have "${what}" among the costs`,
    `where "${what}" is one of the costs`,
  ],
  code: (what) => ({
    test: `apis.files.readRows({id:x.id,column:"what",value:${js(what)}}).items.length>0`,
  }),
});

export const costs = papers(
  "cost-tables",
  "/costs",
  [
    { one: "cost table below /costs", many: "cost tables below /costs" },
    { one: "table of costs in /costs", many: "tables of costs in /costs" },
    { one: "table of costs below /costs", many: "tables of costs below /costs" },
    { one: "cost table in my folder /costs", many: "cost tables in my folder /costs" },
    { one: "table of costs in the folder /costs", many: "tables of costs in the folder /costs" },
  ],
  {
    clauses: [since, before, paidBy, hasCost, tag],
    fields: [
      name,
      total((row) => sumOf(row, "amount"), 'apis.files.sumColumn({id:x.id,column:"amount"}).sum'),
      day,
    ],
    title: title("table of costs", [
      "Brass Dragon costs.csv",
      "Velvet Pagoda costs.csv",
      "Crystal Windmill costs.csv",
    ]),
  },
);

const bought: FileClause = having({
  name: "for",
  of: ({ text }) => [/^For: (.*)$/m.exec(text)?.[1] ?? ""].filter(Boolean),
  words: (what): Forms => [
    `for "${what}"`,
    `that are for "${what}"`,
    `whose text says that they are for "${what}"`,
    `which say "For: ${what}"`,
    `with the line "For: ${what}"`,
  ],
  code: (what) => ({ test: `${textOf("x.id")}.split("\\n").includes(${js(`For: ${what}`)})` }),
});

export const receipts = papers(
  "receipts",
  "/receipts",
  [
    { one: "receipt below /receipts", many: "receipts below /receipts" },
    { one: "receipt in my folder /receipts", many: "receipts in my folder /receipts" },
    { one: "receipt in /receipts", many: "receipts in /receipts" },
    { one: "receipt in the folder /receipts", many: "receipts in the folder /receipts" },
    { one: "receipt that I keep in /receipts", many: "receipts that I keep in /receipts" },
  ],
  {
    clauses: [since, before, bought, tag],
    fields: [
      name,
      total(
        ({ text }) => numberAfter(text, "Total"),
        `Number(${textOf("x.id")}.match(/Total: ([\\d.]+)/)[1])`,
      ),
      day,
    ],
    title: title("receipt", ["Brass Dragon wine receipt.txt", "Velvet Pagoda taxi receipt.txt"]),
  },
);

const seats: FileField = {
  name: "seats",
  unit: "number",
  noun: "number of seats needed",
  value: (row) => columnOf(row, "seats").reduce((sum, cell) => sum + Number(cell), 0),
  code: 'apis.files.sumColumn({id:x.id,column:"seats"}).sum',
  superlatives: {
    most: [
      "fullest",
      "biggest (by seats)",
      "most crowded",
      "largest (by seats)",
      "best attended (by seats)",
    ],
    least: [
      "emptiest",
      "smallest (by seats)",
      "least crowded",
      "tiniest (by seats)",
      "worst attended (by seats)",
    ],
  },
};

export const guestLists = papers(
  "guest-lists",
  "/guests",
  [
    { one: "guest list in /guests", many: "guest lists in /guests" },
    { one: "guest list in my folder /guests", many: "guest lists in my folder /guests" },
    { one: "list of guests in /guests", many: "lists of guests in /guests" },
    { one: "guest list in the folder /guests", many: "guest lists in the folder /guests" },
    { one: "list of guests that lies in /guests", many: "lists of guests that lie in /guests" },
  ],
  {
    clauses: [
      since,
      before,
      tag,
      bounded({
        name: "guests",
        end: "from",
        of: ({ text }) => linesOf(text).length - 1,
        words: (count): Forms => [
          `with ${count} or more people on them`,
          `that name at least ${count} people`,
          `which have ${count} people or more`,
          `with no fewer than ${count} people`,
          `that have ${count} or more rows of guests`,
        ],
        code: (count) => ({ test: `x.lines-1>=${count}` }),
      }),
    ],
    fields: [name, seats, day],
    title: title("guest list", ["Brass Dragon guests.csv", "Velvet Pagoda guests.csv"]),
  },
);
