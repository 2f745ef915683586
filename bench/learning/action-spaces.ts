/**
 * Compares code and function calls as actions, with the same tasks, solutions, model and method, as the paper CodeAct
 * did.
 *
 * npx tsx bench/learning/action-spaces.ts --seeds 1..3 --out runs/action-spaces
 *
 * trains `starter` by LOOP with the scaffolds `compact` and `compact-tools`, and adds each run to
 * results/action-spaces.json. It skips runs that are in the file, and continues runs that were begun. Both warm starts
 * imitate the same solutions, each in its action space. `--demonstrations 4800` imitates fewer solutions.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readJson, writeJson } from "../../src/core/index.ts";
import { fieldsToSpendBudget } from "../../src/train/compare/spend-budget.ts";
import { findPackageMethod, readRollouts, resolveConfig, train } from "../../src/train/index.ts";
import {
  type ActionRun,
  type ActionSpaces,
  DECODINGS,
  measureRollouts,
  type RolloutMeasures,
  SCAFFOLD_OF_SPACE,
} from "./action-spaces-table.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..3" },
    spaces: { type: "string", default: Object.keys(SCAFFOLD_OF_SPACE).join() },
    rollouts: { type: "string", default: "1920" },
    demonstrations: { type: "string", default: "24000" },
    /** Fields of the setting that all runs share, such as '{"evaluation.scenarios":20}'. */
    fields: { type: "string", default: "{}" },
    out: { type: "string", default: "runs/action-spaces" },
    results: {
      type: "string",
      default: join(import.meta.dirname, "results", "action-spaces.json"),
    },
  },
});
const [first = 1, last = first] = values.seeds.split("..").map(Number);
const rollouts = Number(values.rollouts);
const demonstrations = Number(values.demonstrations);
const shared = { rollouts, demonstrations, fields: values.fields };

const known: ActionSpaces = existsSync(values.results)
  ? (readJson(values.results) as ActionSpaces)
  : { version: 1, setting: "starter", method: "loop", ...shared, runs: [] };
const differentField = (["rollouts", "demonstrations", "fields"] as const).find(
  (name) => known[name] !== shared[name],
);
if (differentField !== undefined) {
  throw new Error(
    `${values.results} has runs of ${differentField} ${known[differentField]}, got ${shared[differentField]}: give --results another file`,
  );
}

async function trainRun(space: keyof typeof SCAFFOLD_OF_SPACE, seed: number): Promise<ActionRun> {
  const fields = {
    "run.seed": seed,
    "engine.threads": 1,
    "scaffold.name": SCAFFOLD_OF_SPACE[space],
    "warm.demonstrations": demonstrations,
    ...(JSON.parse(values.fields) as Record<string, unknown>),
  };
  const config = resolveConfig({ recipe: "starter", overrides: fields });
  const { method } = findPackageMethod("loop");
  const budget = fieldsToSpendBudget({ config, method }, rollouts);
  const out = join(values.out, `${space}-seed${seed}`);
  const budgetConfig = resolveConfig({ recipe: "starter", overrides: { ...fields, ...budget } });
  const { seconds } = await train(budgetConfig, { out });
  const measureEvaluations = (when: "before" | "after") =>
    Object.fromEntries(
      DECODINGS.map((mode) => [
        mode,
        measureRollouts(readRollouts(out, `eval-${when}-test-normal-${mode}`)),
      ]),
    ) as Record<(typeof DECODINGS)[number], RolloutMeasures>;
  return {
    space,
    seed,
    seconds: Math.round(seconds),
    before: measureEvaluations("before"),
    after: measureEvaluations("after"),
  };
}

let results = known;
mkdirSync(values.out, { recursive: true });
for (let seed = first; seed <= last; seed++) {
  for (const space of values.spaces.split(",") as (keyof typeof SCAFFOLD_OF_SPACE)[]) {
    if (results.runs.some((run) => run.space === space && run.seed === seed)) continue;
    const run = await trainRun(space, seed);
    results = { ...results, runs: [...results.runs, run] };
    writeJson(values.results, results);
    const { greedy, T1 } = run.after;
    console.log(`${space}, seed ${seed}: ${JSON.stringify({ greedy, T1 })}`);
  }
}
