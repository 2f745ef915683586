/** Tests of LoRA training: golden numbers of PEFT (tests/golden/make_lora.py), finite differences, a frozen base. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { copyTraining } from "../../../../tests/support/copy-training.ts";
import { Rng } from "../../../core/index.ts";
import type {
  Cotangents,
  LoraOptions,
  OptimizerStep,
  Row,
  TokenOutputs,
} from "../../../spec/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
  type TensorStore,
} from "../model/index.ts";
import { Trainer } from "./trainer.ts";

const TINY = {
  vocabularySize: 7,
  hiddenSize: 8,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 4,
  intermediateSize: 12,
  contextLength: 40,
};
const STEP = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const openTrainers: Trainer[] = [];
afterEach(async () => {
  for (const trainer of openTrainers.splice(0)) await trainer.close();
});

function createTrainer(
  lora: LoraOptions | undefined,
  overrides: object = {},
  threads = 1,
): Trainer {
  const model = parseModelConfig({ ...TINY, ...overrides });
  const parameters = new ParameterStore(model);
  initializeParameters(parameters, 5);
  const adapter = lora && new AdapterStore(model, parseLoraOptions(lora, model));
  if (adapter) initializeAdapter(adapter, 5);
  const trainer = new Trainer(parameters, { threads, adapter });
  openTrainers.push(trainer);
  return trainer;
}

/** Fills an adapter with random numbers, so that both factors have an effect. */
function randomize(adapter: TensorStore, seed: number): void {
  const rng = new Rng(seed);
  for (const { name } of adapter.parameters) {
    const view = adapter.view(name);
    for (let i = 0; i < view.length; i++) view[i] = rng.normal() * 0.2;
  }
  adapter.markChanged();
}

function randomRows(seed: number): Row[] {
  const rng = new Rng(seed);
  return [24, 9, 17].map((length) => ({
    tokens: Array.from({ length }, () => rng.integer(0, TINY.vocabularySize - 1)),
    at: Array.from({ length: length - 1 }, (_, i) => i + 1).filter(() => rng.chance(0.5)),
  }));
}

function randomCotangents(rng: Rng, rows: readonly Row[]): Cotangents[] {
  const drawValues = (row: Row) => Array.from({ length: row.at.length }, () => rng.normal());
  return rows.map((row) => ({ logprobs: drawValues(row), entropies: drawValues(row) }));
}

function computeObjective(
  outputs: readonly TokenOutputs[],
  cotangents: readonly Cotangents[],
): number {
  const dotProduct = (a: Float32Array, b: ArrayLike<number>) =>
    a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  return outputs.reduce(
    (sum, { logprobs, entropies }, row) =>
      sum +
      dotProduct(logprobs, cotangents[row]!.logprobs) +
      dotProduct(entropies!, cotangents[row]!.entropies!),
    0,
  );
}

