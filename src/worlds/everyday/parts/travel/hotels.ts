/** Hotels by city, stars, breakfast, price and what their description says; rooms are booked in them. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { bookings, type Hotel, hotels } from "../../apps/travel/tables.ts";
import { atLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { companionsOf, write } from "./booked.ts";
import { app, cityFor, js, reachable, shifted, TODAY } from "./reads.ts";

// --- hotels ---

const inCity: Clause<Hotel> = {
  name: "city",
  draw: (draw, rows) => {
    const city = cityFor(
      draw,
      rows.map((row) => row.city),
    );
    if (city === undefined) return undefined;
    return {
      words: [
        `in ${city}`,
        `located in ${city}`,
        `that are in ${city}`,
        `in the city of ${city}`,
        `to be found in ${city}`,
      ],
      holds: (row) => row.city === city,
      code: { args: `city:${js(city)}` },
    };
  },
};

const starred: Clause<Hotel> = {
  name: "stars",
  draw: ({ rng }, rows) => {
    const stars =
      atLeast(
        rng,
        rows.map((row) => row.stars),
      ) ?? rng.integer(4, 5);
    return {
      words: [
        `with ${stars} or more stars`,
        `that have at least ${stars} stars`,
        `with no fewer than ${stars} stars`,
        `which have ${stars} stars or more`,
        `of ${stars} stars or more`,
      ],
      holds: (row) => row.stars >= stars,
      code: { args: `stars:${stars}` },
    };
  },
};

const breakfast: Clause<Hotel> = {
  name: "breakfast",
  draw: () => ({
    words: [
      "with breakfast",
      "that include breakfast",
      "where breakfast is included",
      "which serve breakfast with the room",
      "with breakfast in the price",
    ],
    holds: (row) => row.breakfast,
    code: { args: "breakfast:true" },
  }),
};

/** Reads each description. */
const described: Clause<Hotel> = {
  name: "described",
  draw: ({ rng }, rows) => {
    const phrases = ["Pets are welcome", "There is a sauna", "There is a pool", "No pets"];
    const chosen = oneOfSome(
      rng,
      phrases.filter((phrase) => rows.some((row) => row.description.includes(phrase))),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `whose description says "${chosen}"`,
        `with "${chosen}" in the description`,
        `that have "${chosen}" in their description`,
        `which are described with "${chosen}"`,
        `where the description contains "${chosen}"`,
      ],
      holds: (row) => row.description.includes(chosen),
      code: { test: `apis.travel.hotel({id:x.id}).description.includes(${js(chosen)})` },
    };
  },
};

const affordable: Clause<Hotel> = {
  name: "at-most",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `that cost ${sum} a night or less`,
        `at ${sum} or less per night`,
        `with a price of at most ${sum} a night`,
        `that cost no more than ${sum} per night`,
        `whose rooms cost ${sum} a night or less`,
      ],
      holds: (row) => row.cents <= cents,
      code: { args: `most:${cents / 100}` },
    };
  },
};

const hotelFields: readonly Field<Hotel>[] = [
  {
    name: "price",
    unit: "money",
    noun: "price per night",
    value: (row) => row.cents / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "rating",
    unit: "grade",
    noun: "rating",
    value: (row) => row.rating / 10,
    code: "x.rating",
    superlatives: {
      most: ["best-rated", "highest-rated", "top-rated", "most highly rated", "best-reviewed"],
      least: [
        "worst-rated",
        "lowest-rated",
        "least highly rated",
        "most poorly rated",
        "worst-reviewed",
      ],
    },
  },
  { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
];

export const hotelCollection: Collection = collection<Hotel>({
  name: "hotels",
  kind: "hotels",
  app,
  table: hotels,
  base: () => true,
  nouns: [
    { one: "hotel in the travel app", many: "hotels in the travel app" },
    { one: "hotel", many: "hotels" },
    { one: "hotel that travel lists", many: "hotels that travel lists" },
    { one: "hotel on offer in travel", many: "hotels on offer in travel" },
    { one: "bookable hotel", many: "bookable hotels" },
  ],
  list: { api: "travel.hotels" },
  key: "id",
  whole: false,
  clauses: [inCity, breakfast, starred, described, affordable],
  fields: hotelFields,
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the hotel "${name}"`,
      `the hotel named "${name}"`,
      `the hotel with the name "${name}"`,
      `the hotel called "${name}"`,
      `the hotel that is called "${name}"`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.travel.searchHotels({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["Hotel Moonstone", "The Seven Ducks", "Pension Largo", "Hotel Quince"],
  },
});

/** Nobody else's bookings are in the way on those days. */
function isFree(db: Reader, hotel: number, from: string, nights: number): boolean {
  const until = shifted(from, nights);
  return db
    .where(bookings, { hotel, status: "booked" })
    .every((row) => row.day >= until || shifted(row.day, row.nights) <= from);
}

const bookHotel: Action = {
  name: "book-hotel",
  kind: "hotels",
  app,
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const nights = draw.rng.integer(2, 5);
    const companions = companionsOf(draw);
    return {
      frames: [
        (noun) =>
          `Book a room in ${noun} for ${nights} nights from ${day.words}, ${companions.words}`,
        (noun) =>
          `Reserve one room in ${noun} ${companions.words}: ${nights} nights from ${day.words}`,
        (noun) =>
          `Book ${nights} nights from ${day.words} in ${noun}, one room ${companions.words}`,
        (noun) =>
          `In ${noun}, book a room ${companions.words} for ${nights} nights from ${day.words}`,
        (noun) =>
          `Take a room ${companions.words} in ${noun}, first night ${day.words}, ${nights} nights`,
      ],
      uses: [day, ...companions.uses],
      permits: (db, id) =>
        companions.ids.every((person) => reachable(db, person)) &&
        day.value >= TODAY &&
        isFree(db, id, day.value, nights),
      apply: (db, hotel) =>
        write(
          db,
          { kind: "hotel", service: null, hotel, day: day.value, nights, rooms: 1 },
          companions.ids,
        ),
      call: (x) =>
        `apis.travel.bookHotel({hotel:${x},day:${day.code},nights:${nights}${companions.code}})`,
    };
  },
};

export const hotelActions: readonly Action[] = [bookHotel];
