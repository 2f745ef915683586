/** What can be booked: hotels by city, price and description, services by place, time, fare and weekday. */
import type { Reader, Writer } from "../../../../world/index.ts";
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
import { app, cityFor, js, shifted, TODAY, weekdayOf } from "./reads.ts";

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
    unit: "number",
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

interface Made {
  readonly kind: "hotel" | Service["kind"];
  readonly service: number | null;
  readonly hotel: number | null;
  readonly day: string;
  readonly nights: number;
  readonly rooms: number;
}

function write(db: Writer, made: Made, company: readonly number[]): void {
  const money = { pass: null, paid: "card" as const, cents: 0, refund: 0 };
  const row = db.insert(bookings, { ...made, ...money, trip: null, status: "booked" });
  for (const person of [null, ...company]) {
    db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
  }
}

/** Someone to come along, in about half of the draws. */
function companyOf(draw: Draw) {
  const person = draw.rng.chance(0.5) ? draw.person() : undefined;
  return {
    words: person ? `for me and ${person.words}` : "for me alone",
    ids: person ? [person.value.id] : [],
    code: person ? `,with:[${person.code}]` : "",
    uses: person ? [person] : [],
  };
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
    const company = companyOf(draw);
    return {
      frames: [
        (noun) => `Book a room in ${noun} for ${nights} nights from ${day.words}, ${company.words}`,
        (noun) =>
          `Reserve one room in ${noun} ${company.words}: ${nights} nights from ${day.words}`,
        (noun) => `Book ${nights} nights from ${day.words} in ${noun}, one room ${company.words}`,
        (noun) => `In ${noun}, book a room ${company.words} for ${nights} nights from ${day.words}`,
        (noun) =>
          `Take a room ${company.words} in ${noun}, first night ${day.words}, ${nights} nights`,
      ],
      uses: [day, ...company.uses],
      permits: (db, id) => day.value >= TODAY && isFree(db, id, day.value, nights),
      apply: (db, hotel) =>
        write(
          db,
          { kind: "hotel", service: null, hotel, day: day.value, nights, rooms: 1 },
          company.ids,
        ),
      call: (x) =>
        `apis.travel.bookHotel({hotel:${x},day:${day.code},nights:${nights}${company.code}})`,
    };
  },
};

// --- services ---

function cityClause(end: "from" | "to"): Clause<Service> {
  return {
    name: end,
    draw: (draw, rows) => {
      const city = cityFor(
        draw,
        rows.map((row) => row[end]),
      );
      if (city === undefined) return undefined;
      return {
        words:
          end === "from"
            ? [
                `from ${city}`,
                `that depart from ${city}`,
                `starting in ${city}`,
                `which leave from ${city}`,
                `with ${city} as the place of departure`,
              ]
            : [
                `to ${city}`,
                `that arrive in ${city}`,
                `going to ${city}`,
                `which end in ${city}`,
                `with ${city} as the place of arrival`,
              ],
        holds: (row) => row[end] === city,
        code: { args: `${end}:${js(city)}` },
      };
    },
  };
}

const means: Clause<Service> = {
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
        `that are of the kind "${chosen}"`,
        `whose kind is "${chosen}"`,
        `which travel lists as "${chosen}"`,
        `with "${chosen}" as their kind`,
      ],
      holds: (row) => row.kind === chosen,
      code: { args: `kind:${js(chosen)}` },
    };
  },
};

const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

const runs: Clause<Service> = {
  name: "weekday",
  draw: ({ rng }) => {
    const day = rng.integer(1, 7);
    const name = DAYS[day - 1]!;
    return {
      words: [
        `that run on ${name}s`,
        `which run every ${name}`,
        `running on ${name}s`,
        `with ${name} among their days`,
        `that go on ${name}s`,
      ],
      holds: (row) => row.weekdays.includes(day),
      code: { test: `x.weekdays.includes(${day})` },
    };
  },
};

const after: Clause<Service> = {
  name: "after",
  draw: ({ rng }, rows) => {
    const time = atLeast(
      rng,
      rows.map((row) => row.departs),
    );
    if (time === undefined) return undefined;
    return {
      words: [
        `departing at ${time} or later`,
        `that leave at ${time} or later`,
        `with a departure at ${time} or after that`,
        `which depart no earlier than ${time}`,
        `whose time of departure is ${time} or later`,
      ],
      holds: (row) => row.departs >= time,
      code: { test: `x.departs>=${js(time)}` },
    };
  },
};

