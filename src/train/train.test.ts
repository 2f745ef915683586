import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine, Summary } from "../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../testing/fake-makers.ts";
import { fakeWorld } from "../testing/fake-world.ts";
import { tableEngine } from "../testing/table-engine.ts";
import type { Config } from "./config/config.ts";
import type { Makers } from "./parts/makers.ts";
import type { TrainEvent } from "./run/events.ts";
import { METRIC_GLOSSARY } from "./run/metrics.ts";
import { resolveConfig } from "./settings/resolve.ts";
import { trainWith } from "./train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-train-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const tinyConfig = (overrides: Record<string, unknown> = {}): Config =>
  resolveConfig({
    recipe: "smoke",
    overrides: {
      ...FAKE_RUN,
      "world.trainScenarios": 6,
      "algo.iterations": 5,
      "algo.tasksPerIteration": 6,
      "algo.groupSize": 6,
      "algo.minibatch": 16,
      "evaluation.scenarios": 3,
      "evaluation.every": 2,
      "evaluation.everyScenarios": 2,
      "evaluation.scores": ["dev", "test-normal", "dev@T1", "test-normal@T1"],
      ...overrides,
    },
  });

/** Reads every file of a run except those with wall times. */
function readRunFiles(directory: string): Map<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  const kept = files.filter((file) => statSync(join(directory, file)).isFile());
  return new Map(
    kept
      .filter(
        (file) =>
          !["timings.jsonl", "summary.json"].includes(file) && !file.endsWith("trainer.json"),
      )
      .map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
}

const withoutTime = ({ seconds: _, ...summary }: Summary) => summary;

