/**
 * Collections of files: the owner's files (all of them, cost tables, receipts, guest lists), files of other people, and
 * the trash.
 */
import { defineCollection, jsLiteral, nouns } from "bowline/goals";
import type { Reader } from "bowline/world";
import { splitLines } from "../../apps/files/access-and-texts.ts";
import { findFolder, folderIdsBelow } from "../../apps/files/paths.ts";
import { files, type StoredFile } from "../../apps/files/tables.ts";
import { columnsByArgument, columnsByItem, fileTextCode, TOTAL_SUPERLATIVES } from "./columns.ts";
import {
  filesByName,
  isOwnLiveFile,
  readColumn,
  receiptTotalCents,
  totalCostCents,
} from "./read-and-insert-files.ts";

const FILES_COLLECTION = { app: "files", table: files, columns: columnsByArgument } as const;

/**
 * Makes a collection of the owner's files in a folder and its subfolders. All files of such a folder have the same
 * form, for example a table of costs.
 */
const collectionOfFolder = (path: string) => ({
  ...FILES_COLLECTION,
  includes: (row: StoredFile, db: Reader) => {
    const topFolder = isOwnLiveFile(row) ? findFolder(db, path) : undefined;
    return topFolder !== undefined && folderIdsBelow(db, topFolder?.id ?? null).has(row.folder);
  },
  list: { api: "list", args: `folder:${jsLiteral(path)}` },
  allowsWhole: true,
});

/**
 * Makes a collection of files of other people: all of them, or only those in which the owner has the role `wantedRole`.
 */
const collectionOfSharedFiles = (wantedRole?: "viewer" | "editor") => ({
  ...FILES_COLLECTION,
  includes: ({ owner, state, role }: StoredFile) =>
    owner !== null && state === "live" && (wantedRole === undefined || role === wantedRole),
  list: wantedRole ? { api: "sharedWithMe", args: `role:"${wantedRole}"` } : "sharedWithMe",
  allowsWhole: true,
  fields: "name size lines owner",
});

const hasRowCode = (column: string, value: string) => ({
  test: `apis.files.readRows({id:x.id,column:"${column}",value:${value}}).items.length>0`,
});

