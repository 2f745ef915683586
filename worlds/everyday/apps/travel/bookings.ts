/** Defines the APIs that show and make bookings of journeys and rooms. */

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
import { requireOwnTrip } from "./trips.ts";

/** The most people who can share a room. */
export const PEOPLE_PER_ROOM = 3;

const status = z.enum(["booked", "cancelled"]);

const findService = (db: Reader, { service }: tables.Booking) =>
  service === null ? undefined : db.get(tables.services, service);
const findHotel = (db: Reader, { hotel }: tables.Booking) =>
  hotel === null ? undefined : db.get(tables.hotels, hotel);

/** Returns the title of a booking: `T 204 Oslo to Bergen` for a journey, or the name of the hotel. */
function bookingTitle(db: Reader, row: tables.Booking): string {
  const service = findService(db, row);
  if (service) return `${service.number} ${service.from} to ${service.to}`;
  return findHotel(db, row)?.name ?? "removed";
}

export const bookingItem = tables.bookings.item({
  what: [z.string(), (row, { db }) => bookingTitle(db, row)],
  ...tables.bookings.fields("id", "kind"),
  /** The city where the journey ends or the hotel is. */
  city: [z.string(), (row, { db }) => findService(db, row)?.to ?? findHotel(db, row)?.city ?? ""],
  day: z.string(),
  price: dollarsField,
  ...tables.bookings.fields("status", "trip"),
  travellers: [z.int(), ({ id }, { db }) => rules.presentTravellers(db, id).length],
});

export const anyBooking = resource({ table: tables.bookings, noun: "booking", item: bookingItem });

const bookingDetailsItem = bookingItem.with({
  departs: [z.string().nullable(), (row, { db }) => findService(db, row)?.departs ?? null],
  arrives: [z.string().nullable(), (row, { db }) => findService(db, row)?.arrives ?? null],
  nights: z.int(),
  rooms: z.int(),
  pass: [
    z.string().nullable(),
    ({ pass }, { db }) => db.get(tables.passes, pass ?? 0)?.name ?? null,
  ],
  paid: z.enum(tables.MEANS),
  refund: [z.number(), (row) => toDollars(row.refund)],
});

const travellerSchema = z.strictObject({
  name: z.string(),
  handle: z.string().nullable(),
  seat: z.string().nullable(),
});

/** Returns the travellers of a booking. The owner's handle is null. */
const listTravellers = ({ db, owner }: CallContext, booking: number) =>
  rules.presentTravellers(db, booking).map(({ person, seat }) => ({
    name: person === null ? owner.name : (db.get(people, person)?.name ?? "removed"),
    handle: person === null ? null : handleOf(db, person),
    seat,
  }));

const bookingParams = {
  people: z
    .array(handleParam("a traveller"))
    .max(7)
    .default([])
    .describe("handles of who comes along"),
  trip: idParam("own trip that it is part of").optional(),
  pay: z.enum(tables.MEANS).default("card").describe("from the credit, or by card"),
};

type NewBooking = Omit<tables.Booking, "id" | "status" | "refund" | "trip">;

/**
 * Inserts the booking and its travellers, and takes the price from the credit when the booking is paid with the credit.
 */
function insertBooking(
  context: CallContext,
  booking: NewBooking,
  args: { readonly people: readonly string[]; readonly trip?: number | undefined },
): tables.Booking {
  const { db } = context;
  const trip = args.trip === undefined ? null : requireOwnTrip(db, args.trip).id;
  const row = db.insert(tables.bookings, { ...booking, trip, status: "booked", refund: 0 });
  const companions = new Set(args.people.map((handle) => requireReceiver(db, handle, "people").id));
  for (const person of [null, ...companions]) {
    db.insert(tables.travellers, { booking: row.id, person, seat: null, dropped: false });
  }
  if (booking.paid === "credit") rules.bookCredit(context, -booking.cents, row.id);
  return row;
}

/** Returns how many rooms of a hotel are not taken by the owner's other bookings on any of the nights. */
function countFreeRooms(db: Reader, hotel: number, from: string, nights: number): number {
  const until = addDays(from, nights);
  const overlaps = db
    .where(tables.bookings, { hotel, status: "booked" })
    .filter((row) => row.day < until && from < addDays(row.day, row.nights));
  return rules.requireHotel(db, hotel).rooms - overlaps.reduce((sum, row) => sum + row.rooms, 0);
}

