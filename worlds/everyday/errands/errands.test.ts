/** Errands: splits that share no step, lengths that are what they say, habits that spoil one step or all that follow. */

import { WorldUnderTest } from "bowline/testing";
import type { Evaluation, Solution, Split, StepResult } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { sweepSize } from "../tests/sweep.ts";
import { stepsOf } from "./chains.ts";
import { defineErrands } from "./define.ts";
import { NOUNS } from "./words.ts";

const LENGTHS = [1, 2, 3, 4, 5, 6];
const ERRAND_SPLITS: readonly Split[] = ["train", "dev", "test-normal"];
const worlds = LENGTHS.map(
  (length) => new WorldUnderTest(defineErrands(`everyday/errands-${length}`, [length]), 1),
);
const stepsIn = (signature: string) => signature.split(" > ");
const share = ({ checks }: Evaluation) => checks.filter((c) => c.passed).length / checks.length;

describe("steps", () => {
  const names = (split: Split) =>
    stepsOf(split).map(({ finder, action }) => `${finder.name} + ${action.name}`);

  test("no pair of a finder and an action is in two splits", () => {
    const all = ERRAND_SPLITS.flatMap(names);
    expect(new Set(all).size).toBe(all.length);
  });

  test("the parts of a held-out step are each trained, the action behind two finders at least", () => {
    const trained = stepsOf("train");
    for (const { finder, action } of [...stepsOf("dev"), ...stepsOf("test-normal")]) {
      expect(trained.some((step) => step.finder === finder)).toBe(true);
      expect(trained.filter((step) => step.action === action).length).toBeGreaterThanOrEqual(2);
    }
  });

  test("no row of the population has a noun of a topic, and none is part of another", () => {
    const population = worlds[0]!.copyPopulation();
    const rows = worlds[0]!.dispatcher.catalog.tables.flatMap((table) => population.all(table));
    const text = JSON.stringify(rows).toLowerCase();
    expect(NOUNS.filter((noun) => text.includes(noun))).toEqual([]);
    for (const noun of NOUNS) expect(NOUNS.filter((other) => other.includes(noun))).toEqual([noun]);
  });
});

describe.each(LENGTHS)("errands of %i steps", (k) => {
  const world = worlds[k - 1]!;

  test.each(ERRAND_SPLITS)("%s: as many scenarios as asked, each of that length", (split) => {
    const count = split === "train" ? sweepSize(200, 500) : sweepSize(60, 150);
    const signatures = world.tasks(split, count).map(({ signature }) => signature);
    const own = new Set(
      stepsOf(split).map(({ finder, action }) => `${finder.name} + ${action.name}`),
    );
    for (const signature of new Set(signatures)) {
      const steps = stepsIn(signature);
      expect(steps).toHaveLength(k);
      for (const step of steps) expect(own).toContain(step);
    }
  });

  test("solutions take 4 turns for one step, 19 to 25 for six, and are sound", async () => {
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

  test("a hasty demonstration always finds something, and always fails", async () => {
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

/** The solution with a choice of hasty steps. */
function withHasty(world: WorldUnderTest, id: string, hasty: readonly boolean[]): Solution {
  const left = [...hasty];
  const rng = Object.assign(new Rng(1), { chance: () => left.shift() ?? false });
  return (context) => world.findTask(id).task.solution!({ ...context, rng });
}

/** The cells of a solution that looks at no result. */
function cellsOf(cells: ReturnType<Solution>): string[] {
  const nothing: StepResult = { status: "ok", stdout: "", calls: [], finished: false, text: "" };
  const all: string[] = [];
  for (let next = cells.next(); !next.done; next = cells.next(nothing)) all.push(next.value);
  return all;
}

describe("habits", () => {
  const world = worlds[3]!;
  const one = (at: number) => [0, 1, 2, 3].map((step) => step === at);

  test("one hasty step fails the task; the later it is, the more of the checks is left", async () => {
    const means: number[] = [];
    for (let at = 0; at < 4; at++) {
      const shares: number[] = [];
      for (const { id } of world.tasks("train", 8)) {
        const solution = withHasty(world, id, one(at));
        const { evaluation } = await world.demonstrate(id, { style: "hasty", solution });
        expect(evaluation.passed).toBe(false);
        shares.push(share(evaluation));
      }
      means.push(shares.reduce((sum, x) => sum + x, 0) / shares.length);
    }
    expect(means[0]!).toBeGreaterThan(0.5);
    expect(means[3]!).toBeGreaterThan(0.75);
    expect(means[3]!).toBeGreaterThan(means[0]!);
  });

  test("every choice of hasty steps but none is drawn, equally often", async () => {
    const { id } = world.tasks("train", 1)[0]!;
    const { task } = world.findTask(id);
    const start = world.copyPopulation();
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 1500; seed++) {
      const code = cellsOf(task.solution!({ style: "hasty", rng: new Rng(seed), start })).join(
        "\n",
      );
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect(counts.size).toBe(15);
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40);
  });
});

test("the set of all lengths goes through them in turn", () => {
  const world = new WorldUnderTest(defineErrands("everyday/errands", LENGTHS), 1);
  const lengths = world.tasks("dev", 12).map(({ signature }) => stepsIn(signature).length);
  expect(lengths).toEqual([...LENGTHS, ...LENGTHS].flatMap((k) => [k, k, k]));
});
