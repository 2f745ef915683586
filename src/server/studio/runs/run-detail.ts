/**
 * One run in full: its row, what it was asked for, where it is, what a person should know of it, its files.
 *
 * Counts of training files come from the metrics of their iterations where these are written; the others from an index.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRaw } from "../../../core/index.ts";
import { usageSummarySchema } from "../../../spec/index.ts";
import type { RolloutFile, RunDetail } from "../../../spec/studio/index.ts";
import { alarmsOf } from "./alarms.ts";
import { budgetOf } from "./budget.ts";
import { leavesOf } from "./config-leaves.ts";
import type { Tables } from "./curves.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, readSmallJson } from "./inside.ts";
import { pace } from "./pace.ts";
import type { RunFile } from "./run-files.ts";
import { recordOf } from "./run-row.ts";
import type { Runs } from "./runs.ts";

export async function runDetail(runs: Runs, place: RunPlace, tables: Tables): Promise<RunDetail> {
  const { inside } = runs;
  const path = (name: string) => join(place.directory, name);
  const row = await runs.row(place);
  const isOpen = place.problem === undefined;
  const run = isOpen ? recordOf(readSmallJson(path("run.json"), inside.at(path("run.json")))) : {};
  const summary = isOpen
    ? recordOf(readSmallJson(path("summary.json"), inside.at(path("summary.json"))))
    : {};
  const config = isRaw(run["config"]) ? run["config"] : {};
  const files = isOpen ? await runs.files(place) : [];
  const usage = usageSummarySchema.safeParse(summary["usage"]);
  const { stoppedEarly } = summary;
  const counted = await Promise.all(files.map((file) => countedFile(runs, file, tables)));
  const budget = await budgetOf(inside, place, config);
  return {
    ...row,
    rollouts: row.rollouts ?? trained(counted),
    ...(budget && { cost: row.cost ?? budget.spent }),
    config: leavesOf(config).map(([leaf, value]) => ({ path: leaf, value })),
    versions: versionsOf(run["versions"]),
    ...pace({ row, config, tables, files }),
    ...(typeof stoppedEarly === "string" && { stoppedEarly }),
    alarms: alarmsOf({ tables, config, summary, status: row.status }),
    ...(usage.success && { usage: usage.data }),
    ...(budget && { budget }),
    files: counted,
    checkpoints: isOpen ? await checkpointsOf(inside, place) : [],
  };
}

function trained(files: readonly RolloutFile[]): number {
  return files
    .filter(({ kind }) => kind === "train")
    .reduce((sum, { rollouts }) => sum + rollouts, 0);
}

async function countedFile(runs: Runs, file: RunFile, tables: Tables): Promise<RolloutFile> {
  const { path: _, whole, ...said } = file;
  const counts = whole ? countsIn(tables, file) : undefined;
  if (counts) return { ...said, ...counts };
  const index = await runs.indexes.of(file);
  return { ...said, rollouts: index.size, passed: index.passed };
}

/** From the iteration's metrics: all rollouts that the file holds, and those that passed. */
function countsIn(
  tables: Tables,
  { kind, iteration }: RunFile,
): Pick<RolloutFile, "rollouts" | "passed"> | undefined {
  const loop = tables.get("loop");
  if (kind !== "train" || loop === undefined || iteration === undefined) return undefined;
  const row = loop.rowAt.get(`${iteration} `);
  const value = (name: string) =>
    row === undefined ? null : (loop.columns.get(name)?.[row] ?? null);
  const [scored, rate] = [value("rollout/count"), value("reward/pass_rate")];
  if (scored === null || rate === null) return undefined;
  const lost = ["rollout/failed", "rollout/cancelled", "rollout/unjudged"].map(
    (name) => value(name) ?? 0,
  );
  const rollouts = lost.reduce((sum, count) => sum + count, scored);
  return { rollouts: Math.round(rollouts), passed: Math.round(rate * scored) };
}

function versionsOf(versions: unknown): Record<string, string> {
  if (!isRaw(versions)) return {};
  return Object.fromEntries(
    Object.entries(versions).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
}

/** Those with all that is needed to load them. */
async function checkpointsOf(inside: Inside, { directory }: RunPlace): Promise<string[]> {
  const folder = join(directory, "checkpoints");
  if (inside.at(folder).kind !== "folder") return [];
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => inside.at(join(folder, name, "policy.json")).kind === "file")
    .sort();
}
