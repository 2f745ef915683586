/** The embedded engines that keep the engine contract, on the CPU and on WebGPU. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createOnnxEngine } from "../../src/engine/index.ts";
import type { Engine } from "../../src/spec/index.ts";
import { type ContractOptions, describeEngine } from "./describe-engine.ts";

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
const qwen2 = {
  ...shape,
  hiddenSize: 96,
  intermediateSize: 192,
  kvHeads: 2,
  tieEmbeddings: true,
  qkNorm: false,
  qkvBias: true,
};
const qwen3 = {
  ...shape,
  hiddenSize: 32,
  intermediateSize: 64,
  kvHeads: 4,
  tieEmbeddings: false,
  qkNorm: true,
  qkvBias: false,
};
const llama = { ...qwen2, qkvBias: false };
const LORA = { rank: 8, alpha: 16, targetModules: "all-linear" } as const;

/** Tests the contract of all kinds of embedded engines on a provider. */
export function describeOnnxEngines(provider: "cpu" | "webgpu", options?: ContractOptions): void {
  const folder = mkdtempSync(join(tmpdir(), "bowline-base-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let baseFolder: Promise<string> | undefined;
  /** All adapters have the same base model. Each is trained a little, because a new one changes no output. */
  const createAdapted = async (seed: number, base: "f32" | "q4") => {
    baseFolder ??= saveBaseModel(join(folder, "base"));
    const engine = await createOnnxEngine({
      ...{ model: llama, seed, threads: 2, lora: LORA, base, provider },
    });
    await engine.load(await baseFolder);
    await perturbAdapter(engine, seed);
    return engine;
  };

  describeEngine(
    `onnx on ${provider}, Qwen2 shape, grouped queries`,
    (seed) => createOnnxEngine({ model: qwen2, seed, threads: 2, provider }),
    options,
  );
  // The engine keeps few rows at a time, so cached prefixes are evicted all the time. This must not change any result.
  describeEngine(
    `onnx on ${provider}, Qwen3 shape, one key head per query head, at most five live rows`,
    (seed) => createOnnxEngine({ model: qwen3, seed, threads: 1, maxLiveRows: 5, provider }),
    options,
  );
  describeEngine(
    `onnx on ${provider}, Llama shape, LoRA`,
    (seed) => createAdapted(seed, "f32"),
    options,
  );
  describeEngine(
    `onnx on ${provider}, Llama shape, LoRA on a base of four bits`,
    (seed) => createAdapted(seed, "q4"),
    options,
  );
}

async function saveBaseModel(path: string): Promise<string> {
  const engine = await createOnnxEngine({ model: llama, seed: 1 });
  await engine.exportMerged(path);
  await engine.close();
  return path;
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
