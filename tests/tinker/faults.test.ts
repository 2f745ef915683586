/** The engine and its client under faults of every kind; bench/tinker/faults.ts does it to a whole run, a thousand times. */
import { expect, test } from "vitest";
import { faultRun } from "../support/fault-run.ts";
import { FAULT_KINDS } from "../support/tinker-faults.ts";

/** Its restarts and waits are long on a busy machine. */
const SLOW_MS = 180_000;

test(
  "faults of every kind and kills of the program leave no trace in the weights",
  async () => {
    const plan = { iterations: 6, seed: 3 };
    const sound = await faultRun({ ...plan, most: 0, probability: 0, killProbability: 0 });
    const harmed = await faultRun({ ...plan, most: 60, probability: 0.25, killProbability: 0.1 });
    expect(harmed.total).toBeGreaterThan(40);
    for (const kind of FAULT_KINDS) expect(harmed.faults[kind], kind).toBeGreaterThan(0);
    expect(harmed.kills).toBeGreaterThan(0);
    expect(harmed.logprobs).toEqual(sound.logprobs);
    expect(harmed.policyVersion).toBe(sound.policyVersion);
  },
  SLOW_MS,
);
