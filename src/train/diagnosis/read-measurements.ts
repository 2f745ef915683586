/**
 * Reads what a run measured: its metrics and some of its rollouts. Nothing of its configuration is read, and nothing is
 * written.
 *
 * The rollouts of a long run are many, so only those of its first and its newest iterations are read.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type MeasuredEvaluation,
  type MeasuredIteration,
  type ObservedRollout,
  observeRollout,
  type RunMeasurements,
} from "../../algo/index.ts";
import { listNames, readCheckedLines, readFittingLines } from "../../core/index.ts";
import {
  formatIterationNumber,
  type MetricLine,
  metricLineSchema,
  rolloutSchema,
} from "../../spec/index.ts";

/** The number of first iterations whose rollouts are read, and of newest ones. */
export const READ_ITERATIONS = 5;

/**
 * Reads the measurements of the run in `directory`. Files that do not exist yet count as empty. With `finishedOnly`, the
 * rollouts of an iteration or an evaluation that was interrupted are not read.
 */
export function readMeasurements(
  directory: string,
  { finishedOnly = false } = {},
): RunMeasurements {
  const path = join(directory, "metrics.jsonl");
  const lines = existsSync(path) ? readCheckedLines(path, metricLineSchema) : [];
  return {
    warmLosses: lines
      .filter(({ phase }) => phase === "warm")
      .flatMap((line) => (typeof line["warm/loss"] === "number" ? [line["warm/loss"]] : [])),
    evaluations: ["rollouts", ...(finishedOnly ? [] : ["journal"])].flatMap((folder) =>
      readEvaluations(join(directory, folder)),
    ),
    iterations: [
      ...readIterations(directory, lines),
      ...(finishedOnly ? [] : readUnfinishedIteration(directory, lines)),
    ],
  };
}

function readIterations(directory: string, lines: readonly MetricLine[]): MeasuredIteration[] {
  const finished = lines.filter(({ phase }) => phase === "loop");
  return finished.map((line, i): MeasuredIteration => {
    const isRead = i < READ_ITERATIONS || i >= finished.length - READ_ITERATIONS;
    const name = `train-${formatIterationNumber(line.step)}`;
    return {
      number: line.step,
      metrics: onlyNumbers(line),
      rollouts: isRead ? readObserved(join(directory, "rollouts", `${name}.jsonl`)) : [],
    };
  });
}

/** Returns the iteration whose finished rollouts are in the journal, or nothing if there is none. */
function readUnfinishedIteration(
  directory: string,
  lines: readonly MetricLine[],
): MeasuredIteration[] {
  const number = (lines.findLast(({ phase }) => phase === "loop")?.step ?? 0) + 1;
  const journal = join(directory, "journal", `train-${formatIterationNumber(number)}.jsonl`);
  const rollouts = readObserved(journal, "newest");
  return rollouts.length === 0 ? [] : [{ number, metrics: undefined, rollouts }];
}

function onlyNumbers(line: MetricLine): Record<string, number> {
  const entries = Object.entries(line).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(entries) as Record<string, number>;
}

/** The name of a file of evaluated rollouts: when, the split, and how answers were sampled. */
const EVALUATION_FILE = /^eval-(before|after|iteration-\d+)-(.+)-(greedy|T1)\.jsonl$/;

/** Reads the evaluations in a folder: those that ended, or in the journal the finished rollouts of one that did not. */
function readEvaluations(folder: string): MeasuredEvaluation[] {
  return listFiles(folder).flatMap((name): MeasuredEvaluation[] => {
    const match = EVALUATION_FILE.exec(name);
    if (match === null) return [];
    const [, when, split, mode] = match as unknown as [string, string, string, string];
    const rollouts = readObserved(join(folder, name), "newest");
    return [{ when: when.replace("-", " "), split, isGreedy: mode === "greedy", rollouts }];
  });
}

const listFiles = (folder: string) => (existsSync(folder) ? listNames(folder) : []);

/**
 * Returns the rollouts of a file. Lines that are not rollouts are skipped, as in a file that is being written. In a
 * journal, only the newest line of each rollout counts.
 */
function readObserved(path: string, which: "all" | "newest" = "all"): ObservedRollout[] {
  const rollouts = readFittingLines(path, rolloutSchema);
  const newest = new Map(rollouts.map((rollout) => [rollout.id, rollout]));
  return (which === "all" ? rollouts : [...newest.values()]).map(observeRollout);
}
