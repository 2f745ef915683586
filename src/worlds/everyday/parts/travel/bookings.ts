/** Bookings: by kind, state, day, price, place and company; cancelled, moved by weeks, given more or fewer travellers. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
} from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import { type Booking, bookings, services, travellers, trips } from "../../apps/travel/tables.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { aboard, app, cityFor, cityOf, js, shifted, TODAY, titleOf } from "./reads.ts";

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

// --- actions ---

const base = { kind: "bookings", app } as const;
const row = (db: Reader, id: number) => db.get(bookings, id)!;
const open = (db: Reader, id: number) => {
  const { status, day } = row(db, id);
  return status === "booked" && day >= TODAY;
};

const cancel: Action = {
  ...base,
  name: "cancel-booking",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Cancel ${noun}`,
      (noun) => `Have ${noun} cancelled`,
      (noun) => `Call off ${noun}`,
      (noun) => `Let the travel app cancel ${noun}`,
      (noun) => `Please give up ${noun} by cancelling`,
    ],
    permits: open,
    apply: (db, id) => {
      db.update(bookings, id, { status: "cancelled" });
    },
    call: (x) => `apis.travel.cancelBooking({id:${x}})`,
  }),
};

/** A service runs every week, so the same weekday is free to choose; seats are chosen anew. */
const later: Action = {
  ...base,
  name: "weeks-later",
  difficulty: 2,
  draw: ({ rng }) => {
    const weeks = rng.integer(1, 3);
    const by = weeks === 1 ? "one week" : `${weeks} weeks`;
    const ms = 7 * weeks * 86_400_000;
    return {
      frames: [
        (noun) => `Move ${noun} to ${by} later`,
        (noun) => `Postpone ${noun} by ${by}`,
        (noun) => `Shift ${noun} by ${by} into the future`,
        (noun) => `Rebook ${noun} to the day that is ${by} later`,
        (noun) => `Let ${noun} be ${by} later than now booked`,
      ],
      permits: (db, id) => {
        const { service, paid, day } = row(db, id);
        if (!open(db, id) || service === null || paid === "credit") return false;
        const free = db.get(services, service)!;
        const same = db.where(bookings, { service, day: shifted(day, 7 * weeks) });
        return same.length === 0 && free.rows * 4 - free.taken.length >= aboard(db, id).length;
      },
      apply: (db, id) => {
        db.update(bookings, id, { day: shifted(row(db, id).day, 7 * weeks) });
        for (const other of aboard(db, id)) {
          if (other.seat !== null) db.update(travellers, other.id, { seat: null });
        }
      },
      call: (x) =>
        `const o=apis.travel.booking({id:${x}});apis.travel.moveBooking({id:${x},day:new Date(Date.parse(o.day)+${ms}).toISOString().slice(0,10)})`,
    };
  },
};

const on = (db: Reader, id: number, person: number) =>
  aboard(db, id).some((other) => other.person === person);

const addOne: Action = {
  ...base,
  name: "add-traveller",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    return {
      frames: [
        (noun) => `Add ${person.words} as a traveller to ${noun}`,
        (noun) => `Book ${person.words} as a further traveller on ${noun}`,
        (noun) => `Put ${person.words} on ${noun} as well`,
        (noun) => `Let ${person.words} travel on ${noun} too`,
        (noun) => `Make ${person.words} one of the travellers of ${noun}`,
      ],
      uses: [person],
      permits: (db, id) => {
        const { service, rooms, paid } = row(db, id);
        const crowd = aboard(db, id).length;
        const room = service === null ? crowd < 3 * rooms : crowd < 6;
        return open(db, id) && paid === "card" && room && !on(db, id, person.value.id);
      },
      apply: (db, booking) => {
        db.insert(travellers, { booking, person: person.value.id, seat: null, dropped: false });
      },
      call: (x) => `apis.travel.addTraveller({id:${x},person:${person.code}})`,
    };
  },
};

/** Whoever it is: all others than the owner, read from each booking. */
const dropAll: Action = {
  ...base,
  name: "go-alone",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Take everyone but me off ${noun}`,
      (noun) => `Remove all travellers except me from ${noun}`,
      (noun) => `Let me travel alone on ${noun}: take the others off`,
      (noun) => `Take all my companions off ${noun}, so that only I remain`,
      (noun) => `Leave me as the only traveller on ${noun} by removing the others`,
    ],
    permits: (db, id) => open(db, id) && aboard(db, id).length > 1,
    apply: (db, id) => {
      for (const other of aboard(db, id)) {
        if (other.person !== null) db.update(travellers, other.id, { dropped: true });
      }
    },
    call: (x) =>
      `for(const t of apis.travel.booking({id:${x}}).people)if(t.handle!==null)apis.travel.dropTraveller({id:${x},person:t.handle})`,
  }),
};

const assign: Action = {
  ...base,
  name: "assign",
  difficulty: 1,
  draw: (draw) => {
    const own = draw.db.where(trips, { person: null, cancelled: false });
    const city = new Set(own.map((trip) => trip.city));
    const chosen = cityFor(draw, [...city]);
    const fitting = own.filter((trip) => trip.city === chosen);
    if (fitting.length === 0) return undefined;
    const trip = draw.rng.pick(fitting);
    const out = draw.variable("t");
    const cell = `var ${out}=apis.travel.searchTrips({query:${js(trip.name)},size:20}).items.filter(x=>x.name===${js(trip.name)})[0].id;print(${out})`;
    return {
      frames: [
        (noun) => `Make ${noun} part of my trip "${trip.name}"`,
        (noun) => `Assign ${noun} to the trip "${trip.name}"`,
        (noun) => `Put ${noun} under my trip "${trip.name}"`,
        (noun) => `Let ${noun} belong to the trip "${trip.name}"`,
        (noun) => `File ${noun} under the trip called "${trip.name}"`,
      ],
      uses: [{ value: trip.id, words: trip.name, code: out, cells: [cell], apps: [] }],
      permits: (db, id) => row(db, id).trip !== trip.id,
      apply: (db, id) => {
        db.update(bookings, id, { trip: trip.id });
      },
      call: (x) => `apis.travel.assignBooking({id:${x},trip:${out}})`,
    };
  },
};

export const bookingActions: readonly Action[] = [cancel, later, addOne, dropAll, assign];
