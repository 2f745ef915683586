/** Notes with a reminder, archived ones and those of others, as sets. */

import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Forms,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Borrowed, borrowed } from "../../apps/notes/tables.ts";
import { traitsOf } from "../../apps/notes/traits.ts";
import { handleOf } from "../../apps/shared.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { bounded, having, js, saying } from "../old-papers.ts";
import { active, colour, long, type NoteClause, notebook, says, size, title } from "./clauses.ts";
import { checklists, costs, plain, sized } from "./collections.ts";

const remindDay = (row: Note, db: Reader) => traitsOf(db, row.id).day ?? "";

const reminders = collection<Note>({
  name: "reminders",
  kind: "reminders",
  app: "notes",
  table: notes,
  base: (row, db) => active(row, db) && traitsOf(db, row.id).day !== null,
  nouns: [
    { one: "note with a reminder", many: "notes with a reminder" },
    { one: "note that has a reminder", many: "notes that have a reminder" },
    { one: "note of mine with a reminder", many: "notes of mine with a reminder" },
    { one: "note for which a reminder is set", many: "notes for which a reminder is set" },
    { one: "note that I have set a reminder for", many: "notes that I have set a reminder for" },
  ],
  list: { api: "notes.reminders" },
  key: "id",
  whole: true,
  clauses: [
    bounded({
      name: "until",
      end: "to",
      of: remindDay,
      words: (day): Forms => [
        `due on ${dayWords(day)} or earlier`,
        `that remind me on or before ${dayWords(day)}`,
        `whose reminder is not later than ${dayWords(day)}`,
        `with the reminder on ${dayWords(day)} or before it`,
        `that remind me by ${dayWords(day)} (that day included)`,
      ],
      code: (day) => ({ args: `until:${js(day)}` }),
    }),
    bounded({
      name: "from",
      end: "from",
      of: remindDay,
      words: (day): Forms => [
        `due on ${dayWords(day)} or later`,
        `that remind me on or after ${dayWords(day)}`,
        `whose reminder is not earlier than ${dayWords(day)}`,
        `with the reminder on ${dayWords(day)} or after it`,
        `that remind me from ${dayWords(day)} on (that day included)`,
      ],
      code: (day) => ({ test: `x.day>=${js(day)}` }),
    }),
    having({
      name: "time",
      of: (row, db) => [traitsOf(db, row.id).time ?? ""],
      words: (time): Forms => [
        `due at ${time}`,
        `that remind me at ${time}`,
        `whose reminder is at ${time}`,
        `with the reminder set for ${time}`,
        `that have ${time} as the time of the reminder`,
      ],
      code: (time) => ({ test: `x.time===${js(time)}` }),
    }),
    says,
  ],
  fields: [
    title,
    {
      name: "day",
      unit: "day",
      noun: "day of the reminder",
      value: remindDay,
      code: "x.day",
      superlatives: {
        most: ["last due", "latest", "farthest (by its reminder)", "last reminding", "latest due"],
        least: [
          "first due",
          "earliest",
          "nearest (by its reminder)",
          "first reminding",
          "earliest due",
        ],
      },
    },
  ],
});

export const archived = collection<Note>({
  name: "archived-notes",
  kind: "archived-notes",
  app: "notes",
  table: notes,
  base: ({ id }, db) => traitsOf(db, id).state === "archived",
  nouns: [
    { one: "archived note", many: "archived notes" },
    { one: "note in the archive", many: "notes in the archive" },
    { one: "note in my archive", many: "notes in my archive" },
    { one: "note that lies in the archive", many: "notes that lie in the archive" },
    { one: "note that I have archived", many: "notes that I have archived" },
  ],
  list: { api: "notes.archived" },
  key: "id",
  whole: true,
  clauses: [
    long,
    { ...colour, ...itemTest(colour, "colour") },
    { ...notebook, ...itemTest(notebook, "notebook") },
    says,
  ],
  fields: [title, size],
});

/** The same clause for a list without such an argument: the value is tested on the item. */
function itemTest(clause: NoteClause, field: string): Pick<NoteClause, "draw"> {
  return {
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      const value = filter?.code.args?.slice(field.length + 1);
      return filter && value ? { ...filter, code: { test: `x.${field}===${value}` } } : undefined;
    },
  };
}

// --- notes of others ---

const from: Clause<Borrowed> = {
  name: "from",
  draw: (draw, rows) => {
    const person = draw.person(rows.map((row) => row.person));
    if (!person) return undefined;
    const { id, name } = person.value;
    return {
      words: [
        `from ${name}`,
        `of ${name}`,
        `that belong to ${name}`,
        `whose owner is ${name}`,
        `which ${name} wrote`,
      ],
      holds: (row) => row.person === id,
      code: { args: `from:${person.code}` },
      uses: [person],
    };
  },
};

const others = collection<Borrowed>({
  name: "borrowed-notes",
  kind: "borrowed-notes",
  app: "notes",
  table: borrowed,
  base: ({ left }) => !left,
  nouns: [
    { one: "note shared with me", many: "notes shared with me" },
    { one: "note that others share with me", many: "notes that others share with me" },
    {
      one: "note of others that is shared with me",
      many: "notes of others that are shared with me",
    },
    { one: "note that somebody shares with me", many: "notes that somebody shares with me" },
    {
      one: "note which others have shared with me",
      many: "notes which others have shared with me",
    },
  ],
  list: { api: "notes.fromOthers" },
  key: "id",
  whole: true,
  clauses: [
    from,
    having({
      name: "role",
      of: ({ role }) => [role],
      words: (role): Forms => [
        `where I am ${role === "editor" ? "an editor" : "a viewer"}`,
        `for which my role is "${role}"`,
        `that I ${role === "editor" ? "may edit" : "may only view"}`,
        `with the role "${role}" for me`,
        `in which I have the role "${role}"`,
      ],
      code: (role) => ({ args: `role:${js(role)}` }),
    }),
    saying({
      name: "says",
      of: ({ text }) => text,
      words: (word): Forms => [
        `whose text has the word "${word}" in it`,
        `in whose text you can read "${word}"`,
        `whose text mentions "${word}"`,
        `that say "${word}" somewhere in the text`,
        `with "${word}" somewhere in their text`,
      ],
      text: "apis.notes.readShared({id:x.id}).text",
    }),
  ],
  fields: [
    { name: "title", unit: "text", noun: "title", value: (row) => row.title, code: "x.title" },
    {
      name: "owner",
      unit: "text",
      noun: "owner's handle",
      value: ({ person }, db) => handleOf(db, person),
      code: "x.from",
    },
    {
      name: "share",
      unit: "money",
      noun: "amount that everyone gives",
      value: ({ text }) => Number(/gives \$(\d+\.\d\d)/.exec(text)?.[1] ?? 0),
      code: "Number((apis.notes.readShared({id:x.id}).text.match(/gives \\$(\\d+\\.\\d\\d)/)||[0,0])[1])",
      superlatives: {
        most: [
          "dearest",
          "most expensive",
          "costliest",
          "priciest (for each of us)",
          "most costly",
        ],
        least: [
          "cheapest",
          "least expensive",
          "least costly",
          "least pricey (for each of us)",
          "lowest-priced",
        ],
      },
    },
  ],
});

export const noteCollections: readonly Collection[] = [
  plain,
  sized,
  costs,
  checklists,
  reminders,
  archived,
  others,
];
