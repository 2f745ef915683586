import { describe, expect, test } from "vitest";
import { fullContacts } from "../apps/contacts/full.ts";
import * as tables from "../apps/contacts/tables.ts";
import { people } from "../apps/tables.ts";
import { partOf } from "../population/names.ts";
import { appFixture, failingExamples, livedBase } from "../tests/app-fixture.ts";
import { addContacts } from "./contacts.ts";

/** The fixture brings plain contacts along, so the full ones stand beside them under another name. */
const book = { ...fullContacts, name: "book" };
const { base, life } = livedBase([book], addContacts);
const { db } = appFixture([book], base);

describe("what the owner knows about people", () => {
  test("every example works as the first call", () => {
    expect(failingExamples(book, [book], base)).toEqual([]);
  });

  test("there are details of each of the 172 contacts, as life has them", () => {
    expect(db.all(people)).toHaveLength(172);
    for (const row of db.all(tables.details)) {
      expect(row.relationship).toBe(life.relationships.get(row.person));
      expect(row.workplace === null).toBe(row.job === null);
    }
    expect(db.all(tables.details)).toHaveLength(172);
  });

  test("the owner met the people of every past happening, and nobody else", () => {
    const past = life.happenings.filter(({ day }) => day < "2026-03-12");
    const met = past.flatMap(({ title, people }) => people.map(({ id }) => `${title} ${id}`));
    const noted = db.all(tables.meetings).map(({ occasion, person }) => `${occasion} ${person}`);
    expect(noted.sort()).toEqual(met.sort());
  });

  test("nobody is in two couples, and couples are of one part", () => {
    const both = db.all(tables.couples).flatMap(({ first, second }) => [first, second]);
    expect(new Set(both).size).toBe(both.length);
    for (const { first, second } of db.all(tables.couples)) {
      const [a, b] = [first, second].map((id) => partOf(db.get(people, id)!.name));
      expect(a).toBe(b);
    }
  });

  test("no workplace or street name occurs in two parts", () => {
    const owners = new Map<string, string | undefined>();
    for (const { person, workplace, street } of db.all(tables.details)) {
      const part = partOf(db.get(people, person)!.name);
      for (const place of [workplace, street?.replace(/^\d+ /, "")]) {
        if (place) expect(owners.set(place, owners.get(place) ?? part).get(place)).toBe(part);
      }
    }
  });

  test("prices of gifts and of what is owed differ, so that each can be told by its amount", () => {
    const prices = db.all(tables.gifts).map(({ cents }) => cents);
    expect(new Set(prices).size).toBe(prices.length);
    expect(prices.length).toBeGreaterThan(60);
    const owed = db.all(tables.remarks).flatMap(({ text }) => text.match(/\$[\d.]+/) ?? []);
    expect(new Set(owed).size).toBe(owed.length);
    expect(owed.length).toBeGreaterThan(15);
  });
});
