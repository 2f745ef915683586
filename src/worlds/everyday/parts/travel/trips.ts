/** Trips: whose, where, when, with whom, at what cost; moved, cancelled, shared, packed for. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
} from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import {
  companions,
  packing,
  stops,
  type Trip,
  tripCosts,
  tripShares,
  trips,
} from "../../apps/travel/tables.ts";
import { atLeast, atMost, centsAtLeast } from "../bounds.ts";
import { app, cityFor, comes, costsOf, js, nightsOf, shifted, TODAY } from "./reads.ts";

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

// --- actions ---

const base = { kind: "trips", app } as const;
const row = (db: Reader, id: number) => db.get(trips, id)!;
const isOwn = (db: Reader, id: number) => {
  const { person, cancelled } = row(db, id);
  return person === null && !cancelled;
};
const editable = (db: Reader, id: number) => isOwn(db, id) || row(db, id).role === "editor";
const ahead = (db: Reader, id: number) => isOwn(db, id) && row(db, id).from >= TODAY;

const cancel: Action = {
  ...base,
  name: "cancel-trip",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Cancel ${noun}, leaving bookings as they are`,
      (noun) => `Call off ${noun} without touching any bookings`,
      (noun) => `Have ${noun} cancelled; bookings stay`,
      (noun) => `Cancel ${noun} but keep all bookings`,
      (noun) => `Let the travel app cancel ${noun}, and leave the bookings alone`,
    ],
    permits: ahead,
    apply: (db, id) => {
      db.update(trips, id, { cancelled: true });
    },
    call: (x) => `apis.travel.cancelTrip({id:${x}})`,
  }),
};

/** Each by the same number of days: its own days are read first. */
const postpone: Action = {
  ...base,
  name: "postpone",
  difficulty: 2,
  draw: ({ rng }) => {
    const days = rng.pick([7, 10, 14, 21]);
    const by = `${days}*86400000`;
    return {
      frames: [
        (noun) => `Postpone ${noun} by ${days} days, at the same length`,
        (noun) => `Move ${noun} to ${days} days later, without changing the length`,
        (noun) => `Shift the first and last day of ${noun} by ${days} days into the future`,
        (noun) => `Let ${noun} begin and end ${days} days later than planned`,
        (noun) => `Put ${noun} off by ${days} days, both the beginning and the end`,
      ],
      permits: ahead,
      apply: (db, id) => {
        const { from, until } = row(db, id);
        db.update(trips, id, { from: shifted(from, days), until: shifted(until, days) });
      },
      call: (x) =>
        `const o=apis.travel.trip({id:${x}});const f=d=>new Date(Date.parse(d)+${by}).toISOString().slice(0,10);apis.travel.moveTrip({id:${x},from:f(o.from),until:f(o.until)})`,
    };
  },
};

const takeAlong: Action = {
  ...base,
  name: "take-along",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    return {
      frames: [
        (noun) => `Take ${person.words} along on ${noun}`,
        (noun) => `Add ${person.words} as a companion to ${noun}`,
        (noun) => `Let ${person.words} come along on ${noun}`,
        (noun) => `Note that ${person.words} comes along on ${noun}`,
        (noun) => `Make ${person.words} a companion on ${noun}`,
      ],
      uses: [person],
      permits: (db, id) => isOwn(db, id) && !comes(db, id, person.value.id),
      apply: (db, trip) => {
        db.insert(companions, { trip, person: person.value.id, left: false });
      },
      call: (x) => `apis.travel.addCompanion({trip:${x},person:${person.code}})`,
    };
  },
};

const share: Action = {
  ...base,
  name: "share-trip",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `Share the plan of ${noun} with ${person.words} as ${role}`,
        (noun) => `Let ${person.words} see ${noun} in the travel app, as ${role}`,
        (noun) => `Give ${person.words} the role ${role} on ${noun}`,
        (noun) => `Open ${noun} to ${person.words} with the role ${role}`,
        (noun) => `In the role of ${role}, let ${person.words} see the plan of ${noun}`,
      ],
      uses: [person],
      permits: (db, trip) =>
        isOwn(db, trip) &&
        db.where(tripShares, { trip, person: person.value.id, ended: false }).length === 0,
      apply: (db, trip) => {
        db.insert(tripShares, { trip, person: person.value.id, role, ended: false });
      },
      call: (x) => `apis.travel.shareTrip({trip:${x},person:${person.code},role:"${role}"})`,
    };
  },
};

