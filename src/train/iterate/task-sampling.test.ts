import { describe, expect, it } from "vitest";
import type { GradedRollout } from "../../algo/index.ts";
import { fakeTask } from "../../testing/fake-episode.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { updateMixedShares } from "./task-history.ts";
import { sampleTasks } from "./task-sampling.ts";

const tasks = Array.from({ length: 60 }, (_, i) =>
  fakeTask({ id: `train/${i}/1`, signature: i % 2 === 0 ? "easy" : "hard" }),
);
const configWith = (taskSampling: string) =>
  resolveConfig({
    recipe: "smoke",
    overrides: { "algo.tasksPerIteration": 10, "algo.taskSampling": taskSampling },
  });
const ids = (chosen: readonly { readonly id: string }[]) => chosen.map(({ id }) => id);

const gradedGroup = (signature: string, id: string, rewards: readonly number[]) =>
  rewards.map(
    (reward) => ({ reward, advantage: 0, rollout: { task: { signature, id } } }) as GradedRollout,
  );

describe("sampleTasks", () => {
  it("with uniform, draws every task once before it draws any task again", () => {
    const seen = [1, 2, 3, 4, 5, 6].flatMap((iteration) =>
      ids(sampleTasks(tasks, iteration, { mixedShares: {} }, configWith("uniform"))),
    );
    expect(new Set(seen).size).toBe(60);
  });

  it("with tasks.pool, draws from a fixed pool of tasks", () => {
    const configWithPool = (pool: number) =>
      resolveConfig({
        recipe: "smoke/on-policy",
        overrides: {
          "algo.tasksPerIteration": 10,
          "algo.taskSampling": "uniform",
          "tasks.pool": pool,
        },
      });
    const drawFromPool = (pool: number) =>
      [1, 2, 3].map((iteration) =>
        ids(sampleTasks(tasks, iteration, { mixedShares: {} }, configWithPool(pool))),
      );
    expect(new Set(drawFromPool(12).flat()).size).toBe(12);
    for (const chosen of drawFromPool(12)) expect(new Set(chosen).size).toBe(10);
    // A pool has at least as many tasks as an iteration needs.
    expect(new Set(drawFromPool(3).flat()).size).toBe(10);
  });

  it("with mixed-outcomes, draws mostly signatures whose groups had different returns, but also others", () => {
    const shares = { mixedShares: { easy: 0, hard: 1 } };
    const chosen = Array.from({ length: 40 }, (_, i) =>
      sampleTasks(tasks, i + 1, shares, configWith("mixed-outcomes")),
    ).flat();
    const easy = chosen.filter(({ signature }) => signature === "easy").length / chosen.length;
    expect(easy).toBeGreaterThan(0.05);
    expect(easy).toBeLessThan(0.3);
    expect(chosen).toHaveLength(400);
  });

  it("depends only on seed, iteration and shares, and never draws a task twice", () => {
    for (const mode of ["uniform", "mixed-outcomes"]) {
      const chosen = ids(sampleTasks(tasks, 3, { mixedShares: { easy: 0.5 } }, configWith(mode)));
      expect(ids(sampleTasks(tasks, 3, { mixedShares: { easy: 0.5 } }, configWith(mode)))).toEqual(
        chosen,
      );
      expect(new Set(chosen).size).toBe(10);
      expect(
        ids(sampleTasks(tasks, 4, { mixedShares: { easy: 0.5 } }, configWith(mode))),
      ).not.toEqual(chosen);
    }
  });
});

describe("updateMixedShares", () => {
  it("averages whether the groups of a signature had different returns, and leaves signatures without groups unchanged", () => {
    const batch = [
      ...gradedGroup("a", "1", [0, 1]),
      ...gradedGroup("a", "2", [1, 1]),
      ...gradedGroup("b", "3", [0, 0]),
    ];
    const next = updateMixedShares({ b: 0.5, c: 0.4 }, batch);
    expect(next["a"]).toBeCloseTo(0.7 * 1 + 0.3 * 0.5);
    expect(next["b"]).toBeCloseTo(0.7 * 0.5);
    expect(next["c"]).toBe(0.4);
  });
});
