/** From trips, bookings and people to each other, and to what hangs on trips. */

import { eachOf, type Forms, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  bookings,
  companions,
  documents,
  packing,
  stops,
  travellers,
  tripCosts,
  tripShares,
  trips,
} from "../../apps/travel/tables.ts";
import { aboard, app, pages, unique } from "./reads.ts";

type Words = Forms<(noun: string) => string>;

/** A list API that is asked once for each key of the set; `field` of its items is the key on the other side. */
function listed(
  name: string,
  ends: { readonly from: string; readonly to: string },
  words: Words,
  list: {
    readonly api: string;
    readonly param: string;
    readonly args?: string;
    readonly field: string;
  },
  map: (db: Reader, id: number) => readonly number[],
): Relation {
  const { api, param, args = "", field } = list;
  return {
    name,
    ...ends,
    app,
    words,
    map: (db, ids) => unique(ids.flatMap((id) => map(db, id))),
    cells: (from, to) => [
      `var ${to}=[];for(const k of ${from}){${pages("t", api, `${param}:k,${args}`)}${to}.push(...t.map(x=>x.${field}))}${to}=[...new Set(${to})];print(${to})`,
    ],
  };
}

const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

const companionsOf: Relation = {
  each: eachOf("comes along on"),
  ...listed(
    "companions",
    { from: "trips", to: "people" },
    [
      (noun) => `the companions on ${noun}`,
      (noun) => `everyone who comes along on ${noun}`,
      (noun) => `all people who come along on ${noun}`,
      (noun) => `whoever is a companion on ${noun}`,
      (noun) => `each companion on ${noun}`,
    ],
    { api: "companions", param: "trip", field: "handle" },
    (db, trip) => db.where(companions, { trip, left: false }).map(({ person }) => person),
  ),
};

const bookingsOf = listed(
  "bookings-of-trips",
  { from: "trips", to: "bookings" },
  [
    (noun) => `the bookings of ${noun}`,
    (noun) => `all bookings that belong to ${noun}`,
    (noun) => `every booking made for ${noun}`,
    (noun) => `all that is booked as part of ${noun}`,
    (noun) => `each booking that is part of ${noun}`,
  ],
  { api: "bookings", param: "trip", field: "id" },
  (db, trip) => ids(db.where(bookings, { trip })),
);

const openBookings = listed(
  "standing-bookings",
  { from: "trips", to: "bookings" },
  [
    (noun) => `the bookings of ${noun} that are not cancelled`,
    (noun) => `all bookings of ${noun} with the status "booked"`,
    (noun) => `every booking for ${noun} that still stands`,
    (noun) => `each booking of ${noun} that is not cancelled`,
    (noun) => `each booking of ${noun} whose status is "booked"`,
  ],
  { api: "bookings", param: "trip", args: 'status:"booked",', field: "id" },
  (db, trip) => ids(db.where(bookings, { trip, status: "booked" })),
);

const thingsToPack = listed(
  "unpacked",
  { from: "trips", to: "packing" },
  [
    (noun) => `the things still to be packed for ${noun}`,
    (noun) => `everything on the packing list of ${noun} that is not packed`,
    (noun) => `all things for ${noun} that are not packed yet`,
    (noun) => `whatever is not yet packed for ${noun}`,
    (noun) => `each thing on the packing list of ${noun} that I have not packed`,
  ],
  { api: "packing", param: "trip", args: "packed:false,", field: "id" },
  (db, trip) => ids(db.where(packing, { trip, packed: false })),
);

const packedThings = listed(
  "packed",
  { from: "trips", to: "packing" },
  [
    (noun) => `the things already packed for ${noun}`,
    (noun) => `everything on the packing list of ${noun} that is packed`,
    (noun) => `all things for ${noun} that are packed`,
    (noun) => `whatever is packed for ${noun}`,
    (noun) => `each thing on the packing list of ${noun} that I have packed`,
  ],
  { api: "packing", param: "trip", args: "packed:true,", field: "id" },
  (db, trip) => ids(db.where(packing, { trip, packed: true })),
);

const stopsOf = listed(
  "stops-of-trips",
  { from: "trips", to: "stops" },
  [
    (noun) => `the stops of ${noun}`,
    (noun) => `all stops in the itinerary of ${noun}`,
    (noun) => `every stop planned for ${noun}`,
    (noun) => `each of the stops on ${noun}`,
    (noun) => `each stop in the plan of ${noun}`,
  ],
  { api: "stops", param: "trip", field: "id" },
  (db, trip) => ids(db.where(stops, { trip })),
);

