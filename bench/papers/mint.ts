/**
 * Measures the mode of MINT (`worlds/mint/mint.ts`) on unseen competitions of MLE-Dojo: success within 1 to 5 turns, with
 * and without a partner, before and after training with `collect.attempts`.
 *
 *     npx tsx bench/papers/mint.ts --seeds 1..3 --out runs/papers
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type LoadedPolicy,
  loadPolicy,
  openWorld,
  resolveWorld,
  type World,
} from "../../src/index.ts";
import { measureMint, nameFailedChecks } from "../../worlds/mint/mint.ts";
import { type Options, SHARED, WITHOUT_IMITATION } from "./experiments.ts";
import { type MintRun, type MintScores, readMintRuns, writeMintRun } from "./mint-results.ts";
import { train } from "./train.ts";

const WORLD = "./worlds/mle-dojo/mle-dojo.ts";
const MINT: Options = {
  ...SHARED,
  world: WORLD,
  method: "on-policy",
  "collect.attempts.most": 2,
  "collect.attempts.feedback": "checks",
  "evaluation.scores": "[]",
  "world.train-scenarios": 60,
  "scaffold.max-turns": 5,
  "scaffold.evaluation-turns": 5,
  "scaffold.max-tokens": 250,
};

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..3" },
    out: { type: "string", default: "runs/papers" },
  },
});
const [first = 1, last = first] = values.seeds.split("..").map(Number);
const world = await openWorld(resolveWorld(WORLD).url, { seed: 1 });
for (let seed = first; seed <= last; seed++)
  if (!readMintRuns().some((run) => run.seed === seed)) writeMintRun(await measureSeed(seed));
await world.close();

async function measureSeed(seed: number): Promise<MintRun> {
  const [start, end] = ["imitation", "loop"].map((arm) => join(values.out, `mint-${arm}-${seed}`));
  const imitation = {
    "warm.demonstrations": 1600,
    "warm.parts": '["again"]',
    "algo.iterations": 0,
  };
  train({ ...MINT, ...imitation, seed, out: start! });
  train({ ...MINT, ...WITHOUT_IMITATION, warm: start!, seed, out: end! });
  return { seed, before: await measure(start!, world), after: await measure(end!, world) };
}

async function measure(run: string, world: World): Promise<MintScores> {
  const policy: LoadedPolicy = await loadPolicy(run);
  const tasks = world.tasks("test-normal", 20);
  const alone = await measureMint(policy, world, tasks);
  const partner = await measureMint(policy, world, tasks, { partner: nameFailedChecks });
  await policy[Symbol.asyncDispose]();
  return { alone, partner };
}
