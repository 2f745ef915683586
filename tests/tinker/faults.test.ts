/**
 * Tests the engine and its client under faults of every kind. bench/tinker/faults.ts injects a thousand into a whole
 * run.
 */
import { expect, test } from "vitest";
import { runWithFaults } from "../support/fault-run.ts";
import { FAULT_KINDS } from "../support/tinker-faults.ts";

/** The time limit is long, because restarts and waiting take long on a busy machine. */
const SLOW_MS = 180_000;

test(
  "faults of every kind and kills of the program do not change the trained weights",
  async () => {
    const plan = { iterations: 6, seed: 3 };
    const undisturbed = await runWithFaults({
      ...plan,
      maxFaults: 0,
      probability: 0,
      killProbability: 0,
    });
    const disturbed = await runWithFaults({
      ...plan,
      maxFaults: 60,
      probability: 0.25,
      killProbability: 0.1,
    });
    expect(disturbed.total).toBeGreaterThan(40);
    for (const kind of FAULT_KINDS) expect(disturbed.faults[kind], kind).toBeGreaterThan(0);
    expect(disturbed.kills).toBeGreaterThan(0);
    expect(disturbed.logprobs).toEqual(undisturbed.logprobs);
    expect(disturbed.policyVersion).toBe(undisturbed.policyVersion);
  },
  SLOW_MS,
);

test(
  "a program whose client gave up at its deadline ends with the same weights when it is started again",
  async () => {
    const plan = { iterations: 3, seed: 8, killProbability: 0 };
    const undisturbed = await runWithFaults({ ...plan, maxFaults: 0, probability: 0 });
    const disturbed = await runWithFaults({
      ...plan,
      maxFaults: 80,
      probability: 0.4,
      deadlines: { budgetMs: 30, recoveryMs: 30 },
      restartsAfterGivingUp: true,
    });
    expect(disturbed.givenUp).toBeGreaterThan(2);
    expect(disturbed.logprobs).toEqual(undisturbed.logprobs);
  },
  SLOW_MS,
);

test(
  "a first pass that was accepted and then lost is sent again until it gets through",
  async () => {
    // With this seed, the server restarts after it accepted the first pass, and the next attempts get a 500.
    const plan = { iterations: 6, seed: 346530961, killProbability: 0 };
    const many = { maxFaults: 1_000_000, maxInARow: 1_000_000 };
    const undisturbed = await runWithFaults({ ...plan, maxFaults: 0, probability: 0 });
    const disturbed = await runWithFaults({ ...plan, ...many, probability: 0.5 });
    expect(disturbed.total).toBeGreaterThan(100);
    expect(disturbed.logprobs).toEqual(undisturbed.logprobs);
  },
  SLOW_MS,
);
