/** Training on the device: what crosses, and that its numbers are the CPU's. */
import { afterEach, expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import {
  type Provider,
  readDeviceTraffic,
  setProvider,
} from "../../src/engine/onnx/graph/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  initializeValueHead,
  ParameterStore,
  parseValueHeadOptions,
  ValueHeadStore,
} from "../../src/engine/onnx/model/index.ts";
import { Trainer, type TrainerOptions } from "../../src/engine/onnx/train/index.ts";
import type { OptimizerStep, Row } from "../../src/spec/index.ts";
import { copyTraining } from "../support/copy-training.ts";
import { createTinyLora, createTinyModel } from "./tiny-model.ts";

const model = createTinyModel(192);
const lora = createTinyLora(model);
const step: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};

afterEach(() => setProvider("webgpu"));

interface Case {
  readonly base?: "q4" | "q8";
  readonly isAdapted?: boolean;
  readonly hasCritic?: boolean;
  /** Whether rows begin with the same tokens, so that these are computed once. */
  readonly isShared?: boolean;
  readonly options: TrainerOptions;
}

function createTrainer({ isAdapted = false, hasCritic = false, base, options }: Case): Trainer {
  const parameters = new ParameterStore(model, base);
  initializeParameters(parameters, 3);
  const adapter = isAdapted ? new AdapterStore(model, lora) : undefined;
  if (adapter) {
    initializeAdapter(adapter, 4);
    const rng = new Rng(5);
    for (let i = 0; i < adapter.data.length; i++) adapter.data[i]! += 0.05 * rng.normal();
  }
  const head = hasCritic ? new ValueHeadStore(model, parseValueHeadOptions({}, model)) : undefined;
  if (head) initializeValueHead(head, 1);
  return new Trainer(parameters, { threads: 1, adapter, valueHead: head, ...options });
}

function makeRows(isShared: boolean): Row[] {
  const rng = new Rng(7);
  const draw = (length: number) =>
    Array.from({ length }, () => rng.integer(0, model.vocabularySize - 1));
  const prefix = isShared ? draw(133) : [];
  return [19, 12, 19].map((length) => {
    const tokens = [...prefix, ...draw(length)];
    return { tokens, at: Array.from({ length: length - 1 }, (_, i) => prefix.length + i + 1) };
  });
}

/** Trains two steps and returns everything that a learner sees. */
async function trainOn(provider: Provider, which: Case) {
  setProvider(provider);
  const trainer = createTrainer(which);
  const { isShared = false, hasCritic = false } = which;
  const rows = makeRows(isShared);
  const rng = new Rng(9);
  const draw = ({ at }: Row) => Float32Array.from(at, () => rng.normal());
  const outputs: number[] = [];
  const norms: number[] = [];
  let gradient = new Float32Array(0);
  for (let i = 0; i < 2; i++) {
    const cotangents = rows.map((row) => ({
      logprobs: draw(row),
      ...(!isShared && { entropies: draw(row) }),
      ...(hasCritic && { values: draw(row) }),
    }));
    const found = await trainer.accumulate(rows, cotangents);
    outputs.push(...found.flatMap((own) => Object.values(own).flatMap((list) => [...list])));
    gradient = (await trainer.state.readGradient()).slice();
    const result = await trainer.update({ policy: step, ...(hasCritic && { value: step }) });
    norms.push(...Object.values(result));
  }
  const after = await trainer.evaluate(rows, { values: hasCritic });
  outputs.push(...after.flatMap((own) => Object.values(own).flatMap((list) => [...list])));
  await trainer.readBack();
  const weights = trainer.trained.data.slice();
  const moments = trainer.optimizer.secondMoment.slice();
  await trainer.close();
  return { outputs, norms, gradient, weights, moments };
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  const norm = (each: (i: number) => number) =>
    Math.hypot(...Array.from({ length: a.length }, (_, i) => each(i)));
  return norm((i) => a[i]! - b[i]!) / norm((i) => b[i]!);
};

