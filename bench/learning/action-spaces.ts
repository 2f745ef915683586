/**
 * Code or function calls: the same task, solution, model and method in both action spaces (CodeAct's question).
 *
 *   npx tsx bench/learning/action-spaces.ts --seeds 1..3 --out runs/action-spaces
 *
 * trains `starter` by LOOP with the scaffold `compact` and with `compact-tools`, and adds each run to
 * results/action-spaces.json; a run that is there is not run again, one that was begun goes on. Both warm starts imitate the same
 * solutions of the same tasks, in one action space or the other. Fewer of them: --demonstrations 4800.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readJson, writeJson } from "../../src/core/index.ts";
import { fieldsToSpendBudget } from "../../src/train/compare/spend-budget.ts";
import { methodNamed, readRollouts, resolveConfig, train } from "../../src/train/index.ts";
import {
  type ActionRun,
  type ActionSpaces,
  DECODINGS,
  type Measured,
  measured,
  SPACES,
} from "./action-spaces-table.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..3" },
    spaces: { type: "string", default: Object.keys(SPACES).join() },
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
const asked = { rollouts, demonstrations, fields: values.fields };

const known: ActionSpaces = existsSync(values.results)
  ? (readJson(values.results) as ActionSpaces)
  : { version: 1, setting: "starter", method: "loop", ...asked, runs: [] };
const other = (["rollouts", "demonstrations", "fields"] as const).find(
  (name) => known[name] !== asked[name],
);
if (other !== undefined) {
  throw new Error(
    `${values.results} is of ${other} ${known[other]}, came ${asked[other]}: give --results another file`,
  );
}

async function runOf(space: keyof typeof SPACES, seed: number): Promise<ActionRun> {
  const fields = {
    "run.seed": seed,
    "engine.threads": 1,
    "scaffold.name": SPACES[space],
    "warm.demonstrations": demonstrations,
    ...(JSON.parse(values.fields) as Record<string, unknown>),
  };
  const config = resolveConfig({ recipe: "starter", overrides: fields });
  const budget = fieldsToSpendBudget({ config, method: loop }, rollouts);
  const out = join(values.out, `${space}-seed${seed}`);
  const whole = resolveConfig({ recipe: "starter", overrides: { ...fields, ...budget } });
  const { seconds } = await train(whole, { out });
  const at = (when: "before" | "after") =>
    Object.fromEntries(
      DECODINGS.map((mode) => [
        mode,
        measured(readRollouts(out, `eval-${when}-test-normal-${mode}`)),
      ]),
    ) as Record<(typeof DECODINGS)[number], Measured>;
  return { space, seed, seconds: Math.round(seconds), before: at("before"), after: at("after") };
}

let results = known;
mkdirSync(values.out, { recursive: true });
for (let seed = first; seed <= last; seed++) {
  for (const space of values.spaces.split(",") as (keyof typeof SPACES)[]) {
    if (results.runs.some((run) => run.space === space && run.seed === seed)) continue;
    const run = await runOf(space, seed);
    results = { ...results, runs: [...results.runs, run] };
    writeJson(values.results, results);
    const { greedy, T1 } = run.after;
    console.log(`${space}, seed ${seed}: ${JSON.stringify({ greedy, T1 })}`);
  }
}
