import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createOnnxEngine } from "../../src/engine/index.ts";
import type { Engine } from "../../src/spec/index.ts";
import { describeEngine } from "./engine.ts";

const shape = {
  vocabularySize: 40,
  layers: 2,
  heads: 4,
  headSize: 16,
  contextLength: 96,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
};

// hiddenSize 96 with intermediateSize 192 on two threads is a product whose rounding would depend on the batch.
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

// Few live rows: prefixes are evicted all the time, and nothing may change.
describeEngine("onnx, Qwen3 shape, one key head a query head, room for five rows", (seed) =>
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
let base: Promise<string> | undefined;

// All adapters are on one base, and are moved off zero first, so that they take part in everything.
describeEngine("onnx, Llama shape, LoRA", async (seed) => {
  base ??= saveBase();
  const lora = { rank: 8, alpha: 16, targetModules: "all-linear" } as const;
  const engine = await createOnnxEngine({ model: llama, seed, threads: 2, lora });
  await engine.load(await base);
  await perturb(engine, seed);
  return engine;
});

async function saveBase(): Promise<string> {
  const engine = await createOnnxEngine({ model: llama, seed: 1 });
  await engine.exportMerged(join(folder, "base"));
  await engine.close();
  return join(folder, "base");
}

async function perturb(engine: Engine, seed: number): Promise<void> {
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
