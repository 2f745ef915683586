/**
 * Trains on our Tinker server through a network that loses, delays, cuts, repeats and refuses calls, with a server that
 * restarts and a program that is killed. Every run ends with the weights of an undisturbed one.
 */
import type { Rng } from "../../src/core/index.ts";
import { type FaultRunResult, runWithFaults } from "../support/fault-run.ts";
import type { CaseOutcome, Part } from "./part.ts";

const ITERATIONS = 6;
const RATES = [0.05, 0.1, 0.2, 0.35, 0.5];
const MANY = 1_000_000;

async function disturb(rng: Rng, undisturbed: FaultRunResult): Promise<CaseOutcome> {
  const probability = rng.pick(RATES);
  const killProbability = rng.pick([0, 0, 0.1]);
  const seed = rng.uint32();
  const where = `rate ${probability}, kills ${killProbability}`;
  try {
    const result = await runWithFaults({
      iterations: ITERATIONS,
      seed,
      probability,
      killProbability,
      maxFaults: MANY,
      maxInARow: MANY,
    });
    const isEqual =
      JSON.stringify(result.logprobs) === JSON.stringify(undisturbed.logprobs) &&
      result.policyVersion === undisturbed.policyVersion;
    return {
      counts: { faults: result.total, kills: result.kills, runs: 1 },
      failures: isEqual ? [] : [`${where}: other weights after ${result.total} faults`],
    };
  } catch (error) {
    return { counts: { runs: 1 }, failures: [`${where}: ${String(error)}`] };
  }
}

export const tinkerFaults: Part = {
  name: "tinker",
  summary: "training on a Tinker server through faults",
  weight: 2,
  caseLimitMs: 600_000,
  async open() {
    const undisturbed = await runWithFaults({
      iterations: ITERATIONS,
      seed: 1,
      probability: 0,
      killProbability: 0,
      maxFaults: 0,
    });
    return { runCase: (rng) => disturb(rng, undisturbed), close: async () => {} };
  },
};
