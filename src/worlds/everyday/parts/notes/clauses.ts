/** Clauses, fields and names that sets of notes have in common. */

import type { Clause, Field, Forms, Title } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { items, notebooks } from "../../apps/notes/tables.ts";
import { activeShares, isActive, traitsOf } from "../../apps/notes/traits.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { being, bounded, having, js, saying } from "../old-papers.ts";

export type NoteClause = Clause<Note>;
export type NoteField = Field<Note>;

export const active = (row: Note, db: Reader) => isActive(db, row.id);
const bookOf = (db: Reader, id: number) => {
  const { notebook } = traitsOf(db, id);
  return notebook === null ? [] : [db.get(notebooks, notebook)?.name ?? "removed"];
};

// --- clauses ---

export const tag: NoteClause = having({
  name: "tag",
  of: ({ tag }) => (tag === null ? [] : [tag]),
  words: (tag): Forms => [
    `tagged "${tag}"`,
    `with the tag "${tag}"`,
    `that have the tag "${tag}"`,
    `which are tagged "${tag}"`,
    `that carry the tag "${tag}"`,
  ],
  code: (tag) => ({ args: `tag:${js(tag)}` }),
});

export const pinned: NoteClause = being(
  "pinned",
  [
    "that are pinned",
    "which I have pinned",
    "that I pinned",
    "which are pinned at the moment",
    "that are currently pinned",
  ],
  (row) => row.pinned,
  { args: "pinned:true" },
);

export const says: NoteClause = saying({
  name: "says",
  of: ({ text }) => text,
  words: (word): Forms => [
    `whose text has the word "${word}" in it`,
    `in whose text you can read "${word}"`,
    `whose text mentions "${word}"`,
    `that say "${word}" somewhere in the text`,
    `with "${word}" somewhere in their text`,
  ],
  text: "apis.notes.show({id:x.id}).text",
});

export const linked: NoteClause = being(
  "linked",
  [
    "that link to another note",
    "with a link to another note",
    "that have at least one link to another note",
    "which point to another note by a link",
    "from which a link leads to another note",
  ],
  (row, db) => traitsOf(db, row.id).links.some((id) => db.get(notes, id)),
  { test: "apis.notes.links({id:x.id}).items.length>0" },
);

export const openItems: NoteClause = being(
  "open-items",
  [
    "with something open on their checklist",
    "whose checklist has at least one open item",
    "that have an item on the checklist which is not ticked",
    "with at least one item on the checklist that is not ticked yet",
    "in whose checklist something is still open",
  ],
  (row, db) => db.where(items, { note: row.id, done: false }).length > 0,
  { test: "apis.notes.checklist({id:x.id,done:false}).items.length>0" },
);

export const shared: NoteClause = being(
  "shared",
  [
    "that are shared with somebody",
    "which I share with someone",
    "that I share with at least one person",
    "that at least one other person can see because I share them",
    "which are shared with one person or more",
  ],
  (row, db) => activeShares(db, { note: row.id }).length > 0,
  { test: "apis.notes.show({id:x.id}).shared>0" },
);

export const notebook: NoteClause = having({
  name: "notebook",
  of: (row, db) => bookOf(db, row.id),
  words: (book): Forms => [
    `in the notebook "${book}"`,
    `of the notebook "${book}"`,
    `that are in my notebook "${book}"`,
    `which lie in the notebook "${book}"`,
    `that I keep in the notebook "${book}"`,
  ],
  code: (book) => ({ args: `notebook:${js(book)}` }),
});

export const colour: NoteClause = having({
  name: "colour",
  of: (row, db) => [traitsOf(db, row.id).colour].filter((colour) => colour !== "plain"),
  words: (colour): Forms => [
    `with the colour ${colour}`,
    `that are ${colour}`,
    `which have the colour ${colour}`,
    `whose colour is ${colour}`,
    `that are coloured ${colour}`,
  ],
  code: (colour) => ({ args: `colour:${js(colour)}` }),
});

export const long: NoteClause = bounded({
  name: "long",
  end: "from",
  of: ({ text }) => text.length,
  words: (size): Forms => [
    `with ${size} or more characters of text`,
    `whose text has at least ${size} characters`,
    `that have a text of ${size} characters or more`,
    `whose text is no shorter than ${size} characters`,
    `with a text of no fewer than ${size} characters`,
  ],
  code: (size) => ({ test: `x.size>=${size}` }),
});

export const untagged: NoteClause = being(
  "untagged",
  [
    "without a tag",
    "that have no tag",
    "with no tag at all",
    "which are not tagged",
    "that lack a tag",
  ],
  ({ tag }) => tag === null,
  { test: "x.tag===null" },
);

// --- fields ---

export const title: NoteField = {
  name: "title",
  unit: "text",
  noun: "title",
  value: (row) => row.title,
  code: "x.title",
};

export const size: NoteField = {
  name: "size",
  unit: "number",
  noun: "length in characters",
  value: ({ text }) => text.length,
  code: "x.size",
  superlatives: {
    most: ["longest", "wordiest", "most extensive", "longest (in characters)", "lengthiest"],
    least: ["shortest", "briefest", "least extensive", "shortest (in characters)", "least lengthy"],
  },
};

export const people: NoteField = {
  name: "people",
  unit: "number",
  noun: "number of readers (people with whom a note is shared)",
  value: (row, db) => activeShares(db, { note: row.id }).length,
  code: "apis.notes.show({id:x.id}).shared",
};

const AMOUNTS = /: \$(\d+\.\d\d)/g;

/** Dollars: the amounts of the lines of a note about costs. */
export function noted(text: string): number {
  return (
    [...text.matchAll(AMOUNTS)].reduce(
      (sum, [, amount]) => sum + Math.round(Number(amount) * 100),
      0,
    ) / 100
  );
}

export const total: NoteField = {
  name: "total",
  unit: "money",
  noun: "sum of the costs",
  value: ({ text }) => noted(text),
  code: "[...apis.notes.show({id:x.id}).text.matchAll(/: \\$(\\d+\\.\\d\\d)/g)].reduce((t,m)=>t+Math.round(m[1]*100),0)/100",
  superlatives: {
    most: ["most expensive", "costliest", "dearest", "priciest (by its costs)", "most costly"],
    least: [
      "cheapest",
      "least expensive",
      "least costly",
      "least pricey (by its costs)",
      "lowest-priced",
    ],
  },
};

export const noteTitle: Title<Note> = {
  of: (row) => row.title,
  nouns: (title) => [
    `my note ${js(title)}`,
    `the note called ${js(title)}`,
    `my note with the title ${js(title)}`,
    `the note of mine that is called ${js(title)}`,
    `the note ${js(title)} of mine`,
  ],
  cells: (title, out) => [
    `var ${out}=apis.notes.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)}).map(x=>x.id);print(${out})`,
  ],
  missing: ["Brass Dragon", "Moon diary", "Plan for the Velvet Pagoda", "Yacht list"],
};