describe("train", () => {
  it("imitates mostly hasty demonstrations first, and then learns from reward alone", async () => {
    const events: TrainEvent[] = [];
    const config = tinyConfig({ "algo.iterations": 6 });
    const summary = await trainWith(fakeMakers(), config, {
      out: join(root, "run"),
      onEvent: (event) => events.push(event),
    });
    expect(summary.before["dev"]!.tgc).toBeLessThan(0.5);
    expect(summary.after["dev"]!.tgc).toBe(1);
    expect(summary.after["test-normal@T1"]!.tasks).toBe(9);
    expect(summary.reward.last).toBeGreaterThan(summary.reward.first + 0.2);
    expect(summary.warmStart).toEqual({ demonstrations: 96, hastyShare: 0.75 });
    expect(summary.rollouts).toBe(6 * 6 * 6);
    const examples = events.filter((event) => event.type === "example");
    expect(examples.map(({ when }) => when)).toEqual(["start", "before", "after"]);
    expect(examples[1]!.rollout.task.id).toBe(examples[2]!.rollout.task.id);
    expect(events.filter((event) => event.type === "score")).toHaveLength(4 + 2 + 4);
    expect(events.at(-1)).toMatchObject({ type: "phase-start", phase: "done" });
  });

  it("writes only metrics that are in the glossary", async () => {
    await trainWith(fakeMakers(), tinyConfig({ "algo.iterations": 2 }), { out: root });
    const lines = readFileSync(join(root, "metrics.jsonl"), "utf8").trim().split("\n");
    const names = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
    const isInGlossary = (name: string) =>
      Object.keys(METRIC_GLOSSARY).some((entry) =>
        new RegExp(`^${entry.replace(/<\w+>/, "[\\w@-]+")}$`).test(name),
      );
    const other = ["phase", "step", "when"];
    expect([...names].filter((name) => !other.includes(name) && !isInGlossary(name))).toEqual([]);
    expect(names).toContain("sgc/test-normal@T1");
    expect(names).toContain("behaviour/turns");
  });

  it("writes the same files for the same seed, and different ones for a different seed", async () => {
    for (const [name, seed] of [
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ] as const) {
      await trainWith(fakeMakers(), tinyConfig({ "run.seed": seed, "algo.iterations": 2 }), {
        out: join(root, name),
      });
    }
    expect(readRunFiles(join(root, "b"))).toEqual(readRunFiles(join(root, "a")));
    expect(readRunFiles(join(root, "c")).get("metrics.jsonl")).not.toBe(
      readRunFiles(join(root, "a")).get("metrics.jsonl"),
    );
  });

  it("after a crash at any moment, continues and writes the same files", async () => {
    const config = tinyConfig({
      "warm.demonstrations": 32,
      "algo.iterations": 2,
      "algo.groupSize": 3,
      "algo.taskSampling": "mixed-outcomes",
      "evaluation.every": 1,
      "evaluation.scores": ["dev", "test-normal"],
    });
    const whole = join(root, "whole");
    const expected = withoutTime(await trainWith(fakeMakers(), config, { out: whole }));
    const files = readRunFiles(whole);
    let deaths = 0;
    for (let lifetime = 0.5; ; lifetime += 1) {
      const out = join(root, "killed");
      rmSync(out, { recursive: true, force: true });
      if (await endsAlive(trainWith(createMortalMakers(lifetime), config, { out }))) break;
      deaths++;
      const summary = await trainWith(fakeMakers(), config, { out });
      expect(withoutTime(summary)).toEqual(expected);
      expect(readRunFiles(out)).toEqual(files);
    }
    expect(deaths).toBeGreaterThan(25);
  });

  it("for a finished run, returns its summary again and changes nothing", async () => {
    const config = tinyConfig({ "algo.iterations": 1 });
    const first = await trainWith(fakeMakers(), config, { out: root });
    const broken: Makers = {
      ...fakeMakers(),
      openWorld: () => Promise.reject(new Error("opened")),
    };
    expect(await trainWith(broken, config, { out: root })).toEqual(first);
    await expect(
      trainWith(broken, tinyConfig({ "algo.clip": 0.3 }), { out: root }),
    ).rejects.toThrow(/algo.clip/);
  });

  it("stops at the time limit, records it, and continues when the limit is raised", async () => {
    const makers = fakeMakers();
    const short = tinyConfig({ "run.minutes": 0.01, "algo.iterations": 1000 });
    const stopped = await trainWith(makers, short, { out: root });
    expect(stopped.stoppedEarly).toMatch(/after \d+ of 1000 iterations/);
    const again = await trainWith(makers, short, { out: root });
    expect(again).toEqual(stopped);
    const longer = await trainWith(
      makers,
      tinyConfig({ "run.minutes": 0.03, "algo.iterations": 1000 }),
      {
        out: root,
      },
    );
    expect(longer.rollouts).toBeGreaterThan(stopped.rollouts);
    expect(longer.before).toEqual(stopped.before);
  });

  it("stops after the warm start when there are no iterations", async () => {
    const summary = await trainWith(
      fakeMakers(),
      tinyConfig({ "algo.iterations": 0, "warm.hastyShare": 0 }),
      { out: root },
    );
    expect(summary.before["dev"]!.tgc).toBe(1);
    expect(summary.after).toEqual(summary.before);
    expect(summary.stoppedEarly).toBeUndefined();
  });

  it("drops the slowest rollouts under the straggler rule", async () => {
    const config = tinyConfig({
      "algo.stragglers": true,
      "algo.iterations": 2,
      "warm.demonstrations": 16,
      "scaffold.maxTurns": 4,
      "scaffold.maxTurnTokens": 40,
    });
    await trainWith(fakeMakers(), config, { out: root });
    const lines = readFileSync(join(root, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const loop = lines.filter(({ phase }) => phase === "loop");
    expect(loop).toHaveLength(2);
    for (const line of loop) {
      expect(line["rollout/count"] + line["rollout/cancelled"]).toBe(36);
      expect(line["rollout/count"]).toBeGreaterThanOrEqual(33);
    }
    expect(loop.some((line) => line["rollout/cancelled"] > 0)).toBe(true);
  });

  it("rejects at once a run that cannot learn, and says what to do", async () => {
    const out = join(root, "none");
    const trainRejected = (makers: Makers, config: Config) => trainWith(makers, config, { out });
    await expect(
      trainRejected(fakeMakers(fakeWorld({ hasSolutions: false })), tinyConfig()),
    ).rejects.toThrow(/have no solutions.*give each task a `solution`/);
    await expect(trainRejected(fakeMakers(), resolveConfig({ recipe: "loop" }))).rejects.toThrow(
      /no warm start.*starter/,
    );
    await expect(
      trainRejected(fakeMakers(), tinyConfig({ "algo.tasksPerIteration": 19 })),
    ).rejects.toThrow(/18 training tasks/);
    await expect(
      trainRejected(fakeMakers(), tinyConfig({ "scaffold.maxTurnTokens": 1 })),
    ).rejects.toThrow(/demonstrations fit/);
    expect(readdirSync(root)).toEqual([]);
  });

  it("stops when its signal is aborted, and can be continued later", async () => {
    const abort = new AbortController();
    const config = tinyConfig({ "algo.iterations": 3 });
    const onEvent = (event: TrainEvent) => {
      if (event.type === "progress" && event.phase === "loop" && event.step === 2) abort.abort();
    };
    await expect(
      trainWith(fakeMakers(), config, { out: root, onEvent, signal: abort.signal }),
    ).rejects.toThrow(/abort/);
    const summary = await trainWith(fakeMakers(), config, { out: root });
    expect(summary.stoppedEarly).toBeUndefined();
  });
});

describe("safety checks of a run", () => {
  const trainWithChangedEngine = (change: (engine: Engine) => Partial<Engine>) => {
    const makers = fakeMakers();
    const createEngine: Makers["createEngine"] = async (name, request, origin) => {
      const engine = await makers.createEngine(name, request, origin);
      return { ...engine, ...change(engine) };
    };
    return trainWith({ ...makers, createEngine }, tinyConfig(), { out: root });
  };

  it("the run stops when the log-probs of sampler and learner disagree", async () => {
    const skewed = trainWithChangedEngine((engine) => ({
      sample: async (requests, signal) =>
        (await engine.sample(requests, signal)).map((sample) => ({
          ...sample,
          logprobs: sample.logprobs.map((logprob) => logprob - 0.02),
        })),
    }));
    await expect(skewed).rejects.toThrow(/sampler and learner disagree.*0.0[12]/);
  });

  it("the run stops when its first minibatch is already off-policy", async () => {
    const skewed = trainWithChangedEngine((engine) => ({
      accumulate: async (rows, cotangents, options) =>
        (await engine.accumulate(rows, cotangents, options)).map(({ logprobs }) => ({
          logprobs: logprobs.map((logprob) => logprob - 0.001),
        })),
    }));
    await expect(skewed).rejects.toThrow(/a ratio in the first minibatch differs from 1/);
  });

  it("the run stops when the loss is not finite", async () => {
    const skewed = trainWithChangedEngine((engine) => ({
      accumulate: async (rows, cotangents) => {
        await engine.accumulate(rows, cotangents);
        return rows.map(({ at }) => ({ logprobs: new Float32Array(at.length).fill(Number.NaN) }));
      },
    }));
    await expect(skewed).rejects.toThrow(/loss of warm-start step 1 is NaN/);
  });

  it("the run stops when the engine fails during a rollout", async () => {
    const dead = trainWithChangedEngine(() => ({
      sample: () => Promise.reject(new Error("worker gone")),
    }));
    await expect(dead).rejects.toThrow(/rollouts failed.*at the policy: worker gone/);
  });

  it("the iteration ends, but not the run, when the policy moves too far", async () => {
    const config = tinyConfig({
      "algo.maxTrajectoryKl": 1e-6,
      "algo.iterations": 1,
      "algo.minibatch": 4,
    });
    const notes: string[] = [];
    await trainWith(fakeMakers(), config, {
      out: root,
      onEvent: (event) => event.type === "note" && notes.push(event.text),
    });
    expect(notes).toEqual([
      expect.stringMatching(/iteration 1 ended early: the estimated trajectory KL/),
    ]);
  });
});

describe("the table engine", () => {
  it("computes the gradients of its log-probs", async () => {
    const row = { tokens: [1, 2, 3, 1, 2], at: [1, 3, 4] };
    const cotangent = { logprobs: [0.3, -0.7, 1.1] };
    const computeValue = async (engine: Engine) =>
      (await engine.evaluate([row]))[0]!.logprobs.reduce(
        (sum, x, t) => sum + x * cotangent.logprobs[t]!,
        0,
      );
    const engine = tableEngine(5);
    const before = await computeValue(engine);
    await engine.accumulate([row], [cotangent]);
    const rate = 1e-3;
    const plain = { beta1: 0, beta2: 0, epsilon: 1e6, weightDecay: 0, maxGradientNorm: Infinity };
    // With such a large epsilon, AdamW is plain gradient descent with a step size of rate / epsilon.
    const { gradientNorm } = await engine.update({ ...plain, learningRate: rate * 1e6 });
    expect(((await computeValue(engine)) - before) / -rate).toBeCloseTo(gradientNorm ** 2, 2);
  });
});

/**
 * Creates makers of an engine that rejects after `lifetime` calls, like a killed process. A sample counts as 1/20 of a
 * call.
 */
function createMortalMakers(lifetime: number): Makers {
  const makers = fakeMakers();
  let calls = 0;
  return {
    ...makers,
    async createEngine(name, request, origin) {
      const engine = await makers.createEngine(name, request, origin);
      return new Proxy(engine, {
        get(target, key) {
          const method = Reflect.get(target, key);
          if (typeof method !== "function" || key === "close" || key === "release") return method;
          return (...args: unknown[]) => {
            calls += key === "sample" ? 0.05 : 1;
            if (calls >= lifetime) return Promise.reject(new Error("killed"));
            return method.apply(target, args);
          };
        },
      });
    },
  };
}

async function endsAlive(run: Promise<unknown>): Promise<boolean> {
  try {
    await run;
    return true;
  } catch (error) {
    if (/killed/.test(String(error))) return false;
    throw error;
  }
}
