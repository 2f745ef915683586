/** Notes as sets: the active ones, with traits, about costs, with a checklist. */
import { type Collection, collection } from "../../../../goals/index.ts";
import { items } from "../../apps/notes/tables.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { js } from "../old-papers.ts";
import {
  active,
  colour,
  linked,
  long,
  type NoteClause,
  type NoteField,
  notebook,
  noteTitle,
  openItems,
  people,
  pinned,
  says,
  shared,
  size,
  tag,
  title,
  total,
  untagged,
} from "./clauses.ts";

const NOUNS: Collection["nouns"] = [
  { one: "note of mine", many: "notes of mine" },
  { one: "own note", many: "own notes" },
  { one: "note that is not archived", many: "notes that are not archived" },
  { one: "note in my notes app", many: "notes in my notes app" },
  { one: "note of my own", many: "notes of my own" },
];

export const plain = collection<Note>({
  name: "notes",
  kind: "notes",
  app: "notes",
  table: notes,
  base: active,
  nouns: NOUNS,
  list: { api: "notes.list" },
  key: "id",
  whole: false,
  clauses: [tag, pinned, says, linked, shared],
  fields: [title, people],
  title: noteTitle,
});

export const sized = collection<Note>({
  name: "sized-notes",
  kind: "notes",
  app: "notes",
  table: notes,
  base: active,
  nouns: NOUNS,
  list: { api: "notes.overview" },
  key: "id",
  whole: true,
  clauses: [notebook, colour, long, untagged, { ...shared, ...asArgument(shared, "shared:true") }],
  fields: [title, size],
});

/** The same clause where the list has an argument for it. */
function asArgument(clause: NoteClause, args: string): Pick<NoteClause, "draw"> {
  return {
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      return filter && { ...filter, code: { args } };
    },
  };
}

const paidBy: NoteClause = {
  name: "payer",
  excludes: ["says", "pinned", "shared"],
  draw: (draw, rows) => {
    const among = draw.people.filter(({ name }) =>
      rows.some(({ text }) => text.includes(`paid by ${name}`)),
    );
    const person = draw.person(among.map(({ id }) => id));
    if (!person) return undefined;
    const who = person.value.name;
    return {
      words: [
        `in which ${who} paid something`,
        `with a cost that ${who} paid`,
        `that name ${who} as somebody who paid`,
        `in which at least one cost was paid by ${who}`,
        `with ${who} among those who paid`,
      ],
      holds: ({ text }) => text.includes(`paid by ${who}`),
      code: { test: `apis.notes.show({id:x.id}).text.includes(${js(`paid by ${who}`)})` },
    };
  },
};

export const costs = collection<Note>({
  name: "cost-notes",
  kind: "notes",
  app: "notes",
  table: notes,
  base: (row, db) => active(row, db) && row.tag === "costs",
  nouns: [
    { one: 'note tagged "costs"', many: 'notes tagged "costs"' },
    { one: 'note with the tag "costs"', many: 'notes with the tag "costs"' },
    { one: 'note that is tagged "costs"', many: 'notes that are tagged "costs"' },
    { one: 'note that has the tag "costs"', many: 'notes that have the tag "costs"' },
    { one: 'note of mine with the tag "costs"', many: 'notes of mine with the tag "costs"' },
  ],
  list: { api: "notes.list", args: 'tag:"costs"' },
  key: "id",
  whole: true,
  clauses: [paidBy, says, pinned, shared],
  fields: [title, total],
});

const things: NoteField = {
  name: "things",
  unit: "number",
  noun: "number of items on the checklist",
  value: ({ id }, db) => db.where(items, { note: id }).length,
  code: "apis.notes.checklist({id:x.id,size:20}).items.length",
  superlatives: {
    most: [
      "longest (by its items)",
      "fullest",
      "biggest (by its items)",
      "most extensive (by its items)",
      "largest (by its items)",
    ],
    least: [
      "shortest (by its items)",
      "emptiest",
      "smallest (by its items)",
      "least extensive (by its items)",
      "tiniest (by its items)",
    ],
  },
};

export const checklists = collection<Note>({
  name: "checklist-notes",
  kind: "checklist-notes",
  app: "notes",
  table: notes,
  base: (row, db) => active(row, db) && row.tag === "checklist",
  nouns: [
    { one: 'note tagged "checklist"', many: 'notes tagged "checklist"' },
    { one: 'note with the tag "checklist"', many: 'notes with the tag "checklist"' },
    { one: 'note that is tagged "checklist"', many: 'notes that are tagged "checklist"' },
    { one: 'note that has the tag "checklist"', many: 'notes that have the tag "checklist"' },
    {
      one: 'note of mine with the tag "checklist"',
      many: 'notes of mine with the tag "checklist"',
    },
  ],
  list: { api: "notes.list", args: 'tag:"checklist"' },
  key: "id",
  whole: true,
  clauses: [says, shared, openItems, linked],
  fields: [title, things],
  title: noteTitle,
});
