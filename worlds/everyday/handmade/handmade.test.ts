/**
 * Tests that handmade scenarios are sound and distinct, and that the hand-written verdicts agree with the checks that
 * follow from goals.
 */
import { WorldUnderTest } from "bowline/testing";
import { NO_TIME, type TaskReport } from "bowline/world";
import { beforeAll, describe, expect, test } from "vitest";
import everyday from "../everyday.ts";
import { sweepSize } from "../tests/sweep.ts";
import { handmadeScenarios } from "./index.ts";

const world = new WorldUnderTest(everyday, 1);
const tasks = world.tasks("handmade", handmadeScenarios.length);

test("there are sixty handmade scenarios with distinct names and three difficulties", () => {
  const names = handmadeScenarios.map(({ name }) => name);
  expect(names).toHaveLength(60);
  expect(new Set(names).size).toBe(60);
  for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
  const countOfDifficulty = (level: number) =>
    handmadeScenarios.filter(({ difficulty }) => difficulty === level).length;
  expect([countOfDifficulty(1), countOfDifficulty(2), countOfDifficulty(3)]).toEqual([18, 21, 21]);
});

test("instructions of handmade tasks are sentences, and no two are the same", () => {
  const instructions = tasks.map(({ instruction }) => instruction);
  expect(instructions).toHaveLength(180);
  expect(new Set(instructions).size).toBe(180);
  for (const instruction of instructions) {
    expect(instruction).toMatch(/^[A-Z"].*[.?!]"?$/s);
    expect(instruction).not.toMatch(/undefined|NaN|\[object| {2}/);
  }
});

test("the three tasks of a handmade scenario differ in their start rows or in their goals", () => {
  const endings = tasks.map(({ id }) => {
    const after = world.prepareTask(id).state.clone();
    const outcome = after.transaction((db) => world.prepareTask(id).task.goal(db, NO_TIME)).value;
    return JSON.stringify([outcome, after.changesSince(world.copyPopulation())]);
  });
  for (let i = 0; i < endings.length; i += 3) {
    expect(new Set(endings.slice(i, i + 3)).size, tasks[i]!.signature).toBe(3);
  }
}, 60_000);

describe("checks of handmade tasks", () => {
  const reports: TaskReport[] = [];

  beforeAll(async () => {
    // `npm test` checks one of the three tasks of each scenario: the first, second and third in turn.
    const proved = tasks.filter((_, i) => i % 3 === sweepSize(Math.floor(i / 3) % 3, i % 3));
    for (const { id } of proved) reports.push(await world.check(id));
  }, 180_000);

  const findReports = (isBad: (report: TaskReport) => unknown) => reports.filter(isBad);

  test("every solution passes, and doing nothing fails", () => {
    expect(findReports(({ solutionPass }) => !solutionPass)).toEqual([]);
    expect(findReports(({ noopFail }) => !noopFail)).toEqual([]);
  });

  test("every wrong solution fails, and every alternative solution passes", () => {
    expect(findReports(({ survivors }) => survivors.length > 0)).toEqual([]);
    expect(findReports(({ rejected }) => rejected.length > 0)).toEqual([]);
    expect(reports.reduce((sum, { mutants }) => sum + mutants, 0)).toBeGreaterThan(
      sweepSize(600, 2000),
    );
  });

  test("hand-written verdicts agree with the checks from goals on every final state", () => {
    expect(findReports(({ agreement }) => (agreement?.verdicts ?? 0) < 4)).toEqual([]);
    expect(reports.flatMap(({ agreement }) => agreement?.disagreements ?? [])).toEqual([]);
  });
});
