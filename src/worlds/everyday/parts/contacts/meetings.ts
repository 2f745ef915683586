/** Past meetings with people: when, where and with whom. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Relation,
} from "../../../../goals/index.ts";
import { type Meeting, meetings } from "../../apps/contacts/tables.ts";
import { HAPPENING_KINDS, placesOf } from "../../life/life.ts";
import { atLeast, atMost, oneOfSome } from "../bounds.ts";
import { has, js, someWord } from "./common.ts";
import { of, peopleOf, side } from "./sides.ts";

const DAY = ({ day }: Meeting) => day;

const after: Clause<Meeting> = {
  name: "after",
  excludes: ["until", "person"],
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
  excludes: ["after", "person"],
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
  excludes: ["place", "occasion", "after", "until"].filter((name) => name !== clause.name),
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

export const meetingRelations: readonly Relation[] = [
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
];
