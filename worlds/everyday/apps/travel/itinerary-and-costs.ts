/** Defines the APIs of a trip's itinerary, packing list and costs. Editors of a contact's trip may change them too. */

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
  handleOf,
  handleParam,
  nullableHandleField,
  optionalPersonId,
  timeParam,
  toCents,
} from "../shared.ts";
import { packing, stops, tripCosts, trips } from "./tables.ts";
import {
  exampleOwnTrip,
  exampleOwnTripId,
  isOnOwnTrip,
  requireEditableTrip,
  tripParam,
  tripParent,
} from "./trips.ts";

/**
 * Makes the options of rows that belong to a trip. The owner may change such a row when the owner may change the trip's
 * plans. Examples are rows of own trips.
 */
const tripPartOptions = <R extends TableRow & { readonly trip: number }>(
  table: Table<R>,
  noun: string,
) => ({
  table,
  noun,
  guard: (row: R, { db }: ViewContext) => requireEditableTrip(db, row.trip, "id"),
  isExample: (row: R, db: Reader) => isOnOwnTrip(db, row),
});

const stop = resource({
  ...tripPartOptions(stops, "stop"),
  item: stops.item("title", "id", "day", "time"),
});

const packingItem = resource({
  ...tripPartOptions(packing, "thing to pack"),
  item: packing.item("item", "id", "trip", "packed"),
});

const cost = resource({
  ...tripPartOptions(tripCosts, "cost"),
  item: tripCosts.item({
    ...tripCosts.fields("what", "id"),
    amount: dollarsField,
    by: nullableHandleField,
    ...tripCosts.fields("day", "struck"),
  }),
});

const time = timeParam("the time");

const dayOfTrip = dayParam("a day of the trip");
/** Returns the first day of the own trip that examples of API calls use. */
const firstDay = (db: Reader) => db.get(trips, exampleOwnTripId(db))?.from ?? "2026-03-20";

/** Throws a 422 when the day is not within the trip. */
function requireDayOfTrip(db: Reader, trip: number, day: string): void {
  const { from, until } = tripParent.find({ trip }, { db, now: day });
  const isInside = day >= from && day <= until;
  refuseUnless(isInside, 422, `day: expected a day of the trip (${from} to ${until}), got ${day}`);
}

export const itineraryAndCostApis = {
  stops: stop.list("List the stops of a trip's itinerary by day and time.", {
    parent: [tripParent, "trip"],
    filters: { day: dayParam("only on this day") },
    order: ["day", "time"],
    example: exampleOwnTrip,
  }),
  addStop: stop.add("Add a stop to a trip's itinerary.", {
    params: { trip: tripParam, title: shortTextParam("what is there"), day: dayOfTrip, time },
    row: (args, { db }) => {
      const trip = requireEditableTrip(db, args.trip).id;
      requireDayOfTrip(db, trip, args.day);
      return args;
    },
    example: (db) => ({
      trip: exampleOwnTripId(db),
      title: "old town",
      day: firstDay(db),
      time: "11:00",
    }),
  }),
  moveStop: stop.change("Move a stop to another day or time of its trip.", {
    params: { day: dayOfTrip, time: time.optional() },
    checkRow: (row, { day }, { db }) => requireDayOfTrip(db, row.trip, day),
    example: (db) => {
      const row = db.all(stops).find((other) => isOnOwnTrip(db, other));
      return { id: row?.id ?? 1, day: row?.day ?? "2026-03-20", time: "12:15" };
    },
  }),
  removeStop: stop.remove("Remove a stop from an itinerary."),
  packing: packingItem.list("List what is to be packed for a trip.", {
    parent: [tripParent, "trip"],
    filters: { packed: booleanParam("only what is packed, or only what is not") },
    example: (db) => ({ trip: exampleOwnTripId(db), packed: false }),
  }),
  addPacking: packingItem.add("Add something to a trip's packing list.", {
    params: { trip: tripParam, item: shortTextParam("what to pack") },
    row: ({ item, ...args }, { db }) => {
      const trip = requireEditableTrip(db, args.trip).id;
      const isListed = db.where(packing, { trip }).some((row) => equalIgnoringCase(row.item, item));
      refuseUnless(!isListed, 409, `item: "${item}" is on the list of trip ${trip} already`);
      return { trip, item, packed: false };
    },
    example: (db) => ({ trip: exampleOwnTripId(db), item: "snow goggles" }),
  }),
  pack: packingItem.change("Mark something as packed.", {
    set: { packed: true },
    already: ({ item }) => `id: "${item}" is packed already`,
  }),
  unpack: packingItem.change("Mark something as not packed.", {
    set: { packed: false },
    already: ({ item }) => `id: "${item}" is not packed`,
  }),
  removePacking: packingItem.remove("Take something off a packing list."),
  costs: cost.list(
    "List the costs of a trip in the order of entry; struck ones are left out unless asked for. `by` is null for the owner.",
    {
      params: { trip: tripParam, person: handleParam("only paid by this contact").optional() },
      rows: (args, context) => {
        const person = optionalPersonId(context.db, args.person, "person");
        return context.db.where(
          tripCosts,
          withoutUndefined({ trip: tripParent.find(args, context).id, person }),
        );
      },
      filters: { struck: z.boolean().default(false).describe("struck ones instead") },
      example: (db) => ({ trip: firstRowId(db, trips) }),
    },
  ),
  addCost: cost.add("Note a cost of a trip.", {
    params: {
      trip: tripParam,
      what: shortTextParam("what was paid"),
      amount,
      day: dayParam("when it was paid"),
      person: handleParam("who paid; the owner when left out").optional(),
    },
    row: ({ amount, ...args }, { db }) => {
      requireEditableTrip(db, args.trip);
      const person = optionalPersonId(db, args.person, "person") ?? null;
      return { ...args, person, cents: toCents(amount), struck: false };
    },
    example: (db) => ({
      trip: exampleOwnTripId(db),
      what: "ferry",
      amount: 18.4,
      day: firstDay(db),
    }),
  }),
  strikeCost: cost.change("Strike a cost of a trip; it does not count any more.", {
    set: { struck: true },
    already: "is struck already",
    checkRow: (row, { id }, { db }) => {
      const refusal = `id: expected a cost that the owner paid or one of an own trip, ${id}`;
      const mayStrike = row.person === null || isOnOwnTrip(db, row);
      refuseUnless(mayStrike, 403, () => `${refusal} was paid by "${handleOf(db, row.person!)}"`);
    },
  }),
};
