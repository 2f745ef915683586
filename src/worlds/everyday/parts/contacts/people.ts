/** Contacts by what is known about them, and the people who belong to them. */

import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { couples, details, type Relationship } from "../../apps/contacts/tables.ts";
import { members, type Person, people } from "../../apps/tables.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { contactOf } from "../contact.ts";
import { js, ownGroups } from "./common.ts";

const factsOf = (db: Reader, { id }: Pick<Person, "id">) => db.where(details, { person: id })[0];
const bornOn = (db: Reader, row: Person) => factsOf(db, row)?.birthday ?? "9999-12-31";

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** "family" is also the name of a group that no task may name. */
const SAID: readonly Relationship[] = ["colleague", "neighbour", "friend", "acquaintance"];

const relationship: Clause<Person> = {
  name: "relationship",
  draw: ({ rng, db }, rows) => {
    const found = rows.map((row) => factsOf(db, row)?.relationship ?? "family");
    const said = oneOfSome(
      rng,
      found.filter((name) => SAID.includes(name)),
    );
    if (said === undefined || found.every((name) => name === said)) return undefined;
    const kind = js(said);
    return {
      words: [
        `whose relationship to me is ${kind}`,
        `noted with the relationship ${kind}`,
        `who have ${kind} as their relationship to me`,
        `who are down as ${kind} in Contacts`,
        `with ${kind} as the relationship`,
      ],
      holds: (row, db) => factsOf(db, row)?.relationship === said,
      code: { args: `relationship:${kind}` },
    };
  },
};

const group: Clause<Person> = {
  name: "group",
  draw: (draw, rows) => {
    const kept = new Set(rows.map(({ id }) => id));
    const some = ownGroups(draw).filter(({ id }) => {
      const inside = draw.db.where(members, { group: id });
      const count = inside.filter(({ person }) => kept.has(person)).length;
      return count > 0 && count < rows.length;
    });
    if (some.length === 0) return undefined;
    const { id, name } = draw.rng.pick(some);
    return {
      words: [
        `in my group ${js(name)}`,
        `who belong to my ${name} group`,
        `who are members of the group ${js(name)}`,
        `from the group ${js(name)}`,
        `who are in the ${name} group`,
      ],
      holds: (row, db) => db.where(members, { group: id, person: row.id }).length > 0,
      code: { args: `group:${js(name)}` },
    };
  },
};

const city: Clause<Person> = {
  name: "city",
  excludes: ["workplace"],
  draw: (draw, rows) => {
    const own = new Set(draw.people.map((person) => contactOf(draw.db, person).city));
    const chosen = oneOfSome(
      draw.rng,
      rows.map((row) => row.city),
    );
    const name = chosen !== undefined && own.has(chosen) ? chosen : undefined;
    if (name === undefined) return undefined;
    return {
      words: [
        `in ${name}`,
        `who live in ${name}`,
        `whose city is ${name}`,
        `with ${name} as their city`,
        `who have their home in ${name}`,
      ],
      holds: (row) => row.city === name,
      code: { args: `city:${js(name)}` },
    };
  },
};

const workplace: Clause<Person> = {
  name: "workplace",
  draw: (draw, rows) => {
    const kept = new Set(rows.map(({ id }) => id));
    const own = draw.people.filter(({ id }) => kept.has(id));
    const name = oneOfSome(draw.rng, [
      ...own.flatMap((person) => factsOf(draw.db, person)?.workplace ?? []),
      "",
    ]);
    if (!name) return undefined;
    return {
      words: [
        `who work at ${name}`,
        `employed at ${name}`,
        `whose workplace is ${name}`,
        `with ${name} as their workplace`,
        `who have a job at ${name}`,
      ],
      holds: (row, db) => factsOf(db, row)?.workplace === name,
      code: { args: `workplace:${js(name)}` },
    };
  },
};

const bornIn: Clause<Person> = {
  name: "born-in",
  excludes: ["born-before", "born-after"],
  draw: ({ rng, db }, rows) => {
    const month = oneOfSome(
      rng,
      rows.map((row) => Number(bornOn(db, row).slice(5, 7))),
    );
    const name = month && MONTHS[month - 1];
    if (!name) return undefined;
    return {
      words: [
        `born in ${name}`,
        `whose birthday is in ${name}`,
        `who have their birthday in ${name}`,
        `with a birthday in ${name}`,
        `whose birthdays fall in ${name}`,
      ],
      holds: (row, db) => Number(bornOn(db, row).slice(5, 7)) === month,
      code: { args: `bornIn:${month}` },
    };
  },
};

const bornBefore: Clause<Person> = {
  name: "born-before",
  excludes: ["born-in", "born-after"],
  draw: ({ rng, db }, rows) => {
    const year = atMost(
      rng,
      rows.map((row) => Number(bornOn(db, row).slice(0, 4))),
    );
    if (year === undefined) return undefined;
    return {
      words: [
        `born in ${year} or earlier`,
        `who were born no later than ${year}`,
        `whose year of birth is ${year} or earlier`,
        `with ${year} or an earlier year as their year of birth`,
        `whose birth was in ${year} or before that year`,
      ],
      holds: (row, db) => Number(bornOn(db, row).slice(0, 4)) <= year,
      code: { test: `Number(x.birthday.slice(0,4))<=${year}` },
    };
  },
};

