/** What hangs on a trip: its itinerary, packing list and costs. Editors of a contact's trip may change them too. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  day,
  dollars,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
  same,
} from "../shared.ts";
import {
  type PackingItem,
  packing,
  type Stop,
  stops,
  type TripCost,
  tripCosts,
  trips,
} from "./tables.ts";
import { editableTrip, exampleId, isOwn, ownTripId, tripBy } from "./trip-rules.ts";

const trip = idOf("trip");

/** The first row that hangs on an own trip. */
function ofOwn<R extends { readonly trip: number }>(db: Reader) {
  return (row: R) => {
    const found = db.get(trips, row.trip);
    return found !== undefined && isOwn(found);
  };
}

/** The trip's city and first day, for examples. */
const firstDay = (db: Reader) => db.get(trips, ownTripId(db))?.from ?? "2026-03-20";

// --- itinerary ---

const stopItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  day: z.string(),
  time: z.string(),
});
const stopView = ({ title, id, day, time }: Stop) => ({ title, id, day, time });

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('the time, such as "18:30"');
const stopId = idOf("stop");

const listStops = defineApi({
  summary: "List the stops of a trip's itinerary by day and time.",
  params: z.strictObject({ trip, day: day("only on this day").optional(), ...paging }),
  returns: pageOf(stopItem),
  example: (db) => ({ trip: ownTripId(db) }),
  handler: ({ db }, { trip, day, ...page }) => {
    const rows = db.where(stops, { trip: tripBy(db, trip).id });
    const when = (row: Stop) => `${row.day} ${row.time} ${String(row.id).padStart(6, "0")}`;
    const kept = rows.filter((row) => day === undefined || row.day === day);
    return paged(
      kept.toSorted((a, b) => (when(a) < when(b) ? -1 : 1)),
      page,
      stopView,
    );
  },
});

/** A 422 unless the day lies within the trip. */
function within(db: Reader, trip: number, day: string): void {
  const { from, until } = tripBy(db, trip);
  if (day >= from && day <= until) return;
  throw new ApiError(422, `day: expected a day of the trip (${from} to ${until}), got ${day}`);
}

const addStop = defineApi({
  summary: "Add a stop to a trip's itinerary.",
  params: z.strictObject({
    trip,
    title: line("what is there"),
    day: day("a day of the trip"),
    time,
  }),
  returns: stopItem,
  example: (db) => ({ trip: ownTripId(db), title: "old town", day: firstDay(db), time: "11:00" }),
  handler: ({ db }, args) => {
    const trip = editableTrip(db, args.trip).id;
    within(db, trip, args.day);
    return stopView(db.insert(stops, { ...args, trip }));
  },
});

const moveStop = defineApi({
  summary: "Move a stop to another day or time of its trip.",
  params: z.strictObject({ id: stopId, day: day("a day of the trip"), time: time.optional() }),
  returns: stopItem,
  example: (db) => {
    const row = db.all(stops).find(ofOwn(db));
    return { id: row?.id ?? 1, day: row?.day ?? "2026-03-20", time: "12:15" };
  },
  handler: ({ db }, { id, day, time }) => {
    const row = rowBy(db, stops, id, "stop");
    editableTrip(db, row.trip, "id");
    within(db, row.trip, day);
    return stopView(db.update(stops, id, { day, time: time ?? row.time }));
  },
});

const removeStop = defineApi({
  summary: "Remove a stop from an itinerary.",
  params: z.strictObject({ id: stopId }),
  returns: stopItem,
  example: (db) => ({ id: exampleId(db, stops, ofOwn(db)) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, stops, id, "stop");
    editableTrip(db, row.trip, "id");
    db.remove(stops, id);
    return stopView(row);
  },
});

// --- packing ---

const packingItem = z.strictObject({
  item: z.string(),
  id: z.int(),
  trip: z.int(),
  packed: z.boolean(),
});
const packingView = ({ item, id, trip, packed }: PackingItem) => ({ item, id, trip, packed });
const packingId = idOf("thing to pack");

const listPacking = defineApi({
  summary: "List what is to be packed for a trip.",
  params: z.strictObject({
    trip,
    packed: z.boolean().optional().describe("only what is packed, or only what is not"),
    ...paging,
  }),
  returns: pageOf(packingItem),
  example: (db) => ({ trip: ownTripId(db), packed: false }),
  handler: ({ db }, { trip, packed, ...page }) => {
    const rows = db.where(packing, { trip: tripBy(db, trip).id });
    return paged(
      rows.filter((row) => packed === undefined || row.packed === packed),
      page,
      packingView,
    );
  },
});

