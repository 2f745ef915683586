/** Trips: own ones and those of contacts, who comes along, and who may see or change the plan. */
import { z } from "zod";
import {
  by,
  either,
  type Item,
  itemOf,
  must,
  type Reader,
  resource,
  type Table,
  type TableRow,
  when,
} from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  dollars,
  freeName,
  given,
  handle,
  handleOf,
  line,
  notPast,
  personBy,
  personId,
  query,
  receiver,
  same,
  theirHandle,
  theirName,
} from "../shared.ts";
import { people } from "../tables.ts";
import { anyHandle, exampleId } from "./rules.ts";
import { bookings, companions, ROLES, type Trip, tripCosts, tripShares, trips } from "./tables.ts";
import {
  isOwn,
  mustBeOwn,
  ofOwnExample,
  ofOwnTrip,
  ofTrip,
  onOwn,
  ownTrip,
  ownTripId,
  trip as tripId,
} from "./trip-rules.ts";

const tripItem = itemOf(trips, {
  name: z.string(),
  id: z.int(),
  city: z.string(),
  from: z.string(),
  until: z.string(),
  host: anyHandle,
  cancelled: z.boolean(),
});

function costsOf(db: Reader, trip: number): number {
  const costs = db.where(tripCosts, { trip, struck: false });
  return costs.reduce((sum, { cents }) => sum + cents, 0);
}

const tripDetail = tripItem.with({
  nights: [z.int(), (row) => (Date.parse(row.until) - Date.parse(row.from)) / 86_400_000],
  companions: [z.int(), ({ id }, { db }) => db.where(companions, { trip: id, left: false }).length],
  bookings: [
    z.int(),
    ({ id }, { db }) => db.where(bookings, { trip: id, status: "booked" }).length,
  ],
  costs: [z.number(), ({ id }, { db }) => dollars(costsOf(db, id))],
});

const trip = { table: trips, noun: "trip", item: tripItem };
const allTrips = resource({ ...trip, hint: "travel.trips lists them" });
const ownTrips = resource({
  ...trip,
  find: ({ id }, { db }) => ownTrip(db, id, "id"),
  example: (db) => ({ id: ownTripId(db) }),
});
/** Own ones that have not begun. */
const tripsAhead = resource({
  ...trip,
  find: ({ id }, { db, now }) => {
    const row = ownTrip(db, id, "id");
    const ahead = row.from >= dayOf(now);
    must(ahead, 409, `id: expected a trip that has not begun, ${id} began ${row.from}`);
    return row;
  },
  example: (db) => ({ id: exampleId(db, trips, (row) => isOwn(row) && row.from > "2026-03-12") }),
});

export function comes(db: Reader, trip: number, person: number): boolean {
  return db.where(companions, { trip, person, left: false }).length > 0;
}

const byStart = by((row: Trip) => row.from);
const days = { from: day("the first day"), until: day("the last day") };

/** A 422 unless the trip begins today or later and does not end before it begins. */
function checkDays(from: string, until: string, now: string): void {
  notPast(from, now, "from");
  must(until >= from, 422, `until: expected ${from} or later, got ${until}`);
}

// --- companions and shares ---

/** A contact who is not on the trip yet, for examples. */
const outsider = (db: Reader) =>
  db.all(people).find((person) => !person.blocked && !comes(db, ownTripId(db), person.id))
    ?.handle ?? "amara.o";