test.each<[string, Case]>([
  ["all weights in one graph", { options: { training: "whole" }, hasCritic: true }],
  [
    "all weights layer by layer",
    { options: { training: "layered", layered: { logitElements: 900 } } },
  ],
  [
    "an adapter in one graph behind a shared prefix",
    { isAdapted: true, isShared: true, options: { training: "whole" } },
  ],
  [
    "an adapter layer by layer behind a shared prefix",
    { isAdapted: true, isShared: true, hasCritic: true, options: { training: "layered" } },
  ],
  ["an adapter on a base of four bits", { isAdapted: true, base: "q4", options: {} }],
  ["an adapter on a base of eight bits", { isAdapted: true, base: "q8", options: {} }],
])("training %s gives the CPU's numbers", async (_, which) => {
  const expected = await trainOn("cpu", which);
  const found = await trainOn("webgpu", which);
  const gaps = found.outputs.map((value, i) => Math.abs(value - expected.outputs[i]!));
  expect(Math.max(...gaps)).toBeLessThan(1e-4);
  expect(distance(found.gradient, expected.gradient)).toBeLessThan(1e-3);
  expect(distance(found.norms, expected.norms)).toBeLessThan(1e-4);
  expect(distance(found.weights, expected.weights)).toBeLessThan(1e-4);
  expect(distance(found.moments, expected.moments)).toBeLessThan(1e-3);
});

test.each<[string, Case]>([
  ["whole", { isAdapted: true, options: { training: "whole" } }],
  ["layered", { isAdapted: true, options: { training: "layered" } }],
  ["four-bit", { isAdapted: true, base: "q4", options: {} }],
])(
  "a minibatch of %s training moves ids, cotangents and log-probs, and an optimizer step one number down",
  async (name, which) => {
    const trainer = createTrainer(which);
    const rows = makeRows(false);
    const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => 1) }));
    const measure = async (work: () => Promise<unknown>) => {
      const before = readDeviceTraffic();
      await work();
      const after = readDeviceTraffic();
      return {
        up: after.uploadedBytes - before.uploadedBytes,
        down: after.downloadedBytes - before.downloadedBytes,
      };
    };
    const accumulate = () => trainer.accumulate(rows, cotangents);
    await accumulate();
    await trainer.update(step);
    // Rows are padded to 24 tokens: ids, positions and places of each, by layer where layers run apart.
    const padded = 3 * 24;
    const passes = name === "whole" ? 1 : 2 * model.layers;
    const minibatch = await measure(accumulate);
    expect(minibatch.up).toBeLessThanOrEqual((12 + 8 * passes + 16) * padded + 200);
    expect(minibatch.down).toBeLessThanOrEqual(4 * padded);
    const update = await measure(() => trainer.update(step));
    expect(update).toEqual({ up: expect.any(Number), down: 4 });
    expect(update.up).toBeLessThan(100);
    await trainer.close();
  },
);

test("training continues with the same bits from weights and moments that were read back", async () => {
  const which: Case = { isAdapted: true, options: { training: "whole" } };
  const [trainer, other] = [createTrainer(which), createTrainer(which)];
  const rows = makeRows(false);
  const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.1) }));
  const train = async (learner: Trainer) => {
    await learner.accumulate(rows, cotangents);
    await learner.update(step);
  };
  await train(trainer);
  await train(other);
  await train(trainer);
  await copyTraining(trainer, other);
  for (const learner of [trainer, other]) await train(learner);
  expect(await other.evaluate(rows)).toEqual(await trainer.evaluate(rows));
  await trainer.readBack();
  await other.readBack();
  expect(other.trained.data).toEqual(trainer.trained.data);
  expect(other.optimizer.secondMoment).toEqual(trainer.optimizer.secondMoment);
  for (const learner of [trainer, other]) await learner.close();
});
