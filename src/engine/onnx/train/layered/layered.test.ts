/**
 * Tests that one layer at a time gives what the whole graph gives: outputs and all gradients, with and without LoRA.
 */
import { afterEach, describe, expect, test } from "vitest";
import { Rng } from "../../../../core/index.ts";
import type { Cotangents, Row, TokenOutputs } from "../../../../spec/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
} from "../../model/index.ts";
import { Trainer, type TrainerOptions } from "../trainer.ts";
import { estimateWholeGraphBytes } from "./index.ts";

const TINY = {
  vocabularySize: 101,
  hiddenSize: 16,
  layers: 3,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 128,
};
/** Small chunks: rows of 90 tokens give 3 strips of queries, 7 chunks of tokens and 4 of the vocabulary. */
const FINE = { tokensPerChunk: 32, scoreElements: 1, logitElements: 1 };
const VARIANTS = [
  ["tied", {}],
  ["q/k/v biases, untied", { qkvBias: true, tieEmbeddings: false }],
  ["q/k norms, one query head a key head", { qkNorm: true, kvHeads: 4 }],
] as const;
const openTrainers: Trainer[] = [];
afterEach(async () => {
  for (const trainer of openTrainers.splice(0)) await trainer.close();
});

interface Setup {
  readonly config: ModelConfig;
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
}

/** Returns a model in which every weight differs from its initial value, so that no gradient vanishes by symmetry. */
function createSetup(overrides: Record<string, unknown>, lora: boolean): Setup {
  const config = parseModelConfig({ ...TINY, ...overrides });
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, 5);
  const rng = new Rng(11);
  for (const { offset, size, shape } of parameters.parameters) {
    if (shape.length > 1) continue;
    for (let i = offset; i < offset + size; i++) parameters.data[i]! += 0.1 * rng.normal();
  }
  if (!lora) return { config, parameters, adapter: undefined };
  const options = { rank: 3, alpha: 6, targetModules: "all-linear" };
  const adapter = new AdapterStore(config, parseLoraOptions(options, config));
  initializeAdapter(adapter, 5);
  for (const { offset, size } of adapter.parameters) {
    for (let i = offset; i < offset + size; i++) adapter.data[i]! += 0.1 * rng.normal();
  }
  return { config, parameters, adapter };
}

function createTrainer({ parameters, adapter }: Setup, options: TrainerOptions): Trainer {
  const trainer = new Trainer(parameters, { threads: 2, adapter, ...options });
  openTrainers.push(trainer);
  return trainer;
}

function randomRows(rng: Rng, lengths: readonly number[]): Row[] {
  return lengths.map((length, row) => ({
    tokens: Array.from({ length }, () => rng.integer(0, TINY.vocabularySize - 1)),
    at: Array.from({ length: length - 1 }, (_, i) => i + 1).filter((i) => i % 3 !== row % 3),
  }));
}

function randomCotangents(rng: Rng, rows: readonly Row[], entropies: boolean): Cotangents[] {
  const drawValues = (row: Row) => Array.from({ length: row.at.length }, () => rng.normal());
  return rows.map((row) => ({
    logprobs: drawValues(row),
    ...(entropies ? { entropies: drawValues(row) } : {}),
  }));
}

/** Returns the largest distance between outputs, in nats. */
function outputGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const flattenOutputs = (outputs: readonly TokenOutputs[]) =>
    outputs.flatMap(({ logprobs, entropies }) => [...logprobs, ...(entropies ?? [])]);
  const other = flattenOutputs(b);
  expect(flattenOutputs(a)).toHaveLength(other.length);
  return Math.max(...flattenOutputs(a).map((value, i) => Math.abs(value - other[i]!)));
}

/** Returns |a - b| / |b| of the gradient of each trained tensor. */
async function gradientGaps(a: Trainer, b: Trainer): Promise<[name: string, gap: number][]> {
  const [found, wanted] = [await a.state.readGradient(), await b.state.readGradient()];
  return a.trained.parameters.map(({ name, offset, size }) => {
    const vectorNorm = (value: (i: number) => number) =>
      Math.sqrt(
        Array.from({ length: size }, (_, i) => value(offset + i) ** 2).reduce((x, y) => x + y),
      );
    const length = vectorNorm((i) => wanted[i]!);
    expect(length, name).toBeGreaterThan(0);
    return [name, vectorNorm((i) => found[i]! - wanted[i]!) / length];
  });
}

describe.each([
  ["training all weights", false],
  ["training with LoRA", true],
])("layer by layer, %s", (_, lora) => {
  test.each(VARIANTS)(
    "layer by layer, outputs and gradients equal those of the whole graph: %s",
    async (_, overrides) => {
      const made = createSetup(overrides, lora);
      const rng = new Rng(3);
      const rows = randomRows(rng, [90, 90, 61, 17]);
      const cotangents = randomCotangents(rng, rows, true);
      const whole = createTrainer(made, { training: "whole" });
      const layered = createTrainer(made, {
        training: "layered",
        layered: FINE,
        tokensPerMicrobatch: 200,
      });
      const options = { temperature: 0.7 };
      const expected = await whole.accumulate(rows, cotangents, options);
      const outputs = await layered.accumulate(rows, cotangents, options);
      expect(outputGap(outputs, expected)).toBeLessThan(5e-6);
      for (const [name, gap] of await gradientGaps(layered, whole))
        expect(gap, name).toBeLessThan(2e-5);
      expect(await layered.evaluate(rows, { ...options, entropies: true })).toEqual(outputs);
    },
  );
});

