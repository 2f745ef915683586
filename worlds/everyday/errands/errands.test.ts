/**
 * Tests that no step belongs to two splits, that errands have the stated numbers of steps, and which checks a hasty
 * step fails.
 */

import { WorldUnderTest } from "bowline/testing";
import type { Evaluation, Solution, Split, StepResult } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { sweepSize } from "../tests/sweep.ts";
import { stepsOfSplit } from "./chains.ts";
import { defineErrands } from "./define-errands.ts";
import { NOUNS } from "./topics.ts";

const LENGTHS = [1, 2, 3, 4, 5, 6];
const ERRAND_SPLITS: readonly Split[] = ["train", "dev", "test-normal"];
const worlds = LENGTHS.map(
  (length) => new WorldUnderTest(defineErrands(`everyday/errands-${length}`, [length]), 1),
);
const splitSignature = (signature: string) => signature.split(" > ");
const shareOfPassedChecks = ({ checks }: Evaluation) =>
  checks.filter((c) => c.passed).length / checks.length;

describe("steps of errands", () => {
  const stepNames = (split: Split) =>
    stepsOfSplit(split).map(({ finder, action }) => `${finder.name} + ${action.name}`);

  test("no pair of a finder and an action belongs to two splits", () => {
    const all = ERRAND_SPLITS.flatMap(stepNames);
    expect(new Set(all).size).toBe(all.length);
  });

  test("training has the finder of each test step, and the action of each test step with at least two other finders", () => {
    const trained = stepsOfSplit("train");
    for (const { finder, action } of [...stepsOfSplit("dev"), ...stepsOfSplit("test-normal")]) {
      expect(trained.some((step) => step.finder === finder)).toBe(true);
      expect(trained.filter((step) => step.action === action).length).toBeGreaterThanOrEqual(2);
    }
  });

  test("nouns of topics occur in no row of the population and in no other noun of a topic", () => {
    const population = worlds[0]!.copyPopulation();
    const rows = worlds[0]!.dispatcher.catalog.tables.flatMap((table) => population.all(table));
    const text = JSON.stringify(rows).toLowerCase();
    expect(NOUNS.filter((noun) => text.includes(noun))).toEqual([]);
    for (const noun of NOUNS) expect(NOUNS.filter((other) => other.includes(noun))).toEqual([noun]);
  });
});

describe.each(LENGTHS)("errands of %i steps", (k) => {
  const world = worlds[k - 1]!;

  test.each(ERRAND_SPLITS)(
    "in the split %s every errand has the stated number of steps, and all are steps of that split",
    (split) => {
      const count = split === "train" ? sweepSize(200, 500) : sweepSize(60, 150);
      const signatures = world.tasks(split, count).map(({ signature }) => signature);
      const possibleSteps = new Set(
        stepsOfSplit(split).map(({ finder, action }) => `${finder.name} + ${action.name}`),
      );
      for (const signature of new Set(signatures)) {
        const steps = splitSignature(signature);
        expect(steps).toHaveLength(k);
        for (const step of steps) expect(possibleSteps).toContain(step);
      }
    },
  );

  test("solutions of errands are sound, and take three or four turns for each step and one turn to finish", async () => {
    for (const split of ERRAND_SPLITS) {
      for (const { id } of world.tasks(split, sweepSize(1, 2))) {
        const { turns } = await world.demonstrate(id);
        expect(turns.length).toBeGreaterThanOrEqual(3 * k + 1);
        expect(turns.length).toBeLessThanOrEqual(4 * k + 1);
        expect(await world.check(id)).toMatchObject({
          solutionPass: true,
          hastyPass: false,
          noopFail: true,
          survivors: [],
          rejected: [],
        });
      }
    }
  });

  test("a hasty demonstration of an errand finds something at each step and fails the task", async () => {
    for (const split of ERRAND_SPLITS) {
      for (const [seed, { id }] of world.tasks(split, sweepSize(3, 7)).entries()) {
        const { turns, evaluation } = await world.demonstrate(id, { style: "hasty", seed });
        expect(evaluation.passed, id).toBe(false);
        const errors = turns.filter(({ result }) => result.status !== "ok");
        for (const { result } of errors) expect(result.text).toMatch(/is already done$/);
      }
    }
  });
});

/** Returns a solution of the task in which the given steps are hasty. */
function solutionWithHastySteps(
  world: WorldUnderTest,
  id: string,
  hasty: readonly boolean[],
): Solution {
  const remaining = [...hasty];
  const rng = Object.assign(new Rng(1), { chance: () => remaining.shift() ?? false });
  return (context) => world.findTask(id).task.solution!({ ...context, rng });
}

/** Collects the cells of a solution whose code does not depend on the results of earlier cells. */
function collectCells(cells: ReturnType<Solution>): string[] {
  const nothing: StepResult = { status: "ok", stdout: "", calls: [], finished: false, text: "" };
  const all: string[] = [];
  for (let next = cells.next(); !next.done; next = cells.next(nothing)) all.push(next.value);
  return all;
}

describe("hasty steps of errands", () => {
  const world = worlds[3]!;
  const onlyStep = (at: number) => [0, 1, 2, 3].map((step) => step === at);

  test("one hasty step fails an errand, and the later it is, the more of its checks still pass", async () => {
    const means: number[] = [];
    for (let at = 0; at < 4; at++) {
      const shares: number[] = [];
      for (const { id } of world.tasks("train", 8)) {
        const solution = solutionWithHastySteps(world, id, onlyStep(at));
        const { evaluation } = await world.demonstrate(id, { style: "hasty", solution });
        expect(evaluation.passed).toBe(false);
        shares.push(shareOfPassedChecks(evaluation));
      }
      means.push(shares.reduce((sum, x) => sum + x, 0) / shares.length);
    }
    expect(means[0]!).toBeGreaterThan(0.5);
    expect(means[3]!).toBeGreaterThan(0.75);
    expect(means[3]!).toBeGreaterThan(means[0]!);
  });

  test("every choice of at least one hasty step of an errand is drawn equally often", async () => {
    const { id } = world.tasks("train", 1)[0]!;
    const { task } = world.findTask(id);
    const start = world.copyPopulation();
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 1500; seed++) {
      const code = collectCells(task.solution!({ style: "hasty", rng: new Rng(seed), start })).join(
        "\n",
      );
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect(counts.size).toBe(15);
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40);
  });
});

test("the scenarios of everyday/errands have 1 to 6 steps, in turn", () => {
  const world = new WorldUnderTest(defineErrands("everyday/errands", LENGTHS), 1);
  const lengths = world.tasks("dev", 12).map(({ signature }) => splitSignature(signature).length);
  expect(lengths).toEqual([...LENGTHS, ...LENGTHS].flatMap((k) => [k, k, k]));
});
