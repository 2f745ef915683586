/** Tests that the engine loads a folder of random weights, and that these have the documented statistics. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadModelConfig, loadWeights } from "../checkpoint/index.ts";
import { ParameterStore, parseModelConfig } from "../model/index.ts";
import { writeRandomCheckpoint } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "bowline-random-"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a folder of random weights loads with its config and every tensor in its shape and scale", () => {
  const model = parseModelConfig({
    vocabularySize: 20_000,
    hiddenSize: 64,
    layers: 2,
    heads: 2,
    kvHeads: 1,
    headSize: 32,
    intermediateSize: 96,
    contextLength: 128,
    qkvBias: true,
  });
  const bytes = writeRandomCheckpoint(directory, model, 3);
  expect(statSync(join(directory, "model.safetensors")).size).toBe(bytes);
  expect(loadModelConfig(directory)).toEqual(model);
  const store = new ParameterStore(model);
  loadWeights(directory, store);
  expect(new Set(store.view("model.norm.weight"))).toEqual(new Set([1]));
  expect(new Set(store.view("model.layers.1.self_attn.q_proj.bias"))).toEqual(new Set([0]));
  for (const name of ["model.embed_tokens.weight", "model.layers.1.mlp.down_proj.weight"]) {
    const view = store.view(name);
    const square = view.reduce((sum, value) => sum + value * value, 0) / view.length;
    const mean = view.reduce((sum, value) => sum + value, 0) / view.length;
    expect(Math.sqrt(square), name).toBeCloseTo(1 / 8, 2);
    expect(Math.abs(mean), name).toBeLessThan(0.005);
  }
  const [first, second] = [0, 1].map((layer) =>
    store.view(`model.layers.${layer}.mlp.down_proj.weight`),
  );
  expect(first).not.toEqual(second);
});