function toBytes({ data }: TensorStore): Buffer {
  return Buffer.from(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
}

test.each<[string, LoraOptions, object]>([
  [
    "all seven modules, model with biases",
    { rank: 3, alpha: 6, targetModules: "all-linear" },
    { qkvBias: true },
  ],
  [
    "some modules of a group, q/k norm, untied head",
    { rank: 2, alpha: 1, targetModules: ["v_proj", "q_proj", "up_proj"] },
    { qkNorm: true, tieEmbeddings: false },
  ],
  [
    "k_proj and down_proj at rank 1",
    { rank: 1, alpha: 2, targetModules: ["k_proj", "down_proj"] },
    {},
  ],
])(
  "the adapter's gradient equals finite differences with targets: %s",
  async (_, lora, overrides) => {
    const rng = new Rng(3);
    const trainer = createTrainer(lora, overrides, 2);
    const adapter = trainer.adapter!;
    randomize(adapter, 1);
    const rows = randomRows(2);
    const cotangents = randomCotangents(rng, rows);
    const options = { temperature: 0.7, entropies: true };
    const outputs = await trainer.accumulate(rows, cotangents, options);
    expect(await trainer.evaluate(rows, options)).toEqual(outputs);
    const gradient = await trainer.state.readGradient();
    const change = (at: number, number: number) => {
      adapter.data[at] = number;
      adapter.markChanged();
    };
    const value = async (at: number, by: number) => {
      const old = adapter.data[at]!;
      change(at, old + by);
      const result = computeObjective(await trainer.evaluate(rows, options), cotangents);
      change(at, old);
      return result;
    };
    const scale = (await trainer.state.computeNorm()) / Math.sqrt(adapter.elementCount);
    for (const { name, offset, size } of adapter.parameters) {
      for (const at of [offset, offset + rng.integer(0, size - 1)]) {
        const step = 0.005;
        const near = (await value(at, step)) - (await value(at, -step));
        const far = (await value(at, 2 * step)) - (await value(at, -2 * step));
        const numeric = (8 * near - far) / (12 * step);
        const error = Math.abs(gradient[at]! - numeric);
        expect(error, `${name}: ${gradient[at]} and ${numeric}`).toBeLessThan(
          0.01 * Math.abs(numeric) + 0.005 * scale,
        );
      }
    }
  },
);

test("with B = 0 the adapted model equals the base, and the base equals a model without LoRA, bit by bit", async () => {
  const lora = { rank: 3, alpha: 6, targetModules: "all-linear" } as const;
  const [plain, trainer] = [
    createTrainer(undefined, { qkvBias: true }),
    createTrainer(lora, { qkvBias: true }),
  ];
  const rows = randomRows(4);
  for (const options of [{}, { temperature: 0.6, entropies: true }]) {
    const expected = await plain.evaluate(rows, options);
    expect(await trainer.evaluate(rows, options)).toEqual(expected);
    expect(await trainer.evaluate(rows, { ...options, adapter: "off" })).toEqual(expected);
  }
  randomize(trainer.adapter!, 7);
  const expected = await plain.evaluate(rows);
  expect(await trainer.evaluate(rows)).not.toEqual(expected);
  expect(await trainer.evaluate(rows, { adapter: "off" })).toEqual(expected);
});

test("updates reduce the loss, change only the adapter, and continue with the same bits from a copy", async () => {
  const lora = { rank: 2, alpha: 8, targetModules: "all-linear" } as const;
  const [trainer, other] = [createTrainer(lora, {}, 2), createTrainer(lora, {}, 2)];
  const rows = randomRows(9);
  const count = rows.reduce((sum, row) => sum + row.at.length, 0);
  const cotangents = rows.map((row) => ({ logprobs: Array.from(row.at, () => -1 / count) }));
  const before = toBytes(trainer.parameters);
  const imitateOnce = async (one: Trainer) => {
    const outputs = await one.accumulate(rows, cotangents);
    await one.update({ ...STEP, learningRate: 0.03 });
    return outputs.reduce((sum, { logprobs }) => sum - logprobs.reduce((a, b) => a + b, 0), 0);
  };
  const first = await imitateOnce(trainer);
  for (let step = 0; step < 40; step++) await imitateOnce(trainer);
  await copyTraining(trainer, other);
  const last = await imitateOnce(trainer);
  expect(await imitateOnce(other)).toBe(last);
  for (const one of [trainer, other]) await one.readBack();
  expect(toBytes(other.adapter!).equals(toBytes(trainer.adapter!))).toBe(true);
  expect(last).toBeLessThan(0.8 * first);
  expect(toBytes(trainer.parameters).equals(before)).toBe(true);
});

test("LoRA's A starts uniform within 1/sqrt(in) depending on the seed, and B starts at zero", () => {
  const model = parseModelConfig({ ...TINY, intermediateSize: 100 });
  const lora = parseLoraOptions({ rank: 8, alpha: 8, targetModules: ["down_proj"] }, model);
  const [store, same, other] = [1, 1, 2].map((seed) => {
    const adapter = new AdapterStore(model, lora);
    initializeAdapter(adapter, seed);
    return adapter;
  }) as [AdapterStore, AdapterStore, AdapterStore];
  const path = "base_model.model.model.layers.1.mlp.down_proj";
  const a = store.view(`${path}.lora_A.weight`);
  expect(Math.max(...a)).toBeLessThanOrEqual(0.1);
  expect(Math.min(...a)).toBeGreaterThanOrEqual(-0.1);
  // The variance of this distribution is 1 / (3 * 100).
  expect(a.reduce((sum, value) => sum + value * value, 0) / a.length).toBeCloseTo(1 / 300, 3);
  expect(store.view(`${path}.lora_B.weight`).every((value) => value === 0)).toBe(true);
  expect(toBytes(same).equals(toBytes(store))).toBe(true);
  expect(other.view(`${path}.lora_A.weight`)).not.toEqual(a);
});

test("with LoRA, gradient and moments have the length of the adapter", async () => {
  const trainer = createTrainer({ rank: 1, alpha: 1, targetModules: ["q_proj"] });
  const { length } = trainer.adapter!.data;
  expect(length).toBeLessThan(trainer.parameters.data.length / 10);
  const { firstMoment: first, secondMoment: second } = trainer.optimizer;
  const gradient = await trainer.state.readGradient();
  expect([gradient, first, second].map((array) => array.length)).toEqual([length, length, length]);
});

test("evaluating another adapter leaves the live one unchanged", async () => {
  const trainer = createTrainer({ rank: 2, alpha: 4, targetModules: "all-linear" });
  const adapter = trainer.adapter!;
  randomize(adapter, 3);
  const rows = randomRows(1);
  const before = await trainer.evaluate(rows);
  const reference = new AdapterStore(adapter.model, adapter.lora);
  reference.data.set(adapter.data);
  randomize(adapter, 4);
  expect(await trainer.evaluate(rows)).not.toEqual(before);
  expect(await trainer.evaluate(rows, { adapter: reference })).toEqual(before);
});

interface Golden {
  config: ModelConfig;
  lora: LoraOptions;
  temperature: number;
  names: string[];
  adapterNames: string[];
  rows: {
    tokens: number[];
    at: number[];
    logprobCotangents: number[];
    entropyCotangents: number[];
    logprobs: number[];
    baseLogprobs: number[];
    entropies: number[];
  }[];
  gradients: Record<string, string>;
  step: OptimizerStep;
  gradientNorm: number;
  after: Record<string, string>;
}

/** Fills a store with the weights that the script's `weight()` makes. */
function fillGoldenWeights(store: TensorStore, names: readonly string[], first: number): void {
  names.forEach((name, index) => {
    const view = store.view(name);
    const center = name.includes("norm") ? 1 : 0;
    for (let i = 0; i < view.length; i++) {
      const scrambled = Math.imul(i + (first + index) * 1_000_003, 2654435761) >>> 0;
      view[i] = (scrambled / 2 ** 32 - 0.5) * 0.8 + center;
    }
  });
}

function decodeFloats(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
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

test("outputs, gradients and an AdamW step equal PyTorch and PEFT", async () => {
  const url = new URL("../../../../tests/golden/lora.json", import.meta.url);
  const golden = JSON.parse(readFileSync(url, "utf8")) as Golden;
  const trainer = createTrainer(golden.lora, golden.config, 2);
  const adapter = trainer.adapter!;
  expect(adapter.parameters.map(({ name }) => name).sort()).toEqual(golden.adapterNames);
  fillGoldenWeights(trainer.parameters, golden.names, 0);
  fillGoldenWeights(adapter, golden.adapterNames, golden.names.length);
  const { temperature, rows } = golden;
  const cotangents = rows.map((row) => ({
    logprobs: row.logprobCotangents,
    entropies: row.entropyCotangents,
  }));
  const outputs = await trainer.accumulate(rows, cotangents, { temperature });
  const base = await trainer.evaluate(rows, { temperature, adapter: "off" });
  rows.forEach((row, i) => {
    expect(largestRelativeError(outputs[i]!.logprobs, row.logprobs)).toBeLessThan(3e-6);
    expect(largestRelativeError(outputs[i]!.entropies!, row.entropies)).toBeLessThan(3e-6);
    expect(largestRelativeError(base[i]!.logprobs, row.baseLogprobs)).toBeLessThan(3e-6);
  });
  const whole = await trainer.state.readGradient();
  for (const { name, offset, size } of adapter.parameters) {
    const gradient = whole.subarray(offset, offset + size);
    expect(
      largestRelativeError(gradient, decodeFloats(golden.gradients[name]!)),
      name,
    ).toBeLessThan(2e-5);
  }
  const { gradientNorm } = await trainer.update(golden.step);
  expect(gradientNorm / golden.gradientNorm).toBeCloseTo(1, 5);
  await trainer.readBack();
  for (const { name } of adapter.parameters) {
    expect(
      largestRelativeError(adapter.view(name), decodeFloats(golden.after[name]!)),
      name,
    ).toBeLessThan(1e-5);
  }
});
