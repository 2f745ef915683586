/** What the travel parts share: how things are called, which cities a task may name, and pages of a list. */

import type { Draw } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { people } from "../../apps/tables.ts";
import {
  type Booking,
  companions,
  hotels,
  services,
  type Trip,
  travellers,
  tripCosts,
} from "../../apps/travel/tables.ts";
import { POOLS } from "../../population/names.ts";
import { dayAfter } from "../../population/time.ts";

export const TODAY = dayAfter(0);
export const app = "travel";

export const js = (value: string) => JSON.stringify(value);
export const unique = (ids: readonly number[]) => [...new Set(ids)];

/** Reads all pages of a list call into `items`. */
export const pages = (items: string, api: string, args: string) =>
  `var ${items}=[],p=1,r;do{r=apis.travel.${api}({${args}size:20,page:p++});${items}.push(...r.items)}while(r.more);`;

/** One of these cities that belongs to the task's part of the world. */
export function cityFor(draw: Draw, cities: readonly string[]): string | undefined {
  const own = new Set(POOLS[draw.split].cities);
  const some = [...new Set(cities)].filter((city) => own.has(city));
  return some.length > 0 ? draw.rng.pick(some) : undefined;
}

export function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export const nightsOf = ({ from, until }: Trip) =>
  Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000);

export function costsOf(db: Reader, trip: number): number {
  const rows = db.where(tripCosts, { trip, struck: false });
  return rows.reduce((sum, { cents }) => sum + cents, 0);
}

export function comes(db: Reader, trip: number, person: number): boolean {
  return db.where(companions, { trip, person, left: false }).length > 0;
}

export const aboard = (db: Reader, booking: number) =>
  db.where(travellers, { booking, dropped: false });

export function titleOf(db: Reader, { service, hotel }: Booking): string {
  const row = service === null ? undefined : db.get(services, service);
  if (row) return `${row.number} ${row.from} to ${row.to}`;
  return hotel === null ? "" : (db.get(hotels, hotel)?.name ?? "");
}

export function cityOf(db: Reader, { service, hotel }: Booking): string {
  const row = service === null ? undefined : db.get(services, service);
  return row?.to ?? (hotel === null ? "" : (db.get(hotels, hotel)?.city ?? ""));
}

/** Nothing can be sent to whom the owner has blocked. */
export const reachable = (db: Reader, person: number) => db.get(people, person)?.blocked === false;

/** 1 is Monday. */
export const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
