/**
 * Defines the APIs of trips, and who may do what with them. The owner may do everything with own trips. With a
 * contact's trip the owner may do nothing as a viewer, and may change its plans and costs as an editor.
 */

import {
  booleanParam,
  countReferencingRows,
  dayParam,
  equalIgnoringCase,
  filterWhether,
  firstRowId,
  idParam,
  refuseUnless,
  resource,
  rowById,
  shortTextParam,
  type ViewContext,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dayOf,
  handleOf,
  handleParam,
  nullableHandleField,
  optionalPersonId,
  personFilter,
  requireTodayOrLater,
  toDollars,
} from "../shared.ts";
import { bookings, companions, type Trip, tripCosts, trips } from "./tables.ts";

const requireTrip = (db: Reader, id: number, param = "trip") =>
  rowById(db, trips, id, { noun: "trip", param, hint: "travel.trips lists them" });

/** Returns the trip, or throws a 409 when it is cancelled. */
function refuseCancelled(row: Trip, param: string): Trip {
  const { id, cancelled } = row;
  refuseUnless(!cancelled, 409, `${param}: trip ${id} is cancelled; travel.reopenTrip first`);
  return row;
}

export function requireOwnerIsHost(db: Reader, { id, person }: Trip, param: string): void {
  refuseUnless(person === null, 403, () => {
    return `${param}: expected an own trip, ${id} belongs to "${handleOf(db, person!)}"`;
  });
}

/** Returns a trip that belongs to the owner and is not cancelled. Throws a 404, 403 or 409 otherwise. */
export function requireOwnTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = requireTrip(db, id, param);
  requireOwnerIsHost(db, row, param);
  return refuseCancelled(row, param);
}

/** Returns a trip whose plans and costs the owner may change. Throws a 404, 403 or 409 otherwise. */
export function requireEditableTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = requireTrip(db, id, param);
  refuseUnless(row.person === null || row.role === "editor", 403, () => {
    const host = handleOf(db, row.person!);
    return `${param}: trip ${id} belongs to "${host}" and the owner is only a viewer there`;
  });
  return refuseCancelled(row, param);
}

export const isOwnActiveTrip = (row: Trip) => row.person === null && !row.cancelled;
export const exampleOwnTripId = (db: Reader) => firstRowId(db, trips, isOwnActiveTrip);

/** Returns true when the row belongs to an own trip that is not cancelled. Examples of API calls use it. */
export function isOnOwnTrip(db: Reader, { trip }: { readonly trip: number }): boolean {
  const row = db.get(trips, trip);
  return row !== undefined && isOwnActiveTrip(row);
}

export const tripParam = idParam("trip");

/** The parent of rows that belong to a trip which the owner may see. `ownTripParent` is for rows of an own trip. */
export const tripParent = {
  keys: { trip: tripParam },
  find: (args: { readonly trip: number }, { db }: ViewContext) => requireTrip(db, args.trip),
};
export const ownTripParent = {
  keys: { trip: tripParam },
  find: (args: { readonly trip: number }, { db }: ViewContext) => requireOwnTrip(db, args.trip),
};
export const exampleOwnTrip = (db: Reader) => ({ trip: exampleOwnTripId(db) });

const tripItem = trips.item({
  ...trips.fields("name", "id", "city", "from", "until"),
  host: nullableHandleField,
  cancelled: z.boolean(),
});

function totalCosts(db: Reader, trip: number): number {
  const costs = db.where(tripCosts, { trip, struck: false });
  return costs.reduce((sum, { cents }) => sum + cents, 0);
}

const tripDetailsItem = tripItem.with({
  nights: [z.int(), (row) => (Date.parse(row.until) - Date.parse(row.from)) / 86_400_000],
  companions: countReferencingRows(companions, "trip", { left: false }),
  bookings: countReferencingRows(bookings, "trip", { status: "booked" }),
  costs: [z.number(), ({ id }, { db }) => toDollars(totalCosts(db, id))],
});

