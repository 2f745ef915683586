/** Tests runs that start from a policy: an adapter that PEFT wrote, a model, and the policy of another run. */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInlineEngine } from "../../../tests/support/inline-engine.ts";
import { writeInstructModel } from "../../../tests/support/instruct-model.ts";
import type { OnnxEngineOptions } from "../../engine/index.ts";
import type { Engine, Row, TokenOutputs } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { exportPolicy } from "../evaluate/export.ts";
import type { EngineRequest } from "../parts/engine-request.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfigForModel } from "../parts/resolve-config-for-model.ts";
import { readRollouts, readRunConfig } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));

let root: string;
let model: string;
let adapter: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-warm-policy-");
  model = writeInstructModel(join(root, "hf-qwen2"));
  adapter = join(root, "adapter");
  cpSync(goldenPath("peft-qwen2"), adapter, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Fields of a run of one iteration, whose rollouts have one short turn. */
const SHORT_RUN = {
  "algo.iterations": 1,
  "algo.tasksPerIteration": 1,
  "algo.groupSize": 2,
  "evaluation.scenarios": 1,
  "evaluation.scores": ["dev"],
  "scaffold.maxTurns": 1,
  "scaffold.evaluationTurns": 1,
  "scaffold.maxTurnTokens": 6,
};
const PEFT_LORA = { rank: 4, alpha: 8, targetModules: "q_proj,v_proj,o_proj,down_proj" };

const resolveStart = (policy: string, overrides: Readonly<Record<string, unknown>> = {}) =>
  resolveConfigForModel({
    recipe: "smoke",
    overrides: { ...SHORT_RUN, "warm.policy": policy, ...overrides },
  });

const createEngine = (request: EngineRequest) =>
  createInlineEngine({ ...(request as OnnxEngineOptions), threads: 1 });

/** The embedded engine in the fake world. It records what is evaluated before the first update, and what came out. */
function createRecordingMakers() {
  let isUpdated = false;
  const evaluated: { readonly row: Row; readonly outputs: TokenOutputs }[] = [];
  const makers: Makers = {
    ...fakeMakers(),
    createEngine: async (_, request) => {
      const engine = await createEngine(request);
      const evaluate: Engine["evaluate"] = async (rows, options) => {
        const outputs = await engine.evaluate(rows, options);
        rows.forEach((row, i) => {
          if (!isUpdated) evaluated.push({ row, outputs: outputs[i]! });
        });
        return outputs;
      };
      const update: Engine["update"] = (steps) => {
        isUpdated = true;
        return engine.update(steps);
      };
      return { ...engine, evaluate, update };
    },
  };
  return { evaluated, makers };
}

/** Evaluates rows by an engine that loads the adapter from its own folder, without any run. */
async function evaluateAdapter(rows: readonly Row[], weights: "live" | "base") {
  const { loadModelConfig } = await import("../../engine/index.ts");
  const lora = { ...PEFT_LORA, targetModules: PEFT_LORA.targetModules.split(",") };
  const engine = await createInlineEngine({
    ...{ model: loadModelConfig(model), weights: model, seed: 5, threads: 1 },
    lora: lora as unknown as NonNullable<OnnxEngineOptions["lora"]>,
  });
  await engine.load(adapter);
  const outputs = await engine.evaluate(rows, { weights });
  await engine.close();
  return outputs.map(({ logprobs }) => [...logprobs]);
}

const largestGap = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i]![j]!))));

