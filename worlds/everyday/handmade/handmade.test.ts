/** Handmade scenarios: sound, of their own names and words, judged alike by checks and by hand. */
import { WorldUnderTest } from "bowline/testing";
import type { TaskReport } from "bowline/world";
import { beforeAll, describe, expect, test } from "vitest";
import everyday from "../everyday.ts";
import { sweepSize } from "../tests/sweep.ts";
import { handmade } from "./index.ts";

const world = new WorldUnderTest(everyday, 1);
const tasks = world.tasks("handmade", handmade.length);

test("sixty scenarios with names of their own, of mixed difficulty", () => {
  const names = handmade.map(({ name }) => name);
  expect(names).toHaveLength(60);
  expect(new Set(names).size).toBe(60);
  for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
  const of = (level: number) => handmade.filter(({ difficulty }) => difficulty === level).length;
  expect([of(1), of(2), of(3)]).toEqual([18, 21, 21]);
});

test("instructions are sentences, and no two are the same", () => {
  const instructions = tasks.map(({ instruction }) => instruction);
  expect(instructions).toHaveLength(180);
  expect(new Set(instructions).size).toBe(180);
  for (const instruction of instructions) {
    expect(instruction).toMatch(/^[A-Z"].*[.?!]"?$/s);
    expect(instruction).not.toMatch(/undefined|NaN|\[object| {2}/);
  }
});

test("the three tasks of a scenario differ in their rows or in what they want", () => {
  const ends = tasks.map(({ id }) => {
    const after = world.prepareTask(id).state.clone();
    const outcome = after.transaction((db) => world.prepareTask(id).task.goal(db)).value;
    return JSON.stringify([outcome, after.changesSince(world.copyPopulation())]);
  });
  for (let i = 0; i < ends.length; i += 3) {
    expect(new Set(ends.slice(i, i + 3)).size, tasks[i]!.signature).toBe(3);
  }
}, 60_000);

describe("proofs", () => {
  const reports: TaskReport[] = [];

  beforeAll(async () => {
    // In `npm test` one task of each scenario, by turns.
    const proved = tasks.filter((_, i) => i % 3 === sweepSize(Math.floor(i / 3) % 3, i % 3));
    for (const { id } of proved) reports.push(await world.check(id));
  }, 180_000);

  const those = (bad: (report: TaskReport) => unknown) => reports.filter(bad);

  test("every solution passes, and doing nothing never does", () => {
    expect(those(({ solutionPass }) => !solutionPass)).toEqual([]);
    expect(those(({ noopFail }) => !noopFail)).toEqual([]);
  });

  test("every mutant fails and every other right way passes", () => {
    expect(those(({ survivors }) => survivors.length > 0)).toEqual([]);
    expect(those(({ rejected }) => rejected.length > 0)).toEqual([]);
    expect(reports.reduce((sum, { mutants }) => sum + mutants, 0)).toBeGreaterThan(
      sweepSize(600, 2000),
    );
  });

  test("verdicts and derived checks agree on every ending", () => {
    expect(those(({ agreement }) => (agreement?.verdicts ?? 0) < 4)).toEqual([]);
    expect(reports.flatMap(({ agreement }) => agreement?.disagreements ?? [])).toEqual([]);
  });
});
