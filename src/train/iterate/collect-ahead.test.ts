/**
 * Tests collecting ahead (`algo.staleness`): rollouts lag by few versions, sampling and learning overlap, and equal
 * runs stay equal.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine, Rollout } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { Makers } from "../parts/makers.ts";
import { readRollouts } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { scheduleAhead } from "./collect-ahead.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-ahead-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const staleConfig = (staleness: number, overrides: Record<string, unknown> = {}, method = "loop") =>
  resolveConfig({
    recipe: "smoke",
    method,
    overrides: {
      ...FAKE_RUN,
      "world.trainScenarios": 6,
      "world.episodes": 6,
      "algo.iterations": 6,
      "algo.tasksPerIteration": 6,
      "algo.groupSize": 6,
      "algo.minibatch": 16,
      "algo.staleness": staleness,
      "optimizer.learningRate": 0.05,
      "evaluation.scenarios": 2,
      ...overrides,
    },
  });

/** Creates makers of a fake engine that waits for `ticks(n)` turns of the event loop before its n-th call. */
function createSlowMakers(
  ticks: (call: number) => number,
  onCall: (name: string) => void = () => {},
): Makers {
  const makers = fakeMakers();
  let calls = 0;
  return {
    ...makers,
    async createEngine(name, request, origin) {
      const engine = await makers.createEngine(name, request, origin);
      const delay =
        <A extends unknown[], R>(what: string, work: (...args: A) => Promise<R>) =>
        async (...args: A) => {
          for (let i = ticks(calls++); i > 0; i--) await new Promise((go) => setImmediate(go));
          onCall(what);
          return work(...args);
        };
      const sample: Engine["sample"] = (requests, signal) => {
        onCall(`sample ${requests[0]?.cacheKey}`);
        return delay("sampled", engine.sample)(requests, signal);
      };
      return { ...engine, sample, accumulate: delay("accumulate", engine.accumulate) };
    },
  };
}

const readIteration = (out: string, iteration: number): Rollout[] =>
  readRollouts(out, `train-${String(iteration).padStart(4, "0")}`);

describe("scheduleAhead", () => {
  it.each([0, 1, 3])(
    "starts each iteration once and in order, at most %i ahead of the one being learned",
    async (staleness) => {
      const log: string[] = [];
      const ahead = scheduleAhead(
        { staleness, iterations: 5 },
        async (iteration) => {
          log.push(`start ${iteration}`);
          return iteration;
        },
        () => log.push("cancel"),
      );
      for (let iteration = 1; iteration <= 5; iteration++) {
        expect(await ahead.take(iteration)).toBe(iteration);
        log.push(`learn ${iteration}`);
        const started = Math.min(iteration + staleness, 5);
        expect(log.filter((line) => line.startsWith("start"))).toHaveLength(started);
      }
      await ahead.stop();
      expect(log).not.toContain("cancel");
    },
  );

  it("can start at a later iteration, passes on the errors of iterations, and waits for those that it cancels", async () => {
    let release = () => {};
    const ahead = scheduleAhead(
      { staleness: 1, iterations: 200 },
      (iteration) =>
        iteration === 5
          ? new Promise<number>((_, reject) => {
              release = () => reject(new Error("cancelled"));
            })
          : iteration === 4
            ? Promise.reject(new Error("no luck"))
            : Promise.resolve(iteration),
      () => release(),
    );
    expect(await ahead.take(3)).toBe(3);
    await expect(ahead.take(4)).rejects.toThrow("no luck");
    await ahead.stop();
  });
});

