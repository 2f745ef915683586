/** Clauses, fields and names that sets of files have in common. */
import {
  type Clause,
  dayWords,
  type Field,
  type Forms,
  type Title,
} from "../../../../goals/index.ts";
import { kindOf, linesOf } from "../../apps/files/access.ts";
import { folderPath } from "../../apps/files/paths.ts";
import type { StoredFile } from "../../apps/files/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import { being, bounded, having, js, saying } from "../old-papers.ts";

export type FileClause = Clause<StoredFile>;
export type FileField = Field<StoredFile>;

const changed = ({ at }: StoredFile) => dayOf(at);

// --- clauses ---

export const since: FileClause = bounded({
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

export const before: FileClause = bounded({
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

export const kind: FileClause = having({
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

export const tag: FileClause = having({
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

export const favourite: FileClause = being(
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

export const locked: FileClause = being(
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

export const folder: FileClause = having({
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

export const large: FileClause = bounded({
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

export const lines: FileClause = bounded({
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
export const says: FileClause = saying({
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

export const textOf = (id: string) => `apis.files.read({id:${id},lines:100}).text`;

// --- fields ---

export const name: FileField = {
  name: "name",
  unit: "text",
  noun: "name",
  value: (row) => row.name,
  code: "x.name",
};

export const size: FileField = {
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

export const lineCount: FileField = {
  name: "lines",
  unit: "number",
  noun: "number of lines",
  value: ({ text }) => linesOf(text).length,
  code: "x.lines",
};

export const day: FileField = {
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
export function total(value: FileField["value"], code: string): FileField {
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

export const title = (what: string, others: readonly string[]): Title<StoredFile> => ({
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
