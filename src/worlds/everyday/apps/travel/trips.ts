/** Trips: own ones and those of contacts, who comes along, and who may see or change the plan. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  dollars,
  freeName,
  given,
  handle,
  handleOf,
  idOf,
  line,
  notPast,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  query,
  receiver,
  same,
} from "../shared.ts";
import { people } from "../tables.ts";
import { bookings, companions, ROLES, type Trip, tripCosts, tripShares, trips } from "./tables.ts";
import { exampleId, isOwn, ownTrip, ownTripId, tripBy } from "./trip-rules.ts";

export const tripItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  city: z.string(),
  from: z.string(),
  until: z.string(),
  host: z.string().nullable(),
  cancelled: z.boolean(),
});

export const tripView = (db: Reader) => (row: Trip) => ({
  name: row.name,
  id: row.id,
  city: row.city,
  from: row.from,
  until: row.until,
  host: row.person === null ? null : handleOf(db, row.person),
  cancelled: row.cancelled,
});

export const byStart = (rows: readonly Trip[]) =>
  rows.toSorted((a, b) => (a.from === b.from ? a.id - b.id : a.from < b.from ? -1 : 1));

const id = idOf("trip");

const list = defineApi({
  summary: "List trips by their first day.",
  params: z.strictObject({
    city: line("only to this city").optional(),
    host: handle("only trips of this contact").optional(),
    own: z.boolean().optional().describe("only own ones, or only those of contacts"),
    with: handle("only with this companion").optional(),
    over: z.boolean().optional().describe("only those that are over, or only others"),
    cancelled: z.boolean().default(false).describe("cancelled ones instead"),
    ...paging,
  }),
  returns: pageOf(tripItem),
  example: () => ({ over: false }),
  handler: ({ db, now }, { city, host, own, over, cancelled, ...args }) => {
    const companion = personId(db, args.with, "with");
    const rows = db
      .where(trips, given({ person: personId(db, host, "host"), cancelled }))
      .filter(
        (row) =>
          (city === undefined || same(row.city, city)) &&
          (own === undefined || (row.person === null) === own) &&
          (over === undefined || row.until < dayOf(now) === over) &&
          (companion === undefined || comes(db, row.id, companion)),
      );
    return paged(byStart(rows), args, tripView(db));
  },
});

export function comes(db: Reader, trip: number, person: number): boolean {
  return db.where(companions, { trip, person, left: false }).length > 0;
}

const search = defineApi({
  summary: "Search the names of trips, by their first day.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(tripItem),
  example: () => ({ query: "trip" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.all(trips).filter((row) => contains(row.name, query));
    return paged(byStart(rows), page, tripView(db));
  },
});

const show = defineApi({
  summary: "Show a trip with its nights, number of companions and bookings, and what it has cost.",
  params: z.strictObject({ id }),
  returns: tripItem.extend({
    nights: z.int(),
    companions: z.int(),
    bookings: z.int(),
    costs: z.number(),
  }),
  example: (db) => ({ id: exampleId(db, trips) }),
  handler: ({ db }, { id }) => {
    const row = tripBy(db, id, "id");
    const costs = db.where(tripCosts, { trip: id, struck: false });
    return {
      ...tripView(db)(row),
      nights: (Date.parse(row.until) - Date.parse(row.from)) / 86_400_000,
      companions: db.where(companions, { trip: id, left: false }).length,
      bookings: db.where(bookings, { trip: id, status: "booked" }).length,
      costs: dollars(costs.reduce((sum, cost) => sum + cost.cents, 0)),
    };
  },
});

/** A 422 unless the trip begins today or later and does not end before it begins. */
function checkDays(from: string, until: string, now: string): void {
  notPast(from, now, "from");
  if (until >= from) return;
  throw new ApiError(422, `until: expected ${from} or later, got ${until}`);
}

const days = { from: day("the first day"), until: day("the last day") };

