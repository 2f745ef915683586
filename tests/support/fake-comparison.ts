/** Makes comparisons from invented scores of runs, on twenty scenarios of three tasks of difficulty 2. */
import { Rng } from "../../src/core/index.ts";
import type { Arm, ComparedRun, Comparison } from "../../src/train/index.ts";

const SCENARIOS = 20;
const TASKS = 3;

/** Returns the number of passed tasks of each scenario, in random order, so that their share is nearest to `share`. */
export function passedTasksByScenario(share: number, seed: number): number[] {
  const passed = Math.round(share * SCENARIOS * TASKS);
  const passes = Array.from({ length: SCENARIOS * TASKS }, (_, i) => Number(i < passed));
  const shuffled = new Rng(seed).shuffle(passes);
  return Array.from({ length: SCENARIOS }, (_, i) =>
    shuffled.slice(i * TASKS, (i + 1) * TASKS).reduce((sum, one) => sum + one, 0),
  );
}

/** Returns a run whose final greedy score is `share`, and whose final score at T = 1 is a tenth lower. */
export function fakeRun(seed: number, share: number, rollouts = 480): ComparedRun {
  const greedy = passedTasksByScenario(share, seed);
  const sampled = passedTasksByScenario(share - 0.1, seed);
  return {
    seed,
    rollouts,
    updates: 30,
    seconds: 60,
    after: { dev: greedy, "dev@T1": sampled, "test-normal": greedy, "test-normal@T1": sampled },
    dev: [
      [0, 0.1],
      [rollouts / 2, 0.2 + share / 4],
      [rollouts, share],
    ],
    training: { "reward/mean": [0.5, 0.75] },
  };
}

export function fakeArm(name: string, shares: readonly number[], more: Partial<Arm> = {}): Arm {
  return {
    name,
    recipe: name,
    setting: "starter",
    method: name === "starter" ? "loop" : name,
    summary: `what ${name} does`,
    changes: { "algo.iterations": 2 },
    runs: shares.map((share, i) => fakeRun(i + 1, share)),
    ...more,
  };
}

export function fakeComparison(arms: readonly Arm[], more: Partial<Comparison> = {}): Comparison {
  const seeds = [...new Set(arms.flatMap(({ runs }) => runs.map(({ seed }) => seed)))].sort(
    (a, b) => a - b,
  );
  const split = { tasks: TASKS, difficulty: Array<number>(SCENARIOS).fill(2) };
  return {
    world: { name: "fake", seed: 1 },
    setting: "starter",
    rollouts: 480,
    shared: { "warm.demonstrations": 96 },
    splits: { dev: split, "test-normal": split },
    starts: seeds.map((seed) => ({ seed, seconds: 30, before: fakeRun(seed, 0.2).after })),
    arms: [...arms],
    leftOut: [],
    primary: [],
    made: [{ machine: "2 cores", versions: { bowline: "0.1.0" } }],
    ...more,
  };
}
