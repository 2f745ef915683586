/**
 * Scores the runs of a comparison on test-normal, greedy, at T = .3 and at T = 1, and counts their habits at T = 1. The
 * scores at T = .3 tell skill from sharpness: a policy that is merely sharper than another leads at T = 1 alone.
 *
 * npx bowline compare starter ei rloo grpo --seeds 1..5 --rollouts 1920 --engine.threads 1 --out runs/starter-again
 * npx tsx bench/learning/temperatures/measure.ts --runs runs/starter-again
 *
 * Adds the policies to results/temperatures.json. Policies that are in the file are not scored again.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, readJson, writeJson } from "../../../src/core/index.ts";
import { type EvaluateResult, evaluate } from "../../../src/train/index.ts";
import { listFinishedRuns } from "../finished-runs.ts";
import { measureHabits } from "../habits.ts";
import {
  type PolicyLine,
  TEMPERATURES,
  type TemperatureScore,
  type Temperatures,
} from "./temperature-tables.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "runs/starter-again" },
    scenarios: { type: "string", default: "60" },
    results: {
      type: "string",
      default: join(import.meta.dirname, "../results/temperatures.json"),
    },
  },
});

const play = (policy: string, temperature: number): Promise<EvaluateResult> =>
  evaluate({
    ...{ policy, split: "test-normal", temperature, scenarios: Number(values.scenarios) },
  });

async function scorePolicy(path: string): Promise<Pick<PolicyLine, "scores" | "habits">> {
  const scores: Record<string, TemperatureScore> = {};
  let habits: PolicyLine["habits"] = {};
  for (const temperature of TEMPERATURES) {
    const { score, rollouts } = await play(path, temperature);
    const { tasks, tgc, sgc, reward } = score;
    scores[String(temperature)] = { tasks, tgc, sgc, reward };
    if (temperature === 1) habits = measureHabits(rollouts);
  }
  return { scores, habits };
}

const { cpu, cores } = describeMachine();
const lines: PolicyLine[] = existsSync(values.results)
  ? [...(readJson(values.results) as Temperatures).lines]
  : [];
for (const { path, method, seed } of listFinishedRuns(values.runs)) {
  if (lines.some((line) => line.method === method && line.seed === seed)) continue;
  const line = { method, seed, ...(await scorePolicy(path)) };
  lines.push(line);
  lines.sort((a, b) => a.seed - b.seed || (a.method < b.method ? -1 : 1));
  const machine = `${cores} cores of ${cpu}`;
  const file: Temperatures = { version: 1, machine, lines };
  writeJson(values.results, file);
  const tgc = TEMPERATURES.map((t) => (100 * line.scores[String(t)]!.tgc).toFixed(1));
  console.log(`${method} seed ${seed}: TGC ${tgc.join(", ")} at T = ${TEMPERATURES}`);
}
