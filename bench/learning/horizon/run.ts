/**
 * Methods as the horizon grows: chains of k dependent steps (`everyday/errands-k`), the same demonstrated steps and the
 * same rollouts at every k.
 *
 *   npx tsx bench/learning/horizon/run.ts --k 1,2,4 --methods loop,ei,rloo,grpo,rft --seeds 1..3 --out runs/horizon
 *
 * adds its runs to results/horizon.json, seed by seed, then k by k; what stands there is not run again.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readResults } from "../../../src/train/compare/results.ts";
import { compare } from "../../../src/train/index.ts";

const { values } = parseArgs({
  options: {
    k: { type: "string", default: "1,2,4" },
    methods: { type: "string", default: "loop,ei,rloo,grpo,rft" },
    seeds: { type: "string", default: "1..3" },
    rollouts: { type: "string", default: "3840" },
    out: { type: "string", default: "runs/horizon" },
    results: { type: "string", default: join(import.meta.dirname, "../results/horizon.json") },
  },
});
const [first, last = first] = values.seeds.split("..").map(Number);
const rollouts = Number(values.rollouts);

/** The warm start does each step by a coin of its own, and sees as many steps at every k. */
const fieldsOf = (k: number) => ({
  "engine.threads": 1,
  "world.name": `everyday/errands-${k}`,
  "world.trainScenarios": Math.ceil(8000 / k),
  "warm.demonstrations": 24_000 / k,
  "warm.hastyShare": 1 - 2 ** -k,
});

function missing(k: number, seed: number): string[] {
  const there = readResults(values.results).comparisons.find(
    ({ world, rollouts: of }) => world.name === `everyday/errands-${k}` && of === rollouts,
  );
  const isMade = (method: string) =>
    there?.arms.some((arm) => arm.method === method && arm.runs.some((run) => run.seed === seed));
  return values.methods.split(",").filter((method) => !isMade(method));
}

for (let seed = first!; seed <= last!; seed++) {
  for (const k of values.k.split(",").map(Number)) {
    const methods = missing(k, seed);
    if (methods.length === 0) continue;
    const out = join(values.out, `k${k}`);
    mkdirSync(out, { recursive: true });
    await compare({
      setting: "errands",
      methods,
      seeds: [seed],
      rollouts,
      overrides: fieldsOf(k),
      out,
      results: values.results,
      onEvent: (event) => {
        if (event.type === "run") console.log(`k = ${k}: ${event.name}`);
        if (event.type !== "train" || event.event.type !== "score") return;
        const { when, split, mode, score } = event.event;
        console.log(`  ${when} ${split} ${mode}: TGC ${(100 * score.tgc).toFixed(1)}`);
      },
    });
  }
}
