/** Documents by kind, owner and last good day; and what hangs on trips: things to pack, stops, costs. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  documents,
  packing,
  stops,
  type TravelDocument,
  tripCosts,
  trips,
} from "../../apps/travel/tables.ts";
import { atMost, oneOfSome } from "../bounds.ts";
import { app, js, shifted } from "./reads.ts";

// --- documents ---

const kind: Clause<TravelDocument> = {
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

const own: Clause<TravelDocument> = {
  name: "own",
  excludes: ["of"],
  draw: ({ rng }) => {
    const mine = rng.chance(0.5);
    return {
      words: mine
        ? [
            "that are my own",
            "which belong to me",
            "that are mine",
            "which are my own and nobody else's",
            "of which I am the holder",
          ]
        : [
            "that belong to others",
            "which are not my own",
            "that are not mine",
            "which are somebody else's",
            "of which another person is the holder",
          ],
      holds: (row) => (row.person === null) === mine,
      code: { args: `own:${mine}` },
    };
  },
};

const ofPerson: Clause<TravelDocument> = {
  name: "of",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap((row) => row.person ?? []));
    if (!person) return undefined;
    return {
      words: [
        `of ${person.words}`,
        `that belong to ${person.words}`,
        `which ${person.words} holds`,
        `held by ${person.words}`,
        `that are ${person.words}'s`,
      ],
      holds: (row) => row.person === person.value.id,
      code: { args: `of:${person.code}` },
      uses: [person],
    };
  },
};

const expiring: Clause<TravelDocument> = {
  name: "expiring",
  draw: ({ rng }, rows) => {
    const last = atMost(
      rng,
      rows.map((row) => row.expires),
    );
    if (last === undefined) return undefined;
    const day = shifted(last, 1);
    const date = dayWords(day);
    return {
      words: [
        `that expire before ${date}`,
        `expiring before ${date}`,
        `whose last good day is before ${date}`,
        `which are no longer good on ${date}`,
        `with a last good day earlier than ${date}`,
      ],
      holds: (row) => row.expires < day,
      code: { args: `before:${js(day)}` },
    };
  },
};

const fields: readonly Field<TravelDocument>[] = [
  {
    name: "expires",
    unit: "day",
    noun: "last good day",
    value: (row) => row.expires,
    code: "x.expires",
    superlatives: {
      most: [
        "longest-lasting",
        "last to expire",
        "latest to expire",
        "latest-expiring",
        "last-expiring",
      ],
      least: [
        "first to expire",
        "soonest to expire",
        "earliest to expire",
        "earliest-expiring",
        "first-expiring",
      ],
    },
  },
  { name: "number", unit: "text", noun: "number", value: (row) => row.number, code: "x.number" },
];

export const documentCollection: Collection = collection<TravelDocument>({
  name: "documents",
  kind: "documents",
  app,
  table: documents,
  base: () => true,
  nouns: [
    { one: "travel document", many: "travel documents" },
    { one: "document in the travel app", many: "documents in the travel app" },
    { one: "stored travel document", many: "stored travel documents" },
    { one: "document that travel keeps", many: "documents that travel keeps" },
    { one: "document stored in travel", many: "documents stored in travel" },
  ],
  list: { api: "travel.documents" },
  key: "id",
  whole: false,
  clauses: [kind, own, ofPerson, expiring],
  fields,
  title: {
    of: (row) => row.number,
    nouns: (number) => [
      `the travel document ${number}`,
      `the document with the number ${number} in travel`,
      `the stored travel document number ${number}`,
      `the document numbered ${number} in travel`,
      `the travel document that has the number ${number}`,
    ],
    cells: (number, out) => [
      `var ${out}=[],p=1,r;do{r=apis.travel.documents({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.number===${js(number)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["P 10431", "V 20077", "L 31150", "I 44009"],
  },
});

const renew: Action = {
  name: "renew",
  kind: "documents",
  app,
  difficulty: 1,
  draw: ({ rng }) => {
    const day = `203${rng.integer(1, 6)}-0${rng.integer(1, 9)}-${rng.integer(10, 28)}`;
    const date = dayWords(day);
    return {
      frames: [
        (noun) => `Renew ${noun} until ${date}`,
        (noun) => `Set ${date} as the new last good day of ${noun}`,
        (noun) => `Note that ${noun} can be used until ${date} from now on`,
        (noun) => `Let ${noun} be good until ${date}`,
        (noun) => `Extend ${noun} to ${date}`,
      ],
      permits: (db, id) => db.get(documents, id)!.expires < day,
      apply: (db, id) => {
        db.update(documents, id, { expires: day });
      },
      call: (x) => `apis.travel.renewDocument({id:${x},expires:${js(day)}})`,
    };
  },
};

/** Each by the same number of years: its own last day is read first. */
const prolong: Action = {
  name: "prolong",
  kind: "documents",
  app,
  difficulty: 2,
  draw: ({ rng }) => {
    const days = rng.pick([365, 730, 100]);
    return {
      frames: [
        (noun) => `Prolong ${noun} by ${days} days, counted from the last good day so far`,
        (noun) => `Move the last good day of ${noun} by ${days} days into the future`,
        (noun) => `Renew ${noun} so that the last good day is ${days} days later than before`,
        (noun) => `Extend ${noun} by ${days} days beyond the last good day so far`,
        (noun) => `Let the last good day of ${noun} be ${days} days after the present one`,
      ],
      apply: (db, id) => {
        db.update(documents, id, { expires: shifted(db.get(documents, id)!.expires, days) });
      },
      call: (x) =>
        `var t=[],p=1,r;do{r=apis.travel.documents({size:20,page:p++});t.push(...r.items)}while(r.more);const o=t.find(y=>y.id===${x});apis.travel.renewDocument({id:${x},expires:new Date(Date.parse(o.expires)+${days}*86400000).toISOString().slice(0,10)})`,
    };
  },
};