const cheap: Clause<Service> = {
  name: "fare",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with an ordinary fare of ${sum} or less`,
        `whose ordinary fare is at most ${sum}`,
        `that ordinarily cost ${sum} or less`,
        `with an ordinary fare of no more than ${sum}`,
        `for which the ordinary fare is ${sum} or below`,
      ],
      holds: (row) => row.cents <= cents,
      code: { test: `x.fare<=${cents / 100}` },
    };
  },
};

const minutesOf = (clock: string) => {
  const [hours, minutes] = clock.split(":").map(Number);
  return 60 * hours! + minutes!;
};

const serviceFields: readonly Field<Service>[] = [
  {
    name: "fare",
    unit: "money",
    noun: "ordinary fare",
    value: (row) => row.cents / 100,
    code: "x.fare",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "minutes",
    unit: "number",
    noun: "travelling time in minutes",
    value: (row) => minutesOf(row.arrives) - minutesOf(row.departs),
    code: '((a,b)=>60*(b[0]-a[0])+(b[1]-a[1]))(x.departs.split(":"),x.arrives.split(":"))',
    superlatives: {
      most: ["slowest", "least fast", "longest-lasting", "most time-consuming", "least quick"],
      least: ["fastest", "quickest", "least slow", "least time-consuming", "speediest"],
    },
  },
  { name: "number", unit: "text", noun: "number", value: (row) => row.number, code: "x.number" },
];

export const serviceCollection: Collection = collection<Service>({
  name: "services",
  kind: "services",
  app,
  table: services,
  base: () => true,
  nouns: [
    { one: "service in the timetable", many: "services in the timetable" },
    { one: "service in the travel app", many: "services in the travel app" },
    { one: "travel service", many: "travel services" },
    { one: "service that travel lists", many: "services that travel lists" },
    { one: "bookable service", many: "bookable travel services" },
  ],
  list: { api: "travel.services" },
  key: "id",
  whole: false,
  clauses: [cityClause("from"), cityClause("to"), means, runs, after, cheap],
  fields: serviceFields,
  title: {
    of: (row) => row.number,
    nouns: (number) => [
      `the service ${number}`,
      `the service with the number ${number}`,
      `the travel service ${number}`,
      `the service numbered ${number} in travel`,
      `the service that has the number ${number}`,
    ],
    cells: (number, out) => [
      `var ${out}=[],p=1,r;do{r=apis.travel.services({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.number===${js(number)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["T 7001", "F 6402", "B 8110", "T 9003"],
  },
});

const bookJourney: Action = {
  name: "book-journey",
  kind: "services",
  app,
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const company = companyOf(draw);
    return {
      frames: [
        (noun) => `Book ${noun} for ${day.words}, ${company.words}`,
        (noun) => `Reserve places on ${noun} for ${day.words}, ${company.words}`,
        (noun) => `Get places on ${noun} ${company.words}, on ${day.words}`,
        (noun) => `For ${day.words}, book ${noun} ${company.words}`,
        (noun) => `Make a booking ${company.words} on ${noun}, for ${day.words}`,
      ],
      uses: [day, ...company.uses],
      permits: (db, id) => {
        const { weekdays, rows, taken } = db.get(services, id)!;
        const crowd = db
          .where(bookings, { service: id, day: day.value, status: "booked" })
          .flatMap((row) => db.where(travellers, { booking: row.id, dropped: false }));
        const left = 4 * rows - taken.length - crowd.length;
        const good = day.value >= TODAY && weekdays.includes(weekdayOf(day.value));
        return good && left > company.ids.length;
      },
      apply: (db, service) => {
        const { kind } = db.get(services, service)!;
        const made = { kind, service, hotel: null, day: day.value, nights: 0, rooms: 0 };
        write(db, made, company.ids);
      },
      call: (x) => `apis.travel.bookJourney({service:${x},day:${day.code}${company.code}})`,
    };
  },
};

export const placeActions: readonly Action[] = [bookHotel, bookJourney];
