/** The owner's files as sets: all of them, tables of costs, receipts, guest lists, files of others, the trash. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Clause,
  type Collection,
  collection,
  type Field,
  type Forms,
  type Title,
} from "../../algebra/parts.ts";
import { dayWords } from "../../algebra/words.ts";
import { kindOf, linesOf } from "../../apps/files/access.ts";
import { below, folderAt, folderPath } from "../../apps/files/paths.ts";
import { files, type StoredFile } from "../../apps/files/tables.ts";
import { dayOf, handleOf } from "../../apps/shared.ts";
import { being, bounded, having, js, saying } from "../papers.ts";
import { columnOf, isOwn, numberAfter, sumOf } from "./words.ts";

type FileClause = Clause<StoredFile>;
type FileField = Field<StoredFile>;

const changed = ({ at }: StoredFile) => dayOf(at);

// --- clauses ---

const since: FileClause = bounded({
  name: "since",
  end: "from",
  excludes: ["before"],
  of: changed,
  words: (day): Forms => [
    `changed on ${dayWords(day)} or later`,
    `that were changed on or after ${dayWords(day)}`,
    `last changed no earlier than ${dayWords(day)}`,
    `whose last change was on ${dayWords(day)} or after it`,
    `that have been changed since ${dayWords(day)} (that day included)`,
  ],
  code: (day) => ({ args: `since:${js(day)}` }),
});

const before: FileClause = bounded({
  name: "before",
  end: "to",
  excludes: ["since"],
  of: changed,
  words: (day): Forms => [
    `changed on ${dayWords(day)} or earlier`,
    `that were last changed on or before ${dayWords(day)}`,
    `not changed after ${dayWords(day)}`,
    `whose last change was on ${dayWords(day)} or before it`,
    `that have not been changed since ${dayWords(day)} (that day itself does not count)`,
  ],
  code: (day) => ({ test: `x.changed<=${js(day)}` }),
});

const kind: FileClause = having({
  name: "kind",
  of: ({ name }) => [kindOf(name)].filter((kind) => kind !== "text"),
  words: (kind): Forms => [
    `of the kind "${kind}"`,
    `that are listed as ${kind} files`,
    `with the kind "${kind}"`,
    `whose kind is "${kind}"`,
    `which the files app counts as being of the kind "${kind}"`,
  ],
  code: (kind) => ({ args: `kind:${js(kind)}` }),
});

const tag: FileClause = having({
  name: "tag",
  of: ({ tags }) => tags,
  words: (tag): Forms => [
    `tagged "${tag}"`,
    `with the tag "${tag}"`,
    `that have the tag "${tag}"`,
    `which are tagged "${tag}"`,
    `that carry the tag "${tag}"`,
  ],
  code: (tag) => ({ args: `tag:${js(tag)}` }),
});

const favourite: FileClause = being(
  "favourite",
  [
    "that are favourites",
    "among my favourites",
    "which I marked as favourites",
    "that I have made favourites",
    "that count as favourites of mine",
  ],
  (row) => row.favourite,
  { args: "favourite:true" },
);

const locked: FileClause = being(
  "locked",
  [
    "that are locked",
    "which I have locked",
    "that are locked at the moment",
    "with a lock on them",
    "which are currently locked",
  ],
  (row) => row.locked,
  { args: "locked:true" },
);

const folder: FileClause = having({
  name: "folder",
  of: (row, db) => {
    const path = folderPath(db, row.folder);
    return path === "/" ? [] : [path];
  },
  words: (path): Forms => [
    `right in the folder ${path}`,
    `that lie directly in ${path}`,
    `in the folder ${path} itself`,
    `that are stored directly in the folder ${path}`,
    `whose folder is ${path}`,
  ],
  code: (path) => ({ args: `folder:${js(path)},deep:false` }),
});

const large: FileClause = bounded({
  name: "large",
  end: "from",
  excludes: ["lines"],
  of: ({ text }) => text.length,
  words: (size): Forms => [
    `with ${size} or more characters`,
    `of at least ${size} characters`,
    `that have ${size} characters or more`,
    `whose size is ${size} characters or more`,
    `that are no smaller than ${size} characters`,
  ],
  code: (size) => ({ test: `x.size>=${size}` }),
});

const lines: FileClause = bounded({
  name: "lines",
  end: "from",
  excludes: ["large"],
  of: ({ text }) => linesOf(text).length,
  words: (count): Forms => [
    `with ${count} or more lines`,
    `of at least ${count} lines`,
    `that have ${count} lines or more`,
    `whose text has no fewer than ${count} lines`,
    `that are ${count} lines long or longer`,
  ],
  code: (count) => ({ test: `x.lines>=${count}` }),
});

/** Found by reading, not by the name. */
const says: FileClause = saying({
  name: "says",
  of: ({ text }) => text,
  words: (word): Forms => [
    `whose text has the word "${word}" in it`,
    `in which you can read "${word}"`,
    `whose content mentions "${word}"`,
    `that say "${word}" somewhere in the text`,
    `with "${word}" somewhere in their text`,
  ],
  text: "apis.files.read({id:x.id,lines:100}).text",
});

