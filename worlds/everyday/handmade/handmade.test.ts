/**
 * Tests that handmade scenarios are sound and distinct, and that the hand-written verdicts agree with the checks that
 * follow from goals.
 */
import { WorldUnderTest } from "bowline/testing";
import { type Finish, NO_TIME, type Table, type TableRow, type TaskReport } from "bowline/world";
import { beforeAll, describe, expect, test } from "vitest";
import { fullApps } from "../apps/full.ts";
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

/** Returns the content columns that an update changed, with their new values. */
function changedContent(
  table: Table,
  before: TableRow,
  after: TableRow,
): [string, TableRow[string]][] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).filter(
    ([column, value]) =>
      (table.classes[column] ?? "content") === "content" &&
      JSON.stringify(value) !== JSON.stringify(old.get(column)),
  );
}

test("a verdict accepts what the goal does, and refuses it when one more row is changed in the same way", () => {
  const tables = new Map(fullApps.flatMap((app) => app.tables).map((table) => [table.name, table]));
  const accepted: string[] = [];
  let refused = 0;
  for (const { id, signature } of tasks) {
    const { state, task } = world.prepareTask(id);
    const end = state.clone();
    const { answer, impossible } = end.transaction((db) => task.goal(db, NO_TIME)).value ?? {};
    const finish = { status: impossible ? "impossible" : "done", answer } as Finish;
    expect(task.verdict!(end, state, finish, []), signature).toBe(true);
    const changes = end.changesSince(state);
    for (const change of changes) {
      if (change.kind !== "update") continue;
      const table = tables.get(change.table)!;
      const patch = changedContent(table, change.before, change.after);
      const isOther = (row: TableRow) =>
        !changes.some((one) => one.table === table.name && one.id === row.id) &&
        changedContent(table, row, { ...row, ...Object.fromEntries(patch) }).length > 0;
      const others = patch.length > 0 ? end.all<TableRow>(table).filter(isOther).slice(-4) : [];
      for (const other of others) {
        const more = end.clone();
        more.update<TableRow>(table, other.id, Object.fromEntries(patch));
        if (task.verdict!(more, state, finish, []))
          accepted.push(`${signature}: ${table.name} ${other.id}`);
        else refused++;
      }
    }
  }
  expect(accepted).toEqual([]);
  expect(refused).toBeGreaterThan(300);
});

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
