import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { loop, methods } from "../../methods/index.ts";
import { fakeMakers, memoryFolder } from "../../testing/fake-makers.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { Makers } from "../open/makers.ts";
import { trainWith } from "../train.ts";
import { atBudget } from "./budget.ts";
import { type CompareEvent, compareWith } from "./compare.ts";
import { comparisonSchema, spreadOf } from "./comparison.ts";
import { holm, type Outcome, pairedTest } from "./significance.ts";

let root: string;
beforeEach(() => {
  root = memoryFolder("bowline-compare-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const overrides = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 96,
  "warm.epochs": 1,
  "warm.rows": 8,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.75,
  "world.trainScenarios": 6,
  "algo.tasksPerIteration": 6,
  "optimizer.learningRate": 0.1,
  "scaffold.maxTurns": 2,
  "scaffold.evaluationTurns": 2,
  "scaffold.maxTurnTokens": 8,
  "evaluation.scenarios": 3,
  "evaluation.everyScenarios": 2,
  "evaluation.sampled": false,
};

const comparing = (more: Partial<Parameters<typeof compareWith>[1]> = {}, makers = fakeMakers()) =>
  compareWith(makers, {
    recipes: ["starter", "ei"],
    seeds: [1, 2],
    rollouts: 144,
    overrides,
    out: join(root, "runs"),
    ...more,
  });

const stamp = (...path: string[]) => statSync(join(root, "runs", ...path)).mtimeMs;

describe("compare", () => {
  it("gives every recipe and seed the same budget, start and tasks", async () => {
    const result = await comparing();
    expect(comparisonSchema.parse(result)).toEqual(result);
    expect(result.arms.map(({ recipe }) => recipe)).toEqual(["starter", "ei"]);
    for (const { runs } of result.arms) {
      expect(runs.map(({ seed, rollouts }) => [seed, rollouts])).toEqual([
        [1, 144],
        [2, 144],
      ]);
      for (const { dev } of runs) {
        expect(dev.map(({ rollouts }) => rollouts)).toEqual([0, 72, 144]);
      }
    }
    const [a, b] = result.arms.map(({ runs }) => runs.map(({ before, dev }) => [before, dev[0]]));
    expect(a).toEqual(b);
    expect(result.warmStart).toMatchObject({ shared: true, demonstrations: 96 });
    expect(result.pairs).toMatchObject([{ a: "starter", b: "ei" }]);
    expect(result.arms[1]!.changes).toEqual({
      method: "ei",
      "algo.iterations": 4,
      "algo.tasksPerIteration": 6,
      "optimizer.learningRate": 0.1,
    });
  });

  it("does not repeat finished runs, and continues one that was stopped", async () => {
    const whole = await comparing({ out: join(root, "whole") });
    const abort = new AbortController();
    let loops = 0;
    const stopped = comparing({
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type !== "train" || event.event.type !== "progress") return;
        if (event.event.phase === "loop" && ++loops === 5) abort.abort();
      },
    });
    await expect(stopped).rejects.toThrow(/abort/);
    const finished = stamp("starter-seed1", "summary.json");
    const events: CompareEvent[] = [];
    const result = await comparing({ onEvent: (event) => events.push(event) });
    expect(stamp("starter-seed1", "summary.json")).toBe(finished);
    const learned = events.filter(
      (event) =>
        event.type === "train" && event.event.type === "progress" && event.event.phase === "loop",
    );
    expect(loops + learned.length).toBe(2 * 2 * 4);
    const scores = ({ arms, pairs }: typeof result) => [
      arms.map(({ runs }) => runs.map(({ seconds: _, ...run }) => run)),
      pairs,
    ];
    expect(scores(result)).toEqual(scores(whole));
    const broken: Makers = {
      ...fakeMakers(),
      openWorld: () => Promise.reject(new Error("opened")),
    };
    expect(scores(await comparing({}, broken))).toEqual(scores(whole));
  });

  it("starts from a shared warm start with the numbers of a run that makes its own", async () => {
    await comparing({ recipes: ["starter"], seeds: [1] });
    const fields = { ...overrides, "algo.iterations": 4, "evaluation.every": 2 };
    const alone = join(root, "alone");
    await trainWith(fakeMakers(), resolveConfig({ recipe: "starter", overrides: fields }), {
      out: alone,
    });
    for (const file of ["metrics.jsonl", "checkpoints/final/engine/table.json"]) {
      const shared = readFileSync(join(root, "runs", "starter-seed1", file), "utf8");
      expect(shared).toBe(readFileSync(join(alone, file), "utf8"));
    }
  });

  it("refuses before any run what cannot be compared", async () => {
    await expect(comparing({ recipes: ["starter", "eii"] })).rejects.toThrow(/recipe eii: unknown/);
    await expect(comparing({ rollouts: 100 })).rejects.toThrow(
      /starter cannot spend just 100 rollouts.*multiple of 36/,
    );
    await expect(comparing({ overrides: { ...overrides, "algo.clip": 0.2 } })).rejects.toThrow(
      /recipe ei: algo.clip is no field of the method ei/,
    );
    await expect(comparing({ recipes: ["starter", "smoke"] })).rejects.toThrow(
      /recipe smoke.*another start.*world.name/,
    );
    expect(existsSync(join(root, "runs"))).toBe(false);
  });

  it("leaves out of the default recipes what the engine cannot serve, and says so", async () => {
    const makers = fakeMakers();
    const lacking: Makers = {
      ...makers,
      createEngine: async (name, request) => {
        const engine = await makers.createEngine(name, request);
        const capabilities = { ...engine.info.capabilities, snapshot: false, value: false };
        return { ...engine, info: { ...engine.info, capabilities } };
      },
    };
    const { "algo.tasksPerIteration": _, ...fields } = overrides;
    const options = {
      seeds: [1],
      rollouts: 240,
      overrides: { ...fields, "world.trainScenarios": 14 },
      out: join(root, "runs"),
    };
    const { arms, leftOut } = await compareWith(lacking, options);
    expect(leftOut.map(({ recipe }) => recipe)).toEqual(["grpo", "ppo-critic", "many-strict"]);
    expect(arms).toHaveLength(12);
    await expect(compareWith(lacking, { ...options, recipes: ["grpo"] })).rejects.toThrow(
      /table engine cannot serve algo.kl.coefficient/,
    );
  });
});

