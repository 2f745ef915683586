/** What a new booking means, written on tables: who it is for, and where there is room. */
import type { DrawContext } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { type Booking, bookings, type Service, travellers } from "../../apps/travel/tables.ts";
import { addDays } from "../days.ts";
import { isReachable } from "../reachable-people.ts";
import { aboard } from "./reads.ts";

/** Someone to come along, in about half of the draws. */
export function companionsOf(draw: DrawContext) {
  const person = draw.rng.chance(0.5) ? draw.person() : undefined;
  const ids = person ? [person.value.id] : [];
  return {
    words: person ? `for me and ${person.words}` : "for me alone",
    code: person ? `,with:[${person.code}]` : "",
    uses: person ? [person] : [],
    ids,
    willing: (db: Reader) => ids.every((id) => isReachable(db, id)),
  };
}

type Made = Pick<Booking, "kind" | "day"> &
  Partial<Pick<Booking, "service" | "hotel" | "nights" | "rooms">>;

export function book(db: Writer, made: Made, companions: readonly number[]): void {
  const { kind, service = null, hotel = null, day, nights = 0, rooms = 0 } = made;
  const stay = { kind, service, hotel, day, nights, rooms };
  const money = { pass: null, paid: "card", cents: 0, refund: 0 } as const;
  const { id } = db.insert(bookings, { ...stay, ...money, trip: null, status: "booked" });
  for (const person of [null, ...companions]) {
    db.insert(travellers, { booking: id, person, seat: null, dropped: false });
  }
}

export function placesLeft({ id, rows, taken }: Service, db: Reader, day: string): number {
  const standing = db.where(bookings, { service: id, day, status: "booked" });
  return 4 * rows - taken.length - standing.flatMap((row) => aboard(db, row.id)).length;
}

/** No booking of the owner's own is in the way on those days. */
export function isFree(db: Reader, hotel: number, from: string, nights: number): boolean {
  const until = addDays(from, nights);
  return db
    .where(bookings, { hotel, status: "booked" })
    .every((row) => row.day >= until || addDays(row.day, row.nights) <= from);
}
