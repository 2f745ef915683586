import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { defineVariant, loop, methods } from "../../methods/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { compareWith } from "./compare.ts";
import type { CompareEvent } from "./compare-options.ts";
import { comparisonSchema } from "./comparison.ts";
import { readResults } from "./results.ts";
import { computeShare } from "./scores.ts";
import { fieldsToSpendBudget } from "./spend-budget.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-compare-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const smallOverrides = {
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
  "evaluation.scores": ["dev", "test-normal"],
};

const compareSmall = (
  more: Partial<Parameters<typeof compareWith>[1]> = {},
  makers = fakeMakers(),
) =>
  compareWith(makers, {
    recipes: ["starter", "ei"],
    seeds: [1, 2],
    rollouts: 144,
    overrides: smallOverrides,
    out: join(root, "runs"),
    ...more,
  });

const modifiedAt = (...path: string[]) => statSync(join(root, "runs", ...path)).mtimeMs;

describe("compare", () => {
  it("gives every recipe and seed the same budget, start and tasks", async () => {
    const result = await compareSmall();
    expect(comparisonSchema.parse(result)).toEqual(result);
    expect(result.arms.map(({ recipe }) => recipe)).toEqual(["starter", "ei"]);
    for (const { runs } of result.arms) {
      expect(runs.map(({ seed, rollouts }) => [seed, rollouts])).toEqual([
        [1, 144],
        [2, 144],
      ]);
      for (const { dev } of runs) {
        expect(dev.map(([rollouts]) => rollouts)).toEqual([0, 72, 144]);
      }
    }
    // All arms have the same warm start and the same tasks.
    const [a, b] = result.arms.map(({ runs }) => runs.map(({ dev }) => dev[0]));
    expect(a).toEqual(b);
    expect(result.starts.map(({ seed }) => seed)).toEqual([1, 2]);
    expect(result.shared).toMatchObject({ "warm.demonstrations": 96, "evaluation.scenarios": 3 });
    expect(result.shared).not.toHaveProperty("run.seed");
    expect(result.arms[1]).toMatchObject({ name: "ei", setting: "starter", method: "ei" });
    expect(result.arms[1]!.changes).toMatchObject({
      "algo.iterations": 4,
      "algo.tasksPerIteration": 6,
      "optimizer.learningRate": 0.1,
    });
  });

  it("keeps passed tasks by scenario, from which all scores of a run can be computed", async () => {
    const { arms, splits, starts } = await compareSmall({
      overrides: {
        ...smallOverrides,
        "evaluation.scores": ["dev", "test-normal", "dev@T1", "test-normal@T1"],
      },
    });
    expect(splits["dev"]).toEqual({ tasks: 3, difficulty: [1, 1, 1] });
    for (const { name, runs } of arms) {
      for (const { seed, after, training } of runs) {
        const summary = JSON.parse(
          readFileSync(join(root, "runs", `${name}-seed${seed}`, "summary.json"), "utf8"),
        );
        expect(Object.keys(after).sort()).toEqual(Object.keys(summary.after).sort());
        for (const [key, { tgc, sgc }] of Object.entries<{ tgc: number; sgc: number }>(
          summary.after,
        )) {
          expect(computeShare(splits, after, key)).toBeCloseTo(tgc, 12);
          expect(computeShare(splits, after, key, "sgc")).toBeCloseTo(sgc, 12);
        }
        const { before } = starts.find((start) => start.seed === seed)!;
        expect(computeShare(splits, before, "dev")).toBeCloseTo(summary.before.dev.tgc, 12);
        expect(training["reward/mean"]).toHaveLength(4);
        for (const nats of training["entropy/sampled"]!) expect(nats).toBeGreaterThan(0);
      }
    }
  });

  it("can read the results file that it writes when no evaluation is greedy", async () => {
    const results = join(root, "results.json");
    const { splits } = await compareSmall({
      recipes: ["starter"],
      seeds: [1],
      overrides: { ...smallOverrides, "evaluation.scores": ["dev@T1"] },
      results,
    });
    expect(splits).toEqual({ dev: { tasks: 3, difficulty: [1, 1, 1] } });
    expect(readResults(results).comparisons[0]!.splits).toEqual(splits);
  });

  it("places each point of a learning curve at the number of rollouts spent so far", async () => {
    const { arms } = await compareSmall({ recipes: ["dpo-mcts"], seeds: [1] });
    const [run] = arms[0]!.runs;
    const files = [1, 2, 3, 4].map((i) =>
      readFileSync(join(root, "runs", "dpo-mcts-seed1", "rollouts", `train-000${i}.jsonl`), "utf8"),
    );
    const spent = files.map((text) => text.trim().split("\n").filter(Boolean).length);
    const sumOfFirst = (n: number) => spent.slice(0, n).reduce((sum, count) => sum + count, 0);
    expect(run!.dev.map(([rollouts]) => rollouts)).toEqual([0, sumOfFirst(2), sumOfFirst(4)]);
    expect(run!.rollouts).toBe(sumOfFirst(4));
    expect(run!.rollouts).toBeLessThan(144);
  });

  it("adds arms and seeds to a file of results, and rejects runs that are not comparable with it", async () => {
    const results = join(root, "results.json");
    const one = await compareSmall({ recipes: ["starter"], seeds: [1], results });
    const text = readFileSync(results, "utf8");
    expect(await compareSmall({ recipes: ["starter"], seeds: [1], results })).toEqual(one);
    expect(readFileSync(results, "utf8")).toBe(text);
    const both = await compareSmall({ recipes: ["ei"], seeds: [1, 2], results });
    expect(both.arms.map(({ name, runs }) => [name, runs.map(({ seed }) => seed)])).toEqual([
      ["starter", [1]],
      ["ei", [1, 2]],
    ]);
    const rates = { ...smallOverrides, "optimizer.learningRate": 0.2 };
    const other = { recipes: ["ei"], seeds: [3], overrides: rates, results };
    const before = readFileSync(results, "utf8");
    await expect(compareSmall(other)).rejects.toThrow(
      /the arm ei is different: optimizer\.learningRate is 0\.1 there and 0\.2 here; give this one another name/,
    );
    await expect(
      compareSmall({
        seeds: [3],
        overrides: { ...smallOverrides, "evaluation.scenarios": 2 },
        results,
      }),
    ).rejects.toThrow(
      /evaluation\.scenarios is 3 there and 2 here; all runs of one table must have the same value/,
    );
    expect(readFileSync(results, "utf8")).toBe(before);
    expect(existsSync(join(root, "runs", "ei-seed3"))).toBe(false);
    const named = await compareSmall({ ...other, name: "ei, fast" });
    expect(named.arms.at(-1)).toMatchObject({ name: "ei, fast", recipe: "ei" });
    expect(existsSync(join(root, "runs", "ei-fast-seed3"))).toBe(true);
    expect(readResults(results).comparisons).toEqual([named]);
    const longer = await compareSmall({
      recipes: ["ei"],
      seeds: [1],
      rollouts: 288,
      results,
      out: join(root, "more"),
    });
    expect(readResults(results).comparisons).toEqual([named, longer]);
    await expect(compareSmall({ name: "x" })).rejects.toThrow(
      /"x" is for one arm, but there are 2/,
    );
  });

  it("names the arm of a user's method by the method's own name", async () => {
    const mine = defineVariant(loop, { name: "mine", summary: "my own" });
    const { arms } = await compareWith(fakeMakers(), {
      methods: [{ name: "./mine.ts", method: mine }, "loop"],
      seeds: [1],
      rollouts: 144,
      overrides: smallOverrides,
      out: join(root, "runs"),
    });
    expect(arms.map(({ name, summary }) => [name, summary])).toEqual([
      ["starter/mine", "my own"],
      ["starter", expect.any(String)],
    ]);
    expect(existsSync(join(root, "runs", "starter-mine-seed1"))).toBe(true);
  });

  it("rejects two methods of the same name, which would share their run directories", async () => {
    const [first, second] = ["first", "second"].map((summary) =>
      defineVariant(loop, { name: "mine", summary }),
    );
    const comparison = compareWith(fakeMakers(), {
      methods: [
        { name: "mine", method: first! },
        { name: "mine", method: second! },
      ],
      seeds: [1],
      rollouts: 144,
      overrides: smallOverrides,
      out: join(root, "runs"),
    });
    await expect(comparison).rejects.toThrow(/two different methods are called mine; rename one/);
  });

  it("rejects a results file of another version or a damaged one before any run", async () => {
    const results = join(root, "results.json");
    writeFileSync(results, JSON.stringify({ version: 1, arms: [] }));
    await expect(compareSmall({ results })).rejects.toThrow(
      /of version 1, which lacks the passed tasks/,
    );
    writeFileSync(results, JSON.stringify({ version: 2, comparisons: [{}] }));
    await expect(compareSmall({ results })).rejects.toThrow(/results\.json: the file is damaged/);
    expect(existsSync(join(root, "runs"))).toBe(false);
  });

  it("does not repeat finished runs, and continues a run that was stopped", async () => {
    const whole = await compareSmall({ out: join(root, "whole") });
    const abort = new AbortController();
    let loops = 0;
    const stopped = compareSmall({
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type !== "train" || event.event.type !== "progress") return;
        if (event.event.phase === "loop" && ++loops === 5) abort.abort();
      },
    });
    await expect(stopped).rejects.toThrow(/abort/);
    const finished = modifiedAt("starter-seed1", "summary.json");
    const events: CompareEvent[] = [];
    const result = await compareSmall({ onEvent: (event) => events.push(event) });
    expect(modifiedAt("starter-seed1", "summary.json")).toBe(finished);
    const learned = events.filter(
      (event) =>
        event.type === "train" && event.event.type === "progress" && event.event.phase === "loop",
    );
    expect(loops + learned.length).toBe(2 * 2 * 4);
    const runsWithoutTimes = ({ arms }: typeof result) =>
      arms.map(({ runs }) => runs.map(({ seconds: _, ...run }) => run));
    expect(runsWithoutTimes(result)).toEqual(runsWithoutTimes(whole));
    const broken: Makers = {
      ...fakeMakers(),
      openWorld: () => Promise.reject(new Error("opened")),
    };
    expect(runsWithoutTimes(await compareSmall({}, broken))).toEqual(runsWithoutTimes(whole));
  });

  it("gives a run from a shared warm start the same numbers as a run that makes its own", async () => {
    await compareSmall({ recipes: ["starter"], seeds: [1] });
    const fields = { ...smallOverrides, "algo.iterations": 4, "evaluation.every": 2 };
    const alone = join(root, "alone");
    await trainWith(fakeMakers(), resolveConfig({ recipe: "starter", overrides: fields }), {
      out: alone,
    });
    for (const file of ["metrics.jsonl", "checkpoints/final/engine/table.json"]) {
      const shared = readFileSync(join(root, "runs", "starter-seed1", file), "utf8");
      expect(shared).toBe(readFileSync(join(alone, file), "utf8"));
    }
  });

  it("rejects recipes that cannot be compared before any run", async () => {
    await expect(compareSmall({ recipes: ["starter", "eii"] })).rejects.toThrow(
      /unknown recipe "eii"/,
    );
    await expect(compareSmall({ rollouts: 100 })).rejects.toThrow(
      /starter: cannot spend exactly 100 rollouts.*multiple of 36/,
    );
    await expect(
      compareSmall({ overrides: { ...smallOverrides, "algo.clip": 0.2 } }),
    ).rejects.toThrow(/recipe ei: the method ei has no field algo.clip/);
    await expect(compareSmall({ recipes: ["starter", "smoke"] })).rejects.toThrow(
      /recipe smoke cannot be compared with.*warm start differs: world.name/,
    );
    expect(existsSync(join(root, "runs"))).toBe(false);
  });

  it("leaves out default recipes that the engine cannot run, and lists them", async () => {
    const makers = fakeMakers();
    const lacking: Makers = {
      ...makers,
      createEngine: async (name, request, origin) => {
        const engine = await makers.createEngine(name, request, origin);
        const capabilities = { ...engine.info.capabilities, snapshot: false, value: false };
        return { ...engine, info: { ...engine.info, capabilities } };
      },
    };
    const { "algo.tasksPerIteration": _, ...fields } = smallOverrides;
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

test("a recipe spends its budget in more iterations, or in one iteration over more tasks", () => {
  expect(fieldsToSpendBudget({ config: resolveConfig(), method: loop }, 1920)).toEqual({
    "algo.iterations": 8,
  });
  const rft = { config: resolveConfig({ recipe: "rft" }), method: methods["rft"]! };
  expect(fieldsToSpendBudget(rft, 1920)).toEqual({
    "algo.iterations": 1,
    "algo.tasksPerIteration": 240,
  });
});
