import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { readDials } from "../config/config.ts";
import { type Makers, realMakers } from "../parts/makers.ts";
import type { TrainEvent } from "../run/events.ts";
import { readRunConfig } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { evaluateWith } from "./evaluate.ts";

let root: string;
let run: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "bowline-eval-"));
  run = join(root, "run");
  const config = resolveConfig({
    recipe: "smoke",
    overrides: {
      "tokenizer.vocabularySize": 270,
      "warm.demonstrations": 96,
      "warm.rows": 8,
      "warm.hastyShare": 0,
      "warm.learningRate": 0.8,
      "algo.iterations": 0,
      "evaluation.scenarios": 1,
    },
  });
  await trainWith(fakeMakers(), config, { out: run });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scorePolicy = (policy: string, extra = {}) =>
  evaluateWith(fakeMakers(), { policy, split: "dev", scenarios: 2, ...extra });

describe("evaluate", () => {
  it("evaluates a run, a checkpoint of it, and scripted policies", async () => {
    for (const policy of [run, join(run, "checkpoints", "warm"), "solution"]) {
      const { score, rollouts, split, seed } = await scorePolicy(policy);
      expect([score.tgc, score.tasks, rollouts.length, split, seed]).toEqual([1, 6, 6, "dev", 1]);
    }
    for (const policy of ["noop", "random"]) expect((await scorePolicy(policy)).score.tgc).toBe(0);
  });

  it("evaluates a policy at other limits than those of its training", async () => {
    const { rollouts } = await scorePolicy(run, { limits: { maxTurnTokens: 1 } });
    const lengths = rollouts.flatMap(({ turns }) => turns.map(({ span }) => span![1] - span![0]));
    expect(Math.max(...lengths)).toBe(1);
    const random = await scorePolicy("random", { limits: { evaluationTurns: 2 } });
    expect(Math.max(...random.rollouts.map(({ turns }) => turns.length))).toBe(2);
    const wrong = { maxTurns: 3 };
    await expect(scorePolicy(run, { limits: wrong })).rejects.toThrow(/limits.*maxTurns/);
    await expect(scorePolicy(run, { limits: { maxTokens: 0 } })).rejects.toThrow(
      /limits\.maxTokens: expected an integer of at least 1, got 0/,
    );
    await expect(scorePolicy("solution", { limits: { maxTokens: 9 } })).rejects.toThrow(
      /solutions are run as they are written/,
    );
  });

  it("evaluates a run that was stopped in the middle of its warm start", async () => {
    const out = join(root, "stopped");
    const config = resolveConfig({
      recipe: "smoke",
      overrides: {
        "world.trainScenarios": 8,
        "model.hiddenSize": 16,
        "model.layers": 1,
        "warm.demonstrations": 40,
        "warm.rows": 4,
        "evaluation.scenarios": 1,
      },
    });
    const stop = new AbortController();
    const onEvent = (event: TrainEvent) => {
      if (event.type === "progress" && event.phase === "warm" && event.step === 3) stop.abort();
    };
    const started = trainWith(realMakers, config, { out, onEvent, signal: stop.signal });
    await expect(started).rejects.toThrow(/abort/);
    const asked = { policy: out, split: "dev", scenarios: 1 } as const;
    const { rollouts } = await evaluateWith(realMakers, asked);
    expect(rollouts.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
  });

  it("records a solution's code, and its messages in the scaffold's format", async () => {
    const { rollouts } = await evaluateWith(realMakers, {
      policy: "solution",
      world: "toy",
      split: "dev",
      scenarios: 1,
      scaffold: "compact-tools",
    });
    const { message, code } = rollouts[0]!.turns.at(-1)!;
    expect(message).toMatch(/^me\.finishTask\{.*\}$/);
    expect(code).toMatch(/^print\(JSON\.stringify\(apis\.me\.finishTask\(.*\)\)\);$/);
  });

  it("runs the same code of a scripted policy with any scaffold, and says so in a note", async () => {
    for (const policy of ["noop", "random", "nearest"]) {
      // The fake world never ends an episode, and the two scaffolds have different limits, so only the first two turns
      // are compared.
      const runCode = async (extra: object) =>
        (await scorePolicy(policy, extra)).rollouts.map(({ turns }) =>
          turns.slice(0, 2).map(({ code }) => code),
        );
      const expected = await runCode({});
      for (const scaffold of ["compact-tools", "fenced", "react", "tools"]) {
        const notes: string[] = [];
        const onEvent = (event: TrainEvent) => event.type === "note" && notes.push(event.text);
        expect(await runCode({ scaffold, onEvent })).toEqual(expected);
        expect(notes.join()).toMatch(/writes code, whatever the scaffold/);
      }
    }
  });

  it("is greedy by default, and at a temperature samples different tokens with a different seed", async () => {
    const sampleTokens = async (extra: object) =>
      (await scorePolicy(run, { temperature: 3, ...extra })).rollouts.map(({ tokens }) =>
        tokens?.ids.join(),
      );
    expect(await sampleTokens({ seed: 5 })).toEqual(await sampleTokens({ seed: 5 }));
    expect(await sampleTokens({ seed: 5 })).not.toEqual(await sampleTokens({ seed: 6 }));
    expect((await scorePolicy(run)).rollouts[0]!.temperature).toBe(0);
  });

  it("opens the world with the run's dials, and lets options override them", async () => {
    const opened: unknown[] = [];
    const makers: Makers = {
      ...fakeMakers(),
      openWorld: async (_, { dials }) => {
        opened.push(dials);
        return fakeWorld();
      },
    };
    const out = join(root, "dials");
    const overrides = {
      "world.dials.api-errors": 0.2,
      "algo.iterations": 0,
      "evaluation.scenarios": 1,
    };
    await trainWith(makers, resolveConfig({ recipe: "smoke", overrides }), { out });
    expect(readRunConfig(out).world.dials).toMatchObject({ apiErrors: 0.2, docs: "normal" });
    const dials = { docs: "terse" } as const;
    const options = { policy: out, split: "dev", scenarios: 1, dials } as const;
    const result = await evaluateWith(makers, options);
    expect(result.dials).toMatchObject({ apiErrors: 0.2, docs: "terse" });
    expect(opened).toEqual([
      { ...readDials(resolveConfig()), apiErrors: 0.2 },
      { ...readDials(resolveConfig()), apiErrors: 0.2, docs: "terse" },
    ]);
  });

  it("rejects a wrong policy, world or checkpoint with an error that names the problem", async () => {
    await expect(scorePolicy("solutoin")).rejects.toThrow(
      /unknown policy solutoin \(did you mean solution\?\)/,
    );
    await expect(scorePolicy(root)).rejects.toThrow(/holds no checkpoint/);
    await expect(scorePolicy(run, { world: "tot" })).rejects.toThrow(/did you mean toy/);
    const bare = evaluateWith(fakeMakers(fakeWorld({ hasSolutions: false })), {
      policy: "solution",
      split: "dev",
    });
    await expect(bare).rejects.toThrow(/no solutions/);
    const torn = join(root, "torn");
    mkdirSync(torn);
    writeFileSync(
      join(torn, "policy.json"),
      '{"version": 2, "config": {"method": "loop", "algo": {"clp": 1}}}',
    );
    await expect(scorePolicy(torn)).rejects.toThrow(/not a complete checkpoint.*algo.clp/);
    writeFileSync(join(torn, "policy.json"), '{"version": 1, "config": {}}');
    await expect(scorePolicy(torn)).rejects.toThrow(
      /policy.json has version 1, but .* reads version 2/,
    );
  });
});