const costsOf = listed(
  "costs-of-trips",
  { from: "trips", to: "costs" },
  [
    (noun) => `the costs of ${noun} that are not struck`,
    (noun) => `all costs noted for ${noun}, struck ones aside`,
    (noun) => `every cost of ${noun} that still counts`,
    (noun) => `each of the costs of ${noun} that are not struck`,
    (noun) => `each cost noted for ${noun} that is not struck`,
  ],
  { api: "costs", param: "trip", field: "id" },
  (db, trip) => ids(db.where(tripCosts, { trip, struck: false })),
);

const tripViewers: Relation = {
  name: "trip-viewers",
  from: "trips",
  to: "people",
  app,
  words: [
    (noun) => `the contacts with whom I share, as far as it is my own, ${noun}`,
    (noun) => `everyone who sees, of my own trips, the plan of ${noun}`,
    (noun) => `all people to whom I show, if it is mine, the plan of ${noun}`,
    (noun) => `whoever sees, where the trip is my own, the plan of ${noun}`,
    (noun) => `each contact who sees, if the trip is mine, the plan of ${noun}`,
  ],
  map: (db, keys) =>
    unique(
      keys.flatMap((trip) => {
        const own = db.get(trips, trip)?.person === null;
        const rows = own ? db.where(tripShares, { trip, ended: false }) : [];
        return rows.map(({ person }) => person);
      }),
    ),
  cells: (from, to) => [
    `var ${to}=[];for(const k of ${from}){if(apis.travel.trip({id:k}).host!==null)continue;${pages("t", "sharedWith", "trip:k,")}${to}.push(...t.map(x=>x.handle))}${to}=[...new Set(${to})];print(${to})`,
  ],
};

const travellersOf: Relation = {
  name: "travellers",
  from: "bookings",
  to: "people",
  app,
  words: [
    (noun) => `everyone but me who travels on ${noun}`,
    (noun) => `the other travellers on ${noun}`,
    (noun) => `all people except me who travel on ${noun}`,
    (noun) => `whoever travels with me on ${noun}`,
    (noun) => `each fellow traveller of mine on ${noun}`,
  ],
  map: (db, keys) =>
    unique(keys.flatMap((id) => aboard(db, id).flatMap(({ person }) => person ?? []))),
  cells: (from, to) => [
    `var ${to}=[...new Set(${from}.flatMap(x=>apis.travel.booking({id:x}).people.map(y=>y.handle).filter(y=>y!==null)))];print(${to})`,
  ],
};

const bookingsWith = listed(
  "bookings-with",
  { from: "people", to: "bookings" },
  [
    (noun) => `the travel bookings that include ${noun}`,
    (noun) => `all my bookings in travel with ${noun} among the travellers`,
    (noun) => `every travel booking on which I go with ${noun}`,
    (noun) => `all travel bookings that list ${noun} among the travellers`,
    (noun) => `each booking in travel that includes ${noun} as a traveller`,
  ],
  { api: "bookings", param: "with", field: "id" },
  (db, person) => db.where(travellers, { person, dropped: false }).map(({ booking }) => booking),
);

const documentsOf = listed(
  "documents-of",
  { from: "people", to: "documents" },
  [
    (noun) => `the travel documents of ${noun}`,
    (noun) => `all documents that travel keeps for ${noun}`,
    (noun) => `every stored travel document of ${noun}`,
    (noun) => `each of the travel documents of ${noun}`,
    (noun) => `each travel document belonging to ${noun}`,
  ],
  { api: "documents", param: "of", field: "id" },
  (db, person) => ids(db.where(documents, { person })),
);

const holders: Relation = {
  name: "holders",
  from: "documents",
  to: "people",
  app,
  words: [
    (noun) => `the contacts who hold ${noun}`,
    (noun) => `everyone among my contacts who holds one of ${noun}`,
    (noun) => `all contacts who are the holders of any of ${noun}`,
    (noun) => `whoever among my contacts holds any of ${noun}`,
    (noun) => `each contact who is a holder of any of ${noun}`,
  ],
  map: (db, keys) => unique(keys.flatMap((id) => db.get(documents, id)?.person ?? [])),
  cells: (from, to) => [
    `${pages("t", "documents", "")}var ${to}=[...new Set(t.filter(x=>${from}.includes(x.id)&&x.of!==null).map(x=>x.of))];print(${to})`,
  ],
};

export const travelRelations: readonly Relation[] = [
  companionsOf,
  bookingsOf,
  openBookings,
  thingsToPack,
  packedThings,
  stopsOf,
  costsOf,
  tripViewers,
  travellersOf,
  bookingsWith,
  documentsOf,
  holders,
];
