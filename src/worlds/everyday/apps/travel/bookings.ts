/** Bookings: journeys and rooms, who travels on them, and how they are changed or given up. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  notPast,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  query,
  receiver,
  rowBy,
} from "../shared.ts";
import { people } from "../tables.ts";
import {
  aboard,
  dayPlus,
  fareOn,
  moveCredit,
  mustRun,
  openBooking,
  passBy,
  placesLeft,
  reduced,
  refundOf,
  runsOn,
  serviceBy,
} from "./rules.ts";
import {
  BOOKING_KINDS,
  type Booking,
  bookings,
  hotels,
  MEANS,
  passes,
  services,
  travellers,
  trips,
} from "./tables.ts";
import { hotelBy } from "./timetable.ts";
import { exampleId, ownTrip } from "./trip-rules.ts";

/** A room takes so many. */
const ROOM_FOR = 3;

const status = z.enum(["booked", "cancelled"]);

export const bookingItem = z.strictObject({
  what: z.string(),
  id: z.int(),
  kind: z.enum(BOOKING_KINDS),
  city: z.string(),
  day: z.string(),
  price: z.number(),
  status,
  trip: z.int().nullable(),
  travellers: z.int(),
});

/** `T 204 Oslo to Bergen`, or the hotel's name. */
export function titleOf(db: Reader, row: Booking): string {
  const service = row.service === null ? undefined : db.get(services, row.service);
  if (service) return `${service.number} ${service.from} to ${service.to}`;
  return row.hotel === null ? "removed" : (db.get(hotels, row.hotel)?.name ?? "removed");
}

/** Where the journey ends, or the hotel is. */
export function cityOf(db: Reader, row: Booking): string {
  const service = row.service === null ? undefined : db.get(services, row.service);
  if (service) return service.to;
  return row.hotel === null ? "" : (db.get(hotels, row.hotel)?.city ?? "");
}

export const bookingView = (db: Reader) => (row: Booking) => ({
  what: titleOf(db, row),
  id: row.id,
  kind: row.kind,
  city: cityOf(db, row),
  day: row.day,
  price: dollars(row.cents),
  status: row.status,
  trip: row.trip,
  travellers: aboard(db, row.id).length,
});

const byDay = (rows: readonly Booking[]) =>
  rows.toSorted((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? -1 : 1));

const id = idOf("booking");

const list = defineApi({
  summary: "List bookings by day.",
  params: z.strictObject({
    trip: idOf("trip").optional(),
    kind: z.enum(BOOKING_KINDS).optional().describe("only of this kind"),
    status: status.optional().describe("only in this state"),
    with: handle("only with this traveller").optional(),
    from: day("only on this day or later").optional(),
    until: day("only on this day or earlier").optional(),
    ...paging,
  }),
  returns: pageOf(bookingItem),
  example: () => ({ status: "booked" as const, from: "2026-03-12" }),
  handler: ({ db }, { trip, kind, status, from, until, ...args }) => {
    const person = personId(db, args.with, "with");
    const rows = db
      .where(bookings, given({ trip, kind, status }))
      .filter(
        (row) =>
          (from === undefined || row.day >= from) &&
          (until === undefined || row.day <= until) &&
          (person === undefined || aboard(db, row.id).some((t) => t.person === person)),
      );
    return paged(byDay(rows), args, bookingView(db));
  },
});

