/**
 * Tests every method in the fake world: it learns, agrees with its definition, and continues correctly after a stop.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { isPassed } from "../../algo/index.ts";
import type { Capabilities, Rollout } from "../../spec/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import type { Config } from "../config/config.ts";
import type { Makers } from "../parts/makers.ts";
import { readRollouts } from "../run/run-store.ts";
import { COMPARED_RECIPES } from "../settings/recipes.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-recipes-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Makes a recipe small: the fake world, two iterations, and twelve tasks of at most six rollouts. */
const tinyConfig = (recipe: string, overrides: Record<string, unknown> = {}): Config => {
  const { algo } = resolveConfig({ recipe });
  return resolveConfig({
    recipe,
    overrides: {
      "tokenizer.vocabularySize": 280,
      "tokenizer.minimumCount": 5,
      "warm.demonstrations": 96,
      "warm.epochs": 1,
      "warm.rows": 8,
      "warm.learningRate": 0.8,
      "warm.hastyShare": 0.75,
      "world.trainScenarios": 6,
      "algo.iterations": Math.min(2, algo.iterations),
      "algo.tasksPerIteration": 12,
      ...("groupSize" in algo && { "algo.groupSize": Math.min(6, Number(algo.groupSize)) }),
      "algo.minibatch": algo.minibatch && 16,
      "optimizer.learningRate": 0.1,
      "scaffold.maxTurns": 3,
      "scaffold.evaluationTurns": 3,
      "scaffold.maxTurnTokens": 8,
      "evaluation.scenarios": 3,
      "evaluation.every": 0,
      "evaluation.scores": ["dev", "test-normal"],
      ...overrides,
    },
  });
};

const trainTiny = (name: string, config: Config, makers: Makers = fakeMakers()) =>
  trainWith(makers, config, { out: join(root, name) });
const readWeights = (name: string, checkpoint = "final"): string =>
  readFileSync(join(root, name, "checkpoints", checkpoint, "engine", "table.json"), "utf8");
