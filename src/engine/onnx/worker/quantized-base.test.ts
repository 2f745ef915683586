/** Tests LoRA on a frozen base of few bits: its numbers are those of an engine whose float base was rounded before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Engine, Row } from "../../../spec/index.ts";
import { parseModelConfig } from "../model/index.ts";
import { createOnnxEngine, type OnnxEngineOptions } from "./onnx-engine.ts";

const model = parseModelConfig({
  vocabularySize: 64,
  hiddenSize: 96,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 32,
  intermediateSize: 192,
  contextLength: 128,
  qkvBias: true,
});
const lora = { rank: 4, alpha: 8, targetModules: "all-linear" } as const;
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
  const tokens = Array.from({ length: 6 + 9 * row }, () => rng.integer(0, 63));
  return { tokens, at: tokens.flatMap((_, i) => (i > 0 ? [i] : [])) };
});

const folder = mkdtempSync(join(tmpdir(), "bowline-quantized-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const openEngines: Engine[] = [];
afterEach(async () => {
  await Promise.all(openEngines.splice(0).map((engine) => engine.close()));
});

async function createEngine(options: Partial<OnnxEngineOptions>) {
  const engine = await createOnnxEngine({ model, seed: 1, threads: 2, lora, ...options });
  openEngines.push(engine);
  return engine;
}

/** Takes steps and returns the norms of their gradients and the log-probs at the end. */
async function train(engine: Engine, steps: number) {
  const norms: number[] = [];
  for (let i = 0; i < steps; i++) {
    await engine.accumulate(
      rows,
      rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.02) })),
    );
    norms.push((await engine.update({ policy: step })).gradientNorm);
  }
  const outputs = await engine.evaluate(rows);
  return { norms, logprobs: outputs.flatMap(({ logprobs }) => [...logprobs]) };
}

describe.each(["q4", "q8"] as const)("LoRA on a base of %s", (base) => {
  test("has the log-probs, gradients and steps of LoRA on the same numbers in float32", async () => {
    const quantized = await createEngine({ base });
    await quantized.exportMerged(join(folder, base));
    const floats = await createEngine({ weights: join(folder, base) });
    const [found, expected] = [await train(quantized, 3), await train(floats, 3)];
    found.norms.forEach((norm, i) => {
      expect(Math.abs(norm / expected.norms[i]! - 1)).toBeLessThan(1e-4);
    });
    const gaps = found.logprobs.map((value, i) => Math.abs(value - expected.logprobs[i]!));
    expect(Math.max(...gaps)).toBeLessThan(1e-3);
    expect(quantized.info.base).toMatchObject({ type: base });
    expect(quantized.info.base!.relativeError).toBeGreaterThan(base === "q4" ? 0.05 : 0.002);
    expect(floats.info.base).toBeUndefined();
  });

  test("resumes exactly from a checkpoint of itself, and rejects one over another base", async () => {
    const first = await createEngine({ base });
    await train(first, 2);
    const path = join(folder, `${base}-checkpoint`);
    await first.publish();
    await first.save(path);
    const second = await createEngine({ base });
    await second.load(path);
    expect(await train(second, 2)).toEqual(await train(first, 2));
    const other = await createEngine({});
    await expect(other.load(path)).rejects.toThrow(/is an adapter of another base/);
  });
});

test("without LoRA a base of few bits samples and evaluates, and training it is an error", async () => {
  const engine = await createEngine({ base: "q4", lora: undefined });
  expect((await engine.evaluate(rows))[4]!.logprobs).toHaveLength(41);
  const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => 1) }));
  await expect(engine.accumulate(rows, cotangents)).rejects.toThrow(/frozen in q4.*engine\.lora/);
  await engine.discard();
  await expect(engine.save(join(folder, "none"))).rejects.toThrow(/frozen in fewer bits/);
});

test("an unknown type of base is rejected", async () => {
  await expect(createEngine({ base: "q2" as "q4" })).rejects.toThrow(
    /engine\.base: expected one of f32, q8, q4, got q2/,
  );
});
