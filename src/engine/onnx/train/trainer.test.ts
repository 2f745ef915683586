/** Tests of the whole loss: finite differences, equal bits under two threads, padding, errors, learning and resume. */
import { afterEach, expect, test } from "vitest";
import { copyTraining } from "../../../../tests/support/copy-training.ts";
import { Rng } from "../../../core/index.ts";
import type { Cotangents, Row, TokenOutputs } from "../../../spec/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import { Trainer, type TrainerOptions } from "./trainer.ts";

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
  overrides: Record<string, unknown> = {},
  options: TrainerOptions = {},
): Trainer {
  const store = new ParameterStore(parseModelConfig({ ...TINY, ...overrides }));
  initializeParameters(store, 5);
  const trainer = new Trainer(store, { threads: 1, ...options });
  openTrainers.push(trainer);
  return trainer;
}

/** Returns rows in which one token makes up most of the text. */
function repeatingRows(rng: Rng, count: number, length: number, vocabulary: number): Row[] {
  return Array.from({ length: count }, (_, row) => {
    const own = length - (row % 5) * Math.floor(length / 8);
    const tokens = Array.from({ length: own }, () =>
      rng.chance(0.7) ? 3 : rng.integer(0, vocabulary - 1),
    );
    const at = tokens.flatMap((_, i) => (i > 0 && i % 2 === row % 2 ? [i] : []));
    return { tokens, at };
  });
}

function randomCotangents(rng: Rng, rows: readonly Row[], entropies: boolean): Cotangents[] {
  const drawValues = (row: Row) => Array.from({ length: row.at.length }, () => rng.normal());
  return rows.map((row) => ({
    logprobs: drawValues(row),
    ...(entropies ? { entropies: drawValues(row) } : {}),
  }));
}

function haveSameBits(a: Float32Array, b: Float32Array): boolean {
  const toBytes = (x: Float32Array) => Buffer.from(x.buffer, x.byteOffset, x.byteLength);
  return toBytes(a).equals(toBytes(b));
}

function computeObjective(
  outputs: readonly TokenOutputs[],
  cotangents: readonly Cotangents[],
): number {
  let sum = 0;
  outputs.forEach(({ logprobs, entropies }, row) => {
    for (const [i, value] of logprobs.entries()) sum += value * cotangents[row]!.logprobs[i]!;
    for (const [i, value] of entropies?.entries() ?? [])
      sum += value * cotangents[row]!.entropies![i]!;
  });
  return sum;
}

