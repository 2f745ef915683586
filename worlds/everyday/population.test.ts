/**
 * Tests properties of the population on which tasks rely: its parts share nobody, everyone has a namesake, lists have
 * several pages, and amounts of money are consistent.
 */

import { COMPOSED_SPLITS, type ComposedSplit } from "bowline/goals";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import * as tables from "./apps/index.ts";
import { apps, members, payments, people, requests, texts } from "./apps/index.ts";
import { groupsOf, PARTS, POOLS, partOfName, peopleOf, populate } from "./population.ts";
import { snapshot, starterFixture } from "./tests/starter-fixture.ts";

const makeFixture = (seed: number) => starterFixture((db) => populate(db, new Rng(seed)));

test("the name pools share no name, city or group, and no name is the beginning of another", () => {
  const kinds = ["first", "last", "cities", "groups"] as const;
  for (const kind of kinds) {
    const all = PARTS.flatMap((part) => POOLS[part][kind]);
    expect(new Set(all).size, kind).toBe(all.length);
  }
  const parts = PARTS.flatMap((part) => [...POOLS[part].first, ...POOLS[part].last]);
  for (const a of parts) {
    expect(parts.filter((b) => b.toLowerCase().startsWith(a.toLowerCase()))).toEqual([a]);
  }
  for (const part of PARTS) expect(POOLS[part].first.length).toBe(POOLS[part].last.length);
});

describe.each([1, 2, 3])("seed %i", (seed) => {
  const { db } = makeFixture(seed);
  const everyone = db.all(people);

  test("full names and handles are unique, and every first name has a namesake in its part of the population", () => {
    expect(everyone.length).toBeGreaterThanOrEqual(160);
    expect(new Set(everyone.map((p) => p.name)).size).toBe(everyone.length);
    expect(new Set(everyone.map((p) => p.handle)).size).toBe(everyone.length);
    const first = (name: string) => name.split(" ")[0];
    for (const { name } of everyone) {
      const namesakes = everyone.filter((other) => first(other.name) === first(name));
      expect(namesakes.length).toBeGreaterThanOrEqual(2);
      expect(new Set(namesakes.map((other) => partOfName(other.name))).size).toBe(1);
    }
  });

  test("no two splits share a person, name, city or group, and each split has enough of them", () => {
    const facts = (split: ComposedSplit) => [
      ...peopleOf(db, split).flatMap((p) => [...p.name.split(" "), p.handle, p.city]),
      ...groupsOf(db, split).map((group) => group.name),
    ];
    const owners = new Map<string, ComposedSplit>();
    for (const split of COMPOSED_SPLITS) {
      for (const fact of facts(split)) {
        expect(owners.get(fact) ?? split, fact).toBe(split);
        owners.set(fact, split);
      }
      expect(peopleOf(db, split).length).toBeGreaterThanOrEqual(24);
      expect(groupsOf(db, split).length).toBeGreaterThanOrEqual(4);
    }
  });

  test("the members of some groups and cities fit on one page, and those of others need several pages", () => {
    const sizes = db.all(tables.groups).map((g) => db.where(members, { group: g.id }).length);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12);
    expect(sizes.filter((size) => size > 5).length).toBeGreaterThan(sizes.length / 3);
    for (const city of new Set(everyone.map((p) => p.city))) {
      expect(db.where(people, { city }).length).toBeGreaterThanOrEqual(2);
    }
  });

  test("everything that is open, unread, starred or labelled comes from the owner's close contacts (the circle)", () => {
    const circle = new Set(
      everyone.filter((p) => partOfName(p.name) === "circle").map((p) => p.id),
    );
    const waiting = [
      ...db.all(texts).filter((row) => row.unread || row.starred),
      ...db.all(tables.mails).filter((row) => row.unread || row.starred || row.label !== null),
      ...db.all(requests).filter((row) => row.status === "pending"),
      ...db.all(tables.events).filter((row) => row.response === "open"),
    ];
    expect(waiting.length).toBeGreaterThan(10);
    for (const row of waiting)
      expect(circle.has(("person" in row ? row.person : row.host)!)).toBe(true);
  });

  test("every paid request has its payment, and all references lead to rows", () => {
    for (const request of db.all(requests)) {
      const [payment] = db.all(payments).filter((row) => row.request === request.id);
      expect(payment?.cents).toBe(request.status === "paid" ? request.cents : undefined);
      if (payment) expect(payment.outgoing).toBe(!request.outgoing);
    }
    const rows = snapshot(db);
    for (const table of apps.flatMap((app) => app.tables)) {
      for (const [column, target] of Object.entries(table.references)) {
        const ids = new Set(rows[target!]!.map((row) => row.id));
        for (const row of rows[table.name]!) {
          if (row[column] !== null) expect(ids, `${table.name}.${column}`).toContain(row[column]);
        }
      }
    }
  });
});

test("the same seed makes the same population, and another seed makes another one", () => {
  expect(snapshot(makeFixture(7).db)).toEqual(snapshot(makeFixture(7).db));
  expect(snapshot(makeFixture(7).db)).not.toEqual(snapshot(makeFixture(8).db));
});
