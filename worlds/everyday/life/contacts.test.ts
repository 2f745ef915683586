import { describe, expect, test } from "vitest";
import { fullContacts } from "../apps/contacts/full.ts";
import * as tables from "../apps/contacts/tables.ts";
import { people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addContacts } from "./contacts.ts";

/** The fixture already contains the starter's contacts app, so the full one is added under another name. */
const book = { ...fullContacts, name: "book" };
const { base, life } = makeLifeBase([book], addContacts);
const { db } = appFixture([book], base);

describe("what the owner knows about people", () => {
  test("every example in the documentation of contacts works as a first call", () => {
    expect(findFailingExamples(book, [book], base)).toEqual([]);
  });

  test("each of the 172 contacts has details that agree with the owner's life", () => {
    expect(db.all(people)).toHaveLength(172);
    for (const row of db.all(tables.details)) {
      expect(row.relationship).toBe(life.relationships.get(row.person));
      expect(row.workplace === null).toBe(row.job === null);
    }
    expect(db.all(tables.details)).toHaveLength(172);
  });

  test("for every past happening, the owner met all of its people and nobody else", () => {
    const past = life.happenings.filter(({ day }) => day < "2026-03-12");
    const met = past.flatMap(({ title, people }) => people.map(({ id }) => `${title} ${id}`));
    const noted = db.all(tables.meetings).map(({ occasion, person }) => `${occasion} ${person}`);
    expect(noted.sort()).toEqual(met.sort());
  });

  test("nobody is in two couples, and the people of a couple are of one part of the population", () => {
    const both = db.all(tables.couples).flatMap(({ first, second }) => [first, second]);
    expect(new Set(both).size).toBe(both.length);
    for (const { first, second } of db.all(tables.couples)) {
      const [a, b] = [first, second].map((id) => partOfName(db.get(people, id)!.name));
      expect(a).toBe(b);
    }
  });

  test("no name of a workplace or street occurs in two parts of the population", () => {
    const owners = new Map<string, string | undefined>();
    for (const { person, workplace, street } of db.all(tables.details)) {
      const part = partOfName(db.get(people, person)!.name);
      for (const place of [workplace, street?.replace(/^\d+ /, "")]) {
        if (place) expect(owners.set(place, owners.get(place) ?? part).get(place)).toBe(part);
      }
    }
  });

  test("no two gifts have the same price, and no two debts the same amount, so a number identifies its row", () => {
    const prices = db.all(tables.gifts).map(({ cents }) => cents);
    expect(new Set(prices).size).toBe(prices.length);
    expect(prices.length).toBeGreaterThan(60);
    const owed = db.all(tables.remarks).flatMap(({ text }) => text.match(/\$[\d.]+/) ?? []);
    expect(new Set(owed).size).toBe(owed.length);
    expect(owed.length).toBeGreaterThan(15);
  });
});