const readLoopMetrics = (name: string) =>
  readFileSync(join(root, name, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, number | string>)
    .filter(({ phase }) => phase === "loop");

/** Reads the metrics and the final weights of a run. */
const readTraces = (name: string) => [readLoopMetrics(name), readWeights(name)];

describe("every compared recipe", () => {
  it.each(COMPARED_RECIPES)(
    "%s changes the weights, and earns at least as much as before",
    async (recipe) => {
      const config = tinyConfig(recipe, recipe === "dmpo" ? { "preference.beta": 1 } : {});
      const summary = await trainTiny("run", config);
      expect(readWeights("run")).not.toBe(readWeights("run", "warm"));
      const learned = readLoopMetrics("run");
      expect(learned).toHaveLength(config.algo.iterations);
      for (const line of learned) expect(line["train/updates"]).toBeGreaterThan(0);
      expect(summary.after["dev"]!.reward).toBeGreaterThanOrEqual(summary.before["dev"]!.reward);
    },
  );

  it.each(COMPARED_RECIPES)(
    "%s continues after a crash with the same metrics and weights",
    async (recipe) => {
      const config = tinyConfig(recipe, {
        "algo.iterations": Math.min(2, tinyConfig(recipe).algo.iterations),
      });
      await trainTiny("whole", config);
      const abort = new AbortController();
      const killed = trainWith(fakeMakers(), config, {
        out: join(root, "killed"),
        signal: abort.signal,
        onEvent: (event) => {
          if (event.type === "progress" && event.phase === "loop") abort.abort();
        },
      });
      await expect(killed).rejects.toThrow(/abort/);
      await trainTiny("killed", config);
      expect(readTraces("killed")).toEqual(readTraces("whole"));
    },
  );
});

const LONG = { "algo.iterations": 8, "optimizer.learningRate": 0.3 };

describe("definitions", () => {
  const expectSameTraces = async (a: Config, b: Config) => {
    await trainTiny("a", a);
    await trainTiny("b", b);
    expect(readTraces("a")).toEqual(readTraces("b"));
  };
  const onPolicyConfig = (changes: Record<string, unknown>) =>
    tinyConfig("starter/on-policy", changes);

  test("rloo equals LOOP with the trajectory ratio, one epoch and no minibatches", () =>
    expectSameTraces(
      tinyConfig("rloo"),
      onPolicyConfig({
        "algo.ratio": "trajectory",
        "algo.epochs": 1,
        "algo.minibatch": 72,
      }),
    ));

  test("grpo equals on-policy LOOP with the group's mean and standard deviation, and with KL on all groups", () =>
    expectSameTraces(
      tinyConfig("grpo"),
      onPolicyConfig({
        "algo.baseline": "mean",
        "algo.scale": "group",
        "algo.epochs": 1,
        "algo.minibatch": 72,
        "algo.kl.coefficient": 0.004,
        "algo.kl.estimator": "k3",
        "algo.advantageThreshold": 0,
      }),
    ));

  test("strictly on-policy recipes make one update per iteration", async () => {
    for (const recipe of ["rloo", "grpo-no-kl", "many-strict"]) {
      await trainTiny(recipe, tinyConfig(recipe));
      for (const line of readLoopMetrics(recipe)) {
        expect(line).toMatchObject({ "train/updates": 1, "ratio/clip_fraction": 0 });
      }
    }
  });

  test("a large KL term keeps the policy close to its starting point", async () => {
    await trainTiny("free", tinyConfig("grpo-no-kl", LONG));
    await trainTiny("held", tinyConfig("grpo", { ...LONG, "algo.kl.coefficient": 10 }));
    const readPassRate = (name: string) =>
      Number(readLoopMetrics(name).at(-1)!["reward/pass_rate"]);
    expect(readPassRate("held")).toBeLessThan(readPassRate("free"));
  });

  test("expert iteration learns only from passed rollouts", async () => {
    await trainTiny("ei", tinyConfig("ei"));
    readLoopMetrics("ei").forEach((line, i) => {
      const rollouts = readRollouts(join(root, "ei"), `train-000${i + 1}`);
      expect(line["rollout/kept"]).toBe(rollouts.filter(isPassed).length);
      expect(line["rollout/kept"]).toBeLessThan(rollouts.length);
    });
  });

  test("rejection sampling samples each rollout of a group at a different temperature", async () => {
    await trainTiny("rft", tinyConfig("rft", { "algo.groupSize": 8 }));
    const rollouts = readRollouts(join(root, "rft"), "train-0001");
    const temperatures = new Set(rollouts.map(({ temperature }) => temperature));
    expect([...temperatures].map((t) => Number(t.toFixed(3)))).toEqual([
      0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
    ]);
  });

  test("sft-gt imitates solutions and needs no rollouts of the policy", async () => {
    await trainTiny("sft", tinyConfig("sft-gt"));
    const rollouts = readRollouts(join(root, "sft"), "train-0001");
    expect(rollouts).toHaveLength(12);
    for (const { policyVersion, turns } of rollouts) {
      expect({ policyVersion, code: turns[0]!.code }).toEqual({ policyVersion: -1, code: "yes" });
    }
  });

  test("the critic learns alone at first and then together with the policy, and its error falls", async () => {
    const config = tinyConfig("ppo-critic", {
      "algo.iterations": 4,
      "critic.warmIterations": 1,
      "critic.learningRate": 0.05,
    });
    const seen: string[] = [];
    const makers = fakeMakers();
    await trainTiny("critic", config, {
      ...makers,
      createEngine: async (name, request, origin) => {
        const engine = await makers.createEngine(name, request, origin);
        const update = engine.update.bind(engine);
        engine.update = (step) => {
          if (!("learningRate" in step)) seen.push(Object.keys(step).join("+"));
          return update(step);
        };
        return engine;
      },
    });
    const first = seen.findIndex((groups) => groups !== "value");
    expect(first).toBe(Number(readLoopMetrics("critic")[0]!["train/updates"]));
    expect(new Set(seen.slice(first))).toEqual(new Set(["policy+value"]));
    const errors = readLoopMetrics("critic").map((line) => Number(line["value/loss"]));
    expect(errors.at(-1)).toBeLessThan(errors[0]!);
  });
});

describe("a method that needs what the engine does not support", () => {
  const makersWithout = (capability: keyof Capabilities): Makers => {
    const makers = fakeMakers();
    return {
      ...makers,
      openWorld: () => Promise.reject(new Error("opened a world")),
      createEngine: async (_, { model }) => {
        const engine = tableEngine(model.vocabularySize);
        const capabilities = { ...engine.info.capabilities, [capability]: false };
        return { ...engine, info: { ...engine.info, capabilities } };
      },
    };
  };
  it.each([
    ["grpo", {}, "snapshot", /table engine cannot serve algo\.kl\.coefficient 0\.004.*frozen copy/],
    ["ppo-critic", {}, "value", /table engine cannot serve method ppo-critic.*value head/],
    [
      "starter/on-policy",
      { "algo.entropyCoefficient": 0.01 },
      "entropy",
      /table engine cannot serve algo\.entropyCoefficient 0\.01.*entropy/,
    ],
  ] as const)(
    "%s is rejected at the start, before a world is opened",
    async (recipe, more, lack, says) => {
      const refused = trainTiny("none", tinyConfig(recipe, more), makersWithout(lack));
      await expect(refused).rejects.toThrow(says);
      await expect(refused).rejects.toMatchObject({ code: "engine" });
      expect(existsSync(join(root, "none"))).toBe(false);
    },
  );
});

describe("pairs", () => {
  test("tree search makes rollouts and pairs for each task and learns from the pairs", async () => {
    const config = tinyConfig("dpo-mcts", { "algo.iterations": 1, "preference.minimumGap": 0.1 });
    await trainTiny("tree", config);
    const rollouts = readRollouts(join(root, "tree"), "train-0001");
    const groups = new Map<string, Rollout[]>();
    for (const rollout of rollouts) {
      groups.set(rollout.task.id, [...(groups.get(rollout.task.id) ?? []), rollout]);
    }
    expect(groups.size).toBe(12);
    for (const group of groups.values()) {
      expect(group.length).toBeLessThanOrEqual(6);
      expect(group.map(({ index }) => index)).toEqual(group.map((_, i) => i));
    }
    const [line] = readLoopMetrics("tree");
    expect(line!["preference/pairs"]).toBeGreaterThan(0);
    expect(line!["train/updates"]).toBeGreaterThan(0);
  });
});
