/**
 * Writes files for `make_lora.py check`, which loads them with transformers and PEFT. For each model family, it writes
 * a base model, an adapter that was trained a little, the model with the adapter merged into it, and the log-probs of
 * our engine.
 *
 * npx tsx tests/golden/lora-exports.ts EXPORTS && python tests/golden/make_lora.py check EXPORTS
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Rng } from "../../src/core/index.ts";
import { createOnnxEngine, type OnnxEngine } from "../../src/engine/index.ts";
import type { Row } from "../../src/spec/index.ts";

const shape = {
  vocabularySize: 64,
  hiddenSize: 32,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  intermediateSize: 48,
  contextLength: 64,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
};
const families = {
  qwen2: { tieEmbeddings: true, qkNorm: false, qkvBias: true },
  qwen3: { tieEmbeddings: true, qkNorm: true, qkvBias: false },
  llama: { tieEmbeddings: false, qkNorm: false, qkvBias: false },
};
const lora = { rank: 4, alpha: 16, targetModules: "all-linear" } as const;

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: lora-exports.ts FOLDER");
const rng = new Rng(5);
const rows: Row[] = [9, 20, 33].map((length) => ({
  tokens: Array.from({ length }, () => rng.integer(0, shape.vocabularySize - 1)),
  at: Array.from({ length: length - 1 }, (_, i) => i + 1),
}));

for (const [family, switches] of Object.entries(families)) {
  const familyFolder = join(folder, family);
  mkdirSync(familyFolder, { recursive: true });
  const model = { ...shape, ...switches };
  const plain = await createOnnxEngine({ model, seed: 3 });
  await plain.exportMerged(join(familyFolder, "base"));
  await plain.close();
  const engine = await createOnnxEngine({ model, seed: 3, lora });
  await engine.load(join(familyFolder, "base"));
  await trainBriefly(engine);
  await engine.exportAdapter(join(familyFolder, "adapter"));
  await engine.exportMerged(join(familyFolder, "merged"));
  const [base, adapted] = [
    await engine.evaluate(rows, { weights: "base" }),
    await engine.evaluate(rows),
  ];
  const expected = rows.map((row, i) => ({
    ...row,
    base: [...base[i]!.logprobs],
    adapted: [...adapted[i]!.logprobs],
  }));
  writeFileSync(join(familyFolder, "expected.json"), JSON.stringify({ rows: expected }));
  await engine.close();
}

async function trainBriefly(engine: OnnxEngine): Promise<void> {
  for (let step = 0; step < 10; step++) {
    await engine.accumulate(
      rows,
      rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.05) })),
    );
    await engine.update({
      learningRate: 0.02,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      weightDecay: 0,
      maxGradientNorm: 1,
    });
  }
}