test.each([
  ["biases, tied", { qkvBias: true }],
  ["q/k norm, untied", { qkNorm: true, tieEmbeddings: false }],
])(
  "the gradient of all weights equals finite differences with two threads (%s)",
  async (_, overrides) => {
    const rng = new Rng(3);
    const trainer = createTrainer(overrides, { threads: 2 });
    const rows = repeatingRows(rng, 3, 24, TINY.vocabularySize);
    const cotangents = randomCotangents(rng, rows, true);
    const options = { temperature: 0.7, entropies: true };
    await trainer.accumulate(rows, cotangents, options);
    const gradient = await trainer.state.readGradient();
    const { data } = trainer.parameters;
    const change = (at: number, number: number) => {
      data[at] = number;
      trainer.parameters.markChanged();
    };
    const value = async (at: number, by: number) => {
      const old = data[at]!;
      change(at, old + by);
      const result = computeObjective(await trainer.evaluate(rows, options), cotangents);
      change(at, old);
      return result;
    };
    const norm = await trainer.state.computeNorm();
    const scale = norm / Math.sqrt(trainer.parameters.elementCount);
    for (const { name, offset, size } of trainer.parameters.parameters) {
      for (const at of [offset, offset + rng.integer(0, size - 1)]) {
        const step = 0.01;
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

test("twenty runs with two threads give the same bits, and evaluation gives the same bits as accumulation", async () => {
  const rng = new Rng(4);
  const trainer = createTrainer(
    { hiddenSize: 32, headSize: 8, intermediateSize: 96, contextLength: 96 },
    { threads: 2 },
  );
  const rows = repeatingRows(rng, 16, 96, TINY.vocabularySize);
  const cotangents = randomCotangents(rng, rows, false);
  const first = await trainer.accumulate(rows, cotangents);
  const gradient = (await trainer.state.readGradient()).slice();
  expect(await trainer.state.computeNorm()).toBeGreaterThan(0);
  for (let run = 1; run < 20; run++) {
    await trainer.discard();
    expect(await trainer.accumulate(rows, cotangents)).toEqual(first);
    expect(haveSameBits(await trainer.state.readGradient(), gradient)).toBe(true);
  }
  const evaluated = await trainer.evaluate(rows);
  expect(evaluated).toEqual(first);
});

test("accumulating twice doubles the gradient, and microbatches add up to the whole", async () => {
  const rng = new Rng(6);
  const rows = repeatingRows(rng, 9, 32, TINY.vocabularySize);
  const cotangents = randomCotangents(rng, rows, false);
  const whole = createTrainer({}, { tokensPerMicrobatch: 4096 });
  const cut = createTrainer({}, { tokensPerMicrobatch: 64 });
  await whole.accumulate(rows, cotangents);
  await cut.accumulate(rows, cotangents);
  const scale = await whole.state.computeNorm();
  const once = (await cut.state.readGradient()).slice();
  expect(euclideanDistance(await whole.state.readGradient(), once)).toBeLessThan(2e-6 * scale);
  await cut.accumulate(rows, cotangents);
  expect(
    euclideanDistance(
      await cut.state.readGradient(),
      once.map((g) => 2 * g),
    ),
  ).toBeLessThan(2e-6 * scale);
  await cut.discard();
  expect(await cut.state.computeNorm()).toBe(0);
});

function euclideanDistance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}

test("a row's log-probs depend neither on the other rows nor on which tokens are requested", async () => {
  const rng = new Rng(8);
  const trainer = createTrainer();
  const rows = repeatingRows(rng, 12, 40, TINY.vocabularySize);
  const together = await trainer.evaluate(rows, { entropies: true });
  for (const [i, row] of rows.entries()) {
    const [alone] = await trainer.evaluate([row], { entropies: true });
    const last = row.at.length - 1;
    const [one] = await trainer.evaluate([{ tokens: row.tokens, at: [row.at[last]!] }]);
    alone!.logprobs.forEach((value, j) => {
      expect(Math.abs(value - together[i]!.logprobs[j]!)).toBeLessThan(2e-6);
    });
    expect(Math.abs(one!.logprobs[0]! - alone!.logprobs[last]!)).toBeLessThan(2e-6);
  }
});

test("the probabilities of all tokens sum to one, and the entropy is that of this distribution", async () => {
  const trainer = createTrainer();
  const prefix = [1, 2, 3];
  const rows = Array.from({ length: 7 }, (_, id) => ({ tokens: [...prefix, id], at: [3] }));
  const outputs = await trainer.evaluate(rows, { entropies: true, temperature: 2 });
  const logprobs = outputs.map(({ logprobs }) => logprobs[0]!);
  expect(logprobs.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 5);
  const entropy = -logprobs.reduce((sum, value) => sum + value * Math.exp(value), 0);
  for (const { entropies } of outputs) expect(entropies![0]).toBeCloseTo(entropy, 5);
});

test("a row that requests nothing gets empty outputs at its place", async () => {
  const trainer = createTrainer();
  const [empty, asked] = await trainer.evaluate([
    { tokens: [1, 2], at: [] },
    { tokens: [1, 2], at: [1] },
  ]);
  expect(empty!.logprobs).toHaveLength(0);
  expect(asked!.logprobs).toHaveLength(1);
  expect(await trainer.evaluate([])).toEqual([]);
});

test("the cotangents of a token that is requested twice add up", async () => {
  const trainer = createTrainer();
  const tokens = [1, 2, 3, 4, 5];
  const [once] = await trainer.accumulate([{ tokens, at: [2, 4] }], [{ logprobs: [3, 5] }]);
  const gradient = (await trainer.state.readGradient()).slice();
  await trainer.discard();
  const [twice] = await trainer.accumulate([{ tokens, at: [2, 4, 4] }], [{ logprobs: [3, 4, 1] }]);
  expect([...twice!.logprobs]).toEqual([0, 1, 1].map((i) => once!.logprobs[i]));
  expect(haveSameBits(await trainer.state.readGradient(), gradient)).toBe(true);
});

test("errors name invalid rows, cotangents and temperatures", async () => {
  const trainer = createTrainer();
  const evaluate = (tokens: number[], at: number[]) => trainer.evaluate([{ tokens, at }]);
  await expect(evaluate([1, 9], [1])).rejects.toThrow("token 9 at 1; ids are integers from 0 to 6");
  await expect(evaluate([1, 2], [2])).rejects.toThrow(
    "asks for token 2; it must be an index from 1 to 1",
  );
  await expect(evaluate([1, 2], [0])).rejects.toThrow("asks for token 0");
  await expect(evaluate(Array(41).fill(1), [1])).rejects.toThrow(
    "41 tokens, but the model's context is 40",
  );
  const rows = [{ tokens: [1, 2], at: [1] }];
  await expect(trainer.accumulate(rows, [])).rejects.toThrow("1 rows came with 0 cotangents");
  await expect(trainer.accumulate(rows, [{ logprobs: [] }])).rejects.toThrow(
    "but has 0 cotangents",
  );
  await expect(trainer.evaluate(rows, { temperature: 0 })).rejects.toThrow(
    "temperature must be above 0",
  );
  await trainer.accumulate(rows, [{ logprobs: [Number.NaN] }]);
  const before = trainer.parameters.data.slice();
  await expect(trainer.update(STEP)).rejects.toThrow("gradient norm is NaN");
  expect(haveSameBits(trainer.parameters.data, before)).toBe(true);
  expect(trainer.optimizer.step).toBe(0);
});

/**
 * Makes an optimizer step that raises the log-prob of every requested token, and returns the mean negative log-prob.
 */
async function imitateOnce(trainer: Trainer, rows: readonly Row[]): Promise<number> {
  const count = rows.reduce((sum, row) => sum + row.at.length, 0);
  const cotangents = rows.map((row) => ({
    logprobs: new Float32Array(row.at.length).fill(-1 / count),
  }));
  const loss = computeObjective(await trainer.accumulate(rows, cotangents), cotangents);
  await trainer.update(STEP);
  return loss;
}

test("updates reduce the loss, and training continues with the same bits from saved weights and moments", async () => {
  const rows = repeatingRows(new Rng(9), 4, 24, TINY.vocabularySize);
  const trainer = createTrainer({ qkvBias: true });
  const first = await imitateOnce(trainer, rows);
  for (let step = 0; step < 30; step++) await imitateOnce(trainer, rows);
  const other = createTrainer({ qkvBias: true });
  await copyTraining(trainer, other);
  let last = 0;
  for (let step = 0; step < 30; step++) {
    last = await imitateOnce(trainer, rows);
    expect(await imitateOnce(other, rows)).toBe(last);
  }
  expect(last).toBeLessThan(first / 2);
  for (const one of [trainer, other]) await one.readBack();
  expect(haveSameBits(other.parameters.data, trainer.parameters.data)).toBe(true);
});

test("evaluating reference weights leaves the live weights unchanged", async () => {
  const trainer = createTrainer();
  const rows = [{ tokens: [1, 2, 3], at: [1, 2] }];
  const reference = new ParameterStore(trainer.parameters.config);
  reference.data.set(trainer.parameters.data);
  const before = await trainer.evaluate(rows);
  await imitateOnce(trainer, rows);
  expect(await trainer.evaluate(rows, { parameters: reference })).toEqual(before);
  expect(await trainer.evaluate(rows)).not.toEqual(before);
});

test.each(["whole", "layered"] as const)(
  "cotangents with a ratio give the same gradient, bit by bit, as those that a caller computes (%s)",
  async (training) => {
    const rng = new Rng(29);
    const trainer = createTrainer({}, { training });
    const rows = repeatingRows(rng, 6, 24, TINY.vocabularySize);
    const current = await trainer.evaluate(rows, { temperature: 0.9 });
    const bounds = { lowest: 0.9, highest: 1.1 };
    const withRatio = current.map(
      ({ logprobs }): Cotangents => ({
        logprobs: Float64Array.from(logprobs, () => rng.normal()),
        ratio: {
          ...bounds,
          oldLogprobs: Float64Array.from(logprobs, (x) => Math.fround(x + 0.2 * rng.normal())),
        },
      }),
    );
    let outside = 0;
    const computed = withRatio.map(
      ({ logprobs, ratio }, row): Cotangents => ({
        logprobs: Float64Array.from(logprobs, (slope, i) => {
          const r = Math.exp(current[row]!.logprobs[i]! - ratio!.oldLogprobs[i]!);
          const isOutside = r < bounds.lowest || r > bounds.highest;
          outside += Number(isOutside);
          return isOutside ? 0 : slope * r;
        }),
      }),
    );
    const outputs = await trainer.accumulate(rows, withRatio, { temperature: 0.9 });
    const gradient = (await trainer.state.readGradient()).slice();
    await trainer.discard();
    await trainer.accumulate(rows, computed, { temperature: 0.9 });
    expect(outside).toBeGreaterThan(5);
    expect(gradient.some((value) => value !== 0)).toBe(true);
    expect(haveSameBits(gradient, await trainer.state.readGradient())).toBe(true);
    outputs.forEach(({ logprobs }, row) => {
      expect(haveSameBits(logprobs, current[row]!.logprobs)).toBe(true);
    });
  },
);
