/**
 * Trains `ppo-critic` on the embedded engine and the toy world. The value head learns, in the first iteration without
 * the policy, and a stopped run continues.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import type { Config } from "../../src/train/config/config.ts";
import { type Makers, realMakers } from "../../src/train/parts/makers.ts";
import { resolveConfig } from "../../src/train/settings/resolve.ts";
import { smoke } from "../../src/train/settings/smoke.ts";
import { trainWith } from "../../src/train/train.ts";

const root = createMemoryFolder("bowline-critic-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Returns a configuration with the world, model and limits of `smoke`, and two iterations: in the first only the critic
 * learns.
 */
function createConfig(): Config {
  const { world, model, tokenizer, scaffold } = smoke.config;
  const sections = { world, model, tokenizer, scaffold };
  const fields = Object.entries(sections).flatMap(([section, values]) =>
    Object.entries(values!).map(([name, value]) => [`${section}.${name}`, value]),
  );
  return resolveConfig({
    recipe: "ppo-critic",
    overrides: {
      ...Object.fromEntries(fields),
      "warm.demonstrations": 480,
      "warm.epochs": 1,
      "warm.rows": 16,
      "warm.learningRate": 4e-3,
      "algo.iterations": 2,
      "algo.tasksPerIteration": 6,
      "algo.groupSize": 6,
      "algo.reward": "progress",
      "algo.epochs": 6,
      "algo.minibatch": 12,
      "critic.warmIterations": 1,
      "evaluation.scenarios": 1,
      "evaluation.every": 0,
      "evaluation.scores": ["dev", "test-normal"],
    },
  });
}

/**
 * Returns functions that make the world and the engine. The engine records the critic's losses, and which groups of
 * parameters each update changes.
 */
function createRecordingMakers(): {
  readonly makers: Makers;
  readonly losses: number[];
  readonly groups: string[];
} {
  const [losses, groups] = [[] as number[], [] as string[]];
  const makers: Makers = {
    ...realMakers,
    async createEngine(name, request, origin) {
      const engine = await realMakers.createEngine(name, request, origin);
      const { accumulate, update } = engine;
      engine.accumulate = (rows, cotangents, options) => {
        // A cotangent is 2 (V - R) / n.
        const slopes = cotangents.flatMap(({ values }) => Array.from(values ?? []));
        const squares = slopes.reduce((sum, slope) => sum + slope ** 2, 0);
        if (slopes.length > 0) losses.push((squares * slopes.length) / 4);
        return accumulate(rows, cotangents, options);
      };
      engine.update = (steps) => {
        if (!("learningRate" in steps)) groups.push(Object.keys(steps).join("+"));
        return update(steps);
      };
      return engine;
    },
  };
  return { makers, losses, groups };
}

const readMetrics = (run: string): Record<string, unknown>[] =>
  readFileSync(join(root, run, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const readEngineFile = (run: string, name: string) =>
  readFileSync(join(root, run, "checkpoints", "final", "engine", name));

test("the value head learns, and a stopped and continued run ends with the same weights", {
  timeout: 240_000,
}, async () => {
  const whole = createRecordingMakers();
  await trainWith(whole.makers, createConfig(), { out: join(root, "whole") });
  const loop = readMetrics("whole").filter(({ phase }) => phase === "loop");
  const [warm, learned] = loop.map((line) => Number(line["train/updates"])) as [number, number];
  expect(whole.groups).toEqual([
    ...Array<string>(warm).fill("value"),
    ...Array<string>(learned).fill("policy+value"),
  ]);
  expect(loop.map((line) => Number(line["gradient/norm"]) > 0)).toEqual([false, true]);
  const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [first, last] = [whole.losses.slice(0, 3), whole.losses.slice(warm - 3, warm)];
  expect(mean(last)).toBeLessThan(0.8 * mean(first));

  const abort = new AbortController();
  const killed = trainWith(realMakers, createConfig(), {
    out: join(root, "killed"),
    signal: abort.signal,
    onEvent: (event) => {
      if (event.type === "progress" && event.phase === "loop") abort.abort();
    },
  });
  await expect(killed).rejects.toThrow(/abort/);
  await trainWith(realMakers, createConfig(), { out: join(root, "killed") });
  expect(readMetrics("killed")).toEqual(readMetrics("whole"));
  for (const file of ["model.safetensors", "value-head.safetensors", "value-head.json"]) {
    expect(readEngineFile("killed", file).equals(readEngineFile("whole", file)), file).toBe(true);
  }
});