export const fileCollections = [
  defineCollection<StoredFile>({
    ...FILES_COLLECTION,
    kind: "files",
    includes: isOwnLiveFile,
    nouns: nouns`file(s) of mine | file(s) owned by me | file(s) that I own | file(s) in my folders
      | file(s) of my own`,
    list: "list",
    clauses: "since before kind tag favourite locked folder large lines says",
    fields: "name size lines changed",
    title: filesByName.makeTitle(
      "file",
      "Brass Dragon plan.md | moon diary.txt | yacht prices.csv | tower minutes.md",
    ),
  }),
  defineCollection<StoredFile>({
    ...collectionOfFolder("/costs"),
    kind: "cost-tables",
    nouns: nouns`cost table(s) below /costs | table(s) of costs in /costs | table(s) of costs below
      /costs | cost table(s) in my folder /costs | table(s) of costs in the folder /costs`,
    columns: ({ choice, drawnClause, alternatives, money }) => ({
      ...columnsByArgument,
      payer: drawnClause(
        (draw, all) => {
          const payers = new Set(all.flatMap((row) => readColumn(row, "paid by")));
          const among = draw.people.filter(({ name }) => payers.has(name)).map(({ id }) => id);
          const who = draw.person(among)?.value.name;
          if (who === undefined) return undefined;
          return {
            words: alternatives`in which ${who} paid something | with a cost that ${who} paid
              | where ${who} is named as a payer
              | in which at least one cost was paid by ${who} | with ${who} among the payers`,
            holds: (row) => readColumn(row, "paid by").includes(who),
            code: hasRowCode("paid by", jsLiteral(who)),
          };
        },
        { excludes: ["since", "before", "what", "tag"] },
      ),
      what: choice(
        (row) => readColumn(row, "what"),
        {},
        { code: (what) => hasRowCode("what", what) },
      )`with a row for "$" | that list a cost called "$" | in which there is a cost named "$"
        | that have "$" among the costs | where "$" is one of the costs`,
      total: money(totalCostCents, {
        code: 'apis.files.sumColumn({id:x.id,column:"amount"}).sum',
        noun: "amount",
        superlatives: TOTAL_SUPERLATIVES,
      }),
    }),
    clauses: "since before payer what tag",
    fields: "name total changed",
    title: filesByName.makeTitle(
      "table of costs",
      "Brass Dragon costs.csv | Velvet Pagoda costs.csv | Crystal Windmill costs.csv",
    ),
  }),
  defineCollection<StoredFile>({
    ...collectionOfFolder("/receipts"),
    kind: "receipts",
    nouns: nouns`receipt(s) below /receipts | receipt(s) in my folder /receipts | receipt(s) in
      /receipts | receipt(s) in the folder /receipts | receipt(s) that I keep in /receipts`,
    columns: ({ choice, money }) => ({
      ...columnsByArgument,
      for: choice(
        ({ text }) => /^For: (.+)$/m.exec(text)?.[1] ?? null,
        {},
        {
          code: (what) => ({
            test: `${fileTextCode("x.id")}.split("\\n").includes("For: ${what.slice(1)})`,
          }),
        },
      )`for "$" | that are for "$" | whose text says that they are for "$" | which say "For: $"
        | with the line "For: $"`,
      total: money(receiptTotalCents, {
        code: `Number(${fileTextCode("x.id")}.match(/Total: ([\\d.]+)/)[1])`,
        noun: "amount",
        superlatives: TOTAL_SUPERLATIVES,
      }),
    }),
    clauses: "since before for tag",
    fields: "name total changed",
    title: filesByName.makeTitle(
      "receipt",
      "Brass Dragon wine receipt.txt | Velvet Pagoda taxi receipt.txt",
    ),
  }),
  defineCollection<StoredFile>({
    ...collectionOfFolder("/guests"),
    kind: "guest-lists",
    nouns: nouns`guest list(s) in /guests | guest list(s) in my folder /guests
      | list(s) of guests in /guests | guest list(s) in the folder /guests
      | list of guests that lies in /guests / lists of guests that lie in /guests`,
    columns: ({ atLeast, number, superlatives }) => ({
      ...columnsByArgument,
      guests: number(
        ({ text }) => splitLines(text).length - 1,
        { code: "x.lines-1" },
        atLeast("guests")`with $ or more people on them | that name at least $ people | which have $
          people or more | with no fewer than $ people | that have $ or more rows of guests`,
      ),
      seats: number(
        (row) => readColumn(row, "seats").reduce((sum, cell) => sum + Number(cell), 0),
        {
          code: 'apis.files.sumColumn({id:x.id,column:"seats"}).sum',
          noun: "number of seats needed",
        },
        superlatives`largest (by seats) / smallest (by seats)
          | biggest (by seats) / smallest (by seats)
          | largest (by seats) / smallest (by seats)
          | biggest (by seats) / smallest (by seats)
          | largest (by seats) / smallest (by seats)`,
      ),
    }),
    clauses: "since before tag guests",
    fields: "name seats changed",
    title: filesByName.makeTitle(
      "guest list",
      "Brass Dragon guests.csv | Velvet Pagoda guests.csv",
    ),
  }),
  defineCollection<StoredFile>({
    ...collectionOfSharedFiles(),
    kind: "borrowed-files",
    nouns: nouns`file(s) shared with me | file(s) that others share with me
      | file of others that is shared with me / files of others that are shared with me
      | file(s) shared with me by others | file(s) which others have shared with me`,
    clauses: "from role kind large says",
  }),
  defineCollection<StoredFile>({
    ...collectionOfSharedFiles("viewer"),
    kind: "viewed-files",
    nouns: nouns`file(s) of others that I may only view | file(s) shared with me for viewing only
      | file(s) that others share with me as viewer | file(s) of others where I am just a viewer
      | file(s) of others shared with me as viewer`,
    clauses: "from kind large says",
  }),
  defineCollection<StoredFile>({
    ...collectionOfSharedFiles("editor"),
    kind: "editable-files",
    nouns: nouns`file(s) of others that I may edit | file(s) shared with me for editing
      | file(s) that others share with me as editor | file(s) of others where I am an editor
      | file(s) of others shared with me as editor`,
    clauses: "from kind large says",
  }),
  defineCollection<StoredFile>({
    ...FILES_COLLECTION,
    kind: "trashed-files",
    includes: ({ state }) => state === "trashed",
    nouns: nouns`file(s) in the trash | file(s) in my trash | trashed file(s) | file that lies in
      the trash / files that lie in the trash | file(s) now in the trash`,
    list: "trashed",
    allowsWhole: true,
    columns: columnsByItem,
    clauses: "large before since",
    fields: "name size changed",
  }),
];
