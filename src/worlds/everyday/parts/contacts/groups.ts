/** Groups of contacts: by name, member and size. */

import {
  type Clause,
  type Collection,
  collection,
  eachOf,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Group, groups, members } from "../../apps/tables.ts";
import { atLeast, atMost } from "../bounds.ts";
import { each, every, js } from "./common.ts";

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

export const groupRelations: readonly Relation[] = [
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
    each: eachOf("belongs to"),
    map: (db, ids) => {
      const inside = ids.flatMap((group) => db.where(members, { group }));
      return [...new Set(inside.map(({ person }) => person))];
    },
    cells: (from, to) =>
      each(every("contacts.groupMembers", "group:k").concat(".map(x=>x.handle)"), from, to),
  },
];
