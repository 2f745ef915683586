/** What the travel parts share: which cities a task may name, pages of a list, states of rows. */
import {
  type Column,
  type DrawContext,
  type FilterCode,
  jsLiteral,
  matchingValue,
  type NeedsPhrase,
  readAllPages,
  type Title,
} from "bowline/goals";
import type { Reader, TableRow } from "bowline/world";
import { type Trip, travellers, tripCosts } from "../../apps/travel/tables.ts";
import { POOLS } from "../../population/name-pools.ts";

/** Reads all pages of a list call into `items`. */
export const pages = (items: string, api: string, args = "") =>
  readAllPages(items, `travel.${api}`, args);

/** How a title is found: what remains of all pages of a list call. */
export const remaining = (
  api: string,
  remains: (title: string) => string,
  args = (_title: string) => "",
): Pick<Title<TableRow>, "cells"> => ({
  cells: (title, out) => [
    `${pages(out, api, args(title))}${out}=${out}${remains(title)};print(${out})`,
  ],
});

/** The item that a search gives for an exact name. */
export const byName = (api: string, name: string) =>
  `apis.travel.${api}({query:${jsLiteral(name)},size:20}).items.filter(x=>x.name===${jsLiteral(name)})[0]`;

/** One of these cities that belongs to the task's part of the world. */
export function cityFor(draw: DrawContext, cities: readonly string[]): string | undefined {
  const own = new Set(POOLS[draw.split].cities);
  const some = [...new Set(cities)].filter((city) => own.has(city));
  return some.length > 0 ? draw.rng.pick(some) : undefined;
}

/** One of the rows in such a city. */
export function oneInCity<R extends { readonly city: string }>(
  draw: DrawContext,
  rows: readonly R[],
): R | undefined {
  const city = cityFor(
    draw,
    rows.map((row) => row.city),
  );
  const own = rows.filter((row) => row.city === city);
  return own.length > 0 ? draw.rng.pick(own) : undefined;
}

/** Rows of such a city, `$`; the code gets it as a literal. */
export const inCity = <R extends TableRow>(
  of: (row: R, db: Reader) => string,
  code: (city: string) => FilterCode,
): NeedsPhrase<Column<R>> =>
  matchingValue<R, string>(
    (draw, rows) =>
      cityFor(
        draw,
        rows.map((row) => of(row, draw.db)),
      ),
    (row, city, db) => of(row, db) === city,
    code,
  );

export const costsOf = (db: Reader, trip: number) =>
  db.where(tripCosts, { trip, struck: false }).reduce((sum, { cents }) => sum + cents, 0);

export const aboard = (db: Reader, booking: number) =>
  db.where(travellers, { booking, dropped: false });

/** The owner's own trips, and those of contacts who let the owner edit them. */
export const mayEdit = ({ person, role, cancelled }: Trip) =>
  !cancelled && (person === null || role === "editor");
