/** Defines the APIs that change bookings: cancel or move them, add or drop travellers, choose seats. */

import { dayParam, firstRowId, idParam, refuseUnless, resource } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  addDays,
  dayOf,
  dollarsField,
  handleOf,
  handleParam,
  optionalPersonId,
  requirePerson,
  requireReceiver,
  requireTodayOrLater,
  toDollars,
} from "../shared.ts";
import { people } from "../tables.ts";
import { anyBooking, bookingItem, PEOPLE_PER_ROOM } from "./bookings.ts";
import * as rules from "./rules.ts";
import { type Booking, bookings, services, travellers } from "./tables.ts";
import { exampleOwnTripId, requireOwnTrip } from "./trips.ts";

/** Returns true when the booking is open in the start state and so can be an example. */
const isExampleBooking = (row: Booking) => row.status === "booked" && row.day > "2026-03-14";
const exampleBookingId = (db: Reader) => firstRowId(db, bookings, isExampleBooking);

const openBooking = resource({
  noun: "booking",
  item: bookingItem,
  guard: rules.requireOpenBooking,
  isExample: isExampleBooking,
});

/** Open bookings of a train, flight or bus. */
const openJourney = resource({
  table: bookings,
  noun: "booking",
  item: bookingItem,
  guard: (row, context) => {
    rules.requireOpenBooking(row, context);
    refuseUnless(
      row.service !== null,
      422,
      `id: expected a train, flight or bus, ${row.id} is a hotel`,
    );
  },
});

/** Returns an open journey and its service. Examples of API calls use them. */
function exampleJourney(db: Reader) {
  const row = db.all(bookings).find((other) => isExampleBooking(other) && other.service !== null);
  return { row, service: row?.service ? db.get(services, row.service) : undefined };
}

/** Returns the fare of one more traveller. Throws a 409 when the service is full. */
function fareForOneMore(db: Reader, row: Booking): number {
  const service = rules.requireService(db, row.service ?? 0);
  const free = rules.placesLeft(db, service, row.day) > 0;
  refuseUnless(free, 409, `person: ${service.number} is full on ${row.day}`);
  return rules.fareOn(service, row.day);
}

