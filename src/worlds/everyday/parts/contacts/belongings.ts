/** What contacts keep about people: ideas for gifts, meetings, remarks, and the groups that they are in. */
import type { Reader, Table, TableRow } from "../../../../world/index.ts";
import { type Clause, type Collection, collection, type Relation } from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import {
  type Gift,
  gifts,
  type Meeting,
  meetings,
  type Remark,
  remarks,
} from "../../apps/contacts/tables.ts";
import { type Group, groups, members } from "../../apps/tables.ts";
import { HAPPENING_KINDS, placesOf } from "../../life/life.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { each, every, has, js, someWord, wordForms } from "./common.ts";

/** A clause that names the person whom rows are about; `param` is the filter of the list API. */
function of<R extends TableRow & { readonly person: number }>(
  param: "about" | "with" | "for",
): Clause<R> {
  return {
    name: "person",
    draw: (draw, rows) => {
      const ids = rows.map(({ person }) => person);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      return {
        words: [
          `${param} ${p}`,
          `noted ${param} ${p}`,
          `that are ${param} ${p}`,
          `which are noted ${param} ${p}`,
          `I have noted ${param} ${p}`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `${param}:${person.code}` },
        uses: [person],
      };
    },
  };
}

function peopleOf<R extends TableRow & { readonly person: number }>(
  table: Table<R>,
): Relation["map"] {
  return (db, ids) => [...new Set(ids.map((id) => db.get(table, id)!.person))];
}