describe("a run that collects ahead", () => {
  it("samples each iteration with one policy version, which lags by at most algo.staleness, and still learns", async () => {
    const out = join(root, "run");
    const summary = await trainWith(fakeMakers(), staleConfig(2), { out });
    const loop = readFileSync(join(out, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ phase }) => phase === "loop");
    expect(loop.map((line) => line["rollout/lag"])).toEqual([0, 1, 2, 2, 2, 2]);
    const versions = [1, 2, 3, 4, 5, 6].map((iteration) => [
      ...new Set(readIteration(out, iteration).map(({ policyVersion }) => policyVersion)),
    ]);
    const first = versions[0]![0]!;
    expect(versions).toEqual([0, 0, 0, 1, 2, 3].map((after) => [first + after]));
    expect(summary.reward.last).toBeGreaterThan(summary.reward.first + 0.1);
    // Ratios are relative to the policy that sampled. That policy is an earlier version, so ratios differ from 1 from
    // the start.
    expect(loop[2]["logprob/sampler_gap"]).toBeGreaterThan(1e-3);
  });

  it("samples the next iteration while it learns from the current one", async () => {
    const log: string[] = [];
    await trainWith(
      createSlowMakers(
        () => 3,
        (name) => log.push(name),
      ),
      staleConfig(1),
      {
        out: join(root, "run"),
      },
    );
    const learns = log.flatMap((name, i) => (name === "accumulate" ? [i] : []));
    const between = log.slice(learns.at(12)!, learns.at(-1)!);
    expect(between.filter((name) => name.startsWith("sample "))).not.toEqual([]);
    // The warm start has 12 steps. The loop of the paper never samples between two steps of the same iteration.
    const secondIteration = log.findIndex((name) => name.startsWith("sample 2/"));
    expect(secondIteration).toBeLessThan(learns[12]!);
  });

  it("has the same metrics and rollouts whatever the timing", async () => {
    const runs = [() => 0, (call: number) => call % 5, (call: number) => (call * 7919) % 11];
    const files: string[] = [];
    for (const [i, ticks] of runs.entries()) {
      const out = join(root, String(i));
      await trainWith(createSlowMakers(ticks), staleConfig(1, { "algo.iterations": 4 }), { out });
      const rollouts = [1, 2, 3, 4].map((iteration) =>
        JSON.stringify(readIteration(out, iteration)),
      );
      files.push([readFileSync(join(out, "metrics.jsonl"), "utf8"), ...rollouts].join("\n"));
    }
    expect(files[1]).toBe(files[0]);
    expect(files[2]).toBe(files[0]);
  });

  it("never runs more episodes at once than world.episodes allows", async () => {
    let live = 0;
    let most = 0;
    const makers = createSlowMakers(() => 1);
    await trainWith(
      {
        ...makers,
        openWorld: async (url, options) => {
          const world = await makers.openWorld(url, options);
          return {
            ...world,
            open: async (id) => {
              const episode = await world.open(id);
              most = Math.max(most, ++live);
              return {
                ...episode,
                close: async () => {
                  live -= 1;
                  await episode.close();
                },
              };
            },
          };
        },
      },
      staleConfig(3, { "algo.iterations": 4 }),
      { out: join(root, "run") },
    );
    expect(most).toBe(6);
  });

  it("continues after a crash and finishes all iterations", async () => {
    const out = join(root, "run");
    let samples = 0;
    const makers = fakeMakers();
    const mortal: Makers = {
      ...makers,
      async createEngine(name, request, origin) {
        const engine = await makers.createEngine(name, request, origin);
        const sample: Engine["sample"] = (requests, signal) =>
          ++samples > 150 ? Promise.reject(new Error("killed")) : engine.sample(requests, signal);
        return { ...engine, sample };
      },
    };
    await expect(trainWith(mortal, staleConfig(2), { out })).rejects.toThrow(/killed/);
    const summary = await trainWith(fakeMakers(), staleConfig(2), { out });
    expect(summary.rollouts).toBe(6 * 36);
    const loop = readFileSync(join(out, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ phase }) => phase === "loop");
    expect(loop).toHaveLength(6);
    expect(existsSync(join(out, "journal"))).toBe(false);
  });

  it("is rejected for an engine that holds only one copy of the weights, and for a method without token ratios", async () => {
    const makers = fakeMakers();
    const single: Makers = {
      ...makers,
      async createEngine(name, request, origin) {
        const engine = await makers.createEngine(name, request, origin);
        const { heldVersions: _, ...capabilities } = engine.info.capabilities;
        return { ...engine, info: { ...engine.info, capabilities } };
      },
    };
    await expect(trainWith(single, staleConfig(1), { out: join(root, "run") })).rejects.toThrow(
      /cannot serve algo.staleness 1: it needs to sample with earlier policies/,
    );
    expect(() => staleConfig(1, { "algo.ratio": "none" }, "on-policy")).toThrow(
      /algo.staleness exists only where algo.ratio is token/,
    );
  });
});