// --- what hangs on trips ---

/** False too when the thing is gone and there is no trip. */
function editable(db: Reader, trip: number | undefined): boolean {
  const row = db.get(trips, trip ?? 0);
  return row !== undefined && !row.cancelled && (row.person === null || row.role === "editor");
}

function packed(done: boolean): Action {
  return {
    name: done ? "pack" : "unpack",
    kind: "packing",
    app,
    difficulty: 1,
    draw: () => ({
      frames: done
        ? [
            (noun) => `Mark ${noun} as packed`,
            (noun) => `Tick off ${noun} as packed`,
            (noun) => `Set ${noun} to packed`,
            (noun) => `Note that I have packed ${noun}`,
            (noun) => `Let ${noun} count as packed`,
          ]
        : [
            (noun) => `Mark ${noun} as not packed`,
            (noun) => `Untick ${noun}, as not packed`,
            (noun) => `Set ${noun} to not packed`,
            (noun) => `Note that I have unpacked ${noun}`,
            (noun) => `Let ${noun} count as not packed`,
          ],
      permits: (db, id) => {
        const row = db.get(packing, id);
        return row !== undefined && row.packed !== done && editable(db, row.trip);
      },
      apply: (db, id) => {
        db.update(packing, id, { packed: done });
      },
      call: (x) => (done ? `apis.travel.pack({id:${x}})` : `apis.travel.unpack({id:${x}})`),
    }),
  };
}

const leaveOut: Action = {
  name: "leave-out",
  kind: "packing",
  app,
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Take ${noun} off the packing list`,
      (noun) => `Remove ${noun} from the packing list`,
      (noun) => `Delete ${noun} from what is to be packed`,
      (noun) => `Strike ${noun} from the packing list`,
      (noun) => `Drop ${noun} from the list of what to pack`,
    ],
    permits: (db, id) => editable(db, db.get(packing, id)?.trip),
    apply: (db, id) => db.remove(packing, id),
    call: (x) => `apis.travel.removePacking({id:${x}})`,
  }),
};

const dropStop: Action = {
  name: "drop-stop",
  kind: "stops",
  app,
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun} from the itinerary`,
      (noun) => `Take ${noun} out of the itinerary`,
      (noun) => `Strike ${noun} from the itinerary`,
      (noun) => `Drop ${noun} from the plan`,
    ],
    permits: (db, id) => editable(db, db.get(stops, id)?.trip),
    apply: (db, id) => db.remove(stops, id),
    call: (x) => `apis.travel.removeStop({id:${x}})`,
  }),
};

const strike: Action = {
  name: "strike",
  kind: "costs",
  app,
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Strike ${noun}`,
      (noun) => `Strike out ${noun}`,
      (noun) => `Have ${noun} struck`,
      (noun) => `Let ${noun} be struck in the travel app`,
      (noun) => `Strike ${noun} so that they do not count`,
    ],
    permits: (db, id) => {
      const row = db.get(tripCosts, id)!;
      return !row.struck && editable(db, row.trip);
    },
    apply: (db, id) => {
      db.update(tripCosts, id, { struck: true });
    },
    call: (x) => `apis.travel.strikeCost({id:${x}})`,
  }),
};

export const paperActions: readonly Action[] = [
  renew,
  prolong,
  packed(true),
  packed(false),
  leaveOut,
  dropStop,
  strike,
];
