/**
 * Builds the detailed view of one run: its row, its configuration, its progress, its alarms and its files.
 *
 * The counts of a training file come from the metrics of its iteration if they are written, otherwise from its index.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isPlainObject } from "../../../core/index.ts";
import { usageSummarySchema } from "../../../spec/index.ts";
import type { RolloutFile, RunDetail } from "../../../spec/studio/index.ts";
import { collectAlarms } from "./alarms.ts";
import { readBudget } from "./budget.ts";
import { listConfigLeaves } from "./config-leaves.ts";
import type { RunLocation } from "./find-runs.ts";
import type { MetricTables } from "./metric-tables.ts";
import { describeProgress } from "./progress.ts";
import type { RunFile } from "./run-files.ts";
import { objectOrEmpty } from "./run-row.ts";
import type { Runs } from "./runs.ts";
import { readSmallJson, type StudioFolder } from "./studio-folder.ts";

export async function buildRunDetail(
  runs: Runs,
  location: RunLocation,
  tables: MetricTables,
): Promise<RunDetail> {
  const { folder } = runs;
  const filePath = (name: string) => join(location.directory, name);
  const row = await runs.readRow(location);
  const isOpen = location.problem === undefined;
  const run = isOpen
    ? objectOrEmpty(readSmallJson(filePath("run.json"), folder.inspect(filePath("run.json"))))
    : {};
  const summary = isOpen
    ? objectOrEmpty(
        readSmallJson(filePath("summary.json"), folder.inspect(filePath("summary.json"))),
      )
    : {};
  const config = isPlainObject(run["config"]) ? run["config"] : {};
  const files = isOpen ? await runs.listFiles(location) : [];
  const usage = usageSummarySchema.safeParse(summary["usage"]);
  const { stoppedEarly } = summary;
  const counted = await Promise.all(files.map((file) => addRolloutCounts(runs, file, tables)));
  const budget = await readBudget(folder, location, config);
  return {
    ...row,
    rollouts: row.rollouts ?? countTrainingRollouts(counted),
    ...(budget && { cost: row.cost ?? budget.spent }),
    config: listConfigLeaves(config).map(([leaf, value]) => ({ path: leaf, value })),
    versions: pickVersions(run["versions"]),
    ...describeProgress({ row, config, tables, files }),
    ...(typeof stoppedEarly === "string" && { stoppedEarly }),
    alarms: collectAlarms({ tables, config, summary, status: row.status }),
    ...(usage.success && { usage: usage.data }),
    ...(budget && { budget }),
    files: counted,
    checkpoints: isOpen ? await listWholeCheckpoints(folder, location) : [],
  };
}

function countTrainingRollouts(files: readonly RolloutFile[]): number {
  return files
    .filter(({ kind }) => kind === "train")
    .reduce((sum, { rollouts }) => sum + rollouts, 0);
}

async function addRolloutCounts(
  runs: Runs,
  file: RunFile,
  tables: MetricTables,
): Promise<RolloutFile> {
  const { path: _, reward: __, whole, ...fields } = file;
  const counts = whole ? countsFromMetrics(tables, file) : undefined;
  if (counts) return { ...fields, ...counts };
  const index = await runs.indexes.load(file);
  return { ...fields, rollouts: index.size, passed: index.passed };
}

/** Returns from the iteration's metrics how many rollouts the file holds and how many of them passed. */
function countsFromMetrics(
  tables: MetricTables,
  { kind, iteration }: RunFile,
): Pick<RolloutFile, "rollouts" | "passed"> | undefined {
  const loop = tables.get("loop");
  if (kind !== "train" || loop === undefined || iteration === undefined) return undefined;
  const row = loop.rowByStep.get(`${iteration} `);
  const metricValue = (name: string) =>
    row === undefined ? null : (loop.columns.get(name)?.[row] ?? null);
  const [scored, rate] = [metricValue("rollout/count"), metricValue("reward/pass_rate")];
  if (scored === null || rate === null) return undefined;
  const withoutOutcome = ["rollout/failed", "rollout/cancelled", "rollout/unjudged"].map(
    (name) => metricValue(name) ?? 0,
  );
  const rollouts = withoutOutcome.reduce((sum, count) => sum + count, scored);
  return { rollouts: Math.round(rollouts), passed: Math.round(rate * scored) };
}

function pickVersions(versions: unknown): Record<string, string> {
  if (!isPlainObject(versions)) return {};
  return Object.fromEntries(
    Object.entries(versions).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
}

/** Lists the checkpoints that have everything needed to load them. */
async function listWholeCheckpoints(
  folder: StudioFolder,
  { directory }: RunLocation,
): Promise<string[]> {
  const checkpointsFolder = join(directory, "checkpoints");
  if (folder.inspect(checkpointsFolder).kind !== "folder") return [];
  const names = await readdir(checkpointsFolder).catch(() => []);
  return names
    .filter((name) => folder.inspect(join(checkpointsFolder, name, "policy.json")).kind === "file")
    .sort();
}
