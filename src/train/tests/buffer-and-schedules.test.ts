/** Tests buffer, task rules, schedules, imitation and preference pairs in training runs. */
import { describe, expect, test } from "vitest";
import {
  type AccumulateCall,
  type ConfigFields,
  groupByTask,
  lastItem,
  listGradients,
  STRICT_REWARD,
  trainAndWatch,
} from "../../../tests/support/watched-run.ts";
import { isPassed, rewardOf } from "../../algo/index.ts";
import type { World } from "../../spec/index.ts";
import { fakeWorld } from "../../testing/fake-world.ts";

/** Returns a fake world whose careful solutions have two turns: one looks, and the next acts. */
function createTwoStepWorld(): World {
  const world = fakeWorld();
  return {
    ...world,
    demonstrate: async (id, style, seed) => {
      if (style === "hasty") return world.demonstrate(id, style, seed);
      const episode = await world.open(id);
      const turns = [];
      for (const code of ["look", "yes"]) turns.push({ code, result: await episode.step(code) });
      return { task: episode.task, style, turns, evaluation: await episode.evaluate() };
    },
  };
}

describe("buffer", () => {
  const few = {
    ...STRICT_REWARD,
    "world.trainScenarios": 2,
    "algo.tasksPerIteration": 6,
    "algo.groupSize": 2,
    "algo.iterations": 5,
    "optimizer.learningRate": 0.001,
    "buffer.perTask": 4,
  };

  test("with buffer.inject, a failed group gets a remembered success and then teaches something", async () => {
    const { metrics, rollouts, accumulated } = await trainAndWatch({
      ...few,
      "buffer.inject": true,
    });
    const injected = metrics.map((line) => line["buffer/injected"]!);
    expect(injected[0]).toBe(0);
    expect(Math.max(...injected)).toBeGreaterThan(0);
    const i = injected.findIndex((count) => count > 0);
    const mixed = groupByTask(rollouts[i]!).filter((g) => new Set(g.map(isPassed)).size > 1);
    expect(metrics[i]!["rollout/kept"]).toBe(2 * (mixed.length + injected[i]!));
    expect(accumulated[i]!.rows).toHaveLength(metrics[i]!["rollout/kept"]!);
  });

  test("with inject.solutions, a failed group without a remembered success gets the task's solution", async () => {
    const fields = { ...few, "buffer.inject.solutions": true, "algo.samplerCap": 2 };
    const { metrics, rollouts } = await trainAndWatch(fields);
    const [first] = metrics;
    const failed = groupByTask(rollouts[0]!).filter((group) => !group.some(isPassed)).length;
    expect(failed).toBeGreaterThan(0);
    expect(first!["buffer/injected"]).toBe(failed);
    expect(first!["fires/injection"]).toBe(failed);
    expect(first!["meant/injection"]).toBe(failed);
  });

  test("with buffer.replay, remembered successes are learned from in an additional pass", async () => {
    const { metrics, state } = await trainAndWatch({ ...few, "buffer.replay.weight": 0.5 });
    expect(metrics[0]!["buffer/replayed"]).toBe(0);
    expect(lastItem(metrics)["buffer/replayed"]).toBeGreaterThan(0);
    expect(lastItem(metrics)["train/updates"]).toBeGreaterThan(1);
    const stored = Object.values(state.buffer!).flat();
    expect(stored.length).toBeGreaterThan(0);
    for (const { rollout } of stored) expect(isPassed(rollout)).toBe(true);
    for (const list of Object.values(state.buffer!)) expect(list.length).toBeLessThanOrEqual(4);
  });

  test("with buffer.keep passed, expert iteration imitates rollouts of earlier iterations again", async () => {
    const fields = { "algo.iterations": 2, "buffer.perTask": 4, "buffer.keep": "passed" };
    const { metrics, rollouts } = await trainAndWatch(fields, { recipe: "ei" });
    const passed = rollouts.map((all) => all.filter(isPassed).length);
    expect(metrics[0]!["rollout/kept"]).toBe(passed[0]);
    expect(metrics[1]!["rollout/kept"]).toBeGreaterThan(passed[1]!);
  });
});