const plan = defineApi({
  summary: "Plan a new trip.",
  params: z.strictObject({ name: line("name of the trip"), city: line("where to"), ...days }),
  returns: tripItem,
  example: () => ({ name: "Spring walk", city: "Delft", from: "2026-05-02", until: "2026-05-04" }),
  handler: ({ db, now }, { name, city, from, until }) => {
    freeName(db, trips, name);
    checkDays(from, until, now);
    const own = { person: null, role: null, cancelled: false };
    return tripView(db)(db.insert(trips, { name, city, from, until, ...own }));
  },
});

const rename = defineApi({
  summary: "Rename an own trip.",
  params: z.strictObject({ id, name: line("the new name") }),
  returns: tripItem,
  example: (db) => ({ id: ownTripId(db), name: "Long weekend" }),
  handler: ({ db }, { id, name }) => {
    ownTrip(db, id, "id");
    freeName(db, trips, name, id);
    return tripView(db)(db.update(trips, id, { name }));
  },
});

/** An own trip that has not begun. */
function ahead({ db, now }: CallContext, id: number): Trip {
  const row = ownTrip(db, id, "id");
  if (row.from >= dayOf(now)) return row;
  throw new ApiError(409, `id: expected a trip that has not begun, ${id} began ${row.from}`);
}

/** Ahead in the start state, for examples. */
const aheadId = (db: Reader) =>
  exampleId(db, trips, (row) => isOwn(row) && row.from > "2026-03-12");

const move = defineApi({
  summary: "Move an own trip that has not begun to other days; bookings stay as they are.",
  params: z.strictObject({ id, ...days }),
  returns: tripItem,
  example: (db) => ({ id: aheadId(db), from: "2026-06-01", until: "2026-06-03" }),
  handler: (context, { id, from, until }) => {
    const { db, now } = context;
    ahead(context, id);
    checkDays(from, until, now);
    return tripView(db)(db.update(trips, id, { from, until }));
  },
});

const cancel = defineApi({
  summary: "Cancel an own trip that has not begun; bookings are cancelled one by one.",
  params: z.strictObject({ id }),
  returns: tripItem,
  example: (db) => ({ id: aheadId(db) }),
  handler: (context, { id }) => {
    ahead(context, id);
    return tripView(context.db)(context.db.update(trips, id, { cancelled: true }));
  },
});

const reopen = defineApi({
  summary: "Take a cancelled own trip up again.",
  params: z.strictObject({ id }),
  returns: tripItem,
  example: (db) => ({ id: exampleId(db, trips, (row) => row.cancelled && row.person === null) }),
  handler: ({ db }, { id }) => {
    const row = tripBy(db, id, "id");
    if (row.person !== null) {
      const host = handleOf(db, row.person);
      throw new ApiError(403, `id: expected an own trip, ${id} belongs to "${host}"`);
    }
    if (!row.cancelled) throw new ApiError(409, `id: trip ${id} is not cancelled`);
    return tripView(db)(db.update(trips, id, { cancelled: false }));
  },
});

// --- companions ---

const trip = idOf("trip");
const personItem = z.strictObject({ name: z.string(), handle: z.string() });
const personView = (db: Reader, person: number) => ({
  name: db.get(people, person)?.name ?? "removed",
  handle: handleOf(db, person),
});

const listCompanions = defineApi({
  summary: "List who comes along on a trip.",
  params: z.strictObject({ trip, ...paging }),
  returns: pageOf(personItem),
  example: (db) => ({ trip: exampleId(db, trips) }),
  handler: ({ db }, args) => {
    const rows = db.where(companions, { trip: tripBy(db, args.trip).id, left: false });
    return paged(rows, args, (row) => personView(db, row.person));
  },
});

const isOwnId = (db: Reader, trip: number) => {
  const row = db.get(trips, trip);
  return row !== undefined && isOwn(row);
};

/** A contact who is not on the trip yet, for examples. */
const outsider = (db: Reader) =>
  db.all(people).find((person) => !person.blocked && !comes(db, ownTripId(db), person.id))
    ?.handle ?? "amara.o";

