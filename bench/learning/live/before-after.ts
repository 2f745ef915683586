/**
 * Prints what a run's policy earned at T = 1 before and after training, with the 95% interval of the mean change over
 * scenarios.
 *
 *   npx bowline train starter --world bench/learning/live/one-family.ts --out runs/live ... (see the log)
 *   npx tsx bench/learning/live/before-after.ts runs/live dev
 */
import { join } from "node:path";
import { groupBy, meanInterval, rewardOfEvaluation } from "../../../src/algo/index.ts";
import { readJsonLines } from "../../../src/core/index.ts";
import { type Rollout, rolloutSchema } from "../../../src/spec/index.ts";

const [run, split = "dev"] = process.argv.slice(2);
if (run === undefined) {
  console.error("before-after: expected a run directory: before-after.ts runs/live dev");
  process.exit(2);
}

function readScenarios(when: "before" | "after"): Map<string, Rollout[]> {
  const file = join(run!, "rollouts", `eval-${when}-${split}-T1.jsonl`);
  const rollouts = readJsonLines(file).map((line) => rolloutSchema.parse(line));
  return groupBy(rollouts, ({ task }) => task.scenario);
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const MEASURES: { readonly [name: string]: (rollout: Rollout) => number } = {
  TGC: ({ evaluation }) => Number(evaluation!.passed),
  progress: ({ evaluation }) =>
    rewardOfEvaluation(evaluation!, { reward: "progress", unfinished: "fail" }),
  fraction: ({ evaluation }) =>
    rewardOfEvaluation(evaluation!, { reward: "fraction", unfinished: "fail" }),
};

const [before, after] = [readScenarios("before"), readScenarios("after")];
for (const [name, measure] of Object.entries(MEASURES)) {
  const pairs = [...before].map(([scenario, rollouts]) => [
    mean(rollouts.map(measure)),
    mean(after.get(scenario)!.map(measure)),
  ]);
  const [first, second] = [0, 1].map((i) => mean(pairs.map((pair) => pair[i]!)).toFixed(4));
  const interval = meanInterval(pairs.map(([a, b]) => b! - a!)) ?? [];
  const range = interval.map((value) => value.toFixed(4)).join(", ");
  console.log(
    `${split} ${name}: ${first} before, ${second} after, change within [${range}] (${pairs.length} scenarios)`,
  );
}
