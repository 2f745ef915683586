/** Bookings of journeys and rooms: looked at, and made. */

import {
  atLeast,
  atMost,
  dayParam,
  firstRowId,
  idParam,
  refuseUnless,
  resource,
} from "bowline/resources";
import { type CallContext, defineApi, type Reader, z } from "bowline/world";
import {
  addDays,
  dollarsField,
  handleOf,
  handleParam,
  personFilter,
  requireReceiver,
  requireRow,
  requireTodayOrLater,
  toDollars,
} from "../shared.ts";
import { people } from "../tables.ts";
import * as rules from "./rules.ts";
import * as tables from "./tables.ts";
import { ownTrip } from "./trips.ts";

/** A room takes so many. */
export const ROOM_FOR = 3;

const status = z.enum(["booked", "cancelled"]);

const serviceOf = (db: Reader, { service }: tables.Booking) =>
  service === null ? undefined : db.get(tables.services, service);
const hotelOf = (db: Reader, { hotel }: tables.Booking) =>
  hotel === null ? undefined : db.get(tables.hotels, hotel);

/** `T 204 Oslo to Bergen`, or the hotel's name. */
function titleOf(db: Reader, row: tables.Booking): string {
  const service = serviceOf(db, row);
  if (service) return `${service.number} ${service.from} to ${service.to}`;
  return hotelOf(db, row)?.name ?? "removed";
}

export const bookingItem = tables.bookings.item({
  what: [z.string(), (row, { db }) => titleOf(db, row)],
  ...tables.bookings.fields("id", "kind"),
  /** Where the journey ends,
or the hotel is. */
  city: [z.string(), (row, { db }) => serviceOf(db, row)?.to ?? hotelOf(db, row)?.city ?? ""],
  day: z.string(),
  price: dollarsField,
  ...tables.bookings.fields("status", "trip"),
  travellers: [z.int(), ({ id }, { db }) => rules.aboard(db, id).length],
});

export const allBookings = resource({ table: tables.bookings, noun: "booking", item: bookingItem });

const detail = bookingItem.with({
  departs: [z.string().nullable(), (row, { db }) => serviceOf(db, row)?.departs ?? null],
  arrives: [z.string().nullable(), (row, { db }) => serviceOf(db, row)?.arrives ?? null],
  nights: z.int(),
  rooms: z.int(),
  pass: [
    z.string().nullable(),
    ({ pass }, { db }) => db.get(tables.passes, pass ?? 0)?.name ?? null,
  ],
  paid: z.enum(tables.MEANS),
  refund: [z.number(), (row) => toDollars(row.refund)],
});

const traveller = z.strictObject({
  name: z.string(),
  handle: z.string().nullable(),
  seat: z.string().nullable(),
});

/** The owner is the one without a person. */
const peopleOn = ({ db, owner }: CallContext, booking: number) =>
  rules.aboard(db, booking).map(({ person, seat }) => ({
    name: person === null ? owner.name : (db.get(people, person)?.name ?? "removed"),
    handle: person === null ? null : handleOf(db, person),
    seat,
  }));

// --- to book ---

const common = {
  with: z
    .array(handleParam("a traveller"))
    .max(7)
    .default([])
    .describe("handles of who comes along"),
  trip: idParam("own trip that it is part of").optional(),
  pay: z.enum(tables.MEANS).default("card").describe("from the credit, or by card"),
};

type Draft = Omit<tables.Booking, "id" | "status" | "refund" | "trip">;

/** Writes the booking and its travellers, and takes the price. */
function write(
  context: CallContext,
  draft: Draft,
  args: { readonly with: readonly string[]; readonly trip?: number | undefined },
): tables.Booking {
  const { db } = context;
  const trip = args.trip === undefined ? null : ownTrip(db, args.trip).id;
  const row = db.insert(tables.bookings, { ...draft, trip, status: "booked", refund: 0 });
  const companions = new Set(args.with.map((came) => requireReceiver(db, came, "with").id));
  for (const person of [null, ...companions]) {
    db.insert(tables.travellers, { booking: row.id, person, seat: null, dropped: false });
  }
  if (draft.paid === "credit") rules.moveCredit(context, -draft.cents, row.id);
  return row;
}