test("a budget is spent in iterations, or in one iteration over more tasks", () => {
  expect(atBudget({ config: resolveConfig(), method: loop }, 1920)).toEqual({
    "algo.iterations": 8,
  });
  const rft = { config: resolveConfig({ recipe: "rft" }), method: methods["rft"]! };
  expect(atBudget(rft, 1920)).toEqual({
    "algo.iterations": 1,
    "algo.tasksPerIteration": 240,
  });
});

describe("significance", () => {
  const outcomes = (passes: readonly number[]): Outcome[] =>
    passes.map((pass, i) => ({ seed: 1, scenario: `s${i}`, task: `t${i}`, passed: pass === 1 }));

  it("is the two-sided sign test where every block is one task", () => {
    const { difference, p } = pairedTest(
      outcomes([1, 1, 1, 1, 1, 1, 1, 1, 0, 1]),
      outcomes([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    );
    expect(difference).toBeCloseTo(0.8, 12);
    expect(p).toBeCloseTo(2 / 2 ** 8, 2);
  });

  it("finds nothing between equals, and less in few blocks than in many", () => {
    const same = outcomes([1, 0, 1]);
    expect(pairedTest(same, same)).toEqual({ difference: 0, p: 1 });
    const one = (passes: readonly number[]) =>
      outcomes(passes).map((outcome) => ({ ...outcome, scenario: "one" }));
    expect(pairedTest(one([1, 1, 1, 1, 1, 1]), one([0, 0, 0, 0, 0, 0])).p).toBe(1);
  });

  it("corrects by Holm: each by how many are left, never falling", () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.5, 0.9])).toEqual([1, 1]);
  });
});

test("spread is the sample standard deviation, absent for one seed", () => {
  expect(spreadOf([1, 3])).toEqual({ mean: 2, sd: Math.SQRT2 });
  expect(spreadOf([1])).toEqual({ mean: 1, sd: undefined });
});
