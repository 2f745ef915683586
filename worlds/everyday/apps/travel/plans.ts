/** What hangs on a trip: its itinerary, packing list and costs. Editors of a contact's trip may change them too. */

import {
  booleanParam,
  dayParam,
  equalIgnoringCase,
  firstRowId,
  refuseUnless,
  resource,
  shortTextParam,
  type ViewContext,
  withoutUndefined,
} from "bowline/resources";
import type { Reader, Table, TableRow } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  dollarsField,
  handleParam,
  nullableHandleField,
  optionalPersonId,
  timeParam,
  toCents,
} from "../shared.ts";
import { packing, stops, tripCosts, trips } from "./tables.ts";
import { editableTrip, ofOwnExample, ofTrip, onOwn, ownTripId, trip } from "./trips.ts";

/** Rows that the owner may change who may change their trip; examples are on own trips. */
const hanging = <R extends TableRow & { readonly trip: number }>(
  table: Table<R>,
  noun: string,
) => ({
  table,
  noun,
  guard: (row: R, { db }: ViewContext) => editableTrip(db, row.trip, "id"),
  isExample: (row: R, db: Reader) => onOwn(db, row),
});

const stop = resource({
  ...hanging(stops, "stop"),
  item: stops.item("title", "id", "day", "time"),
});

const thing = resource({
  ...hanging(packing, "thing to pack"),
  item: packing.item("item", "id", "trip", "packed"),
});

const cost = resource({
  ...hanging(tripCosts, "cost"),
  item: tripCosts.item({
    ...tripCosts.fields("what", "id"),
    amount: dollarsField,
    by: nullableHandleField,
    ...tripCosts.fields("day", "struck"),
  }),
});

const time = timeParam("the time");

const dayOfTrip = dayParam("a day of the trip");
/** The own trip's first day, for examples. */
const firstDay = (db: Reader) => db.get(trips, ownTripId(db))?.from ?? "2026-03-20";

/** A 422 unless the day lies within the trip. */
function within(db: Reader, trip: number, day: string): void {
  const { from, until } = ofTrip.find({ trip }, { db, now: day });
  const inside = day >= from && day <= until;
  refuseUnless(inside, 422, `day: expected a day of the trip (${from} to ${until}), got ${day}`);
}

export const planApis = {
  stops: stop.list("List the stops of a trip's itinerary by day and time.", {
    parent: [ofTrip, "trip"],
    filters: { day: dayParam("only on this day") },
    order: ["day", "time"],
    example: ofOwnExample,
  }),
  addStop: stop.add("Add a stop to a trip's itinerary.", {
    params: { trip, title: shortTextParam("what is there"), day: dayOfTrip, time },
    row: (args, { db }) => {
      const trip = editableTrip(db, args.trip).id;
      within(db, trip, args.day);
      return args;
    },
    example: (db) => ({ trip: ownTripId(db), title: "old town", day: firstDay(db), time: "11:00" }),
  }),
  moveStop: stop.change("Move a stop to another day or time of its trip.", {
    params: { day: dayOfTrip, time: time.optional() },
    checkRow: (row, { day }, { db }) => within(db, row.trip, day),
    example: (db) => {
      const row = db.all(stops).find((other) => onOwn(db, other));
      return { id: row?.id ?? 1, day: row?.day ?? "2026-03-20", time: "12:15" };
    },
  }),
  removeStop: stop.remove("Remove a stop from an itinerary."),
  packing: thing.list("List what is to be packed for a trip.", {
    parent: [ofTrip, "trip"],
    filters: { packed: booleanParam("only what is packed, or only what is not") },
    example: (db) => ({ trip: ownTripId(db), packed: false }),
  }),
  addPacking: thing.add("Add something to a trip's packing list.", {
    params: { trip, item: shortTextParam("what to pack") },
    row: ({ item, ...args }, { db }) => {
      const trip = editableTrip(db, args.trip).id;
      const there = db.where(packing, { trip }).some((row) => equalIgnoringCase(row.item, item));
      refuseUnless(!there, 409, `item: "${item}" is on the list of trip ${trip} already`);
      return { trip, item, packed: false };
    },
    example: (db) => ({ trip: ownTripId(db), item: "snow goggles" }),
  }),
  pack: thing.change("Mark something as packed.", {
    set: { packed: true },
    already: ({ item }) => `id: "${item}" is packed already`,
  }),
  unpack: thing.change("Mark something as not packed.", {
    set: { packed: false },
    already: ({ item }) => `id: "${item}" is not packed`,
  }),
  removePacking: thing.remove("Take something off a packing list."),
  costs: cost.list("List the costs of a trip in the order of entry; `by` is null for the owner.", {
    params: { trip, by: handleParam("only paid by this contact").optional() },
    rows: ({ by, ...args }, look) => {
      const person = optionalPersonId(look.db, by, "by");
      return look.db.where(
        tripCosts,
        withoutUndefined({ trip: ofTrip.find(args, look).id, person }),
      );
    },
    filters: { struck: z.boolean().default(false).describe("struck ones instead") },
    example: (db) => ({ trip: firstRowId(db, trips) }),
  }),
  addCost: cost.add("Note a cost of a trip.", {
    params: {
      trip,
      what: shortTextParam("what was paid"),
      amount,
      day: dayParam("when it was paid"),
      by: handleParam("who paid; the owner when left out").optional(),
    },
    row: ({ amount, by, ...args }, { db }) => {
      editableTrip(db, args.trip);
      const person = optionalPersonId(db, by, "by") ?? null;
      return { ...args, person, cents: toCents(amount), struck: false };
    },
    example: (db) => ({ trip: ownTripId(db), what: "ferry", amount: 18.4, day: firstDay(db) }),
  }),
  strikeCost: cost.set(
    "Strike a cost of a trip; it does not count any more.",
    { struck: true },
    "is struck already",
  ),
};