test("layer by layer equals the whole graph without entropies and with default chunk sizes", async () => {
  const made = createSetup({ qkvBias: true }, false);
  const rng = new Rng(4);
  const rows = randomRows(rng, [40, 33]);
  const cotangents = randomCotangents(rng, rows, false);
  const whole = createTrainer(made, { training: "whole" });
  const layered = createTrainer(made, { training: "layered" });
  const expected = await whole.accumulate(rows, cotangents);
  const outputs = await layered.accumulate(rows, cotangents);
  expect(outputs[0]!.entropies).toBeUndefined();
  expect(outputGap(outputs, expected)).toBeLessThan(5e-6);
  for (const [name, gap] of await gradientGaps(layered, whole))
    expect(gap, name).toBeLessThan(2e-5);
  expect(await layered.evaluate(rows)).toEqual(outputs);
  await layered.accumulate(rows, cotangents);
  const once = await whole.state.computeNorm();
  expect((await layered.state.computeNorm()) / once).toBeCloseTo(2, 4);
});

test("layer by layer equals the whole graph for one row that requests one token", async () => {
  const made = createSetup({}, false);
  const rows = [{ tokens: [1, 2, 3], at: [2] }];
  const [whole] = await createTrainer(made, { training: "whole" }).evaluate(rows, {
    entropies: true,
  });
  const [layered] = await createTrainer(made, { training: "layered" }).evaluate(rows, {
    entropies: true,
  });
  expect(outputGap([layered!], [whole!])).toBeLessThan(5e-6);
});

test("the layered path evaluates the base without the adapter", async () => {
  const made = createSetup({}, true);
  const rows = randomRows(new Rng(6), [30]);
  const adapted = createTrainer(made, { training: "layered" });
  const base = createTrainer({ ...made, adapter: undefined }, { training: "layered" });
  const off = await adapted.evaluate(rows, { adapter: "off" });
  expect(off).toEqual(await base.evaluate(rows));
  expect(outputGap(off, await adapted.evaluate(rows))).toBeGreaterThan(0.01);
});

test("the gradient of the layered path equals its finite differences", async () => {
  const made = createSetup({ qkvBias: true, layers: 2 }, false);
  const rng = new Rng(8);
  const rows = randomRows(rng, [40]);
  const cotangents = randomCotangents(rng, rows, true);
  const trainer = createTrainer(made, { training: "layered", layered: FINE });
  await trainer.accumulate(rows, cotangents);
  const { data, parameters, elementCount: count } = made.parameters;
  const gradient = await trainer.state.readGradient();
  const change = (at: number, number: number) => {
    data[at] = number;
    made.parameters.markChanged();
  };
  const objective = async (at: number, by: number) => {
    const old = data[at]!;
    change(at, old + by);
    const [{ logprobs, entropies }] = (await trainer.evaluate(rows, { entropies: true })) as [
      Required<TokenOutputs>,
    ];
    change(at, old);
    const { logprobs: c, entropies: e } = cotangents[0] as Required<Cotangents>;
    return logprobs.reduce((sum, value, i) => sum + value * c[i]! + entropies[i]! * e[i]!, 0);
  };
  const scale = (await trainer.state.computeNorm()) / Math.sqrt(count);
  for (const { name, offset, size } of parameters) {
    const at = offset + rng.integer(0, size - 1);
    const near = (await objective(at, 0.01)) - (await objective(at, -0.01));
    const far = (await objective(at, 0.02)) - (await objective(at, -0.02));
    const numeric = (8 * near - far) / 0.12;
    const error = Math.abs(gradient[at]! - numeric);
    expect(error, `${name}: ${gradient[at]} and ${numeric}`).toBeLessThan(
      0.01 * Math.abs(numeric) + 0.02 * scale,
    );
  }
});

test("two runs of the layered path with two threads give the same bits", async () => {
  const made = createSetup({}, false);
  const rng = new Rng(9);
  const rows = randomRows(rng, [90, 90, 61]);
  const cotangents = randomCotangents(rng, rows, true);
  const trainer = createTrainer(made, { training: "layered", layered: FINE });
  const first = await trainer.accumulate(rows, cotangents);
  const gradient = (await trainer.state.readGradient()).slice();
  await trainer.discard();
  expect(await trainer.accumulate(rows, cotangents)).toEqual(first);
  expect(await trainer.state.readGradient()).toEqual(gradient);
});

test("the memory estimate is small for a small model and large for half a billion parameters at 2,048 tokens", () => {
  const createMicrobatch = (rows: number, time: number) => ({
    batch: rows,
    time,
    tokens: new Int32Array(rows * time),
    at: new Int32Array(rows * (time - 1)),
    targets: new Int32Array(rows * (time - 1)),
    past: 0,
    slices: [],
  });
  const small = parseModelConfig({ ...TINY, hiddenSize: 128, layers: 4, vocabularySize: 512 });
  const large = parseModelConfig({
    vocabularySize: 151_936,
    hiddenSize: 896,
    layers: 24,
    heads: 14,
    kvHeads: 2,
    headSize: 64,
    intermediateSize: 4864,
    contextLength: 32_768,
  });
  expect(estimateWholeGraphBytes(small, createMicrobatch(16, 128))).toBeLessThan(2 ** 28);
  expect(estimateWholeGraphBytes(large, createMicrobatch(1, 2048))).toBeGreaterThan(8 * 2 ** 30);
});
