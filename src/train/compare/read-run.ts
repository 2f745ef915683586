/**
 * Reads from a finished run directory what a comparison keeps: passed tasks by scenario, the learning curve on dev, and
 * training metrics.
 */
import { join } from "node:path";
import { groupBy, isPassed, sampledEntropy } from "../../algo/index.ts";
import { assert, readBytes, readCheckedLines } from "../../core/index.ts";
import {
  formatIterationNumber,
  type MetricLine,
  metricLineSchema,
  type Rollout,
  type Scores,
  type Summary,
} from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { readRollouts } from "../run/run-store.ts";
import type { ComparedRun, Comparison, Outcomes } from "./comparison.ts";

/** The training metrics that a comparison keeps: reward, signal in groups, change of the policy, and exploration. */
const TRAINING_METRICS = [
  "reward/mean",
  "reward/pass_rate",
  "group/mixed",
  "group/all_wrong",
  "rollout/kept",
  "kl/trajectory",
  "entropy/mean",
];

export function readComparedRun(directory: string, summary: Summary, config: Config): ComparedRun {
  const lines = readCheckedLines(join(directory, "metrics.jsonl"), metricLineSchema);
  const iterations = lines.filter(({ phase }) => phase === "loop");
  const updates = iterations.reduce((sum, line) => sum + Number(line["train/updates"] ?? 0), 0);
  return {
    seed: config.run.seed,
    rollouts: summary.rollouts,
    updates,
    seconds: Math.round(summary.seconds),
    after: readOutcomes(directory, "after", summary.after),
    dev: computeDevCurve(directory, lines, config),
    training: {
      ...collectTrainingMetrics(iterations),
      ...computeSampledEntropy(directory, iterations.length),
    },
  };
}

/** Reads the number of passed tasks of each scenario from the evaluations before or after training. */
export function readOutcomes(
  directory: string,
  when: "before" | "after",
  scores: Scores,
): Outcomes {
  return Object.fromEntries(
    Object.keys(scores).map((key) => {
      const scenarios = groupByScenario(readEvaluation(directory, when, key));
      return [key, scenarios.map((group) => group.filter(isPassed).length)];
    }),
  );
}

/** Reads the scenarios of each split from the evaluations before training. */
export function readSplits(directory: string, scores: Scores): Comparison["splits"] {
  const keys = new Map(Object.keys(scores).map((key) => [key.split("@")[0]!, key]));
  return Object.fromEntries(
    [...keys].map(([split, key]) => {
      const scenarios = groupByScenario(readEvaluation(directory, "before", key));
      const [tasks = 0] = scenarios.map((group) => group.length);
      const isEven = scenarios.every((group) => group.length === tasks);
      assert(isEven, `the scenarios of ${split} do not all have the same number of tasks`);
      return [split, { tasks, difficulty: scenarios.map(([first]) => first!.task.difficulty) }];
    }),
  );
}

function readEvaluation(directory: string, when: string, key: string): Rollout[] {
  const [split, mode = "greedy"] = key.split("@");
  return readRollouts(directory, `eval-${when}-${split}-${mode}`);
}

function groupByScenario(rollouts: readonly Rollout[]): Rollout[][] {
  return [...groupBy(rollouts, ({ task }) => task.scenario).values()];
}

/**
 * Computes the learning curve on dev: TGC (the share of tasks that pass) by rollouts spent. Every evaluation covers the
 * first scenarios of dev, so all points use those.
 */
function computeDevCurve(
  directory: string,
  lines: readonly MetricLine[],
  { evaluation }: Config,
): [number, number][] {
  const scenarios = Math.min(evaluation.everyScenarios, evaluation.scenarios);
  const last = Math.max(0, ...lines.filter(({ phase }) => phase === "loop").map((l) => l.step));
  const spent = rolloutsSpentByIteration(directory, last);
  const curvePoint = (when: string, iteration: number): [number, number][] => {
    const rollouts = groupByScenario(readEvaluation(directory, when, "dev"))
      .slice(0, scenarios)
      .flat();
    if (rollouts.length === 0) return [];
    return [
      [spent[iteration]!, roundToFourDigits(rollouts.filter(isPassed).length / rollouts.length)],
    ];
  };
  const within = lines.filter(({ when }) => String(when).startsWith("iteration"));
  return [
    ...curvePoint("before", 0),
    ...within.flatMap(({ step }) => curvePoint(`iteration-${formatIterationNumber(step)}`, step)),
    ...curvePoint("after", last),
  ];
}

/**
 * Returns the number of rollouts spent before the first iteration (0) and after each iteration. Every line of a rollout
 * file counts.
 */
function rolloutsSpentByIteration(directory: string, iterations: number): number[] {
  const spent = [0];
  for (let i = 1; i <= iterations; i++) {
    const file = readBytes(join(directory, "rollouts", `train-${formatIterationNumber(i)}.jsonl`));
    spent.push(spent[i - 1]! + file.filter((byte) => byte === NEWLINE).length);
  }
  return spent;
}

const NEWLINE = "\n".charCodeAt(0);

function collectTrainingMetrics(iterations: readonly MetricLine[]): ComparedRun["training"] {
  const valuesByIteration = (name: string) =>
    iterations.map((line) =>
      typeof line[name] === "number" ? roundToFourDigits(line[name]) : null,
    );
  return Object.fromEntries(
    TRAINING_METRICS.map((name) => [name, valuesByIteration(name)] as const).filter(([, all]) =>
      all.some((value) => value !== null),
    ),
  );
}

/**
 * Computes the sampled entropy in nats, which estimates the policy's entropy in the same way for every method. Returns null for every iteration of a method that samples nothing.
 */
function computeSampledEntropy(directory: string, iterations: number): ComparedRun["training"] {
  const means = Array.from({ length: iterations }, (_, i) => {
    const rollouts = readRollouts(directory, `train-${formatIterationNumber(i + 1)}`);
    const entropy = sampledEntropy(rollouts);
    return entropy === undefined ? null : roundToFourDigits(entropy);
  });
  return means.some((mean) => mean !== null) ? { "entropy/sampled": means } : {};
}

/** Rounds to four significant digits. */
function roundToFourDigits(value: number): number {
  return Number(value.toPrecision(4));
}
