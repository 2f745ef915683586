/** The facts about a person, read and written in one place: a missing row of details means that nothing is known. */

import { factsOf as facts, must } from "bowline/resources";
import type { Reader } from "bowline/world";
import { dayOf, handleOf } from "../shared.ts";
import type { Person } from "../tables.ts";
import { couples, type Details, details } from "./tables.ts";

export type Facts = Omit<Details, "id" | "person">;

const NONE: Facts = {
  relationship: null,
  birthday: null,
  street: null,
  workplace: null,
  job: null,
  favourite: false,
};

export const { of: factsOf, set: writeFacts } = facts(details, "person", NONE);

/** A 404 when there is nothing to clear. */
export function expectKnown(db: Reader, { id, handle }: Person, what: keyof Facts): void {
  must(factsOf(db, id)[what] !== null, 404, `person: no ${what} of "${handle}" is known`);
}

// --- couples ---

export function coupleOf(db: Reader, person: number) {
  return db.where(couples, { first: person })[0] ?? db.where(couples, { second: person })[0];
}

/** The person's other half, by id. */
export function partnerOf(db: Reader, person: number): number | undefined {
  const couple = coupleOf(db, person);
  return couple && (couple.first === person ? couple.second : couple.first);
}

export function partnerHandle(db: Reader, person: number): string | null {
  const partner = partnerOf(db, person);
  return partner === undefined ? null : handleOf(db, partner);
}

// --- time ---

/** The first birthday today or later; one of 29 February is on 1 March in other years. */
export function nextBirthday(birthday: string, now: string): string {
  const today = dayOf(now);
  const year = Number(today.slice(0, 4));
  const thisYear = inYear(birthday, year);
  return thisYear >= today ? thisYear : inYear(birthday, year + 1);
}

function inYear(birthday: string, year: number): string {
  return new Date(Date.parse(`${year}-${birthday.slice(5)}`) || Date.UTC(year, 2, 1))
    .toISOString()
    .slice(0, 10);
}
