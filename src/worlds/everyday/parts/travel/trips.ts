/** Trips and what belongs to them. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import { companions, type Trip, trips } from "../../apps/travel/tables.ts";
import { atLeast, atMost, centsAtLeast } from "../bounds.ts";
import { app, cityFor, comes, costsOf, js, nightsOf, TODAY } from "./reads.ts";

const own: Clause<Trip> = {
  name: "own",
  excludes: ["host"],
  draw: ({ rng }) => {
    const mine = rng.chance(0.6);
    return {
      words: mine
        ? [
            "that are my own",
            "which I planned myself",
            "of which I am the host",
            "that belong to me",
            "which are mine and not somebody else's",
          ]
        : [
            "that belong to others",
            "which somebody else planned",
            "of which another person is the host",
            "that are not my own",
            "which are somebody else's and not mine",
          ],
      holds: (row) => (row.person === null) === mine,
      code: { args: `own:${mine}` },
    };
  },
};

const over: Clause<Trip> = {
  name: "over",
  draw: ({ rng }) => {
    const past = rng.chance(0.5);
    return {
      words: past
        ? [
            "that are over",
            "which have ended already",
            "that ended before today",
            "which are already in the past",
            "that came to their end before today",
          ]
        : [
            "that are not over yet",
            "which have not ended yet",
            "that end today or later",
            "which are not in the past yet",
            "whose last day is today or later",
          ],
      holds: (row) => row.until < TODAY === past,
      code: { args: `over:${past}` },
    };
  },
};

const toCity: Clause<Trip> = {
  name: "city",
  draw: (draw, rows) => {
    const city = cityFor(
      draw,
      rows.map((row) => row.city),
    );
    if (city === undefined) return undefined;
    return {
      words: [
        `to ${city}`,
        `that go to ${city}`,
        `whose destination is ${city}`,
        `which lead to ${city}`,
        `with ${city} as their destination`,
      ],
      holds: (row) => row.city === city,
      code: { args: `city:${js(city)}` },
    };
  },
};

const withPerson: Clause<Trip> = {
  name: "with",
  draw: (draw, rows) => {
    const rowIds = new Set(rows.map(({ id }) => id));
    const coming = draw.db.where(companions, { left: false }).filter((c) => rowIds.has(c.trip));
    const person = draw.person(coming.map((row) => row.person));
    if (!person) return undefined;
    return {
      words: [
        `with ${person.words} as a companion`,
        `on which ${person.words} comes along`,
        `that have ${person.words} among the companions`,
        `which list ${person.words} as a companion`,
        `where ${person.words} is one of the companions`,
      ],
      holds: (row, db) => comes(db, row.id, person.value.id),
      code: { args: `with:${person.code}` },
      uses: [person],
    };
  },
};

const hostedBy: Clause<Trip> = {
  name: "host",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap((row) => row.person ?? []));
    if (!person) return undefined;
    return {
      words: [
        `hosted by ${person.words}`,
        `whose host is ${person.words}`,
        `that ${person.words} hosts`,
        `which belong to ${person.words}`,
        `that are trips of ${person.words}`,
      ],
      holds: (row) => row.person === person.value.id,
      code: { args: `host:${person.code}` },
      uses: [person],
    };
  },
};

const long: Clause<Trip> = {
  name: "nights",
  draw: ({ rng }, rows) => {
    const nights = atLeast(rng, rows.map(nightsOf));
    if (nights === undefined) return undefined;
    return {
      words: [
        `of ${nights} or more nights`,
        `that last ${nights} nights or more`,
        `with at least ${nights} nights`,
        `which take no fewer than ${nights} nights`,
        `with a length of ${nights} nights or more`,
      ],
      holds: (row) => nightsOf(row) >= nights,
      code: { test: `Math.round((Date.parse(x.until)-Date.parse(x.from))/86400000)>=${nights}` },
    };
  },
};

const since: Clause<Trip> = {
  name: "since",
  draw: ({ rng }, rows) => {
    const day = atLeast(
      rng,
      rows.map((row) => row.from),
    );
    if (day === undefined) return undefined;
    const date = dayWords(day);
    return {
      words: [
        `that begin on ${date} or later`,
        `with a first day of ${date} or later`,
        `that start no earlier than ${date}`,
        `whose first day is ${date} or a later one`,
        `which begin on ${date} or after that`,
      ],
      holds: (row) => row.from >= day,
      code: { test: `x.from>=${js(day)}` },
    };
  },
};

const until: Clause<Trip> = {
  name: "until",
  draw: ({ rng }, rows) => {
    const day = atMost(
      rng,
      rows.map((row) => row.from),
    );
    if (day === undefined) return undefined;
    const date = dayWords(day);
    return {
      words: [
        `that begin on ${date} or earlier`,
        `with a first day of ${date} or earlier`,
        `that start no later than ${date}`,
        `whose first day is ${date} or an earlier one`,
        `which begin on ${date} or before that`,
      ],
      holds: (row) => row.from <= day,
      code: { test: `x.from<=${js(day)}` },
    };
  },
};

/** Reads each trip. */
const costly: Clause<Trip> = {
  name: "costs",
  draw: ({ rng, db }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map(({ id }) => costsOf(db, id)),
    );
    if (!cents) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `that have cost ${sum} or more`,
        `with costs of at least ${sum} in all`,
        `whose costs come to ${sum} or more`,
        `which have cost no less than ${sum} altogether`,
        `with noted costs of ${sum} or more in total`,
      ],
      holds: (row, reader) => costsOf(reader, row.id) >= cents,
      code: { test: `apis.travel.trip({id:x.id}).costs>=${cents / 100}` },
    };
  },
};

