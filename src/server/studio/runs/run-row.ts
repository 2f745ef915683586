/**
 * One run as a row of the table: what `run.json` asked for, how far `metrics.jsonl` is, what `summary.json` came to.
 *
 * Any of them may be torn, of something else, or a folder. Then the row says so and keeps what the others say; nothing here
 * throws.
 */
import { join } from "node:path";
import { isRaw } from "../../../core/index.ts";
import { scoresSchema, usageSummarySchema } from "../../../spec/index.ts";
import type { RunRow } from "../../../spec/studio/index.ts";
import { trainerOf } from "../../../train/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, markOf, type Read, readSmallJson } from "./inside.ts";
import { lastLines } from "./lines.ts";

const TAIL_BYTES = 16 << 10;
const FILES = ["run.json", "summary.json", "metrics.jsonl", "timings.jsonl"] as const;

/** A row without what only time tells: whether a process trains there. */
type Still = Omit<RunRow, "status"> & { readonly isFinished: boolean };

/** Equal as long as the row is; the lock's owner is looked for apart. */
export function rowMark(inside: Inside, { directory }: RunPlace): string {
  return FILES.map((name) => markOf(inside.at(join(directory, name)))).join();
}

export async function stillRow(inside: Inside, place: RunPlace): Promise<Still> {
  if (place.problem !== undefined)
    return { id: place.id, problem: place.problem, isFinished: false };
  const path = (name: string) => join(place.directory, name);
  const run = await readSmallJson(inside, path("run.json"));
  const summary = await readSmallJson(inside, path("summary.json"));
  const problem =
    problemOf("run.json", run) ??
    problemOf("summary.json", summary) ??
    foreignRun(run) ??
    oddFile(inside, place);
  const [metrics, timings] = await Promise.all([
    lastLines(inside, path("metrics.jsonl"), TAIL_BYTES),
    lastLines(inside, path("timings.jsonl"), TAIL_BYTES),
  ]);
  return {
    id: place.id,
    ...(problem !== undefined && { problem }),
    ...asked(recordOf(run)),
    ...times(inside, place),
    ...progress(metrics, timings),
    ...cameTo(recordOf(summary)),
    isFinished: "value" in summary && isRaw(summary.value),
  };
}

/** With its status now. */
export function rowNow(inside: Inside, place: RunPlace, { isFinished, ...row }: Still): RunRow {
  if (row.problem !== undefined) return { ...row, status: "broken" };
  if (isTrained(inside, place)) return { ...row, status: "running" };
  return { ...row, status: isFinished ? "finished" : "stopped" };
}

/** True while a process trains there. */
function isTrained(inside: Inside, { directory }: RunPlace): boolean {
  return (
    inside.at(join(directory, "run.lock")).kind === "file" && trainerOf(directory) !== undefined
  );
}

function problemOf(name: string, read: Read<unknown>): string | undefined {
  return "problem" in read ? `${name} ${read.problem}` : undefined;
}

function foreignRun(run: Read<unknown>): string | undefined {
  const value = "value" in run ? run.value : undefined;
  if (value === undefined) return "run.json is gone";
  return isRaw(value) && isRaw(value["config"]) ? undefined : "run.json is not of a run of bowline";
}

/** A folder or a pipe where a file of the run is to be. */
function oddFile(inside: Inside, { directory }: RunPlace): string | undefined {
  for (const name of ["metrics.jsonl", "timings.jsonl"]) {
    const found = inside.at(join(directory, name));
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

function times(inside: Inside, { directory }: RunPlace): Partial<RunRow> {
  const changed = FILES.map((name) => inside.at(join(directory, name))).flatMap((found) =>
    found.kind === "file" ? [Math.round(found.changedMs)] : [],
  );
  const run = inside.at(join(directory, "run.json"));
  return {
    ...(run.kind === "file" && { startedMs: Math.round(run.changedMs) }),
    ...(changed.length > 0 && { changedMs: Math.max(...changed) }),
  };
}

type Lines = readonly Record<string, unknown>[];

function progress(metrics: Lines, timings: Lines): Partial<RunRow> {
  const last = metrics.findLast(({ phase }) => phase === "loop");
  const step = last === undefined ? 0 : Number(last["step"]);
  return {
    ...(metrics.length > 0 && Number.isInteger(step) && { iteration: step }),
    ...finite(timings.at(-1), { seconds: "elapsed" }),
  };
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
    ...(before.success && { before: before.data }),
    ...(after.success && { after: after.data }),
  };
}