const textOf = (id: string) => `apis.files.read({id:${id},lines:100}).text`;

// --- fields ---

const name: FileField = {
  name: "name",
  unit: "text",
  noun: "name",
  value: (row) => row.name,
  code: "x.name",
};

const size: FileField = {
  name: "size",
  unit: "number",
  noun: "size in characters",
  value: ({ text }) => text.length,
  code: "x.size",
  superlatives: {
    most: ["largest", "biggest", "bulkiest", "largest (in characters)", "biggest (in characters)"],
    least: [
      "smallest",
      "tiniest",
      "shortest",
      "smallest (in characters)",
      "shortest (in characters)",
    ],
  },
};

const lineCount: FileField = {
  name: "lines",
  unit: "number",
  noun: "number of lines",
  value: ({ text }) => linesOf(text).length,
  code: "x.lines",
};

const day: FileField = {
  name: "changed",
  unit: "day",
  noun: "day of the last change",
  value: changed,
  code: "x.changed",
  superlatives: {
    most: [
      "most recently changed",
      "last changed",
      "latest changed",
      "most recently edited",
      "freshest (by last change)",
    ],
    least: [
      "least recently changed",
      "longest unchanged",
      "earliest changed",
      "least recently edited",
      "oldest (by last change)",
    ],
  },
};

/** The total of a table or a receipt, which only its text tells. */
function total(value: FileField["value"], code: string): FileField {
  return {
    name: "total",
    unit: "money",
    noun: "amount",
    value,
    code,
    superlatives: {
      most: ["most expensive", "costliest", "dearest", "priciest (by its total)", "highest-priced"],
      least: [
        "cheapest",
        "least expensive",
        "least costly",
        "least pricey (by its total)",
        "lowest-priced",
      ],
    },
  };
}

