/**
 * Compares methods on tasks of k dependent steps (`everyday/errands-k`), with the same number of demonstrated steps and
 * of rollouts at every k.
 *
 * npx tsx bench/learning/horizon/run.ts --k 1,2,4 --methods loop,ei,rloo,grpo,rft --seeds 1..3 --out runs/horizon
 *
 * runs all these combinations, ordered by seed and then by k, and adds them to results/horizon.json. It skips runs that
 * are in the file.
 *
 * npx tsx bench/learning/horizon/run.ts --k 3 --methods loop --rate 3e-5 --seeds 101..101 --rollouts 1920
 *
 * tries a learning rate with a seed that no report uses, and adds the trial to results/horizon-trials.json. The score
 * of a trial is the pass rate in training and on 20 scenarios of dev, never on test-normal.
 *
 * npx tsx bench/learning/horizon/run.ts --k 3 --methods loop --variant annealed --seeds 1..2
 *
 * trains a variant of a method (`variants.ts`), and adds the runs to results/horizon-variants.json.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readResults } from "../../../src/train/compare/results.ts";
import { compare } from "../../../src/train/index.ts";
import { nameOfVariant, VARIANTS } from "./variants.ts";

const { values } = parseArgs({
  options: {
    k: { type: "string", default: "1,2,4" },
    methods: { type: "string", default: "loop,ei,rloo,grpo,rft" },
    seeds: { type: "string", default: "1..3" },
    rollouts: { type: "string", default: "3840" },
    rate: { type: "string" },
    variant: { type: "string" },
    out: { type: "string", default: "runs/horizon" },
    results: { type: "string" },
  },
});
const { rate, variant } = values;
if (variant !== undefined && !Object.hasOwn(VARIANTS, variant))
  throw new Error(`--variant: expected ${Object.keys(VARIANTS).join(" or ")}, got ${variant}`);
const results = values.results ?? join(import.meta.dirname, "../results", resultsFile());
const [first, last = first] = values.seeds.split("..").map(Number);
const rollouts = Number(values.rollouts);

const trialFields = rate !== undefined && {
  "optimizer.learningRate": Number(rate),
  "evaluation.scores": ["dev@T1"],
  "evaluation.scenarios": 20,
  "evaluation.every": 0,
};

function resultsFile(): string {
  if (rate !== undefined) return "horizon-trials.json";
  return variant === undefined ? "horizon.json" : "horizon-variants.json";
}

/** Returns the name of the arm of a trial or a variant; undefined for other arms, which are named after their recipe. */
function givenName(method: string): string | undefined {
  const own = variant === undefined ? undefined : nameOfVariant(method, variant);
  return rate === undefined ? own : `${own ?? method} at ${rate}`;
}

/**
 * Returns the configuration fields for tasks of k steps. Each step of a demonstration is hasty at random, and the
 * demonstrations of every k have the same number of steps in total.
 */
const fieldsForSteps = (k: number) => ({
  "engine.threads": 1,
  "world.name": `everyday/errands-${k}`,
  "world.trainScenarios": Math.ceil(8000 / k),
  "warm.demonstrations": 24_000 / k,
  "warm.hastyShare": 1 - 2 ** -k,
});

function listMissingMethods(k: number, seed: number): string[] {
  const comparison = readResults(results).comparisons.find(
    ({ world, rollouts: of }) => world.name === `everyday/errands-${k}` && of === rollouts,
  );
  const hasRun = (method: string) =>
    comparison?.arms.some(
      (arm) =>
        arm.method === method &&
        arm.name === (givenName(method) ?? arm.recipe) &&
        arm.runs.some((run) => run.seed === seed),
    );
  return values.methods.split(",").filter((method) => !hasRun(method));
}

for (let seed = first!; seed <= last!; seed++) {
  for (const k of values.k.split(",").map(Number)) {
    for (const method of listMissingMethods(k, seed)) await trainMethod(k, seed, method);
  }
}

async function trainMethod(k: number, seed: number, method: string): Promise<void> {
  const out = join(values.out, `k${k}`);
  mkdirSync(out, { recursive: true });
  const name = givenName(method);
  await compare({
    setting: "errands",
    methods: [method],
    ...(name !== undefined && { name }),
    seeds: [seed],
    rollouts,
    overrides: {
      ...fieldsForSteps(k),
      ...(variant !== undefined && VARIANTS[variant]),
      ...trialFields,
    },
    out,
    results,
    onEvent: (event) => {
      if (event.type === "run") console.log(`k = ${k}: ${event.name}`);
      if (event.type !== "train" || event.event.type !== "score") return;
      const { when, split, mode, score } = event.event;
      console.log(`  ${when} ${split} ${mode}: TGC ${(100 * score.tgc).toFixed(1)}`);
    },
  });
}
