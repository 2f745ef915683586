/** Tests the engine with LoRA through its thread (engine-weights.test.ts has the details). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../../core/index.ts";
import type { Engine, LoraOptions, Row, TokenOutputs } from "../../../spec/index.ts";
import { parseModelConfig } from "../model/index.ts";
import { createOnnxEngine, type OnnxEngine, type OnnxEngineOptions } from "./onnx-engine.ts";

const model = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 64,
  qkvBias: true,
});
const lora: LoraOptions = { rank: 2, alpha: 6, targetModules: ["q_proj", "v_proj", "down_proj"] };
const step = {
  learningRate: 0.02,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const rows: Row[] = Array.from({ length: 5 }, (_, row) => {
  const rng = new Rng(row);
  const tokens = Array.from({ length: 6 + 3 * row }, () => rng.integer(0, 23));
  return { tokens, at: tokens.flatMap((_, i) => (i > 0 ? [i] : [])) };
});

const folder = mkdtempSync(join(tmpdir(), "bowline-lora-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const openEngines: Engine[] = [];
afterEach(async () => {
  await Promise.all(openEngines.splice(0).map((engine) => engine.close()));
});

async function createEngine(options: Partial<OnnxEngineOptions> = {}): Promise<OnnxEngine> {
  const engine = await createOnnxEngine({ model, seed: 1, threads: 1, lora, ...options });
  openEngines.push(engine);
  return engine;
}

async function trainSteps(engine: Engine, times: number): Promise<readonly TokenOutputs[]> {
  const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.1) }));
  for (let i = 0; i < times; i++) {
    await engine.accumulate(rows, cotangents);
    await engine.update(step);
  }
  await engine.publish();
  return engine.evaluate(rows);
}

function largestLogprobGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const gaps = a.map(({ logprobs }, row) =>
    logprobs.map((value, i) => Math.abs(value - b[row]!.logprobs[i]!)),
  );
  return Math.max(...gaps.flatMap((list) => [...list]));
}

async function expectError(
  run: Promise<unknown>,
  code: string,
  ...words: readonly string[]
): Promise<void> {
  const error: unknown = await run.catch((cause: unknown) => cause);
  expect(BowlineError.is(error) && error.code).toBe(code);
  for (const word of words) expect((error as Error).message).toContain(word);
}

test.each<[object, string]>([
  [{ rank: 0 }, "rank"],
  [{ rank: 1.5 }, "rank"],
  [{ rank: 17 }, "rank must be at most the model's hiddenSize, 16"],
  [{ alpha: 0 }, "alpha"],
  [{ targetModules: [] }, "targetModules"],
  [{ targetModules: ["lm_head"] }, "targetModules"],
  [{ dropout: 0.1 }, "dropout"],
])("the LoRA option %o is rejected by an error that names it", async (patch, name) => {
  const options = { ...lora, ...patch } as LoraOptions;
  await expectError(createOnnxEngine({ model, seed: 1, lora: options }), "config", name);
});

describe("base and reference weights", () => {
  test("the base equals an engine without LoRA bit by bit, however the adapter was trained", async () => {
    const [plain, engine] = await Promise.all([createEngine({ lora: undefined }), createEngine()]);
    const expected = await plain.evaluate(rows);
    expect(await engine.evaluate(rows)).toEqual(expected);
    const live = await trainSteps(engine, 3);
    expect(live).not.toEqual(expected);
    expect(await engine.evaluate(rows, { weights: "base" })).toEqual(expected);
    expect(await engine.evaluate(rows)).toEqual(live);
    const { parameters, trainableParameters } = engine.info;
    expect(plain.info).toMatchObject({ parameters, trainableParameters: parameters });
    // There are two layers of rank 2: q (16 -> 16), v (16 -> 8), down (24 -> 16).
    expect(trainableParameters).toBe(2 * 2 * (16 + 16 + 16 + 8 + 24 + 16));
  });

  test.each([
    ["LoRA", lora],
    ["full training", undefined],
  ])("with %s the reference is a copy of the live weights at the last snapshot", async (_, own) => {
    const engine = await createEngine({ lora: own });
    await expectError(engine.evaluate(rows, { weights: "ref" }), "engine", "snapshot()");
    for (let round = 0; round < 2; round++) {
      const frozen = await trainSteps(engine, 2);
      await engine.snapshot();
      expect(await trainSteps(engine, 1)).not.toEqual(frozen);
      expect(await engine.evaluate(rows, { weights: "ref" })).toEqual(frozen);
    }
  });
});

test("a LoRA checkpoint resumes bit by bit, is rejected by an engine without LoRA, and can be exported", async () => {
  const [engine, other, plain] = await Promise.all([
    createEngine(),
    createEngine(),
    createEngine({ lora: undefined }),
  ]);
  await trainSteps(engine, 2);
  await engine.save(join(folder, "saved"));
  const expected = await trainSteps(engine, 2);
  await other.load(join(folder, "saved"));
  expect(await trainSteps(other, 2)).toEqual(expected);
  await expectError(plain.load(join(folder, "saved")), "checkpoint", "engine.lora");
  await expectError(plain.exportAdapter(join(folder, "none")), "engine", "exportMerged");
  await expectError(plain.evaluate(rows, { weights: "base" }), "engine", "base", "snapshot()");
  await engine.exportAdapter(join(folder, "adapter"));
  await engine.exportMerged(join(folder, "merged"));
  await plain.load(join(folder, "merged"));
  await other.load(join(folder, "adapter"));
  expect(await other.evaluate(rows)).toEqual(expected);
  expect(largestLogprobGap(await plain.evaluate(rows), expected)).toBeLessThan(1e-5);
});

test("a sampled token does not depend on its batch when the product with A needs padding", async () => {
  const wide = { ...model, hiddenSize: 32, intermediateSize: 1200, layers: 1 };
  const wideLora = { rank: 24, alpha: 24, targetModules: ["down_proj"] } as const;
  const engine = await createEngine({ model: wide, lora: wideLora, threads: 2 });
  await trainSteps(engine, 2);
  const requests = Array.from({ length: 20 }, (_, stream) => ({
    tokens: rows[stream % rows.length]!.tokens as number[],
    stream,
    maxTokens: 12,
    temperature: 1,
    stopIds: [],
  }));
  const together = await engine.sample(requests);
  for (const [i, request] of requests.entries()) {
    expect(await engine.sample([request])).toEqual([together[i]]);
  }
});
