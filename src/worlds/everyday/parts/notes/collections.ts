/** Notes as sets: the active ones, those with traits, those about costs, reminders, the archive, notes of others. */
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
import { type Borrowed, borrowed, items, notebooks } from "../../apps/notes/tables.ts";
import { activeShares, isActive, traitsOf } from "../../apps/notes/traits.ts";
import { handleOf } from "../../apps/shared.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { being, bounded, having, js, saying } from "../papers.ts";

type NoteClause = Clause<Note>;
type NoteField = Field<Note>;

const active = (row: Note, db: Reader) => isActive(db, row.id);
const bookOf = (db: Reader, id: number) => {
  const { notebook } = traitsOf(db, id);
  return notebook === null ? [] : [db.get(notebooks, notebook)?.name ?? "removed"];
};

// --- clauses ---

const tag: NoteClause = having({
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

const pinned: NoteClause = being(
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

const says: NoteClause = saying({
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

const linked: NoteClause = being(
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

const openItems: NoteClause = being(
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

const shared: NoteClause = being(
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

const notebook: NoteClause = having({
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

const colour: NoteClause = having({
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

const long: NoteClause = bounded({
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

const untagged: NoteClause = being(
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

const title: NoteField = {
  name: "title",
  unit: "text",
  noun: "title",
  value: (row) => row.title,
  code: "x.title",
};

const size: NoteField = {
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

const people: NoteField = {
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

const total: NoteField = {
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

// --- collections ---

const NOUNS: Collection["nouns"] = [
  { one: "note of mine", many: "notes of mine" },
  { one: "own note", many: "own notes" },
  { one: "note that is not archived", many: "notes that are not archived" },
  { one: "note in my notes app", many: "notes in my notes app" },
  { one: "note of my own", many: "notes of my own" },
];

const plain = collection<Note>({
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

const sized = collection<Note>({
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

const costs = collection<Note>({
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

const checklists = collection<Note>({
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

const archived = collection<Note>({
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
