/**
 * Builds a run's row in the table: what `run.json` asks for, how far `metrics.jsonl` is, what `summary.json` reports.
 *
 * Any of these files may be incomplete, foreign or a folder. Then the row says so and keeps the fields of the other
 * files. Nothing here throws.
 */
import { join } from "node:path";
import { isPlainObject } from "../../../core/index.ts";
import {
  type ProgressReport,
  progressReportSchema,
  type Scores,
  scoresSchema,
  usageSummarySchema,
} from "../../../spec/index.ts";
import type { RunRow } from "../../../spec/studio/index.ts";
import { findRunOwner, RECORD_VERSION } from "../../../train/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { parseObjectLine } from "./json-lines.ts";
import {
  computeFingerprint,
  type PathStatus,
  type ReadResult,
  readSmallJson,
  readTail,
  type StudioFolder,
} from "./studio-folder.ts";

/** Long enough for the lines of an iteration and of the evaluations after it. */
const TAIL_BYTES = 8 << 10;
const ROW_FILES = ["run.json", "summary.json", "metrics.jsonl", "timings.jsonl"] as const;

/** The status of each file that a row is built from, and of the lock. */
export type RowFiles = Readonly<
  Record<(typeof ROW_FILES)[number] | "run.lock" | "progress.json", PathStatus>
>;

/** A row without its status, which depends on whether a process trains in the run now. */
export type RowWithoutStatus = Omit<RunRow, "status"> & { readonly isFinished: boolean };

export function inspectRowFiles(folder: StudioFolder, { directory }: RunLocation): RowFiles {
  const at = folder.inspectorFor(directory);
  const found = [...ROW_FILES, "run.lock", "progress.json"].map(
    (name) => [name, at(name)] as const,
  );
  return Object.fromEntries(found) as RowFiles;
}

/** Returns a text that stays equal until the row changes. The lock and the report are read each time. */
export function computeRowFingerprint(files: RowFiles): string {
  return ROW_FILES.map((name) => computeFingerprint(files[name])).join();
}

export function readRowWithoutStatus(location: RunLocation, files: RowFiles): RowWithoutStatus {
  if (location.problem !== undefined) {
    return { id: location.id, problem: location.problem, isFinished: false };
  }
  const filePath = (name: string) => join(location.directory, name);
  const run = readSmallJson(filePath("run.json"), files["run.json"]);
  const summary = readSmallJson(filePath("summary.json"), files["summary.json"]);
  const readFileTail = (name: "metrics.jsonl" | "timings.jsonl") =>
    readTail(filePath(name), files[name], TAIL_BYTES);
  const problem =
    describeReadProblem("run.json", run) ??
    describeReadProblem("summary.json", summary) ??
    describeForeignRun(run) ??
    findUnreadableFile(files);
  return {
    id: location.id,
    ...(problem !== undefined && { problem }),
    ...fieldsFromRunJson(objectOrEmpty(run)),
    ...readFileTimes(files),
    ...readProgress(readFileTail("metrics.jsonl"), readFileTail("timings.jsonl")),
    ...fieldsFromSummary(objectOrEmpty(summary)),
    isFinished: "value" in summary && isPlainObject(summary.value),
  };
}

/** Adds the current status to a row. */
export function addCurrentStatus(
  { directory }: RunLocation,
  files: RowFiles,
  { isFinished, ...row }: RowWithoutStatus,
): RunRow {
  // The lock exists while a process trains in the run, and stays after a process that was killed.
  const isLocked = files["run.lock"].kind === "file";
  const isTrained = isLocked && findRunOwner(directory) !== undefined;
  const now = isTrained ? readReport(directory, files["progress.json"]) : undefined;
  // A run that makes its demonstrations has no record yet.
  const hasNotBegun = now !== undefined && files["run.json"].kind === "missing";
  if (hasNotBegun) return { id: row.id, status: "running", now };
  if (row.problem !== undefined) return { ...row, status: "broken" };
  if (isTrained) return { ...row, status: "running", ...(now && { now }) };
  return { ...row, status: isFinished ? "finished" : "stopped" };
}

const MAX_DETAIL_LENGTH = 1000;

/** Reads what the process of a run says that it is doing. */
function readReport(directory: string, found: PathStatus): ProgressReport | undefined {
  const read = readSmallJson(join(directory, "progress.json"), found);
  const report = progressReportSchema.safeParse("value" in read ? read.value : undefined);
  if (!report.success || report.data.detail.length > MAX_DETAIL_LENGTH) return undefined;
  return report.data;
}

function describeReadProblem(name: string, read: ReadResult<unknown>): string | undefined {
  return "problem" in read ? `${name} ${read.problem}` : undefined;
}

function describeForeignRun(run: ReadResult<unknown>): string | undefined {
  const value = "value" in run ? run.value : undefined;
  if (value === undefined) return "run.json is missing";
  if (!isPlainObject(value) || !isPlainObject(value["config"]))
    return "run.json does not belong to a Bowline run";
  const { version } = value;
  if (version === undefined || version === RECORD_VERSION) return undefined;
  return `run.json has version ${JSON.stringify(version)}, but this version of Bowline reads version ${RECORD_VERSION}`;
}

