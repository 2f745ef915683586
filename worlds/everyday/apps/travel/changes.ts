/** How bookings are changed or given up: cancelled, moved, with more or fewer travellers, with seats. */

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
import { allBookings, bookingItem, ROOM_FOR } from "./bookings.ts";
import * as rules from "./rules.ts";
import { type Booking, bookings, services, travellers } from "./tables.ts";
import { ownTrip, ownTripId } from "./trips.ts";

/** Open in the start state, for examples. */
const openNow = (row: Booking) => row.status === "booked" && row.day > "2026-03-14";
const openId = (db: Reader) => firstRowId(db, bookings, openNow);

const openBookings = resource({
  noun: "booking",
  item: bookingItem,
  guard: rules.mustBeOpen,
  isExample: openNow,
});

/** Open bookings of a service. */
const journeys = resource({
  table: bookings,
  noun: "booking",
  item: bookingItem,
  guard: (row, look) => {
    rules.mustBeOpen(row, look);
    refuseUnless(
      row.service !== null,
      422,
      `id: expected a train, flight or bus, ${row.id} is a hotel`,
    );
  },
});

/** An open journey and its service, for examples. */
function anyJourney(db: Reader) {
  const row = db.all(bookings).find((other) => openNow(other) && other.service !== null);
  return { row, service: row?.service ? db.get(services, row.service) : undefined };
}

/** The fare of another traveller; a 409 when the service is full. */
function oneMore(db: Reader, row: Booking): number {
  const service = rules.serviceBy(db, row.service ?? 0);
  const free = rules.placesLeft(db, service, row.day) > 0;
  refuseUnless(free, 409, `person: ${service.number} is full on ${row.day}`);
  return rules.fareOn(service, row.day);
}

