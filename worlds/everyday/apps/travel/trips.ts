/**
 * Trips: own ones and those of contacts, and who may do what with them: with own ones everything; with a contact's as
 * viewer nothing, as editor its plans and costs.
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

const anyTrip = (db: Reader, id: number, param = "trip") =>
  rowById(db, trips, id, { noun: "trip", param, hint: "travel.trips lists them" });

/** A 409 where it is cancelled. */
function standing(row: Trip, param: string): Trip {
  const { id, cancelled } = row;
  refuseUnless(!cancelled, 409, `${param}: trip ${id} is cancelled; travel.reopenTrip first`);
  return row;
}

export function mustBeOwn(db: Reader, { id, person }: Trip, param: string): void {
  refuseUnless(person === null, 403, () => {
    return `${param}: expected an own trip, ${id} belongs to "${handleOf(db, person!)}"`;
  });
}

/** A trip that only the owner rules over. */
export function ownTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = anyTrip(db, id, param);
  mustBeOwn(db, row, param);
  return standing(row, param);
}

/** A trip whose plans and costs the owner may change. */
export function editableTrip(db: Reader, id: number, param = "trip"): Trip {
  const row = anyTrip(db, id, param);
  refuseUnless(row.person === null || row.role === "editor", 403, () => {
    const host = handleOf(db, row.person!);
    return `${param}: trip ${id} belongs to "${host}" and the owner is only a viewer there`;
  });
  return standing(row, param);
}

export const isOwn = (row: Trip) => row.person === null && !row.cancelled;
export const ownTripId = (db: Reader) => firstRowId(db, trips, isOwn);

/** Whether it hangs on an own trip, for examples. */
export function onOwn(db: Reader, { trip }: { readonly trip: number }): boolean {
  const row = db.get(trips, trip);
  return row !== undefined && isOwn(row);
}

export const trip = idParam("trip");

/** Rows that hang on a trip that is looked at. */
export const ofTrip = {
  keys: { trip },
  find: (args: { readonly trip: number }, { db }: ViewContext) => anyTrip(db, args.trip),
};
export const ofOwnTrip = {
  keys: { trip },
  find: (args: { readonly trip: number }, { db }: ViewContext) => ownTrip(db, args.trip),
};
export const ofOwnExample = (db: Reader) => ({ trip: ownTripId(db) });

// --- how they are shown ---

const tripItem = trips.item({
  ...trips.fields("name", "id", "city", "from", "until"),
  host: nullableHandleField,
  cancelled: z.boolean(),
});

function costsOf(db: Reader, trip: number): number {
  const costs = db.where(tripCosts, { trip, struck: false });
  return costs.reduce((sum, { cents }) => sum + cents, 0);
}

const tripDetail = tripItem.with({
  nights: [z.int(), (row) => (Date.parse(row.until) - Date.parse(row.from)) / 86_400_000],
  companions: countReferencingRows(companions, "trip", { left: false }),
  bookings: countReferencingRows(bookings, "trip", { status: "booked" }),
  costs: [z.number(), ({ id }, { db }) => toDollars(costsOf(db, id))],
});

const rows = { table: trips, noun: "trip", item: tripItem, unique: true };
const allTrips = resource({ ...rows, hint: "travel.trips lists them" });
const ownTrips = resource({
  ...rows,
  find: ({ id }, { db }) => ownTrip(db, id, "id"),
  isExample: isOwn,
});
/** Own ones that have not begun. */
const tripsAhead = resource({
  ...rows,
  find: ({ id }, { db, now }) => {
    const row = ownTrip(db, id, "id");
    const ahead = row.from >= dayOf(now);
    refuseUnless(ahead, 409, `id: expected a trip that has not begun, ${id} began ${row.from}`);
    return row;
  },
  isExample: (row) => isOwn(row) && row.from > "2026-03-12",
});

export function comes(db: Reader, trip: number, person: number): boolean {
  return db.where(companions, { trip, person, left: false }).length > 0;
}

const days = { from: dayParam("the first day"), until: dayParam("the last day") };

/** A 422 unless the trip begins today or later and does not end before it begins. */
function checkDays(from: string, until: string, now: string): void {
  requireTodayOrLater(from, now, "from");
  refuseUnless(until >= from, 422, `until: expected ${from} or later, got ${until}`);
}

export const tripApis = {
  trips: allTrips.list("List trips by their first day.", {
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
      with: personFilter<Trip>("only with this companion", "with", (row, person, db) =>
        comes(db, row.id, person),
      ),
      over: [
        booleanParam("only those that are over, or only others"),
        filterWhether((row, { now }) => row.until < dayOf(now)),
      ],
      cancelled: z.boolean().default(false).describe("cancelled ones instead"),
    },
    order: "from",
    example: { over: false },
  }),
  searchTrips: allTrips.list("Search the names of trips, by their first day.", {
    searchIn: ["name"],
    order: "from",
    example: { query: "trip" },
  }),
  trip: allTrips.show(
    "Show a trip with its nights, number of companions and bookings, and what it has cost.",
    { item: tripDetail },
  ),
  planTrip: allTrips.add("Plan a new trip.", {
    params: { name: shortTextParam("name of the trip"), city: shortTextParam("where to"), ...days },
    row: (args, { now }) => {
      checkDays(args.from, args.until, now);
      return args;
    },
    defaults: { person: null, role: null, cancelled: false },
    example: { name: "Spring walk", city: "Delft", from: "2026-05-02", until: "2026-05-04" },
  }),
  renameTrip: ownTrips.change("Rename an own trip.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "Long weekend" },
  }),
  moveTrip: tripsAhead.change(
    "Move an own trip that has not begun to other days; bookings stay as they are.",
    {
      params: days,
      checkRow: (_, { from, until }, { now }) => checkDays(from, until, now),
      example: { from: "2026-06-01", until: "2026-06-03" },
    },
  ),
  cancelTrip: tripsAhead.set(
    "Cancel an own trip that has not begun; bookings are cancelled one by one.",
    { cancelled: true },
  ),
  reopenTrip: allTrips.change("Take a cancelled own trip up again.", {
    checkRow: (row, _, { db }) => {
      mustBeOwn(db, row, "id");
      refuseUnless(row.cancelled, 409, `id: trip ${row.id} is not cancelled`);
    },
    set: { cancelled: false },
    isExample: (row) => row.cancelled && row.person === null,
  }),
};
