import { goalDifficulty, SignatureSchedule, signatureOfGoal } from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import { NO_TIME, type TaskInfo } from "bowline/world";
import { describe, expect, test } from "vitest";
import { PARTS, POOLS } from "./population.ts";
import garden, { gardenParts } from "./tests/garden-world.ts";

const world = new WorldUnderTest(garden, 1);

/** Returns the columns that the goal of a task changes. */
function changedColumns({ id }: TaskInfo): string {
  const { state, task } = world.prepareTask(id);
  const wanted = state.clone();
  wanted.transaction((db) => task.goal(db, NO_TIME));
  const columns = wanted
    .changesSince(state)
    .flatMap((change) =>
      change.kind === "update"
        ? Object.keys(change.after).filter((c) => change.after[c] !== change.before[c])
        : [change.kind],
    );
  return [...new Set(columns)].join();
}

describe("composed tasks of a small world", () => {
  test("are sound: solutions and equivalents pass, and doing nothing and mutants fail", async () => {
    for (const { id } of [...world.tasks("train", 10), ...world.tasks("test-normal", 5)]) {
      const report = await world.check(id);
      expect(report).toMatchObject({
        solutionPass: true,
        noopFail: true,
        survivors: [],
        rejected: [],
      });
    }
  });

  test("differ within a scenario, and their conditions are true in some tasks and false in others", () => {
    const branches = world
      .tasks("train", 40)
      .filter(({ signature }) => signature.endsWith("then garden.water else garden.mark"));
    for (const scenario of new Set(branches.map((task) => task.scenario))) {
      const tasks = branches.filter((task) => task.scenario === scenario);
      expect(new Set(tasks.map(({ instruction }) => instruction)).size).toBe(3);
      expect(new Set(tasks.map(changedColumns))).toEqual(new Set(["watered", "mark"]));
    }
    expect(branches.length).toBeGreaterThan(0);
  });

  test("include a few impossible tasks, each in a scenario with feasible ones", () => {
    const tasks = world.tasks("train", 40);
    const impossible = tasks.filter(({ id }) => world.prepareTask(id).checks.outcome.impossible);
    expect(impossible.length).toBeGreaterThan(0);
    expect(impossible.length).toBeLessThanOrEqual(tasks.length / 10);
    for (const { scenario } of impossible) {
      const twins = impossible.filter((other) => other.scenario === scenario);
      expect(twins).toHaveLength(1);
    }
  });

  test("name nobody who belongs to another split", () => {
    for (const split of ["train", "dev", "test-normal"] as const) {
      const strangers = PARTS.filter((part) => part !== split).flatMap((part) => POOLS[part].last);
      for (const { instruction } of world.tasks(split, 10)) {
        expect(strangers.filter((name) => instruction.includes(` ${name}`))).toEqual([]);
      }
    }
  });
});

describe("the schedule", () => {
  const schedule = new SignatureSchedule([gardenParts], []);

  test("no signature belongs to two splits, and the names of signatures are unique", () => {
    const names = schedule.signatures.map(({ goal }) => signatureOfGoal(goal));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
  });

  test("every difficulty from 1 to 3 occurs", () => {
    const levels = new Set(schedule.signatures.map(({ goal }) => goalDifficulty(goal)));
    expect([...levels].sort()).toEqual([1, 2, 3]);
  });
});
