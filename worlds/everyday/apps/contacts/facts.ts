/** Reads and writes the facts about a person. A person without a row of details is one of whom nothing is known. */

import { factsAbout as facts, refuseUnless } from "bowline/resources";
import type { Reader } from "bowline/world";
import { dayOf, handleOf } from "../shared.ts";
import type { Person } from "../tables.ts";
import { couples, type Details, details } from "./tables.ts";

export type Facts = Omit<Details, "id" | "person">;

const NO_FACTS: Facts = {
  relationship: null,
  birthday: null,
  street: null,
  workplace: null,
  job: null,
  favourite: false,
};

export const { get: readFacts, set: writeFacts } = facts(details, "person", NO_FACTS);

/** Throws a 404 when the fact is not known, so that there is nothing to clear. */
export function requireKnownFact(db: Reader, { id, handle }: Person, name: keyof Facts): void {
  refuseUnless(readFacts(db, id)[name] !== null, 404, `person: no ${name} of "${handle}" is known`);
}

export function findCouple(db: Reader, person: number) {
  return db.where(couples, { first: person })[0] ?? db.where(couples, { second: person })[0];
}

/** Returns the id of the person's partner, or undefined when there is none. */
export function partnerId(db: Reader, person: number): number | undefined {
  const couple = findCouple(db, person);
  return couple && (couple.first === person ? couple.second : couple.first);
}

export function partnerHandle(db: Reader, person: number): string | null {
  const partner = partnerId(db, person);
  return partner === undefined ? null : handleOf(db, partner);
}

/** Returns the first birthday that is today or later. A birthday on 29 February falls on 1 March in other years. */
export function nextBirthday(birthday: string, now: string): string {
  const today = dayOf(now);
  const year = Number(today.slice(0, 4));
  const thisYear = birthdayInYear(birthday, year);
  return thisYear >= today ? thisYear : birthdayInYear(birthday, year + 1);
}

function birthdayInYear(birthday: string, year: number): string {
  return new Date(Date.parse(`${year}-${birthday.slice(5)}`) || Date.UTC(year, 2, 1))
    .toISOString()
    .slice(0, 10);
}
