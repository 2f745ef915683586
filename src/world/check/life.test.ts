import { describe, expect, test } from "vitest";
import { defineTable, type LifePopulation } from "../define.ts";
import { FrozenTables, TableState } from "../state/index.ts";
import { checkLifeRules } from "./life.ts";

type Dog = { readonly id: number; readonly name: string };
const dogs = defineTable<Dog>("zoo.dogs");
const owner = { name: "Ida", email: "ida@example.com", phone: "1" };

function makePopulation(name: string, ...names: string[]) {
  const db = new TableState(FrozenTables.empty([dogs]));
  for (const dog of names) db.insert(dogs, { name: dog });
  return { name, db, owner };
}

const noCats = {
  name: "there are no cats",
  findViolations: ({ db }: LifePopulation) => db.all(dogs).map(({ name }) => `${name} is a cat`),
};
const firstDog = {
  name: "the first dog differs",
  readVaried: ({ db }: LifePopulation) => db.all(dogs)[0]?.name ?? "none",
};

describe("checking rules of life", () => {
  test("counts the violations of each rule, the populations that have some, and shows the first", () => {
    const populations = [
      makePopulation("seed 1"),
      makePopulation("seed 2", "Tom", "Mia"),
      makePopulation("seed 3", "Leo"),
    ];
    expect(checkLifeRules([noCats], populations)).toEqual({
      seeds: 3,
      violations: 3,
      rules: [
        { rule: noCats.name, violations: 3, populations: 2, example: "seed 2: Tom is a cat" },
      ],
    });
  });

  test("counts each population whose text too many others have: more than a tenth, and more than one", () => {
    const same = (count: number) => [
      ...Array.from({ length: count }, (_, i) => makePopulation(`same ${i}`, "Tom")),
      ...Array.from({ length: 20 - count }, (_, i) => makePopulation(`seed ${i}`, `dog ${i}`)),
    ];
    expect(checkLifeRules([firstDog], same(2)).violations).toBe(0);
    const { rules } = checkLifeRules([firstDog], same(4));
    expect(rules[0]).toMatchObject({ violations: 2, example: 'same 2: "Tom", as in same 0' });
    const two = [makePopulation("seed 1", "Tom"), makePopulation("seed 2", "Tom")];
    expect(checkLifeRules([firstDog], two).violations).toBe(1);
  });

  test("compares scenarios only for rules that vary by scenario", () => {
    const scenarios = [makePopulation("scenario 0", "Tom"), makePopulation("scenario 1", "Tom")];
    expect(checkLifeRules([firstDog], [], scenarios).violations).toBe(0);
    const varied = { ...firstDog, variesByScenario: true };
    expect(checkLifeRules([varied], [], scenarios).violations).toBe(1);
  });
});
