/** Tests the engine with a value head through its thread: capabilities, errors and exact resume. */
import { existsSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../../core/index.ts";
import type { Engine, Row, TokenOutputs } from "../../../spec/index.ts";
import { parseModelConfig } from "../model/index.ts";
import { createOnnxEngine, type OnnxEngineOptions } from "./onnx-engine.ts";

const model = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 64,
});
const lora = { rank: 2, alpha: 6, targetModules: "all-linear" } as const;
const step = {
  learningRate: 0.02,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const rows: Row[] = Array.from({ length: 4 }, (_, row) => {
  const rng = new Rng(row);
  const tokens = Array.from({ length: 6 + 3 * row }, () => rng.integer(0, 23));
  return { tokens, at: tokens.flatMap((_, i) => (i > 0 ? [i] : [])) };
});
const cotangents = rows.map(({ at }) => ({
  logprobs: Array.from(at, () => -0.1),
  values: Array.from(at, (i) => (i % 2) - 0.3),
}));

const folder = mkdtempSync(join(tmpdir(), "bowline-value-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const openEngines: Engine[] = [];
afterEach(async () => {
  await Promise.all(openEngines.splice(0).map((engine) => engine.close()));
});

async function createEngine(options: Partial<OnnxEngineOptions> = {}): Promise<Engine> {
  const engine = await createOnnxEngine({ model, seed: 1, threads: 1, valueHead: {}, ...options });
  openEngines.push(engine);
  return engine;
}

async function trainSteps(engine: Engine, times: number): Promise<readonly TokenOutputs[]> {
  for (let i = 0; i < times; i++) {
    await engine.accumulate(rows, cotangents);
    await engine.update({ policy: step, value: step });
  }
  await engine.publish();
  return engine.evaluate(rows, { values: true });
}

async function expectError(run: Promise<unknown>, code: string, ...words: string[]): Promise<void> {
  const error: unknown = await run.catch((cause: unknown) => cause);
  expect(BowlineError.is(error) && error.code).toBe(code);
  for (const word of words) expect((error as Error).message).toContain(word);
}

test("an engine without a value head reports that, and its errors name the call and the option", async () => {
  const [engine, plain] = await Promise.all([
    createEngine(),
    createEngine({ valueHead: undefined }),
  ]);
  expect(engine.info.capabilities.value).toBe(true);
  expect(plain.info.capabilities.value).toBe(false);
  expect(engine.info).toEqual({ ...plain.info, capabilities: engine.info.capabilities });
  await expectError(plain.evaluate(rows, { values: true }), "engine", "evaluate", "valueHead");
  await expectError(plain.accumulate(rows, cotangents), "engine", "accumulate", "valueHead");
  await expectError(plain.update({ value: step }), "engine", "update", "valueHead");
  await expectError(engine.update({}), "engine", "neither for the policy nor for the value head");
  await expectError(engine.update({ value: { ...step, beta1: 2 } }), "engine", "beta1");
  const bad = cotangents.map((own) => ({ ...own, values: [Number.NaN] }));
  await expectError(
    engine.accumulate(rows, bad),
    "engine",
    "row 0: cotangents.values has length 1",
  );
  await expectError(engine.evaluate(rows, { values: true, weights: "base" }), "engine", '"base"');
  await engine.snapshot();
  await expectError(engine.evaluate(rows, { values: true, weights: "ref" }), "engine", "live");
  await expectError(createEngine({ valueHead: { hiddenSizes: [-1] } }), "config", "hiddenSizes");
});

test("the policy of an engine with a value head equals that of one without, bit by bit", async () => {
  const [engine, plain] = await Promise.all([
    createEngine(),
    createEngine({ valueHead: undefined }),
  ]);
  for (let i = 0; i < 3; i++) {
    const given = await engine.accumulate(rows, cotangents);
    const alone = await plain.accumulate(
      rows,
      cotangents.map(({ logprobs }) => ({ logprobs })),
    );
    expect(given.map(({ logprobs }) => ({ logprobs }))).toEqual(alone);
    const { gradientNorm, valueNorm } = await engine.update({ policy: step, value: step });
    expect(await plain.update(step)).toEqual({ gradientNorm });
    expect(valueNorm).toBeGreaterThan(0);
  }
  expect(await engine.evaluate(rows)).toEqual(await plain.evaluate(rows));
});

test("after an update of the value head alone the policy can still be sampled", async () => {
  const engine = await createEngine();
  const request = { tokens: [1, 2], stream: 1, maxTokens: 8, temperature: 1, stopIds: [] };
  const before = await engine.sample([request]);
  await engine.accumulate(rows, cotangents);
  await engine.update({ value: step });
  expect(await engine.sample([request])).toEqual(before);
  await engine.update({ policy: step });
  await expectError(engine.sample([request]), "engine", "publish");
});

describe.each([
  ["full training", undefined],
  ["LoRA", lora],
])("checkpoints with %s", (name, own) => {
  const directory = join(folder, name);

  test("checkpoints resume bit by bit, and the value head starts afresh when a checkpoint has none", async () => {
    const [engine, other, plain] = await Promise.all([
      createEngine({ lora: own }),
      createEngine({ lora: own }),
      createEngine({ lora: own, valueHead: undefined }),
    ]);
    const first = await engine.evaluate(rows, { values: true });
    await trainSteps(engine, 2);
    await engine.save(directory);
    const expected = await trainSteps(engine, 2);
    await trainSteps(other, 1);
    await other.load(directory);
    expect(await trainSteps(other, 2)).toEqual(expected);

    await plain.load(directory);
    await plain.save(join(folder, `${name} plain`));
    expect(existsSync(join(folder, `${name} plain`, "value-head.json"))).toBe(false);
    await other.load(join(folder, `${name} plain`));
    await engine.load(directory);
    const fresh = await other.evaluate(rows, { values: true });
    const kept = await engine.evaluate(rows, { values: true });
    expect(fresh.map(({ logprobs }) => logprobs)).toEqual(kept.map(({ logprobs }) => logprobs));
    expect(Math.max(...fresh.flatMap(({ values }) => [...values!].map(Math.abs)))).toBeLessThan(
      0.1,
    );
    expect(fresh).not.toEqual(first);
    expect(fresh).not.toEqual(kept);
  });

  test("checkpoints that are damaged or have another value head change nothing", async () => {
    const [engine, wider] = await Promise.all([
      createEngine({ lora: own, seed: own ? 1 : 2 }),
      createEngine({ lora: own, valueHead: { hiddenSizes: [20] } }),
    ]);
    for (const each of [engine, wider]) {
      const before = await trainSteps(each, 1);
      if (each === engine) truncateSync(join(directory, "value-head.safetensors"), 500);
      const word = each === engine ? "value-head.safetensors" : "hiddenSizes are [16,8]";
      await expectError(each.load(directory), "checkpoint", word);
      expect(await each.evaluate(rows, { values: true })).toEqual(before);
    }
  });
});
