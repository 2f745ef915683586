import { expect, test } from "vitest";
import { parseModelConfig } from "../engine/index.ts";
import { ParameterStore } from "../engine/onnx/model/index.ts";
import { computeMemoryNeeds, countParameters, planModel } from "./plan-model.ts";
import { PUBLISHED_MODELS } from "./shapes.ts";

const GIGABYTE = 1e9;
const qwen = PUBLISHED_MODELS["qwen2.5-0.5b"];

test.each([{}, { qkvBias: true }, { qkNorm: true, tieEmbeddings: false }])(
  "counts the parameters that a store of the model has: %o",
  (options) => {
    const model = parseModelConfig({
      ...options,
      vocabularySize: 64,
      hiddenSize: 64,
      layers: 3,
      heads: 4,
      kvHeads: 2,
      headSize: 32,
      intermediateSize: 96,
      contextLength: 32,
    });
    expect(countParameters(model)).toBe(new ParameterStore(model).elementCount);
    const store = new ParameterStore(model, "q4");
    const { weights } = computeMemoryNeeds(model, "q4", { rows: 1, tokens: 16 });
    const stored =
      store.quantized!.sizeBytes +
      4 *
        store.parameters
          .filter(({ shape }) => shape.length === 1)
          .reduce((sum, { size }) => sum + size, 0);
    expect(weights).toBe(stored);
  },
);

test("the first base that fits is chosen, and as many rows as fit", async () => {
  const plan = (memory: number) => planModel(qwen, { memoryBytes: memory * GIGABYTE, tokens: 512 });
  const large = await plan(24);
  expect(large).toMatchObject({ chosen: "f32", parameters: 494_032_768, bounds: null });
  expect(large.plans.map(({ rows }) => rows)).toEqual([64, 64, 64]);
  const small = await plan(2);
  expect(small.chosen).toBe("q4");
  expect(small.plans.map(({ fits }) => fits)).toEqual([false, false, true]);
  const none = await plan(0.5);
  expect(none.chosen).toBeNull();
  expect(none.plans.every(({ rows }) => rows === 1)).toBe(true);
});

test("more rows, longer conversations and more bits need more", () => {
  const needs = (base: "f32" | "q4", rows: number, tokens: number) =>
    Object.values<number>({ ...computeMemoryNeeds(qwen, base, { rows, tokens }) }).reduce(
      (a, b) => a + b,
    );
  expect(needs("f32", 8, 512)).toBeGreaterThan(needs("q4", 8, 512));
  expect(needs("q4", 16, 512)).toBeGreaterThan(needs("q4", 8, 512));
  expect(needs("q4", 8, 4096)).toBeGreaterThan(needs("q4", 8, 512));
});
