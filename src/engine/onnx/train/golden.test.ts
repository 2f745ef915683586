/** Compares log-probs, entropies and gradients with PyTorch and transformers (tests/golden/make_decoder.py). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ModelConfig, ParameterStore, parseModelConfig } from "../model/index.ts";
import { createOptimizerState, stepAdamW } from "./adamw.ts";
import { Trainer } from "./trainer.ts";

interface Golden {
  config: ModelConfig;
  temperature: number;
  names: string[];
  rows: {
    tokens: number[];
    at: number[];
    logprobCotangents: number[];
    entropyCotangents: number[];
    logprobs: number[];
    entropies: number[];
  }[];
  gradients: Record<string, string>;
}

function readGolden(name: string): unknown {
  const url = new URL(`../../../../tests/golden/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

/** Returns the weights that the script's `weight()` makes. */
function goldenWeights(golden: Golden): ParameterStore {
  const store = new ParameterStore(parseModelConfig(golden.config));
  golden.names.forEach((name, index) => {
    const view = store.view(name);
    const center = name.includes("norm") ? 1 : 0;
    for (let i = 0; i < view.length; i++) {
      const scrambled = Math.imul(i + index * 1_000_003, 2654435761) >>> 0;
      view[i] = (scrambled / 2 ** 32 - 0.5) * 0.8 + center;
    }
  });
  return store;
}

function decodeFloats(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float32Array(bytes.buffer);
}

/** Returns the largest difference relative to the largest golden number. */
function largestRelativeError(actual: ArrayLike<number>, golden: ArrayLike<number>): number {
  expect(actual.length).toBe(golden.length);
  let [difference, scale] = [0, 1e-6];
  for (let i = 0; i < golden.length; i++) {
    difference = Math.max(difference, Math.abs(actual[i]! - golden[i]!));
    scale = Math.max(scale, Math.abs(golden[i]!));
  }
  return difference / scale;
}

test.each(["qwen2", "qwen3", "llama"])(
  "outputs and gradients of %s equal those of transformers",
  async (family) => {
    const golden = readGolden(`decoder-${family}`) as Golden;
    const trainer = new Trainer(goldenWeights(golden));
    expect(trainer.parameters.parameters.map(({ name }) => name).sort()).toEqual(golden.names);
    const outputs = await trainer.accumulate(
      golden.rows,
      golden.rows.map((row) => ({
        logprobs: row.logprobCotangents,
        entropies: row.entropyCotangents,
      })),
      { temperature: golden.temperature },
    );
    golden.rows.forEach((row, i) => {
      expect(largestRelativeError(outputs[i]!.logprobs, row.logprobs)).toBeLessThan(3e-6);
      expect(largestRelativeError(outputs[i]!.entropies!, row.entropies)).toBeLessThan(3e-6);
    });
    const whole = await trainer.state.readGradient();
    for (const { name, offset, size } of trainer.parameters.parameters) {
      const gradient = whole.subarray(offset, offset + size);
      expect(
        largestRelativeError(gradient, decodeFloats(golden.gradients[name]!)),
        name,
      ).toBeLessThan(2e-5);
    }
    await trainer.close();
  },
);

test("clipping and AdamW equal PyTorch with and without weight decay", () => {
  const golden = readGolden("adamw") as Record<string, number> & {
    weights: number[];
    steps: { gradient: number[]; norm: number; weights: number[] }[];
  };
  const store = createAdamWStore();
  const matrix = store.view("model.layers.0.mlp.up_proj.weight");
  const norm = store.view("model.norm.weight");
  const elementOffset = (view: Float32Array) => (view.byteOffset - store.data.byteOffset) / 4;
  matrix.set(golden.weights.slice(0, 6));
  norm.set(golden.weights.slice(6));
  const state = createOptimizerState(store);
  for (const step of golden.steps) {
    const gradient = new Float32Array(store.data.length);
    gradient.set(step.gradient.slice(0, 6), elementOffset(matrix));
    gradient.set(step.gradient.slice(6), elementOffset(norm));
    const options = {
      learningRate: golden["learningRate"]!,
      beta1: golden["beta1"]!,
      beta2: golden["beta2"]!,
      epsilon: golden["epsilon"]!,
      weightDecay: golden["weightDecay"]!,
      maxGradientNorm: golden["maxGradientNorm"]!,
    };
    expect(stepAdamW(store, gradient, state, options)).toBeCloseTo(step.norm, 4);
    expect(largestRelativeError([...matrix, ...norm], step.weights)).toBeLessThan(1e-6);
  }
  expect(state.step).toBe(golden.steps.length);
});

/** Returns a model with a matrix of 6 weights (with decay) and a norm of 6 (without). */
function createAdamWStore(): ParameterStore {
  const sizes = { vocabularySize: 2, hiddenSize: 6, layers: 1, heads: 1, kvHeads: 1, headSize: 2 };
  return new ParameterStore(parseModelConfig({ ...sizes, intermediateSize: 1, contextLength: 4 }));
}
