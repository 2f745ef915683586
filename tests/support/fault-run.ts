/**
 * Trains on a server that fails at random. An iteration samples a few rollouts, takes two optimizer steps, publishes
 * the weights and saves a checkpoint. The learner uses the sampled tokens. So when a step is lost or taken twice, or a
 * token differs, the final weights differ.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Rng } from "../../src/core/index.ts";
import { createTinkerEngine } from "../../src/engine/index.ts";
import { TinkerError } from "../../src/engine/tinker/client/errors.ts";
import type { RetryPolicy } from "../../src/engine/tinker/client/retry.ts";
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
  /** Log-probs of one fixed row under the final weights. */
  readonly logprobs: readonly number[];
  readonly policyVersion: number;
  readonly faults: Readonly<Record<FaultKind, number>>;
  readonly total: number;
  /** How often the training program was killed. */
  readonly kills: number;
  /** How often the client gave up at its deadline, and the program was started again. */
  readonly givenUp: number;
}

export interface FaultRunOptions {
  readonly iterations: number;
  /** The most faults to inject; 0 injects none. */
  readonly maxFaults: number;
  readonly probability: number;
  /** The probability that the program is killed before a step. */
  readonly killProbability: number;
  readonly seed: number;
  /** How often the same request may fail in a row; default 2. */
  readonly maxInARow?: number;
  /** The client's deadlines. The client waits at most 20 ms between attempts. */
  readonly deadlines?: Partial<Pick<RetryPolicy, "budgetMs" | "recoveryMs">>;
  /** Whether the program is started again when the client has given up; default false. */
  readonly restartsAfterGivingUp?: boolean;
}

/** Trains on a server with injected faults, and returns the final log-probs and the counts of faults. */
export async function runWithFaults(options: FaultRunOptions): Promise<FaultRunResult> {
  const { maxFaults, maxInARow, probability, seed } = options;
  const current: { faults?: Faults; server?: TestServer } = {};
  let restarting = Promise.resolve();
  current.faults = createFaults({
    seed,
    probability,
    maxFaults,
    ...(maxInARow !== undefined && { maxInARow }),
    kinds: FAULT_KINDS,
    slowMs: 5,
    // A restart begins only after the previous restart has ended.
    restart: () => {
      restarting = restarting.then(() => current.server?.restart());
      return restarting;
    },
  });
  current.server = await startTestServer({ behaviours: [current.faults], maxModels: 100 });
  const root = mkdtempSync(join(tmpdir(), "bowline-faults-"));
  try {
    const end = await trainThroughFaults(current.server.url, root, options);
    const { counts, total } = current.faults;
    return { ...end, faults: counts, total };
  } finally {
    await restarting;
    await current.server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

class KilledError extends Error {}

async function trainThroughFaults(
  url: string,
  root: string,
  {
    iterations,
    killProbability,
    seed,
    deadlines = {},
    restartsAfterGivingUp = false,
  }: FaultRunOptions,
): Promise<Omit<FaultRunResult, "faults" | "total">> {
  const rng = new Rng(seed).child("kills");
  const checkpointPath = (iteration: number) => join(root, `checkpoint-${iteration}`);
  const createEngine = () =>
    createTinkerEngine({
      ...TINY,
      url,
      rank: 4,
      seed: 1,
      traits: HONEST_TRAITS,
      directory: join(root, "engine"),
      retry: { ...deadlines, longestDelayMs: 20 },
    });
  const isGivenUp = (error: unknown) =>
    restartsAfterGivingUp && TinkerError.is(error, "unreachable");
  let [kills, givenUp] = [0, 0];
  /** Does the work, and begins it again when the client gives up. */
  const untilDone = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        givenUp += 1;
      }
    }
  };
  let engine = await untilDone(createEngine);
  await untilDone(() => engine.save(checkpointPath(0)));
  for (let iteration = 1; iteration <= iterations; ) {
    try {
      await runIteration(engine, iteration, () => {
        if (rng.chance(killProbability)) throw new KilledError();
      });
      await engine.save(checkpointPath(iteration));
      iteration += 1;
    } catch (error) {
      if (error instanceof KilledError) kills += 1;
      else if (isGivenUp(error)) givenUp += 1;
      else throw error;
      await engine.close();
      engine = await untilDone(async () => {
        const next = await createEngine();
        await next.load(checkpointPath(iteration - 1));
        return next;
      });
    }
  }
  const outputs = await untilDone(() => engine.evaluate([EVALUATED_ROW]));
  const policyVersion = await untilDone(() => engine.publish());
  await engine.close();
  return { logprobs: [...(outputs[0]?.logprobs ?? [])], policyVersion, kills, givenUp };
}

async function runIteration(
  engine: Engine,
  iteration: number,
  maybeKill: () => void,
): Promise<void> {
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
    maybeKill();
    const cotangents = outputs.map(({ logprobs }, k) => ({
      logprobs: Array.from(logprobs, (logprob) => (k - 0.5) * Math.exp(0.1 * logprob)),
    }));
    await engine.accumulate(half, cotangents);
    await engine.update(STEP);
    maybeKill();
  }
  await engine.publish();
}