/** Rows that tie a person to a trip, one of them for both, while they are as `standing` says. */
const ties = <R extends TableRow & { readonly trip: number; readonly person: number }>(
  table: Table<R>,
  standing: Partial<R>,
  item: Item<R>,
  who: string,
  missing: (handle: string, trip: number) => string,
) =>
  resource({
    table,
    noun: "person",
    item,
    keys: { trip: tripId, person: handle(who) },
    find: (args, { db }) => {
      const trip = ownTrip(db, args.trip).id;
      const { id, handle } = personBy(db, args.person, "person");
      const row = db.where(table, standing).find((one) => one.trip === trip && one.person === id);
      must(row, 404, `person: ${missing(handle, trip)}`);
      return row;
    },
    example: (db) => {
      const row = db.where(table, standing).find((one) => onOwn(db, one));
      return { trip: row?.trip ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
    },
  });

const companion = ties(
  companions,
  { left: false },
  itemOf(companions, { name: theirName, handle: theirHandle }),
  "who stays at home",
  (handle) => `"${handle}" does not come along`,
);

const share = ties(
  tripShares,
  { ended: false },
  itemOf(tripShares, { name: theirName, handle: theirHandle, role: z.enum(ROLES) }),
  "who sees it",
  (handle, trip) => `"${handle}" does not see trip ${trip}`,
);

export const tripApis = {
  trips: allTrips.list("List trips by their first day.", {
    params: {
      city: line("only to this city").optional(),
      host: handle("only trips of this contact").optional(),
    },
    rows: ({ city, host }, { db }) =>
      db
        .where(trips, given({ person: personId(db, host, "host") }))
        .filter((row) => city === undefined || same(row.city, city)),
    filters: {
      own: [either("only own ones, or only those of contacts"), when((row) => row.person === null)],
      with: [
        handle("only with this companion"),
        (came, { db }) => {
          const person = personBy(db, came, "with").id;
          return (row) => comes(db, row.id, person);
        },
      ],
      over: [
        either("only those that are over, or only others"),
        when((row, { now }) => row.until < dayOf(now)),
      ],
      cancelled: z.boolean().default(false).describe("cancelled ones instead"),
    },
    order: byStart,
    example: { over: false },
  }),
  searchTrips: allTrips.list("Search the names of trips, by their first day.", {
    params: { query },
    rows: ({ query }, { db }) => db.all(trips).filter((row) => contains(row.name, query)),
    order: byStart,
    example: { query: "trip" },
  }),
  trip: allTrips.show(
    "Show a trip with its nights, number of companions and bookings, and what it has cost.",
    { item: tripDetail },
  ),
  planTrip: allTrips.add("Plan a new trip.", {
    params: { name: line("name of the trip"), city: line("where to"), ...days },
    check: ({ name, from, until }, { db, now }) => {
      freeName(db, trips, name);
      checkDays(from, until, now);
    },
    plain: { person: null, role: null, cancelled: false },
    example: { name: "Spring walk", city: "Delft", from: "2026-05-02", until: "2026-05-04" },
  }),
  renameTrip: ownTrips.change("Rename an own trip.", {
    params: { name: line("the new name") },
    unless: ({ id }, { name }, { db }) => freeName(db, trips, name, id),
    example: { name: "Long weekend" },
  }),
  moveTrip: tripsAhead.change(
    "Move an own trip that has not begun to other days; bookings stay as they are.",
    {
      params: days,
      unless: (_, { from, until }, { now }) => checkDays(from, until, now),
      example: { from: "2026-06-01", until: "2026-06-03" },
    },
  ),
  cancelTrip: tripsAhead.change(
    "Cancel an own trip that has not begun; bookings are cancelled one by one.",
    { set: { cancelled: true } },
  ),
  reopenTrip: allTrips.change("Take a cancelled own trip up again.", {
    unless: (row, _, { db }) => {
      mustBeOwn(db, row, "id");
      must(row.cancelled, 409, `id: trip ${row.id} is not cancelled`);
    },
    set: { cancelled: false },
    fits: (row) => row.cancelled && row.person === null,
  }),
  companions: companion.list("List who comes along on a trip.", {
    of: [ofTrip, "trip"],
    rows: { left: false },
    example: (db) => ({ trip: exampleId(db, trips) }),
  }),
  addCompanion: companion.add("Take a contact along on an own trip.", {
    params: { trip: tripId, person: handle("who comes along") },
    row: (args, { db }) => {
      const trip = ownTrip(db, args.trip).id;
      const { id, handle } = receiver(db, args.person, "person");
      must(!comes(db, trip, id), 409, `person: "${handle}" comes along already`);
      return { trip, person: id, left: false };
    },
    example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
  }),
  removeCompanion: companion.change(
    "Note that a contact does not come along on an own trip any more.",
    { set: { left: true } },
  ),
  sharedWith: share.list("List the contacts who see the plan of an own trip.", {
    of: [ofOwnTrip, "trip"],
    rows: { ended: false },
    example: ofOwnExample,
  }),
  shareTrip: share.add(
    "Let a contact see the plan of an own trip, or change what they may do with it.",
    {
      params: {
        trip: tripId,
        person: handle("who shall see it"),
        role: z.enum(ROLES).default("viewer").describe("editors may change plans and costs"),
      },
      row: ({ role, ...args }, { db }) => {
        const trip = ownTrip(db, args.trip).id;
        const person = receiver(db, args.person, "person").id;
        const [old] = db.where(tripShares, { trip, person, ended: false });
        return old ? db.update(tripShares, old.id, { role }) : { trip, person, role, ended: false };
      },
      example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
    },
  ),
  unshareTrip: share.change("End a contact's view of the plan of an own trip.", {
    set: { ended: true },
  }),
};
