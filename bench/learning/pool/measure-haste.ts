/**
 * Measures what the policies of two cells do: how often they read every page of a list. Tasks in which haste is lucky
 * are counted apart from the others, and the training tasks that repeat apart from unseen tasks. Actions are sampled at
 * T = 1. Writes results/haste.json, and measures only the policies that are not in it yet.
 *
 * npx tsx bench/learning/pool/measure-haste.ts --runs runs/pool
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { groupBy } from "../../../src/algo/index.ts";
import { mapConcurrently, THIS_CALL, writeJson } from "../../../src/core/index.ts";
import type { Rollout } from "../../../src/spec/index.ts";
import { evaluate, readDials, resolveConfig, resolveWorld } from "../../../src/train/index.ts";
import { openWorld } from "../../../src/world/index.ts";
import { CELLS, type PlannedRun, WORLDS } from "./arms.ts";
import { type Haste, type HasteLine, readHaste, START } from "./haste-tables.ts";
import { nameOfRun, RESULTS, readRuns } from "./result-files.ts";
import { configOf, nameOfWarmStart, playPool } from "./train-arm.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "runs/pool" } } });

/** What reading every page looks like in code: the answer's field that says whether there are more. */
const READS_ALL = /\.more\b/;
/** Cells of one world, in which the same 72 tasks repeat. */
const MEASURED_CELLS = ["primary", "hasty-85"];
const world = WORLDS[40];
const opened = await openWorld(resolveWorld(world).url, {
  ...{ seed: 1, workers: 2, dials: readDials(resolveConfig()), origin: THIS_CALL },
});

/** Says for each task whether haste passes it; undefined if its careful solution does not read every page. */
const luckOf = new Map<string, boolean | undefined>();

async function findLuck(ids: readonly string[]): Promise<void> {
  const unknown = ids.filter((id) => !luckOf.has(id));
  await mapConcurrently([...new Set(unknown)], 8, async (id) => {
    const careful = await opened.demonstrate(id, "careful", 1);
    const readsAll = careful.turns.some(({ code }) => READS_ALL.test(code));
    const { evaluation } = await opened.demonstrate(id, "hasty", 1);
    luckOf.set(id, readsAll ? evaluation.passed : undefined);
  });
}

async function measure(where: "pool" | "unseen", rollouts: readonly Rollout[]) {
  await findLuck(rollouts.map(({ task }) => task.id));
  const counted = rollouts.filter(({ task }) => luckOf.get(task.id) !== undefined);
  return [...groupBy(counted, ({ task }) => luckOf.get(task.id)!)].map(([lucky, group]) => ({
    ...{ where, lucky, rollouts: group.length },
    allPages: group.filter(({ turns }) => turns.some(({ code }) => READS_ALL.test(code))).length,
    passed: group.filter(({ evaluation }) => evaluation?.passed && evaluation.finished).length,
  }));
}

async function measurePolicy({ cell, arm, seed }: PlannedRun, policy: string): Promise<HasteLine> {
  const values = { "run.seed": seed };
  const evaluation = { scores: [], every: 0 };
  const training = { arm: "loop", cell: CELLS[cell]!, seed, iterations: 1, values, evaluation };
  const config = configOf(training);
  const pool = await playPool(policy, config, 1);
  const split = "test-normal";
  const unseen = await evaluate({ policy, world, split, temperature: 1, scenarios: 60 });
  const line = {
    ...{ cell, arm, seed },
    counts: [
      ...(await measure("pool", pool.rollouts)),
      ...(await measure("unseen", unseen.rollouts)),
    ],
  };
  console.log(JSON.stringify(line));
  return line;
}

const path = join(RESULTS, "haste.json");
const lines = existsSync(path) ? [...readHaste().lines] : [];

/** Measures a policy, unless it was measured before, and writes the result to the file at once. */
async function add(run: PlannedRun, folder: string): Promise<void> {
  const isMeasured = lines.some((line) => nameOfRun(line) === nameOfRun(run));
  if (isMeasured || !existsSync(folder)) return;
  lines.push(await measurePolicy(run, folder));
  const haste: Haste = { version: 1, temperature: 1, lines };
  writeJson(path, haste);
}

for (const run of readRuns().filter(({ cell }) => MEASURED_CELLS.includes(cell))) {
  const warm = nameOfWarmStart(CELLS[run.cell]!, run.seed);
  await add({ ...run, arm: START }, join(values.runs, warm));
  await add(run, join(values.runs, nameOfRun(run)));
}
await opened.close();
