/** Trains through a network and a server that fail at half of all calls, and any number of times in a row. */
import { expect, test, vi } from "vitest";
import { runWithFaults } from "../support/fault-run.ts";
import { sweepSize } from "../support/sweep.ts";

vi.setConfig({ testTimeout: 1_800_000 });

const ITERATIONS = 3;
const MANY = 1_000_000;

test("every run at a fault rate of 0.5 ends with the weights of an undisturbed run", async () => {
  const plan = { iterations: ITERATIONS, killProbability: 0 };
  const undisturbed = await runWithFaults({ ...plan, seed: 0, probability: 0, maxFaults: 0 });
  const runs = sweepSize(4, 20);
  let faults = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const disturbed = await runWithFaults({
      ...plan,
      seed,
      probability: 0.5,
      maxFaults: MANY,
      maxInARow: MANY,
    });
    faults += disturbed.total;
    expect({ seed, logprobs: disturbed.logprobs }).toEqual({
      seed,
      logprobs: undisturbed.logprobs,
    });
  }
  console.log(JSON.stringify({ runs, equal: runs, faults }));
  expect(faults).toBeGreaterThan(50 * runs);
});
