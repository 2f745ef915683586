/** Trains and other services that may be booked. */
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import { bookings, type Service, services, travellers } from "../../apps/travel/tables.ts";
import { atLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { companionsOf, write } from "./booked.ts";
import { app, cityFor, js, reachable, TODAY, weekdayOf } from "./reads.ts";

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
    const companions = companionsOf(draw);
    return {
      frames: [
        (noun) => `Book ${noun} for ${day.words}, ${companions.words}`,
        (noun) => `Reserve places on ${noun} for ${day.words}, ${companions.words}`,
        (noun) => `Get places on ${noun} ${companions.words}, on ${day.words}`,
        (noun) => `For ${day.words}, book ${noun} ${companions.words}`,
        (noun) => `Make a booking ${companions.words} on ${noun}, for ${day.words}`,
      ],
      uses: [day, ...companions.uses],
      permits: (db, id) => {
        if (!companions.ids.every((person) => reachable(db, person))) return false;
        const { weekdays, rows, taken } = db.get(services, id)!;
        const crowd = db
          .where(bookings, { service: id, day: day.value, status: "booked" })
          .flatMap((row) => db.where(travellers, { booking: row.id, dropped: false }));
        const left = 4 * rows - taken.length - crowd.length;
        const good = day.value >= TODAY && weekdays.includes(weekdayOf(day.value));
        return good && left > companions.ids.length;
      },
      apply: (db, service) => {
        const { kind } = db.get(services, service)!;
        const made = { kind, service, hotel: null, day: day.value, nights: 0, rooms: 0 };
        write(db, made, companions.ids);
      },
      call: (x) => `apis.travel.bookJourney({service:${x},day:${day.code}${companions.code}})`,
    };
  },
};

export const serviceActions: readonly Action[] = [bookJourney];