const tripOptions = { table: trips, noun: "trip", item: tripItem, unique: true };
const anyTripResource = resource({ ...tripOptions, hint: "travel.trips lists them" });
const ownTripResource = resource({
  ...tripOptions,
  find: ({ id }, { db }) => requireOwnTrip(db, id, "id"),
  isExample: isOwnActiveTrip,
});
/** Own trips that have not begun. */
const futureTripResource = resource({
  ...tripOptions,
  find: ({ id }, { db, now }) => {
    const row = requireOwnTrip(db, id, "id");
    const isAhead = row.from >= dayOf(now);
    refuseUnless(isAhead, 409, `id: expected a trip that has not begun, ${id} began ${row.from}`);
    return row;
  },
  isExample: (row) => isOwnActiveTrip(row) && row.from > "2026-03-12",
});

export function isCompanion(db: Reader, trip: number, person: number): boolean {
  return db.where(companions, { trip, person, left: false }).length > 0;
}

const dayParams = { from: dayParam("the first day"), until: dayParam("the last day") };

/** Throws a 422 when the trip begins before today or ends before it begins. */
function checkDays(from: string, until: string, now: string): void {
  requireTodayOrLater(from, now, "from");
  refuseUnless(until >= from, 422, `until: expected ${from} or later, got ${until}`);
}

export const tripApis = {
  trips: anyTripResource.list(
    "List trips by their first day; cancelled ones are left out unless asked for.",
    {
      params: {
        city: shortTextParam("only to this city").optional(),
        host: handleParam("only trips of this contact").optional(),
      },
      rows: ({ city, host }, { db }) =>
        db
          .where(trips, withoutUndefined({ person: optionalPersonId(db, host, "host") }))
          .filter((row) => city === undefined || equalIgnoringCase(row.city, city)),
      filters: {
        own: [
          booleanParam("only own ones, or only those of contacts"),
          filterWhether((row) => row.person === null),
        ],
        person: personFilter<Trip>("only with this companion", "person", (row, person, db) =>
          isCompanion(db, row.id, person),
        ),
        over: [
          booleanParam("only those that are over, or only others"),
          filterWhether((row, { now }) => row.until < dayOf(now)),
        ],
        cancelled: z.boolean().default(false).describe("cancelled ones instead"),
      },
      order: "from",
      example: { over: false },
    },
  ),
  searchTrips: anyTripResource.list("Search the names of trips, by their first day.", {
    searchIn: ["name"],
    order: "from",
    example: { query: "trip" },
  }),
  trip: anyTripResource.show(
    "Show a trip with its nights, number of companions and bookings, and what it has cost.",
    { item: tripDetailsItem },
  ),
  planTrip: anyTripResource.add("Plan a new trip.", {
    params: {
      name: shortTextParam("name of the trip"),
      city: shortTextParam("where to"),
      ...dayParams,
    },
    row: (args, { now }) => {
      checkDays(args.from, args.until, now);
      return args;
    },
    defaults: { person: null, role: null, cancelled: false },
    example: { name: "Spring walk", city: "Delft", from: "2026-05-02", until: "2026-05-04" },
  }),
  renameTrip: ownTripResource.change("Rename an own trip.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "Long weekend" },
  }),
  moveTrip: futureTripResource.change(
    "Move an own trip that has not begun to other days; bookings stay as they are.",
    {
      params: dayParams,
      checkRow: (_, { from, until }, { now }) => checkDays(from, until, now),
      example: { from: "2026-06-01", until: "2026-06-03" },
    },
  ),
  cancelTrip: futureTripResource.set(
    "Cancel an own trip that has not begun; bookings are cancelled one by one.",
    { cancelled: true },
  ),
  reopenTrip: anyTripResource.change("Take a cancelled own trip up again.", {
    checkRow: (row, _, { db }) => {
      requireOwnerIsHost(db, row, "id");
      refuseUnless(row.cancelled, 409, `id: trip ${row.id} is not cancelled`);
    },
    set: { cancelled: false },
    isExample: (row) => row.cancelled && row.person === null,
  }),
};