/** Rooms of a hotel that the owner's other bookings leave free on every night. */
function roomsLeft(db: Reader, hotel: number, from: string, nights: number): number {
  const until = addDays(from, nights);
  const overlaps = db
    .where(tables.bookings, { hotel, status: "booked" })
    .filter((row) => row.day < until && from < addDays(row.day, row.nights));
  return rules.hotelBy(db, hotel).rooms - overlaps.reduce((sum, row) => sum + row.rooms, 0);
}

export const bookingApis = {
  bookings: allBookings.list("List bookings by day.", {
    filters: {
      trip: idParam("trip"),
      kind: z.enum(tables.BOOKING_KINDS).describe("only of this kind"),
      status: status.describe("only in this state"),
      with: personFilter<tables.Booking>("only with this traveller", "with", (row, person, db) =>
        rules.aboard(db, row.id).some((other) => other.person === person),
      ),
      from: [dayParam("only on this day or later"), atLeast("day")],
      until: [dayParam("only on this day or earlier"), atMost("day")],
    },
    order: "day",
    example: { status: "booked", from: "2026-03-12" },
  }),
  searchBookings: allBookings.list("Search bookings by number, places or hotel, by day.", {
    searchIn: (row, db) => [titleOf(db, row)],
    order: "day",
    example: { query: "hotel" },
  }),
  booking: defineApi({
    summary: "Show a booking with its times, travellers and seats.",
    params: z.strictObject(allBookings.keys),
    returns: detail.schema.extend({ people: z.array(traveller) }),
    example: (db) => ({ id: firstRowId(db, tables.bookings) }),
    handler: (context, { id }) => {
      const row = requireRow(context.db, tables.bookings, id, "booking");
      return { ...detail.view(row, context), people: peopleOn(context, id) };
    },
  }),
  bookJourney: allBookings.add("Book a service for the owner and others on a day.", {
    params: {
      service: idParam("service"),
      day: dayParam("the day of travel"),
      ...common,
      pass: idParam("pass that reduces the owner's fare").optional(),
    },
    row: (args, context) => {
      const { db, now } = context;
      const service = rules.serviceBy(db, args.service);
      requireTodayOrLater(args.day, now, "day");
      rules.mustRun(service, args.day);
      const size = 1 + new Set(args.with).size;
      const left = rules.placesLeft(db, service, args.day);
      refuseUnless(
        left >= size,
        409,
        `with: expected at most ${left} travellers, ${size} want to go`,
      );
      const pass =
        args.pass === undefined ? undefined : rules.passBy(db, args.pass, service, args.day);
      const fare = rules.fareOn(service, args.day);
      const cents = rules.reduced(fare, pass) + fare * (size - 1);
      const { id, kind } = service;
      const which = { kind, service: id, hotel: null, day: args.day, nights: 0, rooms: 0 };
      return write(context, { ...which, pass: pass?.id ?? null, paid: args.pay, cents }, args);
    },
    example: (db) => {
      const daily = db.all(tables.services).find((row) => row.weekdays.length === 7);
      return { service: daily?.id ?? 1, day: "2026-03-24" };
    },
  }),
  bookHotel: allBookings.add("Book rooms of a hotel; at most three people share one.", {
    params: {
      hotel: idParam("hotel"),
      day: dayParam("the first night"),
      nights: z.int().min(1).max(21).describe("how many nights"),
      rooms: z.int().min(1).max(6).default(1).describe("how many rooms"),
      ...common,
    },
    row: (args, context) => {
      const { db, now } = context;
      const { id, cents } = rules.hotelBy(db, args.hotel);
      const { day, nights, rooms } = args;
      requireTodayOrLater(day, now, "day");
      const left = roomsLeft(db, id, day, nights);
      refuseUnless(left >= rooms, 409, `rooms: expected at most ${left}, got ${rooms}`);
      const size = 1 + new Set(args.with).size;
      const fit = size <= ROOM_FOR * rooms;
      refuseUnless(fit, 422, `rooms: expected enough for ${size} people, ${rooms} hold too few`);
      const which = { kind: "hotel" as const, service: null, hotel: id, day, nights, rooms };
      const paid = { pass: null, paid: args.pay, cents: cents * nights * rooms };
      return write(context, { ...which, ...paid }, args);
    },
    example: (db) => ({ hotel: firstRowId(db, tables.hotels), day: "2026-05-11", nights: 2 }),
  }),
};
