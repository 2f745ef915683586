/**
 * A run of reinforcement on a server that fails all the time, and on one that does not: a few rollouts, their gradient,
 * two optimizer steps, a publication and a checkpoint an iteration. What is learned from is what was sampled, so any step
 * that is lost or done twice, and any token that differs, shows in the weights at the end.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Rng } from "../../src/core/index.ts";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Engine, OptimizerStep, Row } from "../../src/spec/index.ts";
import { createFaults, FAULT_KINDS, type FaultKind, type Faults } from "./tinker-faults.ts";
import { startTestServer, type TestServer, TINY } from "./tinker-server.ts";
import { HONEST_TRAITS } from "./tinker-traits.ts";

const STEP: OptimizerStep = {
  learningRate: 5e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const ROLLOUTS = 4;
const EVALUATED_ROW: Row = { tokens: [3, 1, 4, 1, 5, 9, 2, 6], at: [1, 2, 3, 4, 5, 6, 7] };

export interface FaultRunResult {
  /** Of the same row under the last weights. */
  readonly logprobs: readonly number[];
  readonly policyVersion: number;
  readonly faults: Readonly<Record<FaultKind, number>>;
  readonly total: number;
  /** Of the program that trains. */
  readonly kills: number;
}

export interface FaultRunOptions {
  readonly iterations: number;
  /** Of faults; 0: none. */
  readonly most: number;
  readonly probability: number;
  /** That the program is killed before a step. */
  readonly killProbability: number;
  readonly seed: number;
}

export async function runWithFaults(options: FaultRunOptions): Promise<FaultRunResult> {
  const { most, probability, seed } = options;
  const injected: { faults?: Faults; server?: TestServer } = {};
  let restarting = Promise.resolve();
  injected.faults = createFaults({
    seed,
    probability,
    maxFaults: most,
    kinds: FAULT_KINDS,
    slowMs: 5,
    // One after the other: a restart that is under way is not restarted.
    restart: () => {
      restarting = restarting.then(() => injected.server?.restart());
      return restarting;
    },
  });
  injected.server = await startTestServer({ behaviours: [injected.faults], maxModels: 3 });
  const root = mkdtempSync(join(tmpdir(), "bowline-faults-"));
  try {
    const end = await train(injected.server.url, root, options);
    const { counts, total } = injected.faults;
    return { ...end, faults: counts, total };
  } finally {
    await restarting;
    await injected.server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

class Killed extends Error {}

async function train(
  url: string,
  root: string,
  { iterations, killProbability, seed }: FaultRunOptions,
): Promise<Pick<FaultRunResult, "logprobs" | "policyVersion" | "kills">> {
  const rng = new Rng(seed).child("kills");
  const latest = (iteration: number) => join(root, `checkpoint-${iteration}`);
  const create = () =>
    createTinkerEngine({
      ...TINY,
      url,
      rank: 4,
      seed: 1,
      traits: HONEST_TRAITS,
      directory: join(root, "engine"),
      retry: { longestDelayMs: 20 },
    });
  let kills = 0;
  let engine = await create();
  await engine.save(latest(0));
  for (let iteration = 1; iteration <= iterations; ) {
    try {
      await runIteration(engine, iteration, () => {
        if (rng.chance(killProbability)) throw new Killed();
      });
      await engine.save(latest(iteration));
      iteration += 1;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      kills += 1;
      await engine.close();
      engine = await create();
      await engine.load(latest(iteration - 1));
    }
  }
  const [{ logprobs } = { logprobs: [] }] = await engine.evaluate([EVALUATED_ROW]);
  const policyVersion = await engine.publish();
  await engine.close();
  return { logprobs: [...logprobs], policyVersion, kills };
}

async function runIteration(engine: Engine, iteration: number, mayDie: () => void): Promise<void> {
  const requests = Array.from({ length: ROLLOUTS }, (_, k) => ({
    tokens: [1, 2 + k],
    stream: iteration * ROLLOUTS + k,
    maxTokens: 5,
    temperature: 1,
    stopIds: [],
  }));
  const samples = await engine.sample(requests);
  const rows = samples.map(({ tokens }, k) => ({
    tokens: [...requests[k]!.tokens, ...tokens],
    at: tokens.map((_, i) => 2 + i),
  }));
  for (const half of [rows.slice(0, 2), rows.slice(2)]) {
    const outputs = await engine.evaluate(half);
    mayDie();
    const cotangents = outputs.map(({ logprobs }, k) => ({
      logprobs: Array.from(logprobs, (logprob) => (k - 0.5) * Math.exp(0.1 * logprob)),
    }));
    await engine.accumulate(half, cotangents);
    await engine.update(STEP);
    mayDie();
  }
  await engine.publish();
}
