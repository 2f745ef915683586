/**
 * The rules of travel in one place: when a service runs, what it costs on a day, who sits where, what comes back.
 *
 * Refunds are credit. Journeys: all of the fare 7 days or more before departure, half (a broken cent stays) 2 to 6 days
 * before, nothing later. Hotels: all up to the hotel's own number of days before the first night, later all but one night.
 */

import { refuseUnless, rowById, type ViewContext } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { dayOf, toDollars } from "../shared.ts";
import * as tables from "./tables.ts";

const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** Whole days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (midnight(to) - midnight(from)) / 86_400_000;
}

/** 1 is Monday. */
export function weekdayOf(day: string): number {
  return new Date(midnight(day)).getUTCDay() || 7;
}

export const runsOn = (service: tables.Service, day: string) =>
  service.weekdays.includes(weekdayOf(day));

/** Fridays and Sundays cost a fifth more, rounded down to the cent. */
export function fareOn(service: tables.Service, day: string): number {
  const busy = [5, 7].includes(weekdayOf(day));
  return busy ? Math.floor(service.cents * 1.2 + 1e-6) : service.cents;
}

/** What the pass leaves of the owner's fare, rounded down to the cent. */
export function reduced(cents: number, pass: tables.Pass | undefined): number {
  return pass ? Math.floor((cents * (100 - pass.percent)) / 100) : cents;
}

export function aboard(db: Reader, booking: number): readonly tables.Traveller[] {
  return db.where(tables.travellers, { booking, dropped: false });
}

/** All of the owner's bookings of this service and day that stand. */
function standing(db: Reader, service: number, day: string): readonly tables.Booking[] {
  return db.where(tables.bookings, { service, day, status: "booked" });
}

/** Seats that neither the season nor the owner's companions have, front to back. */
export function freeSeats(db: Reader, service: tables.Service, day: string): string[] {
  const chosen = standing(db, service.id, day).flatMap((row) =>
    aboard(db, row.id).map((traveller) => traveller.seat),
  );
  const gone = new Set([...service.taken, ...chosen]);
  const all = Array.from({ length: service.rows }, (_, i) =>
    ["A", "B", "C", "D"].map((letter) => `${i + 1}${letter}`),
  ).flat();
  return all.filter((seat) => !gone.has(seat));
}

/** Places left; those who have not chosen a seat take one too. */
export function placesLeft(db: Reader, service: tables.Service, day: string): number {
  const waiting = standing(db, service.id, day)
    .flatMap((row) => aboard(db, row.id))
    .filter((traveller) => traveller.seat === null).length;
  return freeSeats(db, service, day).length - waiting;
}

/** What comes back, in cents, when so many of the booking's cents are given up on `today`. */
export function refundOf(
  db: Reader,
  booking: tables.Booking,
  cents: number,
  today: string,
): number {
  const ahead = daysBetween(today, booking.day);
  if (booking.hotel === null) return ahead >= 7 ? cents : ahead >= 2 ? Math.floor(cents / 2) : 0;
  const hotel = db.get(tables.hotels, booking.hotel);
  const night = (hotel?.cents ?? 0) * booking.rooms;
  return ahead >= (hotel?.free ?? 0) ? cents : Math.max(0, cents - night);
}

/** A 409 unless it stands and has not begun. */
export function mustBeOpen({ id, status, day }: tables.Booking, { now }: ViewContext): void {
  refuseUnless(status === "booked", 409, `id: booking ${id} is already cancelled`);
  const open = day >= dayOf(now);
  refuseUnless(open, 409, `id: expected a booking of today or later, ${id} was on ${day}`);
}

export const serviceBy = (db: Reader, id: number, param = "service"): tables.Service =>
  rowById(db, tables.services, id, { noun: "service", param, hint: "travel.timetable has some" });

export const hotelBy = (db: Reader, id: number, param = "hotel"): tables.Hotel =>
  rowById(db, tables.hotels, id, { noun: "hotel", param, hint: "travel.hotels lists some" });

/** A 422 unless it runs on that day. */
export function mustRun(service: tables.Service, day: string): void {
  const on = `${service.number} runs (weekdays ${service.weekdays.join(", ")}, 1 is Monday)`;
  refuseUnless(runsOn(service, day), 422, `day: expected a day on which ${on}, got ${day}`);
}

/** A pass for services of this kind that is good on the day of travel. */
export function passBy(db: Reader, id: number, { kind }: tables.Service, day: string): tables.Pass {
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

/** The only row; the population makes it. */
export function creditOf(db: Reader): tables.Credit {
  const [row] = db.all(tables.credit);
  refuseUnless(row, 404, "the owner has no travel account");
  return row;
}

/** Money to (positive) or from the credit; a 422 when it holds less. Cards are not counted here. */
export function moveCredit({ db, now }: CallContext, cents: number, booking: number): void {
  if (cents === 0) return;
  const row = creditOf(db);
  const left = row.cents + cents;
  const [price, have] = [-cents, row.cents].map(toDollars);
  refuseUnless(left >= 0, 422, `pay: expected at most the credit of ${have}, it takes ${price}`);
  db.update(tables.credit, row.id, { cents: left });
  db.insert(tables.creditEntries, { cents, booking, at: now });
}