const addPacking = defineApi({
  summary: "Add something to a trip's packing list.",
  params: z.strictObject({ trip, item: line("what to pack") }),
  returns: packingItem,
  example: (db) => ({ trip: ownTripId(db), item: "snow goggles" }),
  handler: ({ db }, args) => {
    const trip = editableTrip(db, args.trip).id;
    if (db.where(packing, { trip }).some((row) => same(row.item, args.item))) {
      throw new ApiError(409, `item: "${args.item}" is on the list of trip ${trip} already`);
    }
    return packingView(db.insert(packing, { trip, item: args.item, packed: false }));
  },
});

/** A thing of an editable trip that is packed or not, as expected. */
function packable(db: Reader, id: number, packed: boolean): PackingItem {
  const row = rowBy(db, packing, id, "thing to pack");
  editableTrip(db, row.trip, "id");
  if (row.packed === packed) return row;
  throw new ApiError(409, `id: "${row.item}" is ${row.packed ? "packed already" : "not packed"}`);
}

const setPacked = (packed: boolean, summary: string) =>
  defineApi({
    summary,
    params: z.strictObject({ id: packingId }),
    returns: packingItem,
    example: (db) => ({
      id: exampleId(db, packing, (row) => row.packed !== packed && ofOwn(db)(row)),
    }),
    handler: ({ db }, { id }) => {
      packable(db, id, !packed);
      return packingView(db.update(packing, id, { packed }));
    },
  });

const removePacking = defineApi({
  summary: "Take something off a packing list.",
  params: z.strictObject({ id: packingId }),
  returns: packingItem,
  example: (db) => ({ id: exampleId(db, packing, ofOwn(db)) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, packing, id, "thing to pack");
    editableTrip(db, row.trip, "id");
    db.remove(packing, id);
    return packingView(row);
  },
});

// --- costs ---

const costItem = z.strictObject({
  what: z.string(),
  id: z.int(),
  amount: z.number(),
  by: z.string().nullable(),
  day: z.string(),
  struck: z.boolean(),
});
const costView = (db: Reader) => (row: TripCost) => ({
  what: row.what,
  id: row.id,
  amount: dollars(row.cents),
  by: row.person === null ? null : handleOf(db, row.person),
  day: row.day,
  struck: row.struck,
});

const listCosts = defineApi({
  summary: "List the costs of a trip in the order of entry; `by` is null for the owner.",
  params: z.strictObject({
    trip,
    by: handle("only paid by this contact").optional(),
    struck: z.boolean().default(false).describe("struck ones instead"),
    ...paging,
  }),
  returns: pageOf(costItem),
  example: (db) => ({ trip: exampleId(db, trips) }),
  handler: ({ db }, { trip, by, struck, ...page }) => {
    const person = personId(db, by, "by");
    const rows = db
      .where(tripCosts, { trip: tripBy(db, trip).id, struck })
      .filter((row) => person === undefined || row.person === person);
    return paged(rows, page, costView(db));
  },
});

const addCost = defineApi({
  summary: "Note a cost of a trip.",
  params: z.strictObject({
    trip,
    what: line("what was paid"),
    amount,
    day: day("when it was paid"),
    by: handle("who paid; the owner when left out").optional(),
  }),
  returns: costItem,
  example: (db) => ({ trip: ownTripId(db), what: "ferry", amount: 18.4, day: firstDay(db) }),
  handler: ({ db }, { amount, by, ...args }) => {
    const trip = editableTrip(db, args.trip).id;
    const person = personId(db, by, "by") ?? null;
    const row = { ...args, trip, person, cents: centsOf(amount), struck: false };
    return costView(db)(db.insert(tripCosts, row));
  },
});

const strikeCost = defineApi({
  summary: "Strike a cost of a trip; it does not count any more.",
  params: z.strictObject({ id: idOf("cost") }),
  returns: costItem,
  example: (db) => ({ id: exampleId(db, tripCosts, (row) => !row.struck && ofOwn(db)(row)) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, tripCosts, id, "cost");
    editableTrip(db, row.trip, "id");
    if (row.struck) throw new ApiError(409, `id: cost ${id} is struck already`);
    return costView(db)(db.update(tripCosts, id, { struck: true }));
  },
});

export const planApis = {
  stops: listStops,
  addStop,
  moveStop,
  removeStop,
  packing: listPacking,
  addPacking,
  pack: setPacked(true, "Mark something as packed."),
  unpack: setPacked(false, "Mark something as not packed."),
  removePacking,
  costs: listCosts,
  addCost,
  strikeCost,
};
