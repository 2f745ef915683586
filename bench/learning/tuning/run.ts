/**
 * Chooses the learning rate and one more number of every method on `starter`, by the score on dev, with a seed that no
 * report uses.
 *
 * npx tsx bench/learning/tuning/run.ts --methods loop,ei,rloo,grpo --seed 101 --out runs/tuning
 *
 * writes every trial to results/tuning.json as soon as it ends. Trials in the file are not run again, so you can stop
 * the script and continue it at any time.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readJson, writeJson } from "../../../src/core/index.ts";
import { fieldsToSpendBudget } from "../../../src/train/compare/spend-budget.ts";
import { findPackageMethod, resolveConfig, train } from "../../../src/train/index.ts";
import {
  bestTrial,
  nextTrial,
  type PlannedTrial,
  type Trial,
  TUNED_FIELDS,
  trialScore,
} from "./trials.ts";

const { values } = parseArgs({
  options: {
    methods: { type: "string", default: Object.keys(TUNED_FIELDS).join() },
    seed: { type: "string", default: "101" },
    rollouts: { type: "string", default: "1920" },
    /** Fields of the setting that all trials share, such as '{"algo.reward":"strict"}'. */
    fields: { type: "string", default: "{}" },
    out: { type: "string", default: "runs/tuning" },
    results: { type: "string", default: join(import.meta.dirname, "../results/tuning.json") },
  },
});
const seed = Number(values.seed);
const rollouts = Number(values.rollouts);

interface TuningFile {
  readonly version: 1;
  readonly setting: "starter";
  readonly seed: number;
  readonly rollouts: number;
  readonly fields: string;
  readonly trials: readonly Trial[];
}

/** Fields of all trials. Each run uses one thread, so that two commands can run at the same time. */
const COMMON_FIELDS = {
  "engine.threads": 1,
  "run.seed": seed,
  "evaluation.scores": ["dev", "dev@T1"],
  "evaluation.every": 0,
  ...(JSON.parse(values.fields) as Record<string, unknown>),
};
const warmStartFolder = join(values.out, `warm-seed${seed}`);

/** Returns the configuration fields of a trial, which replace the tuned values of the method. */
function fieldsOfTrial(method: string, { rate, knob }: PlannedTrial): Record<string, unknown> {
  const { field, own } = TUNED_FIELDS[method]!;
  return { "optimizer.learningRate": rate, [field]: knob?.value ?? own };
}

async function runTrial(method: string, planned: PlannedTrial): Promise<Trial> {
  const fields = { ...COMMON_FIELDS, ...fieldsOfTrial(method, planned) };
  const name = `starter/${method}`;
  const config = resolveConfig({ recipe: name, overrides: fields });
  const budget = fieldsToSpendBudget(
    { config, method: findPackageMethod(method).method },
    rollouts,
  );
  const whole = resolveConfig({ recipe: name, overrides: { ...fields, ...budget } });
  const knob = planned.knob ? `-${planned.knob.field}-${planned.knob.value}` : "";
  const out = join(values.out, `${method}-${planned.rate}${knob}`);
  const { after, seconds } = await train(whole, { out, warmFrom: warmStartFolder });
  const [greedy, sampled] = [after["dev"]!.tgc, after["dev@T1"]!.tgc];
  return { method, ...planned, greedy, sampled, seconds: Math.round(seconds) };
}

const known: TuningFile = existsSync(values.results)
  ? (readJson(values.results) as TuningFile)
  : { version: 1, setting: "starter", seed, rollouts, fields: values.fields, trials: [] };
if (known.seed !== seed || known.rollouts !== rollouts || known.fields !== values.fields) {
  throw new Error(
    `${values.results} has trials of seed ${known.seed}, ${known.rollouts} rollouts and fields ${known.fields}: give --results another file`,
  );
}
let tuning = known;
mkdirSync(values.out, { recursive: true });
await train(
  resolveConfig({ recipe: "starter", overrides: { ...COMMON_FIELDS, "algo.iterations": 0 } }),
  {
    out: warmStartFolder,
  },
);
const formatPercent = (share: number) => (100 * share).toFixed(1);
for (const method of values.methods.split(",")) {
  for (;;) {
    const done = tuning.trials.filter((trial) => trial.method === method);
    const planned = nextTrial(method, done);
    if (planned === undefined) break;
    const trial = await runTrial(method, planned);
    tuning = { ...tuning, trials: [...tuning.trials, trial] };
    writeJson(values.results, tuning);
    const knob = trial.knob ? ` ${trial.knob.field} ${trial.knob.value}` : "";
    console.log(
      `${method} ${trial.rate}${knob}: dev ${formatPercent(trial.greedy)} greedy, ${formatPercent(trial.sampled)} at T = 1, ${trial.seconds} s`,
    );
  }
  const top = bestTrial(tuning.trials.filter((trial) => trial.method === method))!;
  console.log(
    `${method}: ${JSON.stringify(fieldsOfTrial(method, top))}, ${formatPercent(trialScore(top))} on dev`,
  );
}