/** People of listed rows: the keys are ids, `field` of the item is the handle. */
const side = (api: string, field: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${every(api, "")}.filter(x=>${from}.includes(x.id)).map(x=>x.${field}))];print(${to})`,
];

// --- gifts ---

const open: Clause<Gift> = {
  name: "open",
  excludes: ["given"],
  draw: (_, rows) =>
    rows.every(({ given }) => !given)
      ? undefined
      : {
          words: [
            "not given yet",
            "that are still open",
            "that I have not given",
            "which are not given so far",
            "that remain to be given",
          ],
          holds: ({ given }) => !given,
          code: { args: "given:false" },
        },
};

const given: Clause<Gift> = {
  name: "given",
  excludes: ["open"],
  draw: (_, rows) =>
    rows.every(({ given }) => given)
      ? undefined
      : {
          words: [
            "already given",
            "that I have given",
            "that are given already",
            "which were given",
            "that count as given",
          ],
          holds: ({ given }) => given,
          code: { args: "given:true" },
        },
};

const dear: Clause<Gift> = {
  name: "dear",
  excludes: ["cheap"],
  draw: ({ rng }, rows) => {
    const bound = centsAtLeast(
      rng,
      rows.map(({ cents }) => cents),
    );
    if (bound === undefined) return undefined;
    const m = moneyWords(bound);
    return {
      words: [
        `that cost ${m} or more`,
        `for at least ${m}`,
        `with a price of ${m} or more`,
        `whose price is at least ${m}`,
        `that cost no less than ${m}`,
      ],
      holds: ({ cents }) => cents >= bound,
      code: { test: `x.amount>=${bound / 100}` },
    };
  },
};

const cheap: Clause<Gift> = {
  name: "cheap",
  excludes: ["dear"],
  draw: ({ rng }, rows) => {
    const bound = centsAtMost(
      rng,
      rows.map(({ cents }) => cents),
    );
    if (bound === undefined) return undefined;
    const m = moneyWords(bound);
    return {
      words: [
        `that cost ${m} or less`,
        `for at most ${m}`,
        `with a price of ${m} or less`,
        `whose price is at most ${m}`,
        `that cost no more than ${m}`,
      ],
      holds: ({ cents }) => cents <= bound,
      code: { test: `x.amount<=${bound / 100}` },
    };
  },
};

const idea: Clause<Gift> = {
  name: "idea",
  draw: ({ rng }, rows) => {
    const name = oneOfSome(
      rng,
      rows.map((row) => row.idea),
    );
    if (name === undefined) return undefined;
    const i = js(name);
    return {
      words: [
        `that are ${i}`,
        `with the idea ${i}`,
        `whose idea is ${i}`,
        `noted as ${i}`,
        `which say ${i}`,
      ],
      holds: (row) => row.idea === name,
      code: { test: `x.idea===${i}` },
    };
  },
};

export const giftsPart: Collection = collection<Gift>({
  name: "gifts",
  kind: "gifts",
  app: "contacts",
  table: gifts,
  base: () => true,
  nouns: [
    { one: "gift idea in Contacts", many: "gift ideas in Contacts" },
    { one: "gift in Contacts", many: "gifts in Contacts" },
    { one: "gift idea of my contacts list", many: "gift ideas in my contacts list" },
    { one: "gift idea noted in Contacts", many: "gift ideas noted in Contacts" },
    { one: "idea for a gift in Contacts", many: "ideas for gifts in Contacts" },
  ],
  list: { api: "contacts.gifts" },
  key: "id",
  whole: false,
  clauses: [of<Gift>("for"), open, given, dear, cheap, idea],
  fields: [
    { name: "idea", unit: "text", noun: "idea", value: (row) => row.idea, code: "x.idea" },
    {
      name: "amount",
      unit: "money",
      noun: "price",
      value: ({ cents }) => cents / 100,
      code: "x.amount",
      superlatives: {
        most: ["most expensive", "dearest", "priciest", "costliest", "highest-priced"],
        least: ["cheapest", "least expensive", "least dear", "lowest-priced", "least costly"],
      },
    },
  ],
});

// --- meetings ---

const DAY = ({ day }: Meeting) => day;

const after: Clause<Meeting> = {
  name: "after",
  excludes: ["until"],
  draw: ({ rng }, rows) => {
    const day = atLeast(rng, rows.map(DAY));
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `on ${d} or later`,
        `that took place no earlier than ${d}`,
        `that were on ${d} or later`,
        `dated ${d} or later`,
        `whose day is ${d} or later`,
      ],
      holds: (row) => row.day >= day,
      code: { test: `x.day>=${js(day)}` },
    };
  },
};

const until: Clause<Meeting> = {
  name: "until",
  excludes: ["after"],
  draw: ({ rng }, rows) => {
    const bound = atMost(rng, rows.map(DAY));
    const day = bound && new Date(Date.parse(bound) + 86_400_000).toISOString().slice(0, 10);
    if (!day) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `before ${d}`,
        `that took place earlier than ${d}`,
        `that were before ${d}`,
        `dated before ${d}`,
        `whose day is earlier than ${d}`,
      ],
      holds: (row) => row.day < day,
      code: { args: `before:${js(day)}` },
    };
  },
};

const place: Clause<Meeting> = {
  name: "place",
  draw: ({ rng, split }, rows) => {
    const places = placesOf(split);
    const name = oneOfSome(
      rng,
      rows.flatMap(({ occasion }) => places.filter((place) => occasion.includes(place))),
    );
    if (name === undefined || rows.every(({ occasion }) => occasion.includes(name)))
      return undefined;
    return {
      words: [
        `at the place ${name}`,
        `whose occasion mentions ${name}`,
        `with ${name} in the occasion`,
        `that name ${name} in their occasion`,
        `for which ${name} stands in the occasion`,
      ],
      holds: ({ occasion }) => has(occasion, name.toLowerCase()),
      code: { args: `query:${js(name)}` },
    };
  },
};

const occasion: Clause<Meeting> = {
  name: "occasion",
  draw: (draw, rows) => {
    const word = someWord(
      draw,
      rows.map((row) => row.occasion),
      HAPPENING_KINDS,
    );
    if (word === undefined) return undefined;
    const w = js(word);
    return {
      words: [
        `with the word ${w} in the occasion`,
        `whose occasion contains the word ${w}`,
        `that have the word ${w} in their occasion`,
        `whose occasion has ${w} in it`,
        `with an occasion that contains ${w}`,
      ],
      holds: (row) => has(row.occasion, word),
      code: { args: `query:${w}` },
    };
  },
};
const onlyOneQuery = [place, occasion].map((clause) => ({
  ...clause,
  excludes: ["place", "occasion"].filter((name) => name !== clause.name),
}));

export const meetingsPart: Collection = collection<Meeting>({
  name: "meetings",
  kind: "meetings",
  app: "contacts",
  table: meetings,
  base: () => true,
  nouns: [
    { one: "meeting in Contacts", many: "meetings in Contacts" },
    { one: "meeting logged in Contacts", many: "meetings logged in Contacts" },
    { one: "meeting noted in Contacts", many: "meetings noted in Contacts" },
    { one: "meeting that Contacts has", many: "meetings that Contacts has" },
    { one: "logged meeting of Contacts", many: "logged meetings of Contacts" },
  ],
  list: { api: "contacts.meetings" },
  key: "id",
  whole: false,
  clauses: [of<Meeting>("with"), after, until, ...onlyOneQuery],
  fields: [
    {
      name: "occasion",
      unit: "text",
      noun: "occasion",
      value: (row) => row.occasion,
      code: "x.occasion",
    },
    {
      name: "day",
      unit: "day",
      noun: "day",
      value: DAY,
      code: "x.day",
    },
  ],
});

// --- remarks ---

const REMARKED = ["allergic", "likes", "drinks", "plays", "speaks", "keeps", "owe", "away", "lent"];

const remarkWord: Clause<Remark> = {
  name: "word",
  draw: (draw, rows) => {
    const word = someWord(
      draw,
      rows.map(({ text }) => text),
      REMARKED,
    );
    if (word === undefined) return undefined;
    return {
      words: wordForms(word),
      holds: ({ text }) => has(text, word),
      code: { args: `query:${js(word)}` },
    };
  },
};

const remarkText: Clause<Remark> = {
  name: "text",
  excludes: ["word"],
  draw: ({ rng }, rows) => {
    const text = oneOfSome(
      rng,
      rows.map((row) => row.text),
    );
    if (text === undefined) return undefined;
    const t = js(text);
    return {
      words: [
        `that read ${t}`,
        `with the text ${t}`,
        `whose text is ${t}`,
        `which say ${t}`,
        `that consist of ${t}`,
      ],
      holds: (row) => row.text === text,
      code: { test: `x.text===${t}` },
    };
  },
};

export const remarksPart: Collection = collection<Remark>({
  name: "remarks",
  kind: "remarks",
  app: "contacts",
  table: remarks,
  base: () => true,
  nouns: [
    { one: "remark in Contacts", many: "remarks in Contacts" },
    { one: "remark noted in Contacts", many: "remarks noted in Contacts" },
    { one: "remark from Contacts", many: "remarks from Contacts" },
    { one: "remark that Contacts has", many: "remarks that Contacts has" },
    { one: "remark on people in Contacts", many: "remarks on people in Contacts" },
  ],
  list: { api: "contacts.remarks" },
  key: "id",
  whole: false,
  clauses: [of<Remark>("about"), remarkWord, remarkText],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

// --- groups ---

const sizeOf = (db: Reader, { id }: Group) => db.where(members, { group: id }).length;

const withPerson: Clause<Group> = {
  name: "with",
  draw: (draw, rows) => {
    const ids = rows.flatMap(({ id }) =>
      draw.db.where(members, { group: id }).map(({ person }) => person),
    );
    const person = draw.person(ids);
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [
        `that ${p} is in`,
        `with ${p} among the members`,
        `that have ${p} as a member`,
        `to which ${p} belongs`,
        `of which ${p} is a member`,
      ],
      holds: ({ id }, db) => db.where(members, { group: id, person: person.value.id }).length > 0,
      code: { args: `person:${person.code}` },
      uses: [person],
    };
  },
};

function sized(name: "big" | "small", edge: typeof atLeast): Clause<Group> {
  return {
    name,
    excludes: ["big", "small"].filter((other) => other !== name),
    draw: ({ rng, db }, rows) => {
      const size = edge(
        rng,
        rows.map((row) => sizeOf(db, row)),
      );
      if (size === undefined) return undefined;
      const than = name === "big" ? `${size} or more` : `${size} or fewer`;
      const bound = name === "big" ? `at least ${size}` : `at most ${size}`;
      return {
        words: [
          `with ${than} members`,
          `that have ${bound} members`,
          `with ${bound} people in them`,
          `in which there are ${than} people`,
          `whose members number ${than}`,
        ],
        holds: (row, db) => (name === "big" ? sizeOf(db, row) >= size : sizeOf(db, row) <= size),
        code: { test: `x.size${name === "big" ? ">" : "<"}=${size}` },
      };
    },
  };
}

export const groupsPart: Collection = collection<Group>({
  name: "groups",
  kind: "groups",
  app: "contacts",
  table: groups,
  base: () => true,
  nouns: [
    { one: "contact group", many: "contact groups" },
    { one: "group in Contacts", many: "groups in Contacts" },
    { one: "group of contacts", many: "groups of contacts" },
    { one: "group that Contacts has", many: "groups that Contacts has" },
    { one: "group in my address book", many: "groups in my address book" },
  ],
  list: { api: "contacts.groups" },
  key: "name",
  whole: true,
  clauses: [withPerson, sized("big", atLeast), sized("small", atMost)],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "size",
      unit: "number",
      noun: "number of members",
      value: (row, db) => sizeOf(db, row),
      code: "x.size",
      superlatives: {
        most: ["largest", "biggest", "most populous", "fullest", "most crowded"],
        least: ["smallest", "tiniest", "least populous", "emptiest", "least crowded"],
      },
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `my contact group ${js(name)}`,
      `the contact group ${js(name)}`,
      `the group ${js(name)} of my contacts`,
      `the group called ${js(name)} in Contacts`,
      `the group ${js(name)} in my address book`,
    ],
    cells: (name, out) => [
      `var ${out}=${every("contacts.groups", "")}.map(x=>x.name).filter(x=>x===${js(name)});print(${out})`,
    ],
    missing: ["curling league", "pottery evening", "beekeepers", "skittles side", "origami hour"],
  },
});

// --- relations ---

export const belongingRelations: readonly Relation[] = [
  {
    name: "gifted",
    from: "gifts",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the receivers in ${noun}`,
      (noun) => `everyone who is a receiver in ${noun}`,
      (noun) => `the people that are receivers in ${noun}`,
      (noun) => `whoever is a receiver in ${noun}`,
      (noun) => `those who appear as receivers in ${noun}`,
    ],
    map: peopleOf(gifts),
    cells: side("contacts.gifts", "for"),
  },
  {
    name: "met",
    from: "meetings",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the people that appear in ${noun}`,
      (noun) => `everyone who appears in ${noun}`,
      (noun) => `the people recorded in ${noun}`,
      (noun) => `whoever is recorded in ${noun}`,
      (noun) => `everybody found in ${noun}`,
    ],
    map: peopleOf(meetings),
    cells: side("contacts.meetings", "with"),
  },
  {
    name: "remarked",
    from: "remarks",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the people described in ${noun}`,
      (noun) => `everyone described in ${noun}`,
      (noun) => `those described in ${noun}`,
      (noun) => `whoever is described in ${noun}`,
      (noun) => `the people who are the subject of ${noun}`,
    ],
    map: peopleOf(remarks),
    cells: side("contacts.remarks", "about"),
  },
  {
    name: "members",
    from: "groups",
    to: "people",
    app: "contacts",
    words: [
      (noun) => `the members of ${noun}`,
      (noun) => `everybody who belongs to ${noun}`,
      (noun) => `the people in ${noun}`,
      (noun) => `all who are in ${noun}`,
      (noun) => `everyone from ${noun}`,
    ],
    map: (db, ids) => {
      const inside = ids.flatMap((group) => db.where(members, { group }));
      return [...new Set(inside.map(({ person }) => person))];
    },
    cells: (from, to) =>
      each(every("contacts.groupMembers", "group:k").concat(".map(x=>x.handle)"), from, to),
  },
  {
    name: "gift-ideas",
    from: "people",
    to: "gifts",
    app: "contacts",
    words: [
      (noun) => `the open gift ideas for ${noun}`,
      (noun) => `all gifts in Contacts for ${noun} that are not given yet`,
      (noun) => `the gift ideas in Contacts for ${noun} that are still open`,
      (noun) => `what Contacts has as open gift ideas for ${noun}`,
      (noun) => `those gift ideas for ${noun} that I have not given`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) => db.where(gifts, { person, given: false }).map(({ id }) => id)),
    cells: (from, to) =>
      each(every("contacts.gifts", "for:k,given:false").concat(".map(x=>x.id)"), from, to),
  },
];