describe("which tasks are drawn, and how many rollouts they get", () => {
  const few = { ...STRICT_REWARD, "algo.iterations": 8, "algo.tasksPerIteration": 3 };

  test("with tasks.prune, mastered tasks are no longer drawn", async () => {
    const { rollouts, state } = await trainAndWatch({
      ...few,
      "tasks.prune.above": 0.7,
      "tasks.prune.after": 1,
      "tasks.memory": 0,
    });
    const drawn = rollouts.map((all) => new Set(all.map(({ task }) => task.id)));
    const passed = (i: number, id: string) =>
      rollouts[i]!.filter(({ task }) => task.id === id).every(isPassed);
    let pruned = 0;
    for (const i of [0, 1, 2]) {
      for (const id of drawn[i]!) {
        if (!passed(i, id)) continue;
        pruned += 1;
        for (const later of drawn.slice(i + 1, i + 3)) expect(later.has(id)).toBe(false);
      }
    }
    expect(pruned + Object.keys(state.taskTable!).length).toBeGreaterThan(3);
  });

  test("only tasks of world.difficulties are drawn", async () => {
    const plain = fakeWorld();
    const world = {
      ...plain,
      tasks: (...asked: Parameters<typeof plain.tasks>) =>
        plain
          .tasks(...asked)
          .map((task, i) => ({ ...task, difficulty: ([1, 2, 3] as const)[i % 3]! })),
    };
    const { rollouts } = await trainAndWatch(
      { ...few, "algo.iterations": 2, "world.difficulties": [1, 2] },
      { world },
    );
    const levels = new Set(rollouts.flat().map(({ task }) => Number(task.id.at(-1))));
    expect(levels).toEqual(new Set([0, 1]));
  });

  test("with minGroupSize, tasks that always or never succeed get fewer rollouts", async () => {
    const { rollouts, state } = await trainAndWatch({
      ...STRICT_REWARD,
      "algo.iterations": 3,
      "algo.groupSize": 8,
      "tasks.minGroupSize": 2,
      "tasks.memory": 0,
    });
    expect(new Set(groupByTask(rollouts[0]!).map((g) => g.length))).toEqual(new Set([8]));
    const before = new Map(
      groupByTask(rollouts[1]!).map((g) => [g[0]!.task.id, g.filter(isPassed).length / g.length]),
    );
    for (const group of groupByTask(rollouts[2]!)) {
      const p = before.get(group[0]!.task.id)!;
      expect(group).toHaveLength(Math.round(2 + 6 * 4 * p * (1 - p)));
    }
    expect(Object.keys(state.taskTable!)).toHaveLength(12);
  });

  test("near-half and variance sampling prefer tasks that pass sometimes but not always", async () => {
    // In each scenario of three tasks, the first task always passes and the second never does.
    const plain = fakeWorld();
    const decided = {
      ...plain,
      open: async (id: string) => {
        const episode = await plain.open(id);
        if (id.endsWith("/2")) return episode;
        const passed = id.endsWith("/0");
        const checks = [{ name: "decided", label: "progress" as const, passed }];
        return { ...episode, evaluate: async () => ({ passed, finished: true, checks }) };
      },
    };
    const shareOfOpen = async (sampling: string) => {
      const fields = {
        ...STRICT_REWARD,
        "algo.iterations": 12,
        "algo.tasksPerIteration": 3,
        "algo.taskSampling": sampling,
        ...(sampling !== "uniform" && { "tasks.memory": 0.5 }),
      };
      const { rollouts, state } = await trainAndWatch(fields, { world: decided });
      expect(state.taskTable === undefined).toBe(sampling === "uniform");
      const late = rollouts.slice(4).flatMap((all) => groupByTask(all));
      return late.filter(([r]) => r!.task.id.endsWith("/2")).length / late.length;
    };
    expect(await shareOfOpen("uniform")).toBeCloseTo(1 / 3, 1);
    for (const sampling of ["near-half", "variance"]) {
      expect(await shareOfOpen(sampling)).toBeGreaterThan(0.45);
    }
  });
});

