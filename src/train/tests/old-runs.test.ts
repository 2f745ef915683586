/** Runs that were begun when the configuration was one flat list of fields: they are read, and mean what they meant. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { configLeaves } from "../config/config.ts";
import { parseConfig } from "../config/parse.ts";
import { resolveConfig } from "../config/resolve.ts";
import { merged, type Tree } from "../config/tree.ts";
import { currentState, freshState } from "../run/trainer-state.ts";

/** What the recipes were: `starter` whole, of the others what they set differently. */
const { starter, changes } = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/configs-v1.json"), "utf8"),
) as { readonly starter: Tree; readonly changes: { readonly [recipe: string]: Tree } };

/** Numbers of `starter` and its pairs that are others now; AdamW went on from the warm start. */
const CHOSEN_SINCE = [
  "algo.clip",
  "algo.epochs",
  "algo.iterations",
  "algo.kl.coefficient",
  "algo.tasksPerIteration",
  "critic.warmIterations",
  "evaluation.every",
  "optimizer.finalRate",
  "optimizer.learningRate",
  "optimizer.moments",
  "preference.beta",
  "warm.demonstrations",
  "world.trainScenarios",
];

describe("a configuration of version 1 is what its recipe is now", () => {
  it.each(["starter", ...Object.keys(changes)])("%s", (recipe) => {
    const old = merged(starter, changes[recipe] ?? {});
    const parsed = parseConfig(old);
    const leaves = configLeaves(parsed);
    const overrides = Object.fromEntries(
      CHOSEN_SINCE.filter((path) => leaves.has(path)).map((path) => [path, leaves.get(path)]),
    );
    expect(parsed.optimizer.moments).toBe("kept");
    expect(parsed).toEqual(resolveConfig({ recipe, overrides }));
  });
});

test("a trainer's state of version 1: what the method remembers goes to the method, what is known of tasks to the tasks", () => {
  const { tasks: _, method: __, usage: ___, ceiling: ____, ...rest } = freshState();
  const own = { buffer: [{ iteration: 1 }], memory: { items: [] }, heads: { ranking: 1 } };
  const old = {
    ...rest,
    version: 1,
    iteration: 3,
    mixedShares: { 1: 0.5 },
    taskTable: { "train/0/0": 0.25 },
    ...own,
  };
  expect(currentState(old)).toEqual({
    ...freshState(),
    iteration: 3,
    tasks: { mixedShares: { 1: 0.5 }, table: { "train/0/0": 0.25 } },
    method: own,
  });
  expect(currentState(freshState())).toEqual(freshState());
});