const fields: readonly Field<Trip>[] = [
  {
    name: "costs",
    unit: "money",
    noun: "cost",
    value: (row, db) => costsOf(db, row.id) / 100,
    code: "apis.travel.trip({id:x.id}).costs",
    superlatives: {
      most: ["most expensive", "costliest", "dearest", "priciest", "most costly"],
      least: ["cheapest", "least expensive", "least costly", "least pricey", "most economical"],
    },
  },
  {
    name: "nights",
    unit: "number",
    noun: "number of nights",
    value: nightsOf,
    code: "Math.round((Date.parse(x.until)-Date.parse(x.from))/86400000)",
    superlatives: {
      most: ["longest", "most extended", "longest by nights", "lengthiest", "longest-lasting"],
      least: ["shortest", "least extended", "shortest by nights", "briefest", "shortest-lasting"],
    },
  },
  {
    name: "from",
    unit: "day",
    noun: "first day",
    value: (row) => row.from,
    code: "x.from",
    superlatives: {
      most: ["latest", "latest-starting", "last-starting", "latest to begin", "last to begin"],
      least: [
        "earliest",
        "earliest-starting",
        "first-starting",
        "earliest to begin",
        "first to begin",
      ],
    },
  },
  { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
];

export const tripCollection: Collection = collection<Trip>({
  name: "trips",
  kind: "trips",
  app,
  table: trips,
  base: (row) => !row.cancelled,
  nouns: [
    { one: "trip in my travel app", many: "trips in my travel app" },
    { one: "trip", many: "trips" },
    { one: "trip that I have in travel", many: "trips that I have in travel" },
    { one: "trip on my travel account", many: "trips on my travel account" },
    { one: "trip listed in travel", many: "trips listed in travel" },
  ],
  list: { api: "travel.trips" },
  key: "id",
  whole: false,
  clauses: [own, over, toCity, withPerson, hostedBy, costly, long, since, until],
  fields,
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the trip "${name}"`,
      `the trip named "${name}"`,
      `the trip with the name "${name}"`,
      `the trip called "${name}"`,
      `the trip that is called "${name}"`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.travel.searchTrips({query:${js(name)},size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.name===${js(name)}&&!x.cancelled).map(x=>x.id);print(${out})`,
    ],
    missing: ["Sledge week", "Round the three lakes", "Lighthouse tour", "The old caravan road"],
  },
});