describe("schedules", () => {
  test("schedule.maxTurns lets rollouts become longer over iterations", async () => {
    const { rollouts } = await trainAndWatch({
      "algo.iterations": 3,
      "schedule.maxTurns": '{"shape":"steps","values":[1,2,3],"every":1}',
    });
    const longest = rollouts.map((all) => Math.max(...all.map(({ turns }) => turns.length)));
    expect(longest).toEqual([1, 2, 3]);
  });

  test("one stage may imitate solutions, and the next one reinforce", async () => {
    const { metrics, rollouts } = await trainAndWatch({
      "algo.groupSize": 6,
      "algo.iterations": 2,
      "schedule.stages": [
        { iterations: 1, method: "sft-gt", patch: {} },
        { iterations: 1, patch: { "algo.kl.coefficient": 0.1 } },
      ],
    });
    expect(rollouts[0]!.every(({ policyVersion }) => policyVersion === -1)).toBe(true);
    expect(rollouts[1]!.every(({ policyVersion }) => policyVersion >= 0)).toBe(true);
    expect(metrics[0]!["kl/reference"]).toBeUndefined();
    expect(metrics[1]!["kl/reference"]).toBeDefined();
  });
});

describe("imitation", () => {
  test("with imitation.temperature, the weight of a rollout grows exponentially with its return", async () => {
    const fields = { "imitation.temperature": 0.5, "algo.minibatch": 0 };
    const { accumulated, rollouts, metrics } = await trainAndWatch(fields, { recipe: "ei" });
    expect(metrics[0]!["rollout/kept"]).toBe(rollouts[0]!.length);
    const weights = new Map<number, Set<string>>();
    for (const [i, row] of accumulated[0]!.rows.entries()) {
      const rollout = rollouts[0]!.find(
        ({ tokens }) => tokens!.ids.join() === Array.from(row.tokens).join(),
      )!;
      const reward = rewardOf(rollout);
      const slope = accumulated[0]!.cotangents[i]!.logprobs[0]!.toPrecision(6);
      weights.set(reward, (weights.get(reward) ?? new Set()).add(slope));
    }
    const slope = (reward: number) => Number([...weights.get(reward)!][0]);
    for (const set of weights.values()) expect(set.size).toBe(1);
    expect(slope(1) / slope(0)).toBeCloseTo(Math.exp(1 / 0.5), 3);
  });

  test("with target observations, all rollouts are learned from, but only tokens of observations", async () => {
    const fields = {
      "imitation.target": "observations",
      "algo.iterations": 3,
      "algo.minibatch": 0,
    };
    const { accumulated, metrics, rollouts } = await trainAndWatch(fields, { recipe: "ei" });
    for (const [i, row] of accumulated[0]!.rows.entries()) {
      const name = Array.from(row.tokens).join();
      const { mask } = rollouts[0]!.find(({ tokens }) => tokens!.ids.join() === name)!.tokens!;
      expect(row.at.length).toBeGreaterThan(0);
      for (const position of Array.from(row.at)) expect(mask[position]).toBe(0);
      expect(accumulated[0]!.cotangents[i]!.logprobs[0]).toBeLessThan(0);
    }
    expect(lastItem(metrics)["train/loss"]).toBeLessThan(metrics[0]!["train/loss"]!);
  });

  test("imitation leaves out turns outside of the surprise band", async () => {
    const kept = async (fields: ConfigFields) => {
      const { accumulated } = await trainAndWatch(fields, { recipe: "ei" });
      const all = accumulated.flatMap(listGradients);
      return all.filter((slope) => slope !== 0).length / all.length;
    };
    expect(await kept({})).toBe(1);
    const some = await kept({ "filter.surprise.high": 3 });
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(1);
  });

  test("a surprise band of quantiles keeps its share of turns, however small their surprise", async () => {
    const kept = async (fields: ConfigFields) => {
      const { accumulated } = await trainAndWatch(fields, { recipe: "ei" });
      const all = accumulated.flatMap(listGradients);
      return all.filter((slope) => slope !== 0).length / all.length;
    };
    const band = { "filter.surprise.by": "quantiles", "filter.surprise.low": 0 };
    const some = await kept({ ...band, "filter.surprise.high": 0.75 });
    expect(some).toBeGreaterThan(0.5);
    expect(some).toBeLessThan(1);
  });

  test("with imitation.states expert, rollouts start from states of the tasks' solutions", async () => {
    const { rollouts, accumulated, metrics } = await trainAndWatch(
      { "imitation.target": "observations", "imitation.states": "expert" },
      { recipe: "ei", world: createTwoStepWorld() },
    );
    const begun = rollouts[0]!.filter(({ prefix }) => prefix !== undefined);
    // The k-th rollout of a group follows the solution, which has two turns, and departs from it before turn k.
    expect(begun.map(({ index }) => index % 2)).toEqual(begun.map(() => 1));
    expect(begun.every(({ prefix }) => prefix!.from.startsWith("solution"))).toBe(true);
    expect(begun.every(({ turns }) => turns[0]!.code === "look")).toBe(true);
    const [{ rows }] = accumulated as [AccumulateCall];
    // Twelve solutions give rows for the answers to "look". The rollouts' own first actions give rows for the answers
    // to them.
    const departures = rollouts[0]!.filter(
      ({ prefix, turns }) => turns.length > (prefix?.turns ?? 0) + 1,
    );
    const pairs = rows.length - 12;
    expect(pairs).toBeGreaterThan(0);
    expect(pairs).toBeLessThanOrEqual(departures.length);
    expect(metrics[0]!["fires/world-model"]).toBe(metrics[0]!["meant/world-model"]);
  });

  test("mixing solutions into the steps raises the pass rate", async () => {
    const pass = async (mixWeight: number) => {
      const { metrics } = await trainAndWatch({
        "algo.iterations": 6,
        "optimizer.learningRate": 0.05,
        "imitation.mixWeight": mixWeight,
      });
      expect(metrics[0]!["imitation/loss"] === undefined).toBe(mixWeight === 0);
      return lastItem(metrics)["reward/pass_rate"]!;
    };
    expect(await pass(5)).toBeGreaterThan(await pass(0));
  });
});

