/**
 * One run as a row of the table: what `run.json` asked for, how far `metrics.jsonl` is, what `summary.json` came to.
 *
 * Any of them may be torn, of something else, or a folder. Then the row says so and keeps what the others say; nothing here
 * throws.
 */
import { join } from "node:path";
import { isRaw } from "../../../core/index.ts";
import { type Scores, scoresSchema, usageSummarySchema } from "../../../spec/index.ts";
import type { RunRow } from "../../../spec/studio/index.ts";
import { RECORD_VERSION, trainerOf } from "../../../train/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Found, type Inside, markOf, type Read, readSmallJson, readTail } from "./inside.ts";
import { objectOf } from "./lines.ts";

/** Holds the lines of an iteration and of the evaluations behind it. */
const TAIL_BYTES = 8 << 10;
const FILES = ["run.json", "summary.json", "metrics.jsonl", "timings.jsonl"] as const;

/** What is at each of the files that a row is made of, and at the lock. */
export type RowFiles = Readonly<Record<(typeof FILES)[number] | "run.lock", Found>>;

/** A row without what only time tells: whether a process trains there. */
export type StillRow = Omit<RunRow, "status"> & { readonly isFinished: boolean };

export function rowFiles(inside: Inside, { directory }: RunPlace): RowFiles {
  const at = inside.in(directory);
  const found = [...FILES, "run.lock"].map((name) => [name, at(name)] as const);
  return Object.fromEntries(found) as RowFiles;
}

/** Equal as long as the row is; the lock's owner is looked for apart. */
export function rowMark(files: RowFiles): string {
  return FILES.map((name) => markOf(files[name])).join();
}

export function stillRow(place: RunPlace, files: RowFiles): StillRow {
  if (place.problem !== undefined) {
    return { id: place.id, problem: place.problem, isFinished: false };
  }
  const path = (name: string) => join(place.directory, name);
  const run = readSmallJson(path("run.json"), files["run.json"]);
  const summary = readSmallJson(path("summary.json"), files["summary.json"]);
  const tail = (name: "metrics.jsonl" | "timings.jsonl") =>
    readTail(path(name), files[name], TAIL_BYTES);
  const problem =
    problemOf("run.json", run) ??
    problemOf("summary.json", summary) ??
    foreignRun(run) ??
    oddFile(files);
  return {
    id: place.id,
    ...(problem !== undefined && { problem }),
    ...asked(recordOf(run)),
    ...times(files),
    ...progress(tail("metrics.jsonl"), tail("timings.jsonl")),
    ...cameTo(recordOf(summary)),
    isFinished: "value" in summary && isRaw(summary.value),
  };
}

/** With its status now. */
export function rowNow(
  { directory }: RunPlace,
  files: RowFiles,
  { isFinished, ...row }: StillRow,
): RunRow {
  if (row.problem !== undefined) return { ...row, status: "broken" };
  // The lock is there while a process trains there, and after one that was killed.
  const isLocked = files["run.lock"].kind === "file";
  if (isLocked && trainerOf(directory) !== undefined) return { ...row, status: "running" };
  return { ...row, status: isFinished ? "finished" : "stopped" };
}

function problemOf(name: string, read: Read<unknown>): string | undefined {
  return "problem" in read ? `${name} ${read.problem}` : undefined;
}

function foreignRun(run: Read<unknown>): string | undefined {
  const value = "value" in run ? run.value : undefined;
  if (value === undefined) return "run.json is gone";
  if (!isRaw(value) || !isRaw(value["config"])) return "run.json is not of a run of bowline";
  const { version } = value;
  if (version === undefined || version === RECORD_VERSION) return undefined;
  return `run.json has version ${JSON.stringify(version)}, and this bowline reads version ${RECORD_VERSION}`;
}

/** A folder or a pipe where a file of the run is to be. */
function oddFile(files: RowFiles): string | undefined {
  for (const name of ["metrics.jsonl", "timings.jsonl"] as const) {
    const found = files[name];
    if (found.kind === "folder") return `${name} is a folder, not a file`;
    if (found.kind === "odd") return `${name} ${found.problem}`;
  }
  return undefined;
}

/** `{}` where it is no object. */
export function recordOf(read: Read<unknown>): Record<string, unknown> {
  return "value" in read && isRaw(read.value) ? read.value : {};
}

