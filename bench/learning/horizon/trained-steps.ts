/**
 * Scores the runs of `run.ts` on new tasks whose steps occur in training, to measure the effect of the number of steps
 * alone.
 *
 * npx tsx bench/learning/horizon/trained-steps.ts --runs runs/horizon --scenarios 60
 *
 * Every step of a task of test-normal is a pair of a finder and an action that training lacks, so a policy that cannot
 * combine them fails whatever the number of steps. This script scores each policy and its warm start on tasks with
 * steps of training, greedy and at T = 1, in a world of another seed with other people, words and rows. Scores are
 * added to results/trained-steps.json, and those in the file are not computed again.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readJson, writeJson } from "../../../src/core/index.ts";
import { type EvaluateResult, evaluate } from "../../../src/train/index.ts";
import { listFinishedRuns } from "../finished-runs.ts";
import { hasSamePolicy, MODES, type ScoreLine, type TrainedSteps } from "./horizon-tables.ts";
import { variantOfFolder } from "./variants.ts";

/** Seed of the world in which policies are scored. No run is trained on it. */
const FRESH_SEED = 9001;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "runs/horizon" },
    scenarios: { type: "string", default: "60" },
    results: {
      type: "string",
      default: join(import.meta.dirname, "../results/trained-steps.json"),
    },
  },
});

/** Lists the finished runs in the folders `k1`, `k2` and so on. A variant of a method counts as a method of its own. */
function listRunsOnErrands(): { path: string; k: number; method: string; seed: number }[] {
  return readdirSync(values.runs).flatMap((folder) => {
    const k = Number(/^k(\d+)$/.exec(folder)?.[1] ?? Number.NaN);
    if (Number.isNaN(k)) return [];
    return listFinishedRuns(join(values.runs, folder)).map(({ path, name, method, seed }) => ({
      ...{ path, k },
      method: variantOfFolder(name, method) ?? method,
      seed,
    }));
  });
}

function scoreFields(
  score: EvaluateResult["score"],
): Pick<ScoreLine, "tasks" | "tgc" | "reward" | "turns"> {
  const { tasks, tgc, reward, behaviour } = score;
  return { tasks, tgc, reward, turns: behaviour["turns"] ?? Number.NaN };
}

const lines: ScoreLine[] = existsSync(values.results)
  ? [...(readJson(values.results) as TrainedSteps).lines]
  : [];
for (const { path, ...run } of listRunsOnErrands()) {
  for (const mode of MODES) {
    if (lines.some((line) => line.seed === run.seed && hasSamePolicy(line, { ...run, mode })))
      continue;
    const { score } = await evaluate({
      policy: path,
      split: "train",
      seed: FRESH_SEED,
      scenarios: Number(values.scenarios),
      temperature: mode === "greedy" ? 0 : 1,
    });
    const line = { ...run, mode, ...scoreFields(score) };
    lines.push(line);
    lines.sort((a, b) => a.k - b.k || a.seed - b.seed || (a.method < b.method ? -1 : 1));
    const file: TrainedSteps = { version: 1, freshSeed: FRESH_SEED, lines };
    writeJson(values.results, file);
    console.log(
      `k = ${run.k} ${run.method} seed ${run.seed} ${mode}: TGC ${(100 * score.tgc).toFixed(1)}`,
    );
  }
}