describe("a run that starts from an adapter", () => {
  it("has the adapter's rank, alpha and modules, its base, and no demonstrations", async () => {
    const { config } = await resolveStart(adapter);
    expect(config.engine).toMatchObject({ name: "onnx", model, lora: PEFT_LORA });
    expect(config.warm).toMatchObject({ policy: adapter, demonstrations: 0 });
    expect(config.scaffold.name).toBe("fenced");
    const { config: same } = await resolveStart(adapter, {
      "engine.lora.rank": 4,
      "engine.lora.target-modules": "down_proj, o_proj, q_proj, v_proj",
      "warm.demonstrations": 64,
    });
    expect([same.engine, same.warm.demonstrations]).toEqual([config.engine, 64]);
  });

  it("samples, and computes its old log-probs, with the adapter's weights", async () => {
    const { config } = await resolveStart(adapter);
    const { evaluated, makers } = createRecordingMakers();
    const out = join(root, "run");
    // Rewards that differ within a group, so that it is learned from.
    const rewards = { order: ({ id }: { readonly id: string }) => (id.endsWith("/0") ? 1 : 0) };
    await trainWith(makers, config, { out, rewards });
    expect(evaluated.length).toBeGreaterThan(0);
    const rows = evaluated.map(({ row }) => row);
    const old = evaluated.map(({ outputs }) => [...outputs.logprobs]);
    expect(largestGap(old, await evaluateAdapter(rows, "live"))).toBeLessThan(1e-5);
    expect(largestGap(old, await evaluateAdapter(rows, "base"))).toBeGreaterThan(0.1);

    const sampled = readRollouts(out, "train-0001").flatMap(({ tokens }) => tokens ?? []);
    const sampledRows = sampled.map(({ ids, mask }) => ({
      tokens: ids,
      at: mask.flatMap((isAction, i) => (isAction ? [i] : [])),
    }));
    const logprobs = sampled.map(({ mask, logprobs: all }) => all.filter((_, i) => mask[i]));
    expect(largestGap(logprobs, await evaluateAdapter(sampledRows, "live"))).toBeLessThan(1e-4);

    const tensors = (folder: string) => readFileSync(join(folder, "adapter_model.safetensors"));
    const learned = tensors(join(out, "checkpoints", "final", "engine"));
    expect(learned.equals(tensors(join(out, "checkpoints", "warm", "engine")))).toBe(false);
  });

  it.each([
    ["engine.lora.rank", 8, /engine\.lora\.rank: expected 4 or no value.*got 8; .*--merged/],
    ["engine.lora.alpha", 16, /engine\.lora\.alpha: expected 8 /],
    ["engine.lora.targetModules", "all-linear", /engine\.lora\.targetModules: expected "q_proj,/],
    ["engine.lora", null, /engine\.lora: expected "on" .*got null/],
    ["engine.name", "tinker", /engine\.name: expected "onnx" /],
  ])("is refused when %s is %j", async (path, value, message) => {
    await expect(resolveStart(adapter, { [path]: value })).rejects.toThrow(message);
  });

  it("is refused when a configuration was made without looking at the adapter", async () => {
    const config = resolveConfig({
      recipe: "smoke",
      overrides: { ...SHORT_RUN, "warm.policy": adapter },
    });
    await expect(trainWith(fakeMakers(), config, { out: join(root, "run") })).rejects.toThrow(
      /engine\.model: expected ".*hf-qwen2", as in .*resolveConfigForModel\(\)/,
    );
  });

  it("continues where it stopped, and shows its result when the adapter is gone", async () => {
    const out = join(root, "run");
    const input = { "algo.iterations": 2 };
    const { config } = await resolveStart(adapter, input);
    const stop = new AbortController();
    const stopAfterFirst = trainWith(createRecordingMakers().makers, config, {
      out,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "progress" && event.phase === "loop") stop.abort();
      },
    });
    await expect(stopAfterFirst).rejects.toThrow(/abort/);
    const summary = await trainWith(createRecordingMakers().makers, config, { out });
    const whole = await trainWith(createRecordingMakers().makers, config, {
      out: join(root, "whole"),
    });
    expect(summary.after).toEqual(whole.after);
    expect(readFileSync(join(out, "metrics.jsonl"), "utf8")).toBe(
      readFileSync(join(root, "whole", "metrics.jsonl"), "utf8"),
    );
    rmSync(adapter, { recursive: true });
    const again = await resolveConfigForModel(
      { recipe: "smoke", overrides: { ...SHORT_RUN, "warm.policy": adapter, ...input } },
      () => out,
    );
    expect(await trainWith(fakeMakers(), again.config, { out })).toEqual(summary);
    await expect(resolveStart(adapter)).rejects.toThrow(/unknown policy .*adapter: expected/);
  }, 60_000);
});

describe("a run that starts from a model", () => {
  it("has it as engine.model, whether it is a folder or a GGUF file", async () => {
    const gguf = join(root, "model.gguf");
    await exportPolicy({ policy: model, out: gguf, merged: true, format: "gguf" });
    for (const path of [model, gguf]) {
      const { config, note } = await resolveStart(path, { "engine.lora.rank": 2 });
      expect(config.engine).toMatchObject({ model: path, lora: { rank: 2 } });
      expect(note).toMatch(/^using scaffold fenced/);
    }
    await expect(resolveStart(model, { "engine.model": gguf })).rejects.toThrow(/whole model/);
  }, 30_000);

  it("is refused as engine.model when an adapter lies in its folder", async () => {
    cpSync(adapter, model, { recursive: true });
    const overrides = { ...SHORT_RUN, "engine.model": model };
    const { config } = await resolveConfigForModel({ recipe: "smoke", overrides });
    await expect(trainWith(fakeMakers(), config, { out: join(root, "run") })).rejects.toThrow(
      /engine\.model: .* holds an adapter beside its model/,
    );
    await expect(
      resolveConfigForModel({ recipe: "smoke", overrides: { "engine.model": adapter } }),
    ).rejects.toThrow(/is an adapter and no model.*--warm/);
  });
});

describe("a run that starts from another run", () => {
  it("begins with its scores, and keeps its tokenizer, shape and scaffold", async () => {
    const first = join(root, "first");
    const overrides = { ...FAKE_RUN, "algo.iterations": 3, "evaluation.scenarios": 2 };
    const trained = resolveConfig({ recipe: "smoke", overrides });
    const { after } = await trainWith(fakeMakers(), trained, { out: first });
    const fields = { "evaluation.scenarios": 2, "evaluation.scores": ["dev", "test-normal"] };
    const { config } = await resolveConfigForModel({
      recipe: "smoke",
      overrides: { ...fields, "algo.iterations": 1, "warm.policy": first, "run.seed": 9 },
    });
    expect([config.model, config.scaffold]).toEqual([trained.model, trained.scaffold]);
    const second = join(root, "second");
    const { before } = await trainWith(fakeMakers(), config, { out: second });
    expect(before).toEqual(after);
    const tokenizer = (run: string) => readFileSync(join(run, "checkpoints/final/tokenizer.json"));
    expect(tokenizer(second)).toEqual(tokenizer(first));
    expect(readRunConfig(second).warm.policy).toBe(first);
    await expect(resolveStart(first, { "model.layers": 7 })).rejects.toThrow(
      /model\.layers: expected 2 or no value/,
    );
    expect(existsSync(join(second, "summary.json"))).toBe(true);
  });
});