/** What of a record is of the type that it should be. */
function texts<K extends string>(
  record: unknown,
  names: Readonly<Record<K, string>>,
): { [name in K]?: string } {
  return typed(record, names, (value) => typeof value === "string" && value.length < 1000);
}

function finite<K extends string>(
  record: unknown,
  names: Readonly<Record<K, string>>,
): { [name in K]?: number } {
  return typed(record, names, (value) => typeof value === "number" && Number.isFinite(value));
}

function typed<K extends string, T>(
  record: unknown,
  names: Readonly<Record<K, string>>,
  is: (value: unknown) => boolean,
): { [name in K]?: T } {
  const source = isRaw(record) ? record : {};
  const pairs = Object.entries<string>(names).filter(([, from]) => is(source[from]));
  return Object.fromEntries(pairs.map(([to, from]) => [to, source[from]])) as { [name in K]?: T };
}

function asked(run: Record<string, unknown>): Partial<RunRow> {
  const config = isRaw(run["config"]) ? run["config"] : {};
  const given = isRaw(config["engine"]) ? config["engine"]["model"] : undefined;
  const model = typeof given === "string" ? given : sizeText(config["model"]);
  const iterations = finite(config["algo"], { iterations: "iterations" });
  return {
    ...texts(config, { setting: "setting", method: "method" }),
    ...texts(config["world"], { world: "name" }),
    ...(model !== undefined && { model }),
    ...finite(run, { seed: "seed" }),
    ...(Number.isInteger(iterations.iterations) && iterations),
  };
}

/** A model of one's own by its size: `2 layers of 64`. */
function sizeText(model: unknown): string | undefined {
  const { layers, hiddenSize } = finite(model, { layers: "layers", hiddenSize: "hiddenSize" });
  return layers === undefined || hiddenSize === undefined
    ? undefined
    : `${layers} layers of ${hiddenSize}`;
}

function times(files: RowFiles): Partial<RunRow> {
  const changed = FILES.flatMap((name) => changedMs(files[name]));
  const [startedMs] = changedMs(files["run.json"]);
  return {
    ...(startedMs !== undefined && { startedMs }),
    ...(changed.length > 0 && { changedMs: Math.max(...changed) }),
  };
}

function changedMs(found: Found): number[] {
  return found.kind === "file" ? [Math.round(found.changedMs)] : [];
}

/** Of the tails of `metrics.jsonl` and `timings.jsonl`. */
function progress(metrics: string, timings: string): Partial<RunRow> {
  const last = lastLine(metrics, ({ phase, step }) => phase === "loop" && Number.isInteger(step));
  const hasBegun = metrics !== "";
  const iteration = last === undefined ? 0 : Number(last["step"]);
  return {
    ...(hasBegun && { iteration }),
    ...finite(
      lastLine(timings, () => true),
      { seconds: "elapsed" },
    ),
  };
}

type Line = Record<string, unknown>;

/** The last whole line that is wanted. The first of a tail may be half a line, and is none then. */
function lastLine(tail: string, isWanted: (line: Line) => boolean): Line | undefined {
  for (let end = tail.lastIndexOf("\n"); end > 0; ) {
    const start = tail.lastIndexOf("\n", end - 1);
    const [line] = objectOf(tail.slice(start + 1, end));
    if (line && isWanted(line)) return line;
    end = start;
  }
  return undefined;
}

function cameTo(summary: Record<string, unknown>): Partial<RunRow> {
  const before = scoresSchema.safeParse(summary["before"]);
  const after = scoresSchema.safeParse(summary["after"]);
  const usage = usageSummarySchema.safeParse(summary["usage"]);
  const { rollouts, seconds } = finite(summary, { rollouts: "rollouts", seconds: "seconds" });
  const cost = usage.data?.spent?.cost ?? usage.data?.cost;
  return {
    ...(Number.isInteger(rollouts) && { rollouts: rollouts! }),
    ...(seconds !== undefined && { seconds }),
    ...(cost !== undefined && { cost }),
    ...(before.success && { before: headlines(before.data) }),
    ...(after.success && { after: headlines(after.data) }),
  };
}

/** Without the counts of habits, which are most of a score and no part of a table. */
function headlines(scores: Scores): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, score]) => [split, { ...score, behaviour: {} }]),
  );
}