export const changeApis = {
  refund: openBookings.show(
    "Show what would come back as credit if a booking were cancelled now.",
    {
      item: bookings.item({
        refund: [
          z.number(),
          (row, { db, now }) => toDollars(rules.refundOf(db, row, row.cents, dayOf(now))),
        ],
        price: dollarsField,
      }),
    },
  ),
  cancelBooking: openBookings.change(
    "Cancel a booking. Journeys: all comes back as credit 7 days before, half 2 days before. Hotels: as they say.",
    {
      set: (row, _, context) => {
        const back = rules.refundOf(context.db, row, row.cents, dayOf(context.now));
        rules.moveCredit(context, back, row.id);
        return { status: "cancelled", refund: row.refund + back };
      },
    },
  ),
  moveBooking: journeys.change(
    "Move a journey to another day; a dearer fare is paid, a cheaper one is not refunded.",
    {
      params: { day: dayParam("the new day") },
      set: (row, { day }, context) => {
        const { db, now } = context;
        const service = rules.serviceBy(db, row.service ?? 0);
        requireTodayOrLater(day, now, "day");
        rules.mustRun(service, day);
        refuseUnless(day !== row.day, 409, `day: ${row.id} is on ${row.day} already`);
        const crowd = rules.aboard(db, row.id);
        const left = rules.placesLeft(db, service, day);
        refuseUnless(left >= crowd.length, 409, `day: only ${left} places on ${day}`);
        const more = (rules.fareOn(service, day) - rules.fareOn(service, row.day)) * crowd.length;
        if (row.paid === "credit") rules.moveCredit(context, -Math.max(0, more), row.id);
        for (const { id, seat } of crowd) {
          if (seat !== null) db.update(travellers, id, { seat: null });
        }
        return { day, cents: row.cents + Math.max(0, more) };
      },
      example: (db) => {
        const { row, service } = anyJourney(db);
        const days = Array.from({ length: 14 }, (_, i) => addDays("2026-05-01", i));
        const day = days.find((other) => service && rules.runsOn(service, other)) ?? "2026-05-01";
        return { id: row?.id ?? 1, day };
      },
    },
  ),
  addTraveller: openBookings.change(
    "Take a contact along on a booking; on a journey another fare is paid.",
    {
      params: { person: handleParam("who comes along") },
      set: (row, args, context) => {
        const { db } = context;
        const { id: person, handle } = requireReceiver(db, args.person, "person");
        const crowd = rules.aboard(db, row.id);
        const there = crowd.some((other) => other.person === person);
        refuseUnless(!there, 409, `person: "${handle}" travels on booking ${row.id} already`);
        const fare = row.service === null ? 0 : oneMore(db, row);
        const room = row.hotel === null || crowd.length < ROOM_FOR * row.rooms;
        refuseUnless(room, 409, `person: ${row.rooms} rooms hold no more than ${crowd.length}`);
        if (row.paid === "credit") rules.moveCredit(context, -fare, row.id);
        db.insert(travellers, { booking: row.id, person, seat: null, dropped: false });
        return { cents: row.cents + fare };
      },
      example: (db) => {
        const there = new Set(rules.aboard(db, openId(db)).map(({ person }) => person));
        const other = db.all(people).find((row) => !row.blocked && !there.has(row.id));
        return { id: openId(db), person: other?.handle ?? "amara.o" };
      },
    },
  ),
  dropTraveller: openBookings.act(
    "Take a contact off a booking; on a journey their fare comes back by the usual rule.",
    {
      params: { person: handleParam("who does not come along") },
      run: (row, args, context) => {
        const { db, now } = context;
        const { id: person, handle } = requirePerson(db, args.person, "person");
        const found = rules.aboard(db, row.id).find((other) => other.person === person);
        refuseUnless(found, 404, `person: "${handle}" is not on booking ${row.id}`);
        db.update(travellers, found.id, { dropped: true });
        if (row.service === null) return row;
        const fare = rules.fareOn(rules.serviceBy(db, row.service), row.day);
        const back = rules.refundOf(db, row, fare, dayOf(now));
        rules.moveCredit(context, back, row.id);
        const money = { cents: row.cents - fare, refund: row.refund + back };
        return db.update(bookings, row.id, money);
      },
      example: (db) => {
        const open = new Set(db.all(bookings).flatMap((row) => (openNow(row) ? row.id : [])));
        const others = db.all(travellers).filter(({ person, dropped }) => person && !dropped);
        const row = others.find(({ booking }) => open.has(booking));
        return {
          id: row?.booking ?? 1,
          person: row?.person ? handleOf(db, row.person) : "amara.o",
        };
      },
    },
  ),
  assignBooking: allBookings.change("Make a booking part of an own trip.", {
    params: { trip: idParam("own trip") },
    set: (_, { trip }, { db }) => ({ trip: ownTrip(db, trip).id }),
    example: (db) => ({ id: firstRowId(db, bookings), trip: ownTripId(db) }),
  }),
  /** Until one is chosen any free seat will do. */
  chooseSeat: defineApi({
    summary: "Choose a free seat for the owner or another traveller of a journey.",
    params: z.strictObject({
      ...journeys.keys,
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
      const { row, service } = anyJourney(db);
      const seat = row && service ? rules.freeSeats(db, service, row.day)[0] : undefined;
      return { id: row?.id ?? 1, seat: seat ?? "1A" };
    },
    handler: (context, { id, seat, ...args }) => {
      const { db } = context;
      const row = journeys.find({ id }, context);
      const person = optionalPersonId(db, args.person, "person") ?? null;
      const found = rules.aboard(db, id).find((traveller) => traveller.person === person);
      refuseUnless(found, 404, `person: "${args.person}" is not on booking ${id}`);
      const free = rules.freeSeats(db, rules.serviceBy(db, row.service ?? 0), row.day);
      const some = free.slice(0, 3).join(", ");
      refuseUnless(
        free.includes(seat),
        409,
        `seat: expected a free one such as ${some}, ${seat} is none`,
      );
      db.update(travellers, found.id, { seat });
      return { handle: person === null ? null : handleOf(db, person), id, seat };
    },
  }),
};