const search = defineApi({
  summary: "Search bookings by number, places or hotel, by day.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(bookingItem),
  example: () => ({ query: "hotel" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.all(bookings).filter((row) => contains(titleOf(db, row), query));
    return paged(byDay(rows), page, bookingView(db));
  },
});

const travellerItem = z.strictObject({
  name: z.string(),
  handle: z.string().nullable(),
  seat: z.string().nullable(),
});

const detail = bookingItem.extend({
  departs: z.string().nullable(),
  arrives: z.string().nullable(),
  nights: z.int(),
  rooms: z.int(),
  pass: z.string().nullable(),
  paid: z.enum(MEANS),
  refund: z.number(),
  people: z.array(travellerItem),
});

function detailOf({ db, owner }: CallContext, row: Booking): z.output<typeof detail> {
  const service = row.service === null ? undefined : db.get(services, row.service);
  return {
    ...bookingView(db)(row),
    departs: service?.departs ?? null,
    arrives: service?.arrives ?? null,
    nights: row.nights,
    rooms: row.rooms,
    pass: row.pass === null ? null : (db.get(passes, row.pass)?.name ?? null),
    paid: row.paid,
    refund: dollars(row.refund),
    people: aboard(db, row.id).map(({ person, seat }) => ({
      name: person === null ? owner.name : (db.get(people, person)?.name ?? "removed"),
      handle: person === null ? null : handleOf(db, person),
      seat,
    })),
  };
}

const show = defineApi({
  summary: "Show a booking with its times, travellers and seats.",
  params: z.strictObject({ id }),
  returns: detail,
  example: (db) => ({ id: exampleId(db, bookings) }),
  handler: (context, { id }) => detailOf(context, rowBy(context.db, bookings, id, "booking")),
});

// --- to book ---

const common = {
  with: z.array(handle("a traveller")).max(7).default([]).describe("handles of who comes along"),
  trip: idOf("own trip that it is part of").optional(),
  pay: z.enum(MEANS).default("card").describe("from the credit, or by card"),
};

type Draft = Omit<Booking, "id" | "status" | "refund" | "trip">;

/** Writes the booking and its travellers, and takes the price. */
function write(
  context: CallContext,
  draft: Draft,
  args: { readonly with: readonly string[]; readonly trip?: number | undefined },
): Booking {
  const { db } = context;
  const trip = args.trip === undefined ? null : ownTrip(db, args.trip).id;
  const row = db.insert(bookings, { ...draft, trip, status: "booked", refund: 0 });
  const companions = new Set(args.with.map((came) => receiver(db, came, "with").id));
  for (const person of [null, ...companions]) {
    db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
  }
  if (draft.paid === "credit") moveCredit(context, -draft.cents, row.id);
  return row;
}

const bookJourney = defineApi({
  summary: "Book a service for the owner and others on a day.",
  params: z.strictObject({
    service: idOf("service"),
    day: day("the day of travel"),
    ...common,
    pass: idOf("pass that reduces the owner's fare").optional(),
  }),
  returns: bookingItem,
  example: (db) => {
    const daily = db.all(services).find((row) => row.weekdays.length === 7);
    return { service: daily?.id ?? 1, day: "2026-03-24" };
  },
  handler: (context, args) => {
    const { db, now } = context;
    const service = serviceBy(db, args.service);
    notPast(args.day, now, "day");
    mustRun(service, args.day);
    const size = 1 + new Set(args.with).size;
    const left = placesLeft(db, service, args.day);
    if (left < size) {
      throw new ApiError(409, `with: expected at most ${left} travellers, ${size} want to go`);
    }
    const pass = args.pass === undefined ? undefined : passBy(db, args.pass, service, args.day);
    const fare = fareOn(service, args.day);
    const cents = reduced(fare, pass) + fare * (size - 1);
    const { id, kind } = service;
    const which = { kind, service: id, hotel: null, day: args.day, nights: 0, rooms: 0 };
    const draft = { ...which, pass: pass?.id ?? null, paid: args.pay, cents };
    return bookingView(db)(write(context, draft, args));
  },
});

/** Rooms of a hotel that the owner's other bookings leave free on every night. */
function roomsLeft(db: Reader, hotel: number, from: string, nights: number): number {
  const until = dayPlus(from, nights);
  const overlaps = db
    .where(bookings, { hotel, status: "booked" })
    .filter((row) => row.day < until && from < dayPlus(row.day, row.nights));
  return hotelBy(db, hotel).rooms - overlaps.reduce((sum, row) => sum + row.rooms, 0);
}

const bookHotel = defineApi({
  summary: "Book rooms of a hotel; at most three people share one.",
  params: z.strictObject({
    hotel: idOf("hotel"),
    day: day("the first night"),
    nights: z.int().min(1).max(21).describe("how many nights"),
    rooms: z.int().min(1).max(6).default(1).describe("how many rooms"),
    ...common,
  }),
  returns: bookingItem,
  example: (db) => ({ hotel: exampleId(db, hotels), day: "2026-05-11", nights: 2 }),
  handler: (context, args) => {
    const { db, now } = context;
    const hotel = hotelBy(db, args.hotel);
    const { day, nights, rooms } = args;
    notPast(day, now, "day");
    const left = roomsLeft(db, hotel.id, day, nights);
    if (left < rooms) throw new ApiError(409, `rooms: expected at most ${left}, got ${rooms}`);
    const size = 1 + new Set(args.with).size;
    if (size > ROOM_FOR * rooms) {
      throw new ApiError(422, `rooms: expected enough for ${size} people, ${rooms} hold too few`);
    }
    const which = { kind: "hotel" as const, service: null, hotel: hotel.id, day, nights, rooms };
    const draft = { ...which, pass: null, paid: args.pay, cents: hotel.cents * nights * rooms };
    return bookingView(db)(write(context, draft, args));
  },
});

// --- to change ---

/** Open in the start state, for examples. */
export const openNow = (row: Booking) => row.status === "booked" && row.day > "2026-03-14";
const openId = (db: Reader, fits: (row: Booking) => boolean = () => true) =>
  exampleId(db, bookings, (row) => openNow(row) && fits(row));

const refund = defineApi({
  summary: "Show what would come back as credit if a booking were cancelled now.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ refund: z.number(), price: z.number() }),
  example: (db) => ({ id: openId(db) }),
  handler: (context, { id }) => {
    const row = openBooking(context, id);
    const back = refundOf(context.db, row, row.cents, dayOf(context.now));
    return { refund: dollars(back), price: dollars(row.cents) };
  },
});

const cancel = defineApi({
  summary:
    "Cancel a booking. Journeys: all comes back as credit 7 days before, half 2 days before. Hotels: as they say.",
  params: z.strictObject({ id }),
  returns: bookingItem,
  example: (db) => ({ id: openId(db) }),
  handler: (context, { id }) => {
    const { db, now } = context;
    const row = openBooking(context, id);
    const back = refundOf(db, row, row.cents, dayOf(now));
    moveCredit(context, back, id);
    return bookingView(db)(
      db.update(bookings, id, { status: "cancelled", refund: row.refund + back }),
    );
  },
});

const move = defineApi({
  summary: "Move a journey to another day; a dearer fare is paid, a cheaper one is not refunded.",
  params: z.strictObject({ id, day: day("the new day") }),
  returns: bookingItem,
  example: (db) => {
    const row = db.all(bookings).find((other) => openNow(other) && other.service !== null);
    const service = row?.service ? db.get(services, row.service) : undefined;
    const days = Array.from({ length: 14 }, (_, i) => dayPlus("2026-05-01", i));
    const day = days.find((other) => service && runsOn(service, other)) ?? "2026-05-01";
    return { id: row?.id ?? 1, day };
  },
  handler: (context, args) => {
    const { db, now } = context;
    const row = journey(context, args.id);
    const service = serviceBy(db, row.service ?? 0);
    notPast(args.day, now, "day");
    mustRun(service, args.day);
    if (args.day === row.day) throw new ApiError(409, `day: ${args.id} is on ${row.day} already`);
    const crowd = aboard(db, row.id);
    const left = placesLeft(db, service, args.day);
    if (left < crowd.length) throw new ApiError(409, `day: only ${left} places on ${args.day}`);
    const more = (fareOn(service, args.day) - fareOn(service, row.day)) * crowd.length;
    if (row.paid === "credit") moveCredit(context, -Math.max(0, more), row.id);
    for (const { id, seat } of crowd) if (seat !== null) db.update(travellers, id, { seat: null });
    const cents = row.cents + Math.max(0, more);
    return bookingView(db)(db.update(bookings, row.id, { day: args.day, cents }));
  },
});

/** An open booking of a service. */
export function journey(context: CallContext, id: number): Booking {
  const row = openBooking(context, id);
  if (row.service !== null) return row;
  throw new ApiError(422, `id: expected a train, flight or bus, ${id} is a hotel`);
}

const addTraveller = defineApi({
  summary: "Take a contact along on a booking; on a journey another fare is paid.",
  params: z.strictObject({ id, person: handle("who comes along") }),
  returns: bookingItem,
  example: (db) => {
    const booking = openId(db);
    const there = new Set(aboard(db, booking).map(({ person }) => person));
    const other = db.all(people).find((row) => !row.blocked && !there.has(row.id));
    return { id: booking, person: other?.handle ?? "amara.o" };
  },
  handler: (context, { id, ...args }) => {
    const { db } = context;
    const row = openBooking(context, id);
    const person = receiver(db, args.person, "person");
    const crowd = aboard(db, id);
    if (crowd.some((other) => other.person === person.id)) {
      throw new ApiError(409, `person: "${person.handle}" travels on booking ${id} already`);
    }
    const fare = row.service === null ? 0 : oneMore(db, row);
    if (row.hotel !== null && crowd.length >= ROOM_FOR * row.rooms) {
      throw new ApiError(409, `person: ${row.rooms} rooms hold no more than ${crowd.length}`);
    }
    if (row.paid === "credit") moveCredit(context, -fare, id);
    db.insert(travellers, { booking: id, person: person.id, seat: null, dropped: false });
    return bookingView(db)(db.update(bookings, id, { cents: row.cents + fare }));
  },
});

/** The fare of another traveller; a 409 when the service is full. */
function oneMore(db: Reader, row: Booking): number {
  const service = serviceBy(db, row.service ?? 0);
  if (placesLeft(db, service, row.day) > 0) return fareOn(service, row.day);
  throw new ApiError(409, `person: ${service.number} is full on ${row.day}`);
}

const dropTraveller = defineApi({
  summary: "Take a contact off a booking; on a journey their fare comes back by the usual rule.",
  params: z.strictObject({ id, person: handle("who does not come along") }),
  returns: bookingItem,
  example: (db) => {
    const open = new Set(
      db
        .all(bookings)
        .filter(openNow)
        .map((row) => row.id),
    );
    const row = db
      .all(travellers)
      .find((other) => other.person !== null && !other.dropped && open.has(other.booking));
    return { id: row?.booking ?? 1, person: row?.person ? handleOf(db, row.person) : "amara.o" };
  },
  handler: (context, { id, ...args }) => {
    const { db, now } = context;
    const row = openBooking(context, id);
    const person = personBy(db, args.person, "person");
    const found = aboard(db, id).find((other) => other.person === person.id);
    if (!found) throw new ApiError(404, `person: "${person.handle}" is not on booking ${id}`);
    db.update(travellers, found.id, { dropped: true });
    const fare = row.service === null ? 0 : fareOn(serviceBy(db, row.service), row.day);
    const back = refundOf(db, row, fare, dayOf(now));
    if (row.service === null) return bookingView(db)(row);
    moveCredit(context, back, id);
    const money = { cents: row.cents - fare, refund: row.refund + back };
    return bookingView(db)(db.update(bookings, id, money));
  },
});

const assign = defineApi({
  summary: "Make a booking part of an own trip.",
  params: z.strictObject({ id, trip: idOf("own trip") }),
  returns: bookingItem,
  example: (db) => ({
    id: exampleId(db, bookings),
    trip: exampleId(db, trips, (row) => row.person === null && !row.cancelled),
  }),
  handler: ({ db }, args) => {
    rowBy(db, bookings, args.id, "booking");
    const trip = ownTrip(db, args.trip).id;
    return bookingView(db)(db.update(bookings, args.id, { trip }));
  },
});

export const bookingApis = {
  bookings: list,
  searchBookings: search,
  booking: show,
  bookJourney,
  bookHotel,
  refund,
  cancelBooking: cancel,
  moveBooking: move,
  addTraveller,
  dropTraveller,
  assignBooking: assign,
};
