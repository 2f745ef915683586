/**
 * The rules of travel: when a service runs, what it costs on a day, which seats are free, and what a cancellation gives
 * back.
 *
 * Refunds are credit. A journey gives back all of the fare 7 days or more before departure, half of it (without a
 * fraction of a cent) 2 to 6 days before, and nothing later. A hotel gives back everything up to the hotel's own number
 * of days before the first night, and later everything but one night.
 */

import { refuseUnless, rowById, type ViewContext } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { dayOf, toDollars } from "../shared.ts";
import * as tables from "./tables.ts";

const midnightMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Returns the whole days from one day to another, negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (midnightMs(to) - midnightMs(from)) / 86_400_000;
}

/** Returns the weekday, from 1 (Monday) to 7 (Sunday). */
export function weekdayOf(day: string): number {
  return new Date(midnightMs(day)).getUTCDay() || 7;
}

export const runsOn = (service: tables.Service, day: string) =>
  service.weekdays.includes(weekdayOf(day));

/** Returns the fare of a service on a day. Fridays and Sundays cost a fifth more, rounded down to the cent. */
export function fareOn(service: tables.Service, day: string): number {
  const busy = [5, 7].includes(weekdayOf(day));
  return busy ? Math.floor(service.cents * 1.2 + 1e-6) : service.cents;
}

/** Returns the owner's fare after the pass's reduction, rounded down to the cent. */
export function fareWithPass(cents: number, pass: tables.Pass | undefined): number {
  return pass ? Math.floor((cents * (100 - pass.percent)) / 100) : cents;
}

export function presentTravellers(db: Reader, booking: number): readonly tables.Traveller[] {
  return db.where(tables.travellers, { booking, dropped: false });
}

/** Returns the owner's bookings of this service and day that are not cancelled. */
function activeBookings(db: Reader, service: number, day: string): readonly tables.Booking[] {
  return db.where(tables.bookings, { service, day, status: "booked" });
}

/**
 * Returns the free seats from front to back. Seats of season passengers and of the travellers of the owner's bookings
 * are not free.
 */
export function freeSeats(db: Reader, service: tables.Service, day: string): string[] {
  const chosen = activeBookings(db, service.id, day).flatMap((row) =>
    presentTravellers(db, row.id).map((traveller) => traveller.seat),
  );
  const takenSeats = new Set([...service.taken, ...chosen]);
  const all = Array.from({ length: service.rows }, (_, i) =>
    ["A", "B", "C", "D"].map((letter) => `${i + 1}${letter}`),
  ).flat();
  return all.filter((seat) => !takenSeats.has(seat));
}

/** Returns how many places are left. Travellers without a chosen seat also take a place. */
export function placesLeft(db: Reader, service: tables.Service, day: string): number {
  const withoutSeat = activeBookings(db, service.id, day)
    .flatMap((row) => presentTravellers(db, row.id))
    .filter((traveller) => traveller.seat === null).length;
  return freeSeats(db, service, day).length - withoutSeat;
}

/** Returns the cents that come back as credit when a part of a booking that cost `cents` is cancelled on `today`. */
export function computeRefund(
  db: Reader,
  booking: tables.Booking,
  cents: number,
  today: string,
): number {
  const daysAhead = daysBetween(today, booking.day);
  if (booking.hotel === null)
    return daysAhead >= 7 ? cents : daysAhead >= 2 ? Math.floor(cents / 2) : 0;
  const hotel = db.get(tables.hotels, booking.hotel);
  const night = (hotel?.cents ?? 0) * booking.rooms;
  return daysAhead >= (hotel?.free ?? 0) ? cents : Math.max(0, cents - night);
}

/** Throws a 409 when the booking is cancelled or has begun. */
export function requireOpenBooking(
  { id, status, day }: tables.Booking,
  { now }: ViewContext,
): void {
  refuseUnless(status === "booked", 409, `id: booking ${id} is already cancelled`);
  const isAhead = day >= dayOf(now);
  refuseUnless(isAhead, 409, `id: expected a booking of today or later, ${id} was on ${day}`);
}

export const requireService = (db: Reader, id: number, param = "service"): tables.Service =>
  rowById(db, tables.services, id, { noun: "service", param, hint: "travel.timetable has some" });

export const requireHotel = (db: Reader, id: number, param = "hotel"): tables.Hotel =>
  rowById(db, tables.hotels, id, { noun: "hotel", param, hint: "travel.hotels lists some" });

/** Throws a 422 when the service does not run on that day. */
export function requireRunsOn(service: tables.Service, day: string): void {
  const runs = `${service.number} runs (weekdays ${service.weekdays.join(", ")}, 1 is Monday)`;
  refuseUnless(runsOn(service, day), 422, `day: expected a day on which ${runs}, got ${day}`);
}

/** Returns a pass for services of this kind that is good on the day of travel. Throws a 404 or 422 otherwise. */
export function requireUsablePass(
  db: Reader,
  id: number,
  { kind }: tables.Service,
  day: string,
): tables.Pass {
  const hint = "travel.passes lists them";
  const row = rowById(db, tables.passes, id, { noun: "pass", param: "pass", hint });
  refuseUnless(
    row.kind === kind,
    422,
    `pass: expected one for a ${kind}, ${id} is for a ${row.kind}`,
  );
  refuseUnless(
    row.expires >= day,
    422,
    `pass: expected one good on ${day}, ${id} ends ${row.expires}`,
  );
  return row;
}

/** Returns the only row of the credit, which the population makes. Throws a 404 when there is none. */
export function requireCredit(db: Reader): tables.Credit {
  const [row] = db.all(tables.credit);
  refuseUnless(row, 404, "the owner has no travel account");
  return row;
}

/**
 * Books money to (positive) or from the credit. Throws a 422 when the credit is too low. Payments by card are not
 * recorded here.
 */
export function bookCredit({ db, now }: CallContext, cents: number, booking: number): void {
  if (cents === 0) return;
  const row = requireCredit(db);
  const remaining = row.cents + cents;
  const [price, balance] = [-cents, row.cents].map(toDollars);
  refuseUnless(
    remaining >= 0,
    422,
    `pay: expected at most the credit of ${balance}, it takes ${price}`,
  );
  db.update(tables.credit, row.id, { cents: remaining });
  db.insert(tables.creditEntries, { cents, booking, at: now });
}
