import { describe, expect, test } from "vitest";
import { resolveConfig } from "../settings/resolve.ts";
import { planMemory, requireEnoughMemory } from "./memory-plan.ts";

const machine = { usableMb: 16_000, heapLimitMb: 4000 };
const configOf = (memory: number | null, tasksPerIteration = 40) =>
  resolveConfig({
    recipe: "paper",
    overrides: {
      "run.memory": memory,
      "world.episodes": 10_000,
      "world.workers": 2,
      "algo.tasksPerIteration": tasksPerIteration,
      "algo.groupSize": 6,
      "scaffold.maxTokens": 32_000,
      "evaluation.scenarios": 1,
    },
  });

describe("the plan of a run's memory", () => {
  test("has as many episodes at once as fit beside the program and the rollouts", () => {
    const plan = planMemory(configOf(1000), machine);
    expect(plan).toMatchObject({ budgetMb: 1000, programMb: 540, rollouts: 240, rolloutsMb: 74 });
    expect(plan.atOnce).toBe(Math.floor((1000 - 540 - 74) / plan.episodeMb));
  });

  test("uses four fifths of the machine by default, and never more episodes than world.episodes", () => {
    const plan = planMemory(configOf(null), machine);
    expect(plan).toMatchObject({ budgetMb: 12_800, atOnce: 10_000 });
    expect(planMemory(configOf(null), { ...machine, usableMb: 1250 }).atOnce).toBe(772);
  });

  test("refuses a run that cannot fit, with the numbers", () => {
    expect(() => requireEnoughMemory(configOf(600), machine)).toThrow(
      "run.memory: the run needs at least 615 MB (540 MB for the program and 2 world workers, 74 MB for 240 rollouts of up to 32000 tokens, and 0.5 MB for each open episode), but it may use 600 MB; raise run.memory, or lower algo.tasksPerIteration",
    );
    expect(() => requireEnoughMemory(configOf(615), machine)).not.toThrow();
    expect(() => requireEnoughMemory(configOf(16_001), machine)).toThrow(
      "run.memory: expected at most 16000 MB, which is the memory of this machine, got 16001",
    );
  });

  test("refuses a run whose objects would pass Node's limit, with the option that raises it", () => {
    const large = configOf(15_000, 4000);
    expect(() => requireEnoughMemory(large, machine)).toThrow(
      /need up to 4595 MB, but Node limits objects to 4000 MB; set NODE_OPTIONS=--max-old-space-size=4595/,
    );
    expect(() => requireEnoughMemory(large, { ...machine, heapLimitMb: 4595 })).not.toThrow();
  });
});
