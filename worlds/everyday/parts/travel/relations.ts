/** Relations between trips, bookings and people, and from trips to packing items, stops and costs. */
import {
  everyoneWhoDoesToEach,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
} from "bowline/goals";
import type { Reader } from "bowline/world";
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
import { currentTravellers, readPagesCode } from "./cities-and-lists.ts";

/**
 * Writes cells that collect a property of the items on all pages of a list call, for each key `k`. `item` names the
 * property.
 */
const itemsForEachKey =
  (api: string, args: string, item: string, skip = "") =>
  (from: string, to: string) => [
    `var ${to}=[];for(const k of ${from}){${skip}${readPagesCode("t", api, args)}${to}.push(...t.map(x=>x.${item}))}${to}=[...new Set(${to})];print(${to})`,
  ];

type RowsWithId = readonly { readonly id: number }[];

/** Makes a relation from trips to the items that a list call returns for each trip. */
const relationFromTrips = (
  to: string,
  rows: (trip: number, db: Reader) => RowsWithId,
  api: string,
  args = "",
) =>
  relationBetween("trips", to, {
    relatedIds: (trip, db) => rows(trip, db).map(({ id }) => id),
    cells: itemsForEachKey(api, `trip:k${args}`, "id"),
  });

export const travelRelations = relations("travel", {
  companions: relationBetween("trips", "people", {
    wordsForEach: everyoneWhoDoesToEach("comes along on"),
    relatedIds: rowsReferencing(companions, "trip", { left: false }, "person"),
    cells: itemsForEachKey("companions", "trip:k", "handle"),
  })`the companions on # | everyone who comes along on # | all people who come along on # | whoever
      is a companion on # | each companion on #`,
  "bookings-of-trips": relationFromTrips(
    "bookings",
    (trip, db) => db.where(bookings, { trip }),
    "bookings",
  )`the bookings of # | all bookings that belong to # | every booking made for #
      | all that is booked as part of # | each booking that is part of #`,
  "standing-bookings": relationFromTrips(
    "bookings",
    (trip, db) => db.where(bookings, { trip, status: "booked" }),
    "bookings",
    ',status:"booked"',
  )`the bookings of # that are not cancelled | all bookings of # with the status "booked" | every
      booking for # that still stands | each booking of # that is not cancelled | each booking of #
      whose status is "booked"`,
  unpacked: relationFromTrips(
    "packing",
    (trip, db) => db.where(packing, { trip, packed: false }),
    "packing",
    ",packed:false",
  )`the things still to be packed for # | everything on the packing list of # that is not packed
    | all things for # that are not packed yet | whatever is not yet packed for # | each thing on
      the packing list of # that I have not packed`,
  packed: relationFromTrips(
    "packing",
    (trip, db) => db.where(packing, { trip, packed: true }),
    "packing",
    ",packed:true",
  )`the things already packed for # | everything on the packing list of # that is packed | all
      things for # that are packed | whatever is packed for # | each thing on the packing list of #
      that I have packed`,
  "stops-of-trips": relationFromTrips("stops", (trip, db) => db.where(stops, { trip }), "stops")`
    the stops of # | all stops in the itinerary of # | every stop planned for # | each of the stops
      on # | each stop in the plan of #`,
  "costs-of-trips": relationFromTrips(
    "costs",
    (trip, db) => db.where(tripCosts, { trip, struck: false }),
    "costs",
  )`the costs of # that are not struck | all costs noted for #, struck ones aside | every cost of #
      that still counts | each of the costs of # that are not struck | each cost noted for # that is
      not struck`,
  "trip-viewers": relationBetween("trips", "people", {
    relatedIds: (trip, db) => {
      const own = db.get(trips, trip)?.person === null;
      return own ? db.where(tripShares, { trip, ended: false }).map(({ person }) => person) : [];
    },
    cells: itemsForEachKey(
      "sharedWith",
      "trip:k",
      "handle",
      "if(apis.travel.trip({id:k}).host!==null)continue;",
    ),
  })`the contacts with whom I share the plan of #, as far as the trip is my own | everyone who
    sees the plan of #, as far as the trip is mine | all people to whom I show the plan of #, if
    the trip is my own | whoever sees the plan of #, where the trip is my own | each contact who
    sees the plan of #, if the trip is mine`,
  travellers: relationBetween("bookings", "people", {
    relatedIds: (id, db) => currentTravellers(db, id).flatMap(({ person }) => person ?? []),
    code: (from) =>
      `[...new Set(${from}.flatMap(x=>apis.travel.booking({id:x}).people.map(y=>y.handle).filter(y=>y!==null)))]`,
  })`everyone but me who travels on # | the other travellers on # | all people except me who travel
      on # | whoever travels with me on # | each fellow traveller of mine on #`,
  "bookings-with": relationBetween("people", "bookings", {
    relatedIds: rowsReferencing(travellers, "person", { dropped: false }, "booking"),
    cells: itemsForEachKey("bookings", "person:k", "id"),
  })`the travel bookings that include # | all my bookings in travel with # among the travellers
    | every travel booking on which I go with # | all travel bookings that list # among the
      travellers | each booking in travel that includes # as a traveller`,
  "documents-of": relationBetween("people", "documents", {
    relatedIds: rowsReferencing(documents, "person"),
    cells: itemsForEachKey("documents", "person:k", "id"),
  })`the travel documents of # | all documents that travel keeps for # | every stored travel
      document of # | each of the travel documents of # | each travel document belonging to #`,
  holders: relationBetween("documents", "people", {
    relatedIds: referencedIn(documents, "person"),
    cells: (from, to) => [
      `${readPagesCode("t", "documents")}var ${to}=[...new Set(t.filter(x=>${from}.includes(x.id)&&x.of!==null).map(x=>x.of))];print(${to})`,
    ],
  })`the contacts who hold # | everyone among my contacts who holds one of # | all contacts who are
      the holders of any of # | whoever among my contacts holds any of # | each contact who is a
      holder of any of #`,
});
