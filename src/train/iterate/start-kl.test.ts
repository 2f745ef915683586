/** Tests the distance from the start: which rows it is measured on, its value, and that resuming does not change it. */
import { readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { resolveConfig, trainWith } from "../index.ts";
import { readRollouts } from "../run/run-store.ts";
import { chooseStartRows, measureStartKl } from "./start-kl.ts";

const makeRollout = (length: number, prompt: number, more: Partial<Rollout> = {}) =>
  ({
    ...{ policyVersion: 3, temperature: 1 },
    tokens: {
      ids: Array.from({ length }, (_, i) => i),
      mask: Array.from({ length }, (_, i) => (i < prompt ? 0 : 1)),
      logprobs: Array.from({ length }, () => -1),
    },
    ...more,
  }) as Rollout;

describe("the rows of the start", () => {
  test("have at most 2% of the tokens, are at most 32, and are the same for the same rollouts", () => {
    const lengths = fc.array(fc.integer({ min: 2, max: 200 }), { minLength: 1, maxLength: 3000 });
    fc.assert(
      fc.property(lengths, (all) => {
        const rollouts = all.map((length) => makeRollout(length, 1));
        const { rows } = chooseStartRows(rollouts);
        const tokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
        expect(tokens).toBeLessThanOrEqual(all.reduce((a, b) => a + b, 0) / 50);
        expect(rows.length).toBeLessThanOrEqual(32);
        for (const { at, tokens, logprobs } of rows) {
          expect(at.length).toBe(logprobs.length);
          expect(at.at(-1)).toBe(tokens.length - 1);
        }
        expect(chooseStartRows(rollouts).rows).toEqual(rows);
      }),
      { numRuns: 30 },
    );
    expect(
      chooseStartRows(Array.from({ length: 5000 }, () => makeRollout(10, 2))).rows,
    ).toHaveLength(32);
  });

  test("come from rollouts that the start policy sampled at one temperature", () => {
    const rollouts = [
      makeRollout(50, 5, { policyVersion: -1 }),
      makeRollout(50, 5, { temperature: 0 }),
      ...Array.from({ length: 100 }, () => makeRollout(50, 5, { temperature: 0.5 })),
      makeRollout(50, 5, { policyVersion: 4, temperature: 0.5 }),
      { ...makeRollout(50, 5), tokens: undefined } as unknown as Rollout,
    ];
    const { temperature, rows } = chooseStartRows(rollouts);
    expect([temperature, rows.length]).toEqual([0.5, 2]);
    expect(chooseStartRows(rollouts.slice(0, 2)).rows).toEqual([]);
    expect(chooseStartRows([]).rows).toEqual([]);
  });
});

test("the estimate is the mean over tokens of exp(-d) - 1 + d", async () => {
  const rows = [
    { tokens: [1, 2, 3], at: [1, 2], logprobs: [-1, -2] },
    { tokens: [1, 2], at: [1], logprobs: [-0.5] },
  ];
  const answer = (logprobs: number[][]) => ({
    evaluate: async () => logprobs.map((row) => ({ logprobs: Float32Array.from(row) })),
  });
  const measure = (logprobs: number[][]) =>
    measureStartKl(answer(logprobs), { temperature: 1, rows });
  expect(await measure([[-1, -2], [-0.5]])).toBe(0);
  expect(await measure([[-2, -2], [-0.5]])).toBeCloseTo((Math.exp(-1) - 1 + 1) / 3, 9);
  expect(await measure([[Number.NEGATIVE_INFINITY, -2], [-0.5]])).toBeUndefined();
  expect(await measureStartKl(answer([]), { temperature: 1, rows: [] })).toBeUndefined();
});

describe("a run", () => {
  let root: string;
  const config = (iterations: number) =>
    resolveConfig({
      recipe: "smoke",
      overrides: {
        ...FAKE_RUN,
        ...{ "warm.demonstrations": 48, "world.trainScenarios": 4, "evaluation.scenarios": 1 },
        ...{ "algo.iterations": iterations, "algo.tasksPerIteration": 8, "algo.groupSize": 8 },
      },
    });
  const readLoop = (name: string) =>
    readFileSync(join(root, name, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ phase }) => phase === "loop");
  beforeAll(async () => {
    root = createMemoryFolder("bowline-start-kl-");
    await trainWith(fakeMakers(), config(3), { out: join(root, "whole") });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("records the distance in every iteration", async () => {
    const distances = readLoop("whole").map((line) => line["kl/start"]);
    expect(distances).toHaveLength(3);
    for (const distance of distances) expect(distance).toBeGreaterThan(0);
    expect(chooseStartRows(readRollouts(join(root, "whole"), "train-0001")).rows).not.toEqual([]);
  });

  test("that is resumed measures the same, and goes on without its oldest rollouts", async () => {
    for (const [name, isDamaged] of [
      ["resumed", false],
      ["damaged", true],
    ] as const) {
      const out = join(root, name);
      const stop = new AbortController();
      const onEvent = (event: { type: string; phase?: string; step?: number }) => {
        if (event.type === "progress" && event.phase === "loop" && event.step === 2) stop.abort();
      };
      const options = { out, signal: stop.signal, onEvent } as never;
      await trainWith(fakeMakers(), config(3), options).catch(() => {});
      expect(readLoop(name)).toHaveLength(2);
      if (isDamaged) truncateSync(join(out, "rollouts", "train-0001.jsonl"), 1000);
      await trainWith(fakeMakers(), config(3), { out });
      const last = { ...readLoop("whole")[2]! };
      if (isDamaged) delete last["kl/start"];
      expect(readLoop(name)[2]).toEqual(last);
    }
  });
});