export const changingBookingApis = {
  refund: openBooking.show("Show what would come back as credit if a booking were cancelled now.", {
    item: bookings.item({
      refund: [
        z.number(),
        (row, { db, now }) => toDollars(rules.computeRefund(db, row, row.cents, dayOf(now))),
      ],
      price: dollarsField,
    }),
  }),
  cancelBooking: openBooking.change(
    "Cancel a booking. Journeys: all comes back as credit 7 days before, half 2 days before. Hotels: as they say.",
    {
      set: (row, _, context) => {
        const refund = rules.computeRefund(context.db, row, row.cents, dayOf(context.now));
        rules.bookCredit(context, refund, row.id);
        return { status: "cancelled", refund: row.refund + refund };
      },
    },
  ),
  moveBooking: openJourney.change(
    "Move a journey to another day; a dearer fare is paid, a cheaper one is not refunded.",
    {
      params: { day: dayParam("the new day") },
      set: (row, { day }, context) => {
        const { db, now } = context;
        const service = rules.requireService(db, row.service ?? 0);
        requireTodayOrLater(day, now, "day");
        rules.requireRunsOn(service, day);
        refuseUnless(day !== row.day, 409, `day: ${row.id} is on ${row.day} already`);
        const travellersNow = rules.presentTravellers(db, row.id);
        const placesLeft = rules.placesLeft(db, service, day);
        refuseUnless(
          placesLeft >= travellersNow.length,
          409,
          `day: only ${placesLeft} places on ${day}`,
        );
        const extraCents =
          (rules.fareOn(service, day) - rules.fareOn(service, row.day)) * travellersNow.length;
        if (row.paid === "credit") rules.bookCredit(context, -Math.max(0, extraCents), row.id);
        for (const { id, seat } of travellersNow) {
          if (seat !== null) db.update(travellers, id, { seat: null });
        }
        return { day, cents: row.cents + Math.max(0, extraCents) };
      },
      example: (db) => {
        const { row, service } = exampleJourney(db);
        const days = Array.from({ length: 14 }, (_, i) => addDays("2026-05-01", i));
        const day = days.find((other) => service && rules.runsOn(service, other)) ?? "2026-05-01";
        return { id: row?.id ?? 1, day };
      },
    },
  ),
  addTraveller: openBooking.change(
    "Take a contact along on a booking; on a journey another fare is paid.",
    {
      params: { person: handleParam("who comes along") },
      set: (row, args, context) => {
        const { db } = context;
        const { id: person, handle } = requireReceiver(db, args.person, "person");
        const travellersNow = rules.presentTravellers(db, row.id);
        const isTravelling = travellersNow.some((other) => other.person === person);
        refuseUnless(
          !isTravelling,
          409,
          `person: "${handle}" travels on booking ${row.id} already`,
        );
        const fare = row.service === null ? 0 : fareForOneMore(db, row);
        const hasRoom = row.hotel === null || travellersNow.length < PEOPLE_PER_ROOM * row.rooms;
        refuseUnless(
          hasRoom,
          409,
          `person: ${row.rooms} rooms hold no more than ${travellersNow.length}`,
        );
        if (row.paid === "credit") rules.bookCredit(context, -fare, row.id);
        db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
        return { cents: row.cents + fare };
      },
      example: (db) => {
        const there = new Set(
          rules.presentTravellers(db, exampleBookingId(db)).map(({ person }) => person),
        );
        const other = db.all(people).find((row) => !row.blocked && !there.has(row.id));
        return { id: exampleBookingId(db), person: other?.handle ?? "amara.o" };
      },
    },
  ),
  dropTraveller: openBooking.act(
    "Take a contact off a booking; on a journey their fare comes back by the usual rule.",
    {
      params: { person: handleParam("who does not come along") },
      run: (row, args, context) => {
        const { db, now } = context;
        const { id: person, handle } = requirePerson(db, args.person, "person");
        const found = rules.presentTravellers(db, row.id).find((other) => other.person === person);
        refuseUnless(found, 404, `person: "${handle}" is not on booking ${row.id}`);
        db.update(travellers, found.id, { dropped: true });
        if (row.service === null) return row;
        const fare = rules.fareOn(rules.requireService(db, row.service), row.day);
        const refund = rules.computeRefund(db, row, fare, dayOf(now));
        rules.bookCredit(context, refund, row.id);
        const amounts = { cents: row.cents - fare, refund: row.refund + refund };
        return db.update(bookings, row.id, amounts);
      },
      example: (db) => {
        const open = new Set(
          db.all(bookings).flatMap((row) => (isExampleBooking(row) ? row.id : [])),
        );
        const others = db.all(travellers).filter(({ person, dropped }) => person && !dropped);
        const row = others.find(({ booking }) => open.has(booking));
        return {
          id: row?.booking ?? 1,
          person: row?.person ? handleOf(db, row.person) : "amara.o",
        };
      },
    },
  ),
  assignBooking: anyBooking.change("Make a booking part of an own trip.", {
    params: { trip: idParam("own trip") },
    set: (_, { trip }, { db }) => ({ trip: requireOwnTrip(db, trip).id }),
    example: (db) => ({ id: firstRowId(db, bookings), trip: exampleOwnTripId(db) }),
  }),
  /** A traveller without a chosen seat takes any free seat. */
  chooseSeat: defineApi({
    summary: "Choose a free seat for the owner or another traveller of a journey.",
    params: z.strictObject({
      ...openJourney.keys,
      seat: z
        .string()
        .regex(/^\d{1,2}[A-D]$/, "expected a seat such as 12A")
        .describe('row and letter, such as "12A"'),
      person: handleParam("who sits there; the owner when left out").optional(),
    }),
    returns: z.strictObject({
      handle: z.string().nullable(),
      id: z.int(),
      seat: z.string().nullable(),
    }),
    example: (db) => {
      const { row, service } = exampleJourney(db);
      const seat = row && service ? rules.freeSeats(db, service, row.day)[0] : undefined;
      return { id: row?.id ?? 1, seat: seat ?? "1A" };
    },
    handler: (context, { id, seat, ...args }) => {
      const { db } = context;
      const row = openJourney.find({ id }, context);
      const person = optionalPersonId(db, args.person, "person") ?? null;
      const found = rules
        .presentTravellers(db, id)
        .find((traveller) => traveller.person === person);
      refuseUnless(found, 404, `person: "${args.person}" is not on booking ${id}`);
      const freeSeats = rules.freeSeats(db, rules.requireService(db, row.service ?? 0), row.day);
      const suggestions = freeSeats.slice(0, 3).join(", ");
      refuseUnless(
        freeSeats.includes(seat),
        409,
        `seat: expected a free one such as ${suggestions}, ${seat} is none`,
      );
      db.update(travellers, found.id, { seat });
      return { handle: person === null ? null : handleOf(db, person), id, seat };
    },
  }),
};
