/** One layer at a time gives what the whole graph gives: outputs, all gradients, with and without LoRA. */
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
/** So small that rows of 90 tokens are cut everywhere: 3 strips of queries, 7 pieces of tokens, 4 of the vocabulary. */
const FINE = { tokensPerPiece: 32, scoreElements: 1, logitElements: 1 };
const VARIANTS = [
  ["tied", {}],
  ["q/k/v biases, untied", { qkvBias: true, tieEmbeddings: false }],
  ["q/k norms, one query head a key head", { qkNorm: true, kvHeads: 4 }],
] as const;
const open: Trainer[] = [];
afterEach(async () => {
  for (const trainer of open.splice(0)) await trainer.close();
});

interface Setup {
  readonly config: ModelConfig;
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
}

/** A model whose every weight is away from where it starts, so that no gradient vanishes by symmetry. */
function setup(overrides: Record<string, unknown>, lora: boolean): Setup {
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

function create({ parameters, adapter }: Setup, options: TrainerOptions): Trainer {
  const trainer = new Trainer(parameters, { threads: 2, adapter, ...options });
  open.push(trainer);
  return trainer;
}

function randomRows(rng: Rng, lengths: readonly number[]): Row[] {
  return lengths.map((length, row) => ({
    tokens: Array.from({ length }, () => rng.integer(0, TINY.vocabularySize - 1)),
    at: Array.from({ length: length - 1 }, (_, i) => i + 1).filter((i) => i % 3 !== row % 3),
  }));
}

function randomCotangents(rng: Rng, rows: readonly Row[], entropies: boolean): Cotangents[] {
  const draw = (row: Row) => Array.from({ length: row.at.length }, () => rng.normal());
  return rows.map((row) => ({
    logprobs: draw(row),
    ...(entropies ? { entropies: draw(row) } : {}),
  }));
}

/** Largest distance between outputs, in nats. */
function outputGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const flat = (outputs: readonly TokenOutputs[]) =>
    outputs.flatMap(({ logprobs, entropies }) => [...logprobs, ...(entropies ?? [])]);
  const other = flat(b);
  expect(flat(a)).toHaveLength(other.length);
  return Math.max(...flat(a).map((value, i) => Math.abs(value - other[i]!)));
}

/** For each trained tensor |a - b| / |b|. */
function gradientGaps(a: Trainer, b: Trainer): [name: string, gap: number][] {
  return a.trained.parameters.map(({ name, offset, size }) => {
    const norm = (value: (i: number) => number) =>
      Math.sqrt(
        Array.from({ length: size }, (_, i) => value(offset + i) ** 2).reduce((x, y) => x + y),
      );
    const length = norm((i) => b.gradient[i]!);
    expect(length, name).toBeGreaterThan(0);
    return [name, norm((i) => a.gradient[i]! - b.gradient[i]!) / length];
  });
}

describe.each([
  ["all weights", false],
  ["LoRA", true],
])("%s", (_, lora) => {
  test.each(VARIANTS)("outputs and gradients are the whole graph's: %s", async (_, overrides) => {
    const made = setup(overrides, lora);
    const rng = new Rng(3);
    const rows = randomRows(rng, [90, 90, 61, 17]);
    const cotangents = randomCotangents(rng, rows, true);
    const whole = create(made, { training: "whole" });
    const layered = create(made, { training: "layered", layered: FINE, tokensPerMicrobatch: 200 });
    const options = { temperature: 0.7 };
    const expected = await whole.accumulate(rows, cotangents, options);
    const outputs = await layered.accumulate(rows, cotangents, options);
    expect(outputGap(outputs, expected)).toBeLessThan(5e-6);
    for (const [name, gap] of gradientGaps(layered, whole)) expect(gap, name).toBeLessThan(2e-5);
    expect(await layered.evaluate(rows, { ...options, entropies: true })).toEqual(outputs);
  });
});