/** Describes a folder or a pipe that stands where a file of the run should be. */
function findUnreadableFile(files: RowFiles): string | undefined {
  for (const name of ["metrics.jsonl", "timings.jsonl"] as const) {
    const found = files[name];
    if (found.kind === "folder") return `${name} is a folder, not a file`;
    if (found.kind === "unreadable") return `${name} ${found.problem}`;
  }
  return undefined;
}

/** Returns the object that was read, or `{}` for anything else. */
export function objectOrEmpty(read: ReadResult<unknown>): Record<string, unknown> {
  return "value" in read && isPlainObject(read.value) ? read.value : {};
}

/** Returns the fields of a record that are strings of less than 1000 characters, under new names. */
function pickStrings<K extends string>(
  record: unknown,
  names: Readonly<Record<K, string>>,
): { [name in K]?: string } {
  return pickFields(record, names, (value) => typeof value === "string" && value.length < 1000);
}

function pickFiniteNumbers<K extends string>(
  record: unknown,
  names: Readonly<Record<K, string>>,
): { [name in K]?: number } {
  return pickFields(record, names, (value) => typeof value === "number" && Number.isFinite(value));
}

function pickFields<K extends string, T>(
  record: unknown,
  names: Readonly<Record<K, string>>,
  isWanted: (value: unknown) => boolean,
): { [name in K]?: T } {
  const source = isPlainObject(record) ? record : {};
  const pairs = Object.entries<string>(names).filter(([, from]) => isWanted(source[from]));
  return Object.fromEntries(pairs.map(([to, from]) => [to, source[from]])) as { [name in K]?: T };
}

function fieldsFromRunJson(run: Record<string, unknown>): Partial<RunRow> {
  const config = isPlainObject(run["config"]) ? run["config"] : {};
  const given = isPlainObject(config["engine"]) ? config["engine"]["model"] : undefined;
  const model = typeof given === "string" ? given : describeModelSize(config["model"]);
  const iterations = pickFiniteNumbers(config["algo"], { iterations: "iterations" });
  return {
    ...pickStrings(config, { setting: "setting", method: "method" }),
    ...pickStrings(config["world"], { world: "name" }),
    ...(model !== undefined && { model }),
    ...pickFiniteNumbers(run, { seed: "seed" }),
    ...(Number.isInteger(iterations.iterations) && iterations),
  };
}

/** Describes a model of a custom size, such as `2 layers of 64`. */
function describeModelSize(model: unknown): string | undefined {
  const { layers, hiddenSize } = pickFiniteNumbers(model, {
    layers: "layers",
    hiddenSize: "hiddenSize",
  });
  return layers === undefined || hiddenSize === undefined
    ? undefined
    : `${layers} layers of ${hiddenSize}`;
}

function readFileTimes(files: RowFiles): Partial<RunRow> {
  const changed = ROW_FILES.flatMap((name) => fileChangedMs(files[name]));
  const [startedMs] = fileChangedMs(files["run.json"]);
  return {
    ...(startedMs !== undefined && { startedMs }),
    ...(changed.length > 0 && { changedMs: Math.max(...changed) }),
  };
}

function fileChangedMs(found: PathStatus): number[] {
  return found.kind === "file" ? [Math.round(found.changedMs)] : [];
}

/** Reads iteration and seconds from the last lines of `metrics.jsonl` and `timings.jsonl`. */
function readProgress(metrics: string, timings: string): Partial<RunRow> {
  const last = findLastLine(
    metrics,
    ({ phase, step }) => phase === "loop" && Number.isInteger(step),
  );
  const hasBegun = metrics !== "";
  const iteration = last === undefined ? 0 : Number(last["step"]);
  return {
    ...(hasBegun && { iteration }),
    ...pickFiniteNumbers(
      findLastLine(timings, () => true),
      { seconds: "elapsed" },
    ),
  };
}

type Line = Record<string, unknown>;

/**
 * Returns the last complete line that `isWanted` accepts. The first line of a tail may be half a line and is skipped.
 */
function findLastLine(tail: string, isWanted: (line: Line) => boolean): Line | undefined {
  for (let end = tail.lastIndexOf("\n"); end > 0; ) {
    const start = tail.lastIndexOf("\n", end - 1);
    const [line] = parseObjectLine(tail.slice(start + 1, end));
    if (line && isWanted(line)) return line;
    end = start;
  }
  return undefined;
}

function fieldsFromSummary(summary: Record<string, unknown>): Partial<RunRow> {
  const before = scoresSchema.safeParse(summary["before"]);
  const after = scoresSchema.safeParse(summary["after"]);
  const usage = usageSummarySchema.safeParse(summary["usage"]);
  const { rollouts, seconds } = pickFiniteNumbers(summary, {
    rollouts: "rollouts",
    seconds: "seconds",
  });
  const cost = usage.data?.spent?.cost ?? usage.data?.cost;
  return {
    ...(Number.isInteger(rollouts) && { rollouts: rollouts! }),
    ...(seconds !== undefined && { seconds }),
    ...(cost !== undefined && { cost }),
    ...(before.success && { before: withoutHabitCounts(before.data) }),
    ...(after.success && { after: withoutHabitCounts(after.data) }),
  };
}

/** Removes the counts of habits, which are most of a score and are not shown in tables. */
function withoutHabitCounts(scores: Scores): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, score]) => [split, { ...score, behaviour: {} }]),
  );
}
