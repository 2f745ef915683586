/**
 * Functions that several travel parts use: they draw cities that a task may name, write code that reads pages of a
 * list, and test the state of rows.
 */
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

/** Writes code that reads all pages of a list call into `items`. */
export const readPagesCode = (items: string, api: string, args = "") =>
  readAllPages(items, `travel.${api}`, args);

/** Writes cells that find the row with a title among the items on all pages of a list call. */
export const titleOnAllPages = (
  api: string,
  narrowCode: (title: string) => string,
  args = (_title: string) => "",
): Pick<Title<TableRow>, "cells"> => ({
  cells: (title, out) => [
    `${readPagesCode(out, api, args(title))}${out}=${out}${narrowCode(title)};print(${out})`,
  ],
});

/** Writes an expression for the item with exactly this name that a search finds. */
export const searchByNameCode = (api: string, name: string) =>
  `apis.travel.${api}({query:${jsLiteral(name)},size:20}).items.filter(x=>x.name===${jsLiteral(name)})[0]`;

/** Draws one of these cities that belongs to the task's part of the population. */
export function drawNameableCity(draw: DrawContext, cities: readonly string[]): string | undefined {
  const nameableCities = new Set(POOLS[draw.split].cities);
  const possibleCities = [...new Set(cities)].filter((city) => nameableCities.has(city));
  return possibleCities.length > 0 ? draw.rng.pick(possibleCities) : undefined;
}

/** Draws one of the rows in a city that the task may name. */
export function drawRowInNameableCity<R extends { readonly city: string }>(
  draw: DrawContext,
  rows: readonly R[],
): R | undefined {
  const city = drawNameableCity(
    draw,
    rows.map((row) => row.city),
  );
  const own = rows.filter((row) => row.city === city);
  return own.length > 0 ? draw.rng.pick(own) : undefined;
}

/**
 * Makes a column for the city of a row. Only cities that the task may name are drawn. The city replaces `$` in the
 * phrase, and `code` gets it as a literal.
 */
export const cityColumn = <R extends TableRow>(
  cityOf: (row: R, db: Reader) => string,
  code: (city: string) => FilterCode,
): NeedsPhrase<Column<R>> =>
  matchingValue<R, string>(
    (draw, rows) =>
      drawNameableCity(
        draw,
        rows.map((row) => cityOf(row, draw.db)),
      ),
    (row, city, db) => cityOf(row, db) === city,
    code,
  );

export const tripCostCents = (db: Reader, trip: number) =>
  db.where(tripCosts, { trip, struck: false }).reduce((sum, { cents }) => sum + cents, 0);

export const currentTravellers = (db: Reader, booking: number) =>
  db.where(travellers, { booking, dropped: false });

/** Returns true for the owner's trips and for trips of contacts that the owner may edit. */
export const canEditTrip = ({ person, role, cancelled }: Trip) =>
  !cancelled && (person === null || role === "editor");