describe("pairs", () => {
  const pairs = { "preference.minimumGap": 0.4, "algo.groupSize": 6 };
  const runPreference = (fields: ConfigFields) =>
    trainAndWatch({ ...pairs, ...fields }, { recipe: "dmpo" });

  test("with preference.turns segment, turns before the first difference have no gradient", async () => {
    const { accumulated } = await runPreference({
      "preference.turns": "segment",
      "preference.segmentTurns": 1,
    });
    const turns = accumulated[0]!.rows.map((_, i) =>
      Array.from(accumulated[0]!.cotangents[i]!.logprobs),
    );
    expect(turns.some((row) => row.some((g) => g === 0) && row.some((g) => g !== 0))).toBe(true);
  });

  test("the squared preference loss stops at a margin set by eta, while the logistic one continues", async () => {
    const steps = {
      "optimizer.betas": [0, 0.9],
      "algo.epochs": 25,
      "optimizer.learningRate": 0.03,
    };
    const marginOf = async (fields: ConfigFields) => {
      const run = await runPreference({
        ...steps,
        "preference.turns": "segment",
        "preference.segmentTurns": 3,
        ...fields,
      });
      return run.metrics[0]!["preference/margin"]!;
    };
    const logistic = await marginOf({ "preference.beta": 1 });
    const small = await marginOf({ "preference.loss": "squared", "preference.eta": 1 });
    const large = await marginOf({ "preference.loss": "squared", "preference.eta": 3 });
    expect(small).toBeGreaterThan(0);
    expect(small).toBeLessThan(1.5);
    expect(large).toBeGreaterThan(small + 0.5);
    expect(logistic).toBeGreaterThan(2 * large);
  });
});