const addCompanion = defineApi({
  summary: "Take a contact along on an own trip.",
  params: z.strictObject({ trip, person: handle("who comes along") }),
  returns: personItem,
  example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
  handler: ({ db }, args) => {
    const trip = ownTrip(db, args.trip).id;
    const person = receiver(db, args.person, "person");
    if (comes(db, trip, person.id)) {
      throw new ApiError(409, `person: "${person.handle}" comes along already`);
    }
    db.insert(companions, { trip, person: person.id, left: false });
    return personView(db, person.id);
  },
});

const removeCompanion = defineApi({
  summary: "Note that a contact does not come along on an own trip any more.",
  params: z.strictObject({ trip, person: handle("who stays at home") }),
  returns: personItem,
  example: (db) => {
    const row = db.all(companions).find((other) => !other.left && isOwnId(db, other.trip));
    return { trip: row?.trip ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
  },
  handler: ({ db }, args) => {
    const trip = ownTrip(db, args.trip).id;
    const person = personBy(db, args.person, "person");
    const [row] = db.where(companions, { trip, person: person.id, left: false });
    if (!row) throw new ApiError(404, `person: "${person.handle}" does not come along`);
    db.update(companions, row.id, { left: true });
    return personView(db, person.id);
  },
});

// --- shares ---

const shareItem = personItem.extend({ role: z.enum(ROLES) });

const sharedWith = defineApi({
  summary: "List the contacts who see the plan of an own trip.",
  params: z.strictObject({ trip, ...paging }),
  returns: pageOf(shareItem),
  example: (db) => ({ trip: ownTripId(db) }),
  handler: ({ db }, args) => {
    const rows = db.where(tripShares, { trip: ownTrip(db, args.trip).id, ended: false });
    return paged(rows, args, (row) => ({ ...personView(db, row.person), role: row.role }));
  },
});

const share = defineApi({
  summary: "Let a contact see the plan of an own trip, or change what they may do with it.",
  params: z.strictObject({
    trip,
    person: handle("who shall see it"),
    role: z.enum(ROLES).default("viewer").describe("editors may change plans and costs"),
  }),
  returns: shareItem,
  example: (db) => ({ trip: ownTripId(db), person: outsider(db) }),
  handler: ({ db }, args) => {
    const trip = ownTrip(db, args.trip).id;
    const person = receiver(db, args.person, "person").id;
    const [row] = db.where(tripShares, { trip, person, ended: false });
    if (row) db.update(tripShares, row.id, { role: args.role });
    else db.insert(tripShares, { trip, person, role: args.role, ended: false });
    return { ...personView(db, person), role: args.role };
  },
});

const unshare = defineApi({
  summary: "End a contact's view of the plan of an own trip.",
  params: z.strictObject({ trip, person: handle("who sees it") }),
  returns: shareItem,
  example: (db) => {
    const row = db.all(tripShares).find((other) => !other.ended && isOwnId(db, other.trip));
    return { trip: row?.trip ?? 1, person: row ? handleOf(db, row.person) : "amara.o" };
  },
  handler: ({ db }, args) => {
    const trip = ownTrip(db, args.trip).id;
    const person = personBy(db, args.person, "person");
    const [row] = db.where(tripShares, { trip, person: person.id, ended: false });
    if (!row) throw new ApiError(404, `person: "${person.handle}" does not see trip ${trip}`);
    db.update(tripShares, row.id, { ended: true });
    return { ...personView(db, person.id), role: row.role };
  },
});

export const tripApis = {
  trips: list,
  searchTrips: search,
  trip: show,
  planTrip: plan,
  renameTrip: rename,
  moveTrip: move,
  cancelTrip: cancel,
  reopenTrip: reopen,
  companions: listCompanions,
  addCompanion,
  removeCompanion,
  sharedWith,
  shareTrip: share,
  unshareTrip: unshare,
};