const ITEMS = [
  "snow goggles",
  "a thermos",
  "a phrase book",
  "ear plugs",
  "a sewing kit",
  "gaiters",
];

const packFor: Action = {
  ...base,
  name: "pack-for",
  difficulty: 1,
  draw: ({ rng }) => {
    const item = rng.pick(ITEMS);
    return {
      frames: [
        (noun) => `Add "${item}" to the packing list of ${noun}`,
        (noun) => `Put "${item}" on the packing list for ${noun}`,
        (noun) => `Note "${item}" as something to pack for ${noun}`,
        (noun) => `On the packing list of ${noun}, add "${item}"`,
        (noun) => `Let the packing list for ${noun} also have "${item}"`,
      ],
      permits: (db, trip) =>
        editable(db, trip) && db.where(packing, { trip }).every((other) => other.item !== item),
      apply: (db, trip) => {
        db.insert(packing, { trip, item, packed: false });
      },
      call: (x) => `apis.travel.addPacking({trip:${x},item:${js(item)}})`,
    };
  },
};

const SIGHTS = ["tea with the guide", "walk on the city wall", "organ concert", "ferry ride"];

/** On each trip's own first day. */
const firstStop: Action = {
  ...base,
  name: "first-stop",
  difficulty: 2,
  draw: ({ rng }) => {
    const title = rng.pick(SIGHTS);
    const time = `${rng.integer(10, 19)}:${rng.pick(["00", "30"])}`;
    return {
      frames: [
        (noun) => `Add the stop "${title}" at ${time} on the first day of ${noun}`,
        (noun) => `On the first day of ${noun}, plan a stop "${title}" at ${time}`,
        (noun) => `Put "${title}" at ${time} into the itinerary of ${noun}, on the first day`,
        (noun) => `Let the itinerary of ${noun} have "${title}" at ${time} on the first day`,
        (noun) => `For ${noun}, note the stop "${title}" on day one at ${time}`,
      ],
      permits: editable,
      apply: (db, trip) => {
        db.insert(stops, { trip, title, day: row(db, trip).from, time });
      },
      call: (x) =>
        `const o=apis.travel.trip({id:${x}});apis.travel.addStop({trip:${x},title:${js(title)},day:o.from,time:"${time}"})`,
    };
  },
};

const noteCost: Action = {
  ...base,
  name: "note-cost",
  difficulty: 2,
  takes: "money",
  draw: (draw) => {
    const sum = draw.value("money");
    const what = draw.rng.pick(["tolls", "tips", "luggage", "map"]);
    return {
      frames: [
        (noun) =>
          `Note a cost of ${sum.words} for "${what}" on ${noun}, paid by me on the last day`,
        (noun) =>
          `Enter ${sum.words} for "${what}" as a cost of ${noun}; I paid it on the last day`,
        (noun) => `Add the cost "${what}" of ${sum.words} to ${noun}, paid by me on the last day`,
        (noun) => `I paid ${sum.words} for "${what}" on the last day: note it as a cost of ${noun}`,
        (noun) =>
          `As a cost of ${noun}, note "${what}" at ${sum.words}, paid by me on the last day`,
      ],
      uses: [sum],
      permits: (db, id) => editable(db, id) && sum.value >= 1,
      apply: (db, trip) => {
        const { until: day } = row(db, trip);
        db.insert(tripCosts, { trip, what, cents: sum.value, person: null, day, struck: false });
      },
      call: (x) =>
        `const o=apis.travel.trip({id:${x}});apis.travel.addCost({trip:${x},what:"${what}",amount:${sum.code},day:o.until})`,
    };
  },
};

export const tripActions: readonly Action[] = [
  cancel,
  postpone,
  takeAlong,
  share,
  packFor,
  firstStop,
  noteCost,
];