export const bookingApis = {
  bookings: anyBooking.list("List bookings, cancelled ones too, by day.", {
    filters: {
      trip: idParam("trip"),
      kind: z.enum(tables.BOOKING_KINDS).describe("only of this kind"),
      status: status.describe("only in this state"),
      person: personFilter<tables.Booking>(
        "only with this traveller",
        "person",
        (row, person, db) =>
          rules.presentTravellers(db, row.id).some((other) => other.person === person),
      ),
      since: [dayParam("only on this day or later"), atLeast("day")],
      until: [dayParam("only on this day or earlier"), atMost("day")],
    },
    order: "day",
    example: { status: "booked", since: "2026-03-12" },
  }),
  searchBookings: anyBooking.list("Search bookings by number, places or hotel, by day.", {
    searchIn: (row, db) => [bookingTitle(db, row)],
    order: "day",
    example: { query: "hotel" },
  }),
  booking: defineApi({
    summary: "Show a booking with its times, travellers and seats.",
    params: z.strictObject(anyBooking.keys),
    returns: bookingDetailsItem.schema.extend({ people: z.array(travellerSchema) }),
    example: (db) => ({ id: firstRowId(db, tables.bookings) }),
    handler: (context, { id }) => {
      const row = requireRow(context.db, tables.bookings, id, "booking");
      return { ...bookingDetailsItem.view(row, context), people: listTravellers(context, id) };
    },
  }),
  bookJourney: anyBooking.add("Book a service for the owner and others on a day.", {
    params: {
      service: idParam("service"),
      day: dayParam("the day of travel"),
      ...bookingParams,
      pass: idParam("pass that reduces the owner's fare").optional(),
    },
    row: (args, context) => {
      const { db, now } = context;
      const service = rules.requireService(db, args.service);
      requireTodayOrLater(args.day, now, "day");
      rules.requireRunsOn(service, args.day);
      const size = 1 + new Set(args.people).size;
      const placesLeft = rules.placesLeft(db, service, args.day);
      refuseUnless(
        placesLeft >= size,
        409,
        `people: expected at most ${placesLeft} travellers, ${size} want to go`,
      );
      const pass =
        args.pass === undefined
          ? undefined
          : rules.requireUsablePass(db, args.pass, service, args.day);
      const fare = rules.fareOn(service, args.day);
      const cents = rules.fareWithPass(fare, pass) + fare * (size - 1);
      const { id, kind } = service;
      const columns = { kind, service: id, hotel: null, day: args.day, nights: 0, rooms: 0 };
      return insertBooking(
        context,
        { ...columns, pass: pass?.id ?? null, paid: args.pay, cents },
        args,
      );
    },
    example: (db) => {
      const daily = db.all(tables.services).find((row) => row.weekdays.length === 7);
      return { service: daily?.id ?? 1, day: "2026-03-24" };
    },
  }),
  bookHotel: anyBooking.add("Book rooms of a hotel; at most three people share one.", {
    params: {
      hotel: idParam("hotel"),
      day: dayParam("the first night"),
      nights: z.int().min(1).max(21).describe("how many nights"),
      rooms: z.int().min(1).max(6).default(1).describe("how many rooms"),
      ...bookingParams,
    },
    row: (args, context) => {
      const { db, now } = context;
      const { id, cents } = rules.requireHotel(db, args.hotel);
      const { day, nights, rooms } = args;
      requireTodayOrLater(day, now, "day");
      const freeRooms = countFreeRooms(db, id, day, nights);
      refuseUnless(freeRooms >= rooms, 409, `rooms: expected at most ${freeRooms}, got ${rooms}`);
      const size = 1 + new Set(args.people).size;
      const fits = size <= PEOPLE_PER_ROOM * rooms;
      refuseUnless(fits, 422, `rooms: expected enough for ${size} people, ${rooms} hold too few`);
      const columns = { kind: "hotel" as const, service: null, hotel: id, day, nights, rooms };
      const payment = { pass: null, paid: args.pay, cents: cents * nights * rooms };
      return insertBooking(context, { ...columns, ...payment }, args);
    },
    example: (db) => ({ hotel: firstRowId(db, tables.hotels), day: "2026-05-11", nights: 2 }),
  }),
};
