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
import { listNames, readCheckedLines, readJsonLines } from "../../core/index.ts";
import {
  formatIterationNumber,
  type MetricLine,
  metricLineSchema,
  rolloutSchema,
} from "../../spec/index.ts";

/** The number of first iterations whose rollouts are read, and of newest ones. */
export const READ_ITERATIONS = 5;

/** Reads the measurements of the run in `directory`. Files that do not exist yet count as empty. */
export function readMeasurements(directory: string): RunMeasurements {
  const path = join(directory, "metrics.jsonl");
  const lines = existsSync(path) ? readCheckedLines(path, metricLineSchema) : [];
  return {
    warmLosses: lines
      .filter(({ phase }) => phase === "warm")
      .flatMap((line) => (typeof line["warm/loss"] === "number" ? [line["warm/loss"]] : [])),
    evaluations: readEvaluations(directory),
    iterations: readIterations(directory, lines),
  };
}

function readIterations(directory: string, lines: readonly MetricLine[]): MeasuredIteration[] {
  const finished = lines.filter(({ phase }) => phase === "loop");
  const iterations = finished.map((line, i): MeasuredIteration => {
    const isRead = i < READ_ITERATIONS || i >= finished.length - READ_ITERATIONS;
    const name = `train-${formatIterationNumber(line.step)}`;
    return {
      number: line.step,
      metrics: onlyNumbers(line),
      rollouts: isRead ? readObserved(join(directory, "rollouts", `${name}.jsonl`)) : [],
    };
  });
  const next = (finished.at(-1)?.step ?? 0) + 1;
  const journal = join(directory, "journal", `train-${formatIterationNumber(next)}.jsonl`);
  const unfinished = readObserved(journal, "newest");
  if (unfinished.length === 0) return iterations;
  return [...iterations, { number: next, metrics: undefined, rollouts: unfinished }];
}

function onlyNumbers(line: MetricLine): Record<string, number> {
  const entries = Object.entries(line).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(entries) as Record<string, number>;
}

/** The name of a file of evaluated rollouts: when, the split, and how answers were sampled. */
const EVALUATION_FILE = /^eval-(before|after|iteration-\d+)-(.+)-(greedy|T1)\.jsonl$/;

/** Reads the evaluations, and the finished rollouts of one that was not finished, which are in the journal. */
function readEvaluations(directory: string): MeasuredEvaluation[] {
  return ["rollouts", "journal"].flatMap((folder) =>
    listFiles(join(directory, folder)).flatMap((name): MeasuredEvaluation[] => {
      const match = EVALUATION_FILE.exec(name);
      if (match === null) return [];
      const [, when, split, mode] = match as unknown as [string, string, string, string];
      const rollouts = readObserved(join(directory, folder, name), "newest");
      return [{ when: when.replace("-", " "), split, isGreedy: mode === "greedy", rollouts }];
    }),
  );
}

const listFiles = (folder: string) => (existsSync(folder) ? listNames(folder) : []);

/**
 * Returns the rollouts of a file. Lines that are not rollouts are skipped, as in a file that is being written. In a
 * journal, only the newest line of each rollout counts.
 */
function readObserved(path: string, which: "all" | "newest" = "all"): ObservedRollout[] {
  if (!existsSync(path)) return [];
  const rollouts = readJsonLines(path).flatMap((line) => {
    const parsed = rolloutSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  const newest = new Map(rollouts.map((rollout) => [rollout.id, rollout]));
  return (which === "all" ? rollouts : [...newest.values()]).map(observeRollout);
}
