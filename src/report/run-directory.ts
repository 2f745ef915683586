/**
 * Reads a run directory: for the report, for the end of `train`, and for commands that use the last run by default.
 *
 * This file writes nothing. An unfinished run can be read too; the parts that it has not written yet are empty.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isPassed } from "../algo/index.ts";
import {
  BowlineError,
  listNames,
  nearestWord,
  readCheckedJson,
  readCheckedLines,
  readJsonLines,
} from "../core/index.ts";
import {
  type MetricLine,
  metricLineSchema,
  type Rollout,
  rolloutSchema,
  type Summary,
  summarySchema,
} from "../spec/index.ts";
import { readRunRecord } from "../train/index.ts";

export interface RunRecord {
  readonly directory: string;
  readonly run: { readonly [name: string]: unknown };
  readonly metrics: readonly MetricLine[];
  readonly timings: readonly MetricLine[];
  readonly summary: Summary | undefined;
  /** The names of the files in `rollouts/`, without their ending, sorted. */
  readonly rolloutFiles: readonly string[];
}

/** Reads a run directory. Throws a `config` error when `directory` is not a run. */
export function readRun(directory: string): RunRecord {
  requireRun(directory);
  const readMetricLines = (name: string) =>
    readCheckedLines(join(directory, name), metricLineSchema);
  const rollouts = join(directory, "rollouts");
  return {
    directory,
    run: { ...readRunRecord(directory) },
    metrics: readMetricLines("metrics.jsonl"),
    timings: readMetricLines("timings.jsonl"),
    summary: readSummary(directory),
    rolloutFiles: existsSync(rollouts)
      ? listNames(rollouts)
          .filter((name) => name.endsWith(".jsonl"))
          .map((name) => name.slice(0, -".jsonl".length))
      : [],
  };
}

export function readSummary(directory: string): Summary | undefined {
  const path = join(directory, "summary.json");
  return existsSync(path) ? readCheckedJson(path, summarySchema) : undefined;
}

/** Returns the rollouts of one file of the run, such as `train-0003`. A missing file gives an empty list. */
export function readRollouts(directory: string, name: string): Rollout[] {
  return readJsonLines(join(directory, "rollouts", `${name}.jsonl`)).flatMap((line) => {
    const parsed = rolloutSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * Returns two rollouts of the same task, before and after training. It prefers a task that failed before training and
 * passes afterwards.
 */
export function findBeforeAfterPair(
  directory: string,
): { readonly before: Rollout; readonly after: Rollout } | undefined {
  for (const split of ["test-normal", "dev"]) {
    const [before, after] = ["before", "after"].map((when) =>
      readRollouts(directory, `eval-${when}-${split}-greedy`).map((rollout) => ({
        ...toPairCandidate(rollout),
        rollout,
      })),
    ) as [CandidateRollout[], CandidateRollout[]];
    const pair = findImprovedPair(before, after) ?? pairByTask(before, after)[0];
    if (pair) return { before: pair.before.rollout, after: pair.after.rollout };
  }
  return undefined;
}

type CandidateRollout = PairCandidate & { readonly rollout: Rollout };

/** The properties of a rollout by which pairs are chosen. */
export interface PairCandidate {
  readonly task: string;
  readonly passed: boolean;
  readonly turns: number;
  readonly characters: number;
}

export function toPairCandidate(rollout: Rollout): PairCandidate {
  const { task, turns } = rollout;
  return {
    task: task.id,
    passed: isPassed(rollout),
    turns: turns.length,
    characters: turns.reduce((sum, turn) => sum + turn.code.length + turn.observation.length, 0),
  };
}

/**
 * Returns two rollouts of one task, of which the first failed and the second passes. If there are several such pairs,
 * it returns the one that is easiest to read. Returns undefined when there is none.
 */
export function findImprovedPair<T extends PairCandidate>(
  before: readonly T[],
  after: readonly T[],
): { readonly before: T; readonly after: T } | undefined {
  return pairByTask(before, after)
    .filter((pair) => pair.after.passed && !pair.before.passed)
    .sort((a, b) => readingLength(a.after) - readingLength(b.after))[0];
}

function pairByTask<T extends PairCandidate>(before: readonly T[], after: readonly T[]) {
  const byTask = new Map(after.map((attempt) => [attempt.task, attempt]));
  return before.flatMap((attempt) => {
    const later = byTask.get(attempt.task);
    return later ? [{ before: attempt, after: later }] : [];
  });
}

/**
 * Returns the length by which pairs are ordered. The shortest rollout with at least two turns is the easiest to read.
 */
function readingLength({ turns, characters }: PairCandidate): number {
  return (turns < 2 ? 1e6 : 0) + characters;
}

/**
 * Returns the run in `root` (default `runs`) that was started or continued last. Throws a `config` error if there is
 * none.
 */
export function findLastRun(root = "runs"): string {
  const runs = listRuns(root);
  const newest = runs.sort((a, b) => b.changed - a.changed)[0];
  if (newest !== undefined) return newest.directory;
  throw new BowlineError(
    "config",
    `there is no run in ${root}/ yet: name a run directory, or start a run with \`bowline train\``,
  );
}

function listRuns(root: string): { directory: string; changed: number }[] {
  if (!existsSync(root) || !statSync(root).isDirectory()) return [];
  return listNames(root).flatMap((name) => {
    const directory = join(root, name);
    if (!existsSync(join(directory, "run.json"))) return [];
    const files = ["run.json", "metrics.jsonl", "summary.json"].map((file) =>
      join(directory, file),
    );
    const times = files.filter((path) => existsSync(path)).map((path) => statSync(path).mtimeMs);
    return [{ directory, changed: Math.max(...times) }];
  });
}

export function requireRun(directory: string): void {
  if (existsSync(join(directory, "run.json"))) return;
  const known = listRuns("runs").map((run) => run.directory);
  const near = nearestWord(directory, known);
  const state = existsSync(directory) ? "is not a run (it has no run.json)" : "does not exist";
  throw new BowlineError(
    "config",
    `run ${directory} ${state}${near ? `; did you mean ${near}?` : known.length > 0 ? `; runs here: ${known.join(", ")}` : ""}`,
  );
}
