import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createOnnxEngine } from "../../src/engine/index.ts";
import type { Engine } from "../../src/spec/index.ts";
import { describeEngine } from "./describe-engine.ts";

const shape = {
  vocabularySize: 40,
  layers: 2,
  heads: 4,
  headSize: 16,
  contextLength: 96,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
};

// With hiddenSize 96, intermediateSize 192 and two threads, the rounding of a plain matrix product depends on the
// batch.
describeEngine("onnx, Qwen2 shape, grouped queries", (seed) =>
  createOnnxEngine({
    model: {
      ...shape,
      hiddenSize: 96,
      intermediateSize: 192,
      kvHeads: 2,
      tieEmbeddings: true,
      qkNorm: false,
      qkvBias: true,
    },
    seed,
    threads: 2,
  }),
);

// The engine keeps few rows at a time, so cached prefixes are evicted all the time. This must not change any result.
describeEngine("onnx, Qwen3 shape, one key head per query head, at most five live rows", (seed) =>
  createOnnxEngine({
    model: {
      ...shape,
      hiddenSize: 32,
      intermediateSize: 64,
      kvHeads: 4,
      tieEmbeddings: false,
      qkNorm: true,
      qkvBias: false,
    },
    seed,
    threads: 1,
    maxLiveRows: 5,
  }),
);

const llama = {
  ...shape,
  hiddenSize: 96,
  intermediateSize: 192,
  kvHeads: 2,
  tieEmbeddings: true,
  qkNorm: false,
  qkvBias: false,
};
const folder = mkdtempSync(join(tmpdir(), "bowline-base-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let baseFolder: Promise<string> | undefined;

// All adapters have the same base model. Each adapter is trained a little first, because a new adapter does not change
// the outputs of its model.
describeEngine("onnx, Llama shape, LoRA", async (seed) => {
  baseFolder ??= saveBaseModel();
  const lora = { rank: 8, alpha: 16, targetModules: "all-linear" } as const;
  const engine = await createOnnxEngine({ model: llama, seed, threads: 2, lora });
  await engine.load(await baseFolder);
  await perturbAdapter(engine, seed);
  return engine;
});

describeEngine("onnx, Llama shape, LoRA on a base of four bits", async (seed) => {
  const lora = { rank: 8, alpha: 16, targetModules: "all-linear" } as const;
  baseFolder ??= saveBaseModel();
  const engine = await createOnnxEngine({ model: llama, seed, threads: 2, lora, base: "q4" });
  await engine.load(await baseFolder);
  await perturbAdapter(engine, seed);
  return engine;
});

async function saveBaseModel(): Promise<string> {
  const engine = await createOnnxEngine({ model: llama, seed: 1 });
  await engine.exportMerged(join(folder, "base"));
  await engine.close();
  return join(folder, "base");
}

async function perturbAdapter(engine: Engine, seed: number): Promise<void> {
  const row = { tokens: [seed, 5, 9, 14, 2, 30], at: [1, 2, 3, 4, 5] };
  for (let step = 0; step < 3; step++) {
    await engine.accumulate([row], [{ logprobs: [-1, 1, -1, 1, 1] }]);
    await engine.update({
      learningRate: 0.02,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      weightDecay: 0,
      maxGradientNorm: 1,
    });
  }
  await engine.publish();
}