const bornAfter: Clause<Person> = {
  name: "born-after",
  excludes: ["born-in", "born-before"],
  draw: ({ rng, db }, rows) => {
    const day = atLeast(
      rng,
      rows.map((row) => bornOn(db, row)),
    );
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `born on ${d} or later`,
        `who were born no earlier than ${d}`,
        `whose day of birth is ${d} or later`,
        `with a day of birth on ${d} or after it`,
        `whose birth was on ${d} or after that day`,
      ],
      holds: (row, db) => bornOn(db, row) >= day,
      code: { test: `x.birthday>=${js(day)}` },
    };
  },
};

/** Each first name is borne by two people. */
const firstName: Clause<Person> = {
  name: "first-name",
  draw: (draw, rows) => {
    const own = new Set(draw.people.map(({ id }) => id));
    const named = rows.filter(({ id }) => own.has(id));
    if (named.length === 0 || rows.length < 3) return undefined;
    const name = draw.rng.pick(named).name.split(" ")[0]!;
    return {
      words: [
        `whose first name is ${name}`,
        `called ${name} by first name`,
        `with the first name ${name}`,
        `who have ${name} as their first name`,
        `that bear the first name ${name}`,
      ],
      holds: (row) => row.name.startsWith(`${name} `),
      code: { test: `x.name.startsWith(${js(`${name} `)})` },
    };
  },
};

const favourite: Clause<Person> = {
  name: "favourite",
  draw: ({ db }, rows) => {
    const marked = rows.filter((row) => factsOf(db, row)?.favourite);
    if (marked.length === 0 || marked.length === rows.length) return undefined;
    return {
      words: [
        "marked as favourites in Contacts",
        "that are favourites in Contacts",
        "who are among the favourites of Contacts",
        "which Contacts has as favourites",
        "with the favourite mark in Contacts",
      ],
      holds: (row, db) => factsOf(db, row)?.favourite === true,
      code: { args: "favourite:true" },
    };
  },
};

export const peoplePart: Collection = collection<Person>({
  name: "contacts",
  kind: "people",
  app: "contacts",
  table: people,
  base: () => true,
  nouns: [
    { one: "contact", many: "contacts" },
    { one: "person I know", many: "people I know" },
    { one: "person in Contacts", many: "people in Contacts" },
    { one: "person in my address book", many: "people in my address book" },
    { one: "person in my contacts", many: "people in my contacts" },
  ],
  list: { api: "contacts.directory" },
  key: "handle",
  whole: false,
  clauses: [
    relationship,
    group,
    city,
    workplace,
    bornIn,
    bornBefore,
    bornAfter,
    firstName,
    favourite,
  ],
  fields: [
    { name: "name", unit: "text", noun: "full name", value: (row) => row.name, code: "x.name" },
    {
      name: "phone",
      unit: "text",
      noun: "phone number",
      value: (row) => row.phone,
      code: "apis.contacts.show({person:x.handle}).phone",
    },
    { name: "city", unit: "text", noun: "city", value: (row) => row.city, code: "x.city" },
    {
      name: "birthday",
      unit: "day",
      noun: "day of birth",
      value: (row, db) => bornOn(db, row),
      code: "x.birthday",
      superlatives: {
        most: ["youngest", "latest-born", "least old", "last-born", "most recently born"],
        least: ["oldest", "earliest-born", "least young", "first-born", "eldest"],
      },
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      name,
      `my contact ${name}`,
      `${name} from my contacts`,
      `the contact named ${name}`,
      `the person ${name} in my contacts`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.contacts.find({name:${js(name)}}).filter(x=>x.name===${js(name)}).map(x=>x.handle);print(${out})`,
    ],
    missing: [
      "Wilhelmina Thornbury",
      "Ruprecht Gallowglass",
      "Perpetua Quillfeather",
      "Ottoline Marchbanks",
      "Ignatius Wexcombe",
      "Sybil Underhay",
    ],
  },
});

/** Of those who have one. */
export const partners: Relation = {
  name: "partners",
  from: "people",
  to: "people",
  app: "contacts",
  words: [
    (noun) => `the partners of ${noun}`,
    (noun) => `whoever forms a couple with ${noun}`,
    (noun) => `the other halves of ${noun}`,
    (noun) => `those who are in a couple with ${noun}`,
    (noun) => `the people noted in Contacts as partners of ${noun}`,
  ],
  map: (db, ids) => {
    const found = ids.flatMap((id) => [
      ...db.where(couples, { first: id }).map(({ second }) => second),
      ...db.where(couples, { second: id }).map(({ first }) => first),
    ]);
    return [...new Set(found)];
  },
  cells: (from, to) => [
    `var ${to}=[...new Set(${from}.map(k=>apis.contacts.profile({person:k}).partner).filter(k=>k!==null))];print(${to})`,
  ],
};
