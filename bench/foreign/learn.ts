/**
 * Scores runs in a foreign world before and after LOOP, by sampling at temperature 1 on tasks of unseen signatures, and
 * prints the paired difference of each run with its interval:
 *
 *     MCP_SERVERS=tests/slow/mcp-servers npx tsx bench/foreign/learn.ts 40 runs/memory-seed1 runs/memory-seed2
 *
 * The first number says how many scenarios of three tasks are played. `before` is the policy of the warm start.
 */
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { isPassed } from "../../src/algo/index.ts";
import { Rng } from "../../src/core/index.ts";
import { evaluate } from "../../src/train/index.ts";

const [scenarios = "40", ...runs] = process.argv.slice(2);
const RESAMPLES = 2000;

/** Returns the share of tasks solved, by scenario. */
async function scoreScenarios(policy: string): Promise<ReadonlyMap<string, number>> {
  const options = { split: "test-normal", scenarios: Number(scenarios), temperature: 1 } as const;
  const { rollouts } = await evaluate({ policy, ...options });
  const byScenario = new Map<string, number[]>();
  for (const rollout of rollouts) {
    const { scenario } = rollout.task;
    byScenario.set(scenario, [...(byScenario.get(scenario) ?? []), isPassed(rollout) ? 1 : 0]);
  }
  return new Map([...byScenario].map(([scenario, passed]) => [scenario, mean(passed)]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Returns the bounds of the 95% bootstrap interval of the mean, over scenarios. */
function bootstrapInterval(differences: readonly number[]): [number, number] {
  const rng = new Rng(1);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(differences.map(() => rng.pick(differences))),
  ).sort((a, b) => a - b);
  return [means[Math.floor(0.025 * RESAMPLES)]!, means[Math.floor(0.975 * RESAMPLES)]!];
}

/** Counts the iterations that a run has finished. */
function countIterations(run: string): number {
  const path = join(run, "metrics.jsonl");
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.filter((line) => "reward/mean" in JSON.parse(line)).length;
}

const percent = (share: number) => Math.round(1000 * share) / 10;

for (const run of runs) {
  const last = existsSync(join(run, "checkpoints", "final")) ? "final" : "latest";
  const iterations = countIterations(run);
  const before = await scoreScenarios(join(run, "checkpoints", "warm"));
  const after = await scoreScenarios(join(run, "checkpoints", last));
  const differences = [...before].map(([scenario, share]) => (after.get(scenario) ?? 0) - share);
  const [low, high] = bootstrapInterval(differences);
  const result = {
    run: run.split("/").at(-1),
    iterations,
    tasks: 3 * before.size,
    temperature: 1,
    before: percent(mean([...before.values()])),
    after: percent(mean([...after.values()])),
    gain: percent(mean(differences)),
    interval95: [percent(low), percent(high)],
    machine: `${cpus()[0]?.model.trim()}, ${cpus().length} cores`,
    node: process.version,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
