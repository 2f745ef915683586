import type { DrawContext, Person } from "bowline/goals";
import { Rng } from "bowline/world";
import { expect, test } from "vitest";
import { groups, members, people } from "../../apps/tables.ts";
import { starterFixture } from "../../tests/starter-fixture.ts";
import { drawNameableGroup, drawPersonWithRows, nameableGroups } from "./contacts-and-messages.ts";

const { db } = starterFixture((writer) => {
  for (const name of ["Ida", "Ben", "Cem"]) {
    const address = { handle: name.toLowerCase(), city: "Oslo", phone: "555-1234" };
    writer.insert(people, { name, ...address, blocked: false });
  }
  for (const name of ["empty", "own", "mixed", "strange"]) writer.insert(groups, { name });
  for (const [group, person] of [
    [2, 1],
    [2, 2],
    [3, 1],
    [3, 3],
    [4, 3],
  ] as const) {
    writer.insert(members, { group, person });
  }
});
const drawAmong = (...ids: number[]) =>
  ({
    db,
    rng: new Rng(1),
    people: ids.map((id) => db.get(people, id)! as Person),
    person: (among: readonly number[]) => {
      const id = ids.find((one) => among.includes(one));
      return id && { value: db.get(people, id)! };
    },
  }) as unknown as DrawContext;

test("only a group that has members, all of whom may be named, may be named itself", () => {
  const namesAmong = (...ids: number[]) =>
    nameableGroups(drawAmong(...ids)).map(({ name }) => name);
  expect(namesAmong(1, 2)).toEqual(["own"]);
  expect(namesAmong(1, 3)).toEqual(["mixed", "strange"]);
  expect(namesAmong(1)).toEqual([]);
  expect(drawNameableGroup(drawAmong(1, 2))).toMatchObject({ words: "own", code: '"own"' });
  expect(drawNameableGroup(drawAmong(1))).toBeUndefined();
});

test("a person is drawn with the rows of this person alone", () => {
  const rows = [3, 1, 3].map((person, i) => ({ id: i, person }));
  const drawn = drawPersonWithRows(drawAmong(2, 3), rows);
  expect(drawn?.own.map(({ id }) => id)).toEqual([0, 2]);
  expect(drawPersonWithRows(drawAmong(2), rows)).toBeUndefined();
});
