/** Tests that no gate speaks in healthy runs: every method of the paper's table and more, in the fake world. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { COMPARED_RECIPES } from "../settings/recipes.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { diagnoseRun } from "./diagnose-run.ts";

const root = createMemoryFolder("bowline-healthy-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Makes a recipe small: the fake world, four iterations, and twelve tasks of at most six rollouts. */
function resolveSmall(recipe: string, seed: number) {
  const { algo } = resolveConfig({ recipe });
  return resolveConfig({
    recipe,
    overrides: {
      "run.seed": seed,
      "tokenizer.vocabularySize": 280,
      "tokenizer.minimumCount": 5,
      "warm.demonstrations": 96,
      "warm.epochs": 1,
      "warm.rows": 8,
      "warm.learningRate": 0.8,
      "warm.hastyShare": 0.75,
      "world.trainScenarios": 6,
      "algo.iterations": Math.min(4, algo.iterations),
      "algo.tasksPerIteration": 12,
      ...("groupSize" in algo && { "algo.groupSize": Math.min(6, Number(algo.groupSize)) }),
      "algo.minibatch": algo.minibatch && 16,
      "optimizer.learningRate": 0.1,
      ...(recipe === "dmpo" && { "preference.beta": 1 }),
      "scaffold.maxTurns": 3,
      "scaffold.evaluationTurns": 3,
      "scaffold.maxTurnTokens": 8,
      "evaluation.scenarios": 20,
      "evaluation.every": 0,
      "evaluation.scores": ["dev", "dev@T1"],
    },
  });
}

const SEEDS = [1, 2];
const RUNS = COMPARED_RECIPES.flatMap((recipe) => SEEDS.map((seed) => [recipe, seed] as const));

describe("no gate speaks in a healthy run", () => {
  it.each(RUNS)("of %s with seed %i", async (recipe, seed) => {
    const notes: string[] = [];
    const out = join(root, `${recipe}-${seed}`);
    await trainWith(fakeMakers(), resolveSmall(recipe, seed), {
      out,
      onEvent: (event) => void (event.type === "note" && notes.push(event.text)),
    });
    expect(notes.filter((text) => text.includes("usually cures"))).toEqual([]);
    expect(diagnoseRun(out)).toEqual([]);
  });
});
