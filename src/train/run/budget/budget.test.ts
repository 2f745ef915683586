/** Tests that tokens are counted and priced, and that a ceiling on their cost stops a run that can be continued. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Summary } from "../../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../../testing/fake-makers.ts";
import { tableEngine } from "../../../testing/table-engine.ts";
import { resolveConfig } from "../../settings/resolve.ts";
import { trainWith } from "../../train.ts";
import { readRollouts } from "../run-store.ts";
import {
  addUsage,
  costOf,
  createMeteredEngine,
  NO_USAGE,
  openSpending,
  usageOfRollout,
} from "./index.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-budget-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const PRICES = { prefillPrice: 1, cachedPrice: 0.25, samplePrice: 4, trainPrice: 8 };

describe("tokens of a rollout", () => {
  const turn = { message: "", code: "", observation: "", status: "ok" as const, calls: [] };
  const tokens = { ids: [], mask: [], logprobs: [] };

  it("count once as read, as cached with every further turn, and as sampled", () => {
    const turns = [
      { ...turn, span: [100, 120] as [number, number] },
      { ...turn, span: [150, 155] as [number, number] },
    ];
    expect(usageOfRollout({ tokens, turns })).toEqual({
      prefill: 130,
      cached: 120,
      sampled: 25,
      trained: 0,
    });
  });

  it("count as read again when a turn begins another row", () => {
    const turns = [
      { ...turn, span: [100, 120] as [number, number] },
      { ...turn, span: [40, 50] as [number, number], segment: 1 },
    ];
    expect(usageOfRollout({ tokens, turns })).toEqual({
      prefill: 140,
      cached: 0,
      sampled: 30,
      trained: 0,
    });
  });

  it("are zero for a rollout without token ids", () => {
    expect(usageOfRollout({ turns: [turn] })).toEqual(NO_USAGE);
  });

  it("are priced per million of each kind, and cached tokens cost as much as read ones by default", () => {
    const usage = { prefill: 1e6, cached: 2e6, sampled: 5e5, trained: 1e5 };
    expect(costOf(usage, PRICES)).toBeCloseTo(1 + 0.5 + 2 + 0.8, 12);
    expect(costOf(usage, { ...PRICES, cachedPrice: null })).toBeCloseTo(1 + 2 + 2 + 0.8, 12);
  });
});

describe("a metered engine", () => {
  it("reports the tokens of every request, and gives the same results as the engine that it wraps", async () => {
    let all = NO_USAGE;
    let learned = NO_USAGE;
    const engine = createMeteredEngine(tableEngine(8), {
      onUsage: (usage) => {
        all = addUsage(all, usage);
      },
      onLearned: (usage) => {
        learned = addUsage(learned, usage);
      },
    });
    const request = { stream: 1, maxTokens: 3, temperature: 1, stopIds: [], cacheKey: "a" };
    const [first] = await engine.sample([{ ...request, tokens: [1, 2] }]);
    const row = [1, 2, ...first!.tokens, 3];
    await engine.sample([{ ...request, tokens: row }]);
    expect(all).toEqual({ prefill: 3, cached: 5, sampled: 6, trained: 0 });
    engine.release("a");
    await engine.sample([{ ...request, tokens: row }]);
    expect(all).toEqual({ prefill: 9, cached: 5, sampled: 9, trained: 0 });
    const [expected] = await tableEngine(8).evaluate([{ tokens: row, at: [2, 3] }]);
    expect(await engine.evaluate([{ tokens: row, at: [2, 3] }])).toEqual([expected]);
    await engine.accumulate([{ tokens: row, at: [2] }], [{ logprobs: [1] }]);
    expect(learned).toEqual({ prefill: 6, cached: 0, sampled: 0, trained: 6 });
    expect(all).toEqual(addUsage(learned, { prefill: 9, cached: 5, sampled: 9 }));
  });
});

describe("spending", () => {
  const openWithCeiling = (ceiling: number | null = null) =>
    openSpending(join(root, "spending.jsonl"), { ...PRICES, ceiling });

  it("is read by the next process, except for an incomplete last line", () => {
    openWithCeiling().add({ prefill: 1e6 });
    openWithCeiling().add({ sampled: 5e5 });
    appendFileSync(join(root, "spending.jsonl"), '{"sampled":9999');
    const again = openWithCeiling();
    expect(again.cost()).toBeCloseTo(3, 12);
    again.add({ trained: 1e6 });
    expect(openWithCeiling().total).toEqual({
      prefill: 1e6,
      cached: 0,
      sampled: 5e5,
      trained: 1e6,
    });
  });

  it("aborts its signal when the ceiling is reached, also in a process that starts at the ceiling", () => {
    const spending = openWithCeiling(2);
    spending.add({ prefill: 1.5e6 });
    expect(spending.signal.aborted).toBe(false);
    spending.add({ prefill: 0.5e6 });
    expect(String(spending.signal.reason)).toMatch(
      /^BowlineError: 2 of budget.ceiling \(2\) has been spent; the same command with a higher --budget.ceiling/,
    );
    expect(spending.signal.reason).toMatchObject({ code: "budget" });
    expect(openWithCeiling(2).signal.aborted).toBe(true);
    expect(openWithCeiling(3).signal.aborted).toBe(false);
  });

  it("names its file in the error when the file cannot be read", () => {
    writeFileSync(join(root, "spending.jsonl"), "not json\n");
    expect(() => openWithCeiling()).toThrow(/cannot read .*spending.jsonl/);
  });
});

describe("a run with prices", () => {
  const pricedConfig = (budget: object = PRICES, more: Record<string, unknown> = {}) =>
    resolveConfig({
      recipe: "smoke",
      overrides: {
        ...FAKE_RUN,
        "warm.demonstrations": 48,
        "world.trainScenarios": 4,
        "world.episodes": 4,
        "algo.iterations": 4,
        "algo.tasksPerIteration": 4,
        "algo.groupSize": 4,
        "algo.minibatch": 8,
        "evaluation.scenarios": 1,
        ...more,
        budget,
      },
    });
  const trainRun = (config: ReturnType<typeof pricedConfig>, name = "run") =>
    trainWith(fakeMakers(), config, { out: join(root, name) });
  const readUsage = ({ usage }: Summary) => usage!;

  it("reports tokens and cost by phase and by task, and without an interruption they add up to what it spent", async () => {
    const summary = await trainRun(pricedConfig());
    const usage = readUsage(summary);
    const { spent, phases, tasks } = usage;
    const { cost, ceiling, ...tokens } = spent!;
    const { prefill, cached, sampled, trained } = usage;
    expect(tokens).toEqual({ prefill, cached, sampled, trained });
    expect(cost).toBeCloseTo(usage.cost!, 12);
    expect(ceiling).toBeNull();
    expect(cost).toBeCloseTo(costOf(tokens, PRICES), 12);
    const names = Object.keys(phases);
    expect(names).toEqual(["warm", "before", "collect", "learn", "evaluate"]);
    expect(Object.values(phases).reduce(addUsage, NO_USAGE)).toEqual(tokens);
    expect(phases["learn"]).toMatchObject({ cached: 0, sampled: 0 });
    expect(phases["learn"]!.trained).toBeGreaterThan(0);
    const rollouts = [1, 2, 3, 4].flatMap((n) => readRollouts(join(root, "run"), `train-000${n}`));
    expect(rollouts.map(usageOfRollout).reduce(addUsage, NO_USAGE)).toEqual(phases["collect"]);
    expect(tasks.length).toBeLessThanOrEqual(10);
    expect(tasks.map((task) => task.cost!)).toEqual(
      tasks.map((task) => task.cost!).sort((a, b) => b - a),
    );
    const all = JSON.parse(readFileSync(join(root, "run", "usage.json"), "utf8")).tasks;
    expect(all.reduce((sum: number, task: { rollouts: number }) => sum + task.rollouts, 0)).toBe(
      64,
    );
    expect(all.slice(0, tasks.length)).toEqual(tasks);
  });

  it("counts tokens without prices too, and then writes no spending.jsonl", async () => {
    const usage = readUsage(await trainRun(pricedConfig({})));
    expect(usage.sampled).toBeGreaterThan(0);
    expect(usage.cost).toBeUndefined();
    expect(usage.spent).toBeUndefined();
    expect(existsSync(join(root, "run", "spending.jsonl"))).toBe(false);
  });

  it("stops before its ceiling, and continues to the same result when the ceiling is raised", async () => {
    const whole = await trainRun(pricedConfig(), "whole");
    const total = whole.usage!.cost!;
    const ceiling = total * 0.6;
    const stopped = await trainRun(pricedConfig({ ...PRICES, ceiling }));
    expect(stopped.stoppedEarly).toMatch(
      /^[\d.]+ of budget.ceiling \([\d.]+\) has been spent and the next iteration would exceed the ceiling: .*; the run ended after [123] of 4 iterations$/,
    );
    expect(stopped.usage!.spent!.cost).toBeLessThanOrEqual(ceiling);
    expect(stopped.after["dev"]).toBeDefined();
    // The same command returns the same result. A higher ceiling continues the run.
    expect(await trainRun(pricedConfig({ ...PRICES, ceiling }))).toEqual(stopped);
    const after = await trainRun(pricedConfig({ ...PRICES, ceiling: total * 3 }));
    expect(after.stoppedEarly).toBeUndefined();
    expect(after.after).toEqual(whole.after);
    expect(after.reward).toEqual(whole.reward);
    const readLoopMetrics = (name: string) =>
      readFileSync(join(root, name, "metrics.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line.includes('"loop"'));
    expect(readLoopMetrics("run")).toEqual(readLoopMetrics("whole"));
    // The run also paid for the evaluations when it ended the first time.
    expect(after.usage!.spent!.cost).toBeGreaterThan(whole.usage!.spent!.cost);
    expect(after.usage!.cost).toBeCloseTo(total, 12);
  });

  it("stops within an iteration when it reaches its ceiling there, and loses no finished rollout", async () => {
    const whole = await trainRun(pricedConfig(), "whole");
    const { phases } = whole.usage!;
    const first = costOf(addUsage(phases["warm"]!, phases["before"]!), PRICES);
    // No iteration was measured yet, so the first one starts. It stops after two or three of its 16 rollouts.
    const ceiling = first + costOf(phases["before"]!, PRICES) * 3;
    await expect(trainRun(pricedConfig({ ...PRICES, ceiling }))).rejects.toMatchObject({
      code: "budget",
    });
    expect(existsSync(join(root, "run", "journal", "train-0001.jsonl"))).toBe(true);
    // The next process knows what was spent, and starts no iteration.
    expect((await trainRun(pricedConfig({ ...PRICES, ceiling }))).stoppedEarly).toMatch(
      /after 0 of 4/,
    );
    const after = await trainRun(pricedConfig({ ...PRICES, ceiling: whole.usage!.cost! * 3 }));
    expect(after.after).toEqual(whole.after);
    expect(after.usage!.cost).toBeCloseTo(whole.usage!.cost!, 12);
  });

  it("rejects a ceiling without prices", () => {
    expect(() => pricedConfig({ ceiling: 5 })).toThrow(/budget.ceiling: expected a price as well/);
  });
});
