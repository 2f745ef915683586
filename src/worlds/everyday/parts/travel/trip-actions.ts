/** What can be done with each trip: cancelled, postponed, shared, planned, packed and paid for. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  companions,
  packing,
  stops,
  tripCosts,
  tripShares,
  trips,
} from "../../apps/travel/tables.ts";
import { app, comes, js, reachable, shifted, TODAY } from "./reads.ts";

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
      permits: (db, id) =>
        reachable(db, person.value.id) && isOwn(db, id) && !comes(db, id, person.value.id),
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
        reachable(db, person.value.id) &&
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