const title = (what: string, others: readonly string[]): Title<StoredFile> => ({
  of: (row) => row.name,
  nouns: (name) => [
    `my ${what} ${js(name)}`,
    `the ${what} called ${js(name)}`,
    `my ${what} with the name ${js(name)}`,
    `the ${what} of mine that is called ${js(name)}`,
    `the ${what} ${js(name)} of mine`,
  ],
  cells: (name, out) => [
    `var ${out}=apis.files.search({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
  ],
  missing: others,
});

// --- collections ---

const ownFiles = collection<StoredFile>({
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

const costs = papers(
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

const receipts = papers(
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

const guestLists = papers(
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

// --- files of others, the trash ---

const from: FileClause = {
  name: "from",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap(({ owner }) => owner ?? []));
    if (!person) return undefined;
    const who = person.value;
    return {
      words: [
        `from ${who.name}`,
        `of ${who.name}`,
        `that belong to ${who.name}`,
        `whose owner is ${who.name}`,
        `which ${who.name} owns`,
      ],
      holds: (row) => row.owner === who.id,
      code: { args: `from:${person.code}` },
      uses: [person],
    };
  },
};

const role: FileClause = having({
  name: "role",
  of: ({ role }) => (role === "owner" ? [] : [role]),
  words: (role): Forms => [
    `where I am ${role === "editor" ? "an editor" : "a viewer"}`,
    `for which my role is "${role}"`,
    `that I ${role === "editor" ? "may edit" : "may only view"}`,
    `with the role "${role}" for me`,
    `in which I have the role "${role}"`,
  ],
  code: (role) => ({ args: `role:${js(role)}` }),
});

const others = {
  app: "files",
  table: files,
  key: "id",
  whole: true,
  fields: [
    name,
    size,
    lineCount,
    {
      name: "owner",
      unit: "text",
      noun: "owner's handle",
      value: ({ owner }, db) => handleOf(db, owner ?? 0),
      code: "x.from",
    },
  ],
} as const satisfies Partial<Collection<StoredFile>>;

const borrowed = collection<StoredFile>({
  ...others,
  name: "borrowed-files",
  kind: "borrowed-files",
  base: ({ owner, state }) => owner !== null && state === "live",
  nouns: [
    { one: "file shared with me", many: "files shared with me" },
    { one: "file that others share with me", many: "files that others share with me" },
    {
      one: "file of others that is shared with me",
      many: "files of others that are shared with me",
    },
    { one: "file that somebody shares with me", many: "files that somebody shares with me" },
    {
      one: "file which others have shared with me",
      many: "files which others have shared with me",
    },
  ],
  list: { api: "files.sharedWithMe" },
  clauses: [from, role, kind, large, says],
});

const viewed = collection<StoredFile>({
  ...others,
  name: "viewed-files",
  kind: "viewed-files",
  base: ({ owner, state, role }) => owner !== null && state === "live" && role === "viewer",
  nouns: [
    { one: "file of others that I may only view", many: "files of others that I may only view" },
    { one: "file shared with me for viewing only", many: "files shared with me for viewing only" },
    {
      one: "file that others share with me as viewer",
      many: "files that others share with me as viewer",
    },
    {
      one: "file of others where I am just a viewer",
      many: "files of others where I am just a viewer",
    },
    {
      one: "file that is shared with me as a viewer",
      many: "files that are shared with me as a viewer",
    },
  ],
  list: { api: "files.sharedWithMe", args: 'role:"viewer"' },
  clauses: [from, kind, large, says],
});

const edited = collection<StoredFile>({
  ...others,
  name: "editable-files",
  kind: "editable-files",
  base: ({ owner, state, role }) => owner !== null && state === "live" && role === "editor",
  nouns: [
    { one: "file of others that I may edit", many: "files of others that I may edit" },
    { one: "file shared with me for editing", many: "files shared with me for editing" },
    {
      one: "file that others share with me as editor",
      many: "files that others share with me as editor",
    },
    { one: "file of others where I am an editor", many: "files of others where I am an editor" },
    {
      one: "file that is shared with me as an editor",
      many: "files that are shared with me as an editor",
    },
  ],
  list: { api: "files.sharedWithMe", args: 'role:"editor"' },
  clauses: [from, kind, large, says],
});

const trashed = collection<StoredFile>({
  name: "trashed-files",
  kind: "trashed-files",
  app: "files",
  table: files,
  base: ({ state }) => state === "trashed",
  nouns: [
    { one: "file in the trash", many: "files in the trash" },
    { one: "file in my trash", many: "files in my trash" },
    { one: "trashed file", many: "trashed files" },
    { one: "file that lies in the trash", many: "files that lie in the trash" },
    { one: "file which I moved to the trash", many: "files which I moved to the trash" },
  ],
  list: { api: "files.trashed" },
  key: "id",
  whole: true,
  clauses: [large, before, { ...since, ...tested(since, (day) => `x.changed>=${day}`) }],
  fields: [name, size, day],
});

/** The same clause for a list that has no such argument: the value of `args` is tested on the item. */
function tested(clause: FileClause, test: (value: string) => string): Pick<FileClause, "draw"> {
  return {
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      const value = filter?.code.args?.split(":").slice(1).join(":");
      return filter && value ? { ...filter, code: { test: test(value) } } : undefined;
    },
  };
}

export const fileCollections: readonly Collection[] = [
  ownFiles,
  costs,
  receipts,
  guestLists,
  borrowed,
  viewed,
  edited,
  trashed,
];
