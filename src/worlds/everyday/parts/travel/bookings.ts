/** Bookings of seats and rooms as goals pick them: by price, day, place and state. */
import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import { type Booking, bookings } from "../../apps/travel/tables.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { aboard, app, cityFor, cityOf, js, titleOf } from "./reads.ts";

const status: Clause<Booking> = {
  name: "status",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.status),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `with the status "${chosen}"`,
        `in the state "${chosen}"`,
        `whose status is "${chosen}"`,
        `that have the status "${chosen}"`,
        `which travel lists as "${chosen}"`,
      ],
      holds: (row) => row.status === chosen,
      code: { args: `status:${js(chosen)}` },
    };
  },
};

const kind: Clause<Booking> = {
  name: "kind",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.kind),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `of the kind "${chosen}"`,
        `that are for a ${chosen}`,
        `whose kind is "${chosen}"`,
        `which are of the kind "${chosen}"`,
        `by which I booked a ${chosen}`,
      ],
      holds: (row) => row.kind === chosen,
      code: { args: `kind:${js(chosen)}` },
    };
  },
};

const withPerson: Clause<Booking> = {
  name: "with",
  draw: (draw, rows) => {
    const ids = rows.flatMap(({ id }) => aboard(draw.db, id).flatMap(({ person }) => person ?? []));
    const person = draw.person(ids);
    if (!person) return undefined;
    return {
      words: [
        `with ${person.words} among the travellers`,
        `on which ${person.words} travels`,
        `that include ${person.words} as a traveller`,
        `which list ${person.words} as a traveller`,
        `where ${person.words} is one of the travellers`,
      ],
      holds: ({ id }, db) => aboard(db, id).some((row) => row.person === person.value.id),
      code: { args: `with:${person.code}` },
      uses: [person],
    };
  },
};

const inCity: Clause<Booking> = {
  name: "city",
  draw: (draw, rows) => {
    const city = cityFor(
      draw,
      rows.map((row) => cityOf(draw.db, row)),
    );
    if (city === undefined) return undefined;
    return {
      words: [
        `that take me to or let me stay in ${city}`,
        `which end in ${city} or are for a hotel there`,
        `with ${city} as the city of arrival or of the hotel`,
        `whose city of arrival or of the hotel is ${city}`,
        `where ${city} is the city of arrival or the hotel's city`,
      ],
      holds: (row, db) => cityOf(db, row) === city,
      code: { test: `x.city===${js(city)}` },
    };
  },
};

const loose: Clause<Booking> = {
  name: "loose",
  draw: () => ({
    words: [
      "that belong to no trip",
      "which are not part of any trip",
      "without a trip",
      "that are part of no trip at all",
      "which no trip includes",
    ],
    holds: (row) => row.trip === null,
    code: { test: "x.trip===null" },
  }),
};

const onCredit: Clause<Booking> = {
  name: "credit",
  draw: () => ({
    words: [
      "paid from my travel credit",
      "that I paid with travel credit",
      "which were paid from the credit",
      "that were not paid by card but from the credit",
      "for which the credit was used",
    ],
    holds: (row) => row.paid === "credit",
    code: { test: `apis.travel.booking({id:x.id}).paid==="credit"` },
  }),
};

function dated(end: "from" | "until"): Clause<Booking> {
  const late = end === "from";
  return {
    name: end,
    draw: ({ rng }, rows) => {
      const days = rows.map((row) => row.day);
      const day = late ? atLeast(rng, days) : atMost(rng, days);
      if (day === undefined) return undefined;
      const date = dayWords(day);
      return {
        words: late
          ? [
              `for ${date} or later`,
              `that are for ${date} or a later day`,
              `dated ${date} or later`,
              `whose day is ${date} or after that`,
              `for no earlier day than ${date}`,
            ]
          : [
              `for ${date} or earlier`,
              `that are for ${date} or an earlier day`,
              `dated ${date} or earlier`,
              `whose day is ${date} or before that`,
              `for no later day than ${date}`,
            ],
        holds: (row) => (late ? row.day >= day : row.day <= day),
        code: { args: `${end}:${js(day)}` },
      };
    },
  };
}

function priced(end: "most" | "least"): Clause<Booking> {
  const most = end === "most";
  return {
    name: most ? "at-most" : "at-least",
    draw: ({ rng }, rows) => {
      const all = rows.map((row) => row.cents);
      const cents = most ? centsAtMost(rng, all) : centsAtLeast(rng, all);
      if (cents === undefined) return undefined;
      const sum = moneyWords(cents);
      return {
        words: most
          ? [
              `that cost ${sum} or less`,
              `with a price of at most ${sum}`,
              `that cost no more than ${sum}`,
              `whose price is ${sum} or below`,
              `for which I paid ${sum} or less`,
            ]
          : [
              `that cost ${sum} or more`,
              `with a price of at least ${sum}`,
              `that cost no less than ${sum}`,
              `whose price is ${sum} or above`,
              `for which I paid ${sum} or more`,
            ],
        holds: (row) => (most ? row.cents <= cents : row.cents >= cents),
        code: { test: `x.price${most ? "<=" : ">="}${cents / 100}` },
      };
    },
  };
}

const fields: readonly Field<Booking>[] = [
  {
    name: "price",
    unit: "money",
    noun: "price",
    value: (row) => row.cents / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "travellers",
    unit: "number",
    noun: "number of travellers",
    value: ({ id }, db) => aboard(db, id).length,
    code: "x.travellers",
  },
  {
    name: "day",
    unit: "day",
    noun: "day",
    value: (row) => row.day,
    code: "x.day",
    superlatives: {
      most: ["latest", "last", "latest by day", "latest-dated", "last-dated"],
      least: ["earliest", "first", "earliest by day", "earliest-dated", "first-dated"],
    },
  },
  {
    name: "what",
    unit: "text",
    noun: "title",
    value: (row, db) => titleOf(db, row),
    code: "x.what",
  },
];

export const bookingCollection: Collection = collection<Booking>({
  name: "bookings",
  kind: "bookings",
  app,
  table: bookings,
  base: () => true,
  nouns: [
    { one: "booking in my travel app", many: "bookings in my travel app" },
    { one: "travel booking", many: "travel bookings" },
    { one: "booking of mine in travel", many: "bookings of mine in travel" },
    { one: "booking on my travel account", many: "bookings on my travel account" },
    { one: "booking listed in travel", many: "bookings listed in travel" },
  ],
  list: { api: "travel.bookings" },
  key: "id",
  whole: false,
  clauses: [
    status,
    kind,
    withPerson,
    inCity,
    loose,
    onCredit,
    dated("from"),
    dated("until"),
    priced("most"),
    priced("least"),
  ],
  fields,
  title: {
    of: (row) => String(row.id),
    nouns: (id) => [
      `my travel booking number ${id}`,
      `booking number ${id} in travel`,
      `the travel booking with the id ${id}`,
      `my booking with the number ${id} in travel`,
      `the booking that has the id ${id} in travel`,
    ],
    cells: (id, out) => [
      `var ${out}=[],p=1,r;do{r=apis.travel.bookings({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.map(x=>x.id).filter(x=>x===${id});print(${out})`,
    ],
    missing: ["7113", "9204", "8465", "6007"],
  },
});