test("without entropies, and with cuts left at their defaults, it is the same", async () => {
  const made = setup({ qkvBias: true }, false);
  const rng = new Rng(4);
  const rows = randomRows(rng, [40, 33]);
  const cotangents = randomCotangents(rng, rows, false);
  const whole = create(made, { training: "whole" });
  const layered = create(made, { training: "layered" });
  const expected = await whole.accumulate(rows, cotangents);
  const outputs = await layered.accumulate(rows, cotangents);
  expect(outputs[0]!.entropies).toBeUndefined();
  expect(outputGap(outputs, expected)).toBeLessThan(5e-6);
  for (const [name, gap] of gradientGaps(layered, whole)) expect(gap, name).toBeLessThan(2e-5);
  expect(await layered.evaluate(rows)).toEqual(outputs);
  await layered.accumulate(rows, cotangents);
  const once = whole.gradientNorm();
  expect(layered.gradientNorm() / once).toBeCloseTo(2, 4);
});

test("one row that asks for one token", async () => {
  const made = setup({}, false);
  const rows = [{ tokens: [1, 2, 3], at: [2] }];
  const [whole] = await create(made, { training: "whole" }).evaluate(rows, { entropies: true });
  const [layered] = await create(made, { training: "layered" }).evaluate(rows, { entropies: true });
  expect(outputGap([layered!], [whole!])).toBeLessThan(5e-6);
});

test("the base is evaluated without the adapter", async () => {
  const made = setup({}, true);
  const rows = randomRows(new Rng(6), [30]);
  const adapted = create(made, { training: "layered" });
  const base = create({ ...made, adapter: undefined }, { training: "layered" });
  const off = await adapted.evaluate(rows, { adapter: "off" });
  expect(off).toEqual(await base.evaluate(rows));
  expect(outputGap(off, await adapted.evaluate(rows))).toBeGreaterThan(0.01);
});

test("the gradient equals finite differences of the layered path itself", async () => {
  const made = setup({ qkvBias: true, layers: 2 }, false);
  const rng = new Rng(8);
  const rows = randomRows(rng, [40]);
  const cotangents = randomCotangents(rng, rows, true);
  const trainer = create(made, { training: "layered", layered: FINE });
  await trainer.accumulate(rows, cotangents);
  const { data, parameters, elementCount: count } = made.parameters;
  const objective = async (at: number, by: number) => {
    const old = data[at]!;
    data[at] = old + by;
    const [{ logprobs, entropies }] = (await trainer.evaluate(rows, { entropies: true })) as [
      Required<TokenOutputs>,
    ];
    data[at] = old;
    const { logprobs: c, entropies: e } = cotangents[0] as Required<Cotangents>;
    return logprobs.reduce((sum, value, i) => sum + value * c[i]! + entropies[i]! * e[i]!, 0);
  };
  const scale = trainer.gradientNorm() / Math.sqrt(count);
  for (const { name, offset, size } of parameters) {
    const at = offset + rng.integer(0, size - 1);
    const near = (await objective(at, 0.01)) - (await objective(at, -0.01));
    const far = (await objective(at, 0.02)) - (await objective(at, -0.02));
    const numeric = (8 * near - far) / 0.12;
    const error = Math.abs(trainer.gradient[at]! - numeric);
    expect(error, `${name}: ${trainer.gradient[at]} and ${numeric}`).toBeLessThan(
      0.01 * Math.abs(numeric) + 0.02 * scale,
    );
  }
});

test("twice under two threads: the same bits", async () => {
  const made = setup({}, false);
  const rng = new Rng(9);
  const rows = randomRows(rng, [90, 90, 61]);
  const cotangents = randomCotangents(rng, rows, true);
  const trainer = create(made, { training: "layered", layered: FINE });
  const first = await trainer.accumulate(rows, cotangents);
  const gradient = trainer.gradient.slice();
  trainer.discard();
  expect(await trainer.accumulate(rows, cotangents)).toEqual(first);
  expect(trainer.gradient).toEqual(gradient);
});

test("shapes decide: a small model goes whole, half a billion parameters at 2,048 tokens do not", () => {
  const batch = (rows: number, time: number) => ({
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
  expect(estimateWholeGraphBytes(small, batch(16, 128))).toBeLessThan(2 ** 28);
  expect(estimateWholeGraphBytes(large, batch(1, 2048))).toBeGreaterThan(8 * 2 ** 30);
});
