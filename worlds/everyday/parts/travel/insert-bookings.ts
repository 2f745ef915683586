/** Inserts bookings, draws companions, and checks whether a hotel has a free room. */
import type { DrawContext } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { type Booking, bookings, type Service, travellers } from "../../apps/travel/tables.ts";
import { addDays } from "../days.ts";
import { isReachable } from "../reachable-people.ts";
import { currentTravellers } from "./cities-and-lists.ts";

/** Draws a person who comes along, or nobody in about half of the draws. */
export function drawCompanion(draw: DrawContext) {
  const person = draw.rng.chance(0.5) ? draw.person() : undefined;
  const ids = person ? [person.value.id] : [];
  return {
    words: person ? `for me and ${person.words}` : "for me alone",
    code: person ? `,people:[${person.code}]` : "",
    uses: person ? [person] : [],
    ids,
    areReachable: (db: Reader) => ids.every((id) => isReachable(db, id)),
  };
}

type NewBooking = Pick<Booking, "kind" | "day"> &
  Partial<Pick<Booking, "service" | "hotel" | "nights" | "rooms">>;

export function insertBooking(
  db: Writer,
  booking: NewBooking,
  companions: readonly number[],
): void {
  const { kind, service = null, hotel = null, day, nights = 0, rooms = 0 } = booking;
  const stay = { kind, service, hotel, day, nights, rooms };
  const money = { pass: null, paid: "card", cents: 0, refund: 0 } as const;
  const { id } = db.insert(bookings, { ...stay, ...money, trip: null, status: "booked" });
  for (const person of [null, ...companions]) {
    db.insert(travellers, { booking: id, person, seat: null, dropped: false });
  }
}

export function countPlacesLeft({ id, rows, taken }: Service, db: Reader, day: string): number {
  const activeBookings = db.where(bookings, { service: id, day, status: "booked" });
  return (
    4 * rows - taken.length - activeBookings.flatMap((row) => currentTravellers(db, row.id)).length
  );
}

/** Returns true when the owner has no booking in the hotel on these days. */
export function hasNoOwnBooking(db: Reader, hotel: number, from: string, nights: number): boolean {
  const until = addDays(from, nights);
  return db
    .where(bookings, { hotel, status: "booked" })
    .every((row) => row.day >= until || addDays(row.day, row.nights) <= from);
}
