/** What can be booked: hotels by city, price and description, services by place, time, fare and weekday. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Draw,
  type Field,
} from "../../algebra/parts.ts";
import { moneyWords } from "../../algebra/words.ts";
import {
  bookings,
  type Hotel,
  hotels,
  type Service,
  services,
  travellers,
} from "../../apps/travel/tables.ts";
import { atLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { app, cityFor, js, shifted, weekdayOf } from "./reads.ts";

// --- hotels ---

const inCity: Clause<Hotel> = {
  name: "city",
  draw: (draw, rows) => {
    const city = cityFor(draw, rows.map((row) => row.city));
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
    const stars = atLeast(rng, rows.map((row) => row.stars)) ?? rng.integer(4, 5);
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
    const cents = centsAtMost(rng, rows.map((row) => row.cents));
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
    unit: "number",
    noun: "rating",
    value: (row) => row.rating / 10,
    code: "x.rating",
    superlatives: {
      most: ["best-rated", "highest-rated", "top-rated", "most highly rated", "best-reviewed"],
      least: ["worst-rated", "lowest-rated", "least highly rated", "most poorly rated", "worst-reviewed"],
    },
  },
  {
    name: "free",
    unit: "number",
    noun: "number of days for free cancellation",
    value: (row) => row.free,
    code: "apis.travel.hotel({id:x.id}).free",
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

type Made = Pick<
  Parameters<typeof write>[1],
  "kind" | "service" | "hotel" | "day" | "nights" | "rooms"
>;

function write(
  db: Parameters<Action["draw"]>[0]["db"] & { insert: import("../../../../world/index.ts").Writer["insert"] },
  made: {
    readonly kind: "hotel" | Service["kind"];
    readonly service: number | null;
    readonly hotel: number | null;
    readonly day: string;
    readonly nights: number;
    readonly rooms: number;
  },
  company: readonly number[],
): void {
  const money = { pass: null, paid: "card" as const, cents: 0, refund: 0 };
  const row = db.insert(bookings, { ...made, ...money, trip: null, status: "booked" });
  for (const person of [null, ...company]) {
    db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
  }
}
