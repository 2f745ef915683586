/** Tests that shared prefixes of rows are found, and that computing them once gives what rows give on their own. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import type { Cotangents, Row, TokenOutputs } from "../../../spec/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  initializeValueHead,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
  parseValueHeadOptions,
  ValueHeadStore,
} from "../model/index.ts";
import { requiredLengths } from "./microbatch.ts";
import { findPrefixGroups } from "./prefix-groups.ts";
import { Trainer, type TrainerOptions } from "./trainer.ts";

const TINY = {
  vocabularySize: 61,
  hiddenSize: 16,
  layers: 3,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 600,
};
/** Small chunk sizes, so that queries, tokens and the vocabulary are all cut. */
const FINE = { tokensPerChunk: 32, scoreElements: 1, logitElements: 1 };
const openTrainers: Trainer[] = [];
afterEach(async () => {
  for (const trainer of openTrainers.splice(0)) await trainer.close();
});

const createRow = (tokens: readonly number[], at: readonly number[]): Row => ({ tokens, at });
const countingTokens = (from: number, length: number) =>
  Array.from({ length }, (_, i) => (from + i) % 50);

function findGroups(rows: readonly Row[]) {
  return findPrefixGroups(rows, requiredLengths(rows, parseModelConfig(TINY)));
}

describe("prefix groups", () => {
  const root = countingTokens(0, 280);

  test("rows share their common prefix, up to the token before the first requested one", () => {
    const rows = [createRow([...root, 1, 2, 3], [281, 282]), createRow([...root, 4, 5, 6], [282])];
    expect(findGroups(rows)).toEqual([{ prefix: 280, rows: [0, 1] }]);
    const early = [createRow([...root, 1, 2, 3], [270, 282]), createRow([...root, 4, 5, 6], [282])];
    expect(findGroups(early)).toEqual([{ prefix: 269, rows: [0, 1] }]);
  });

  test("rows share one prefix, or one prefix for each task, whichever saves more tokens", () => {
    const [a, b] = [countingTokens(7, 260), countingTokens(9, 260)];
    const rows = [a, b, a, b, a, b].map((task, i) =>
      createRow([...root.slice(0, 10), ...task, i], [270]),
    );
    expect(findGroups(rows)).toEqual([
      { prefix: 269, rows: [0, 2, 4] },
      { prefix: 269, rows: [1, 3, 5] },
    ]);
    const rooted = [a, b].map((task, i) => createRow([...root, ...task.slice(0, 20), i], [300]));
    expect(findGroups(rooted)).toEqual([{ prefix: 280, rows: [0, 1] }]);
  });

  test("rows that share too little are not grouped, and rows that request nothing are left out", () => {
    const rows = [
      createRow([...root, 1], [280]),
      createRow([...root, 2], [280]),
      createRow(countingTokens(3, 90), [89]),
      createRow(root, []),
    ];
    expect(findGroups(rows)).toEqual([
      { prefix: 279, rows: [0, 1] },
      { prefix: 0, rows: [2] },
    ]);
    expect(findGroups([createRow([...root, 1], [280])])).toEqual([{ prefix: 0, rows: [0] }]);
  });

  test("every row that requests something is in one group, all rows of which have its prefix", () => {
    const rows = fc.array(
      fc.tuple(fc.constantFrom(0, 30, 270, 290), fc.integer({ min: 1, max: 4 }), fc.nat(2)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const made = drawn.map(([shared, own, start]) => {
          const tokens = [...countingTokens(start, shared), ...countingTokens(40 + own, own), 60];
          return createRow(tokens, [tokens.length - 1]);
        });
        const groups = findGroups(made);
        expect(groups.flatMap((group) => group.rows).sort((x, y) => x - y)).toEqual([
          ...made.keys(),
        ]);
        for (const { prefix, rows: members } of groups) {
          for (const member of members) {
            expect(prefix).toBeLessThan(made[member]!.at[0]!);
            expect(Array.from(made[member]!.tokens).slice(0, prefix)).toEqual(
              Array.from(made[members[0]!]!.tokens).slice(0, prefix),
            );
          }
        }
      }),
    );
  });
});

const VARIANTS = [
  ["all weights", {}, false],
  ["q/k/v biases, untied", { qkvBias: true, tieEmbeddings: false }, false],
  ["q/k norms, LoRA", { qkNorm: true, kvHeads: 4 }, true],
] as const;

function createTrainer(
  overrides: Record<string, unknown>,
  lora: boolean,
  options: TrainerOptions,
): Trainer {
  const config = parseModelConfig({ ...TINY, ...overrides });
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, 5);
  const stores: { parameters: ParameterStore["parameters"]; data: Float32Array }[] = [parameters];
  let adapter: AdapterStore | undefined;
  if (lora) {
    adapter = new AdapterStore(
      config,
      parseLoraOptions({ rank: 3, alpha: 6, targetModules: "all-linear" }, config),
    );
    initializeAdapter(adapter, 5);
    stores.push(adapter);
  }
  const rng = new Rng(11);
  for (const { parameters: parts, data } of stores) {
    for (const { offset, size } of parts) {
      for (let i = offset; i < offset + size; i++) data[i]! += 0.1 * rng.normal();
    }
  }
  const trainer = new Trainer(parameters, { threads: 2, adapter, ...options });
  openTrainers.push(trainer);
  return trainer;
}

/** Returns rows of two prompts and several lengths with some tokens requested, and one row of another prompt. */
function createRows(rng: Rng): Row[] {
  const randomTokens = (length: number) => Array.from({ length }, () => rng.integer(0, 60));
  const prompts = [randomTokens(297), randomTokens(270)];
  const lengths = [40, 40, 33, 9, 25, 2];
  const rows = lengths.map((length, i) => {
    const prompt = prompts[i % 2]!;
    const tokens = [...prompt, ...randomTokens(length)];
    const at = tokens.flatMap((_, j) => (j > prompt.length && j % 3 !== i % 3 ? [j] : []));
    return createRow(tokens, at.length > 0 ? at : [tokens.length - 1]);
  });
  return [...rows, createRow(randomTokens(50), [20, 49])];
}

function randomCotangents(rng: Rng, rows: readonly Row[]): Cotangents[] {
  return rows.map(({ at }) => ({
    logprobs: Array.from(at, () => rng.normal()),
    entropies: Array.from(at, () => rng.normal()),
  }));
}

function outputGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const flattenOutputs = (outputs: readonly TokenOutputs[]) =>
    outputs.flatMap(({ logprobs, entropies }) => [...logprobs, ...(entropies ?? [])]);
  const other = flattenOutputs(b);
  return Math.max(...flattenOutputs(a).map((value, i) => Math.abs(value - other[i]!)));
}

/** Returns |a - b| / |b| of the gradients of everything that is trained. */
async function gradientGap(a: Trainer, b: Trainer): Promise<number> {
  const vectorNorm = (values: Float32Array) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0));
  const [found, expected] = [await a.state.readGradient(), await b.state.readGradient()];
  return vectorNorm(found.map((value, i) => value - expected[i]!)) / vectorNorm(expected);
}

describe("training with shared prefixes", () => {
  test.each(VARIANTS)(
    "sharing a prefix changes neither outputs nor gradients (%s)",
    async (_, overrides, lora) => {
      const rng = new Rng(3);
      const rows = createRows(rng);
      const cotangents = randomCotangents(rng, rows);
      expect(findGroups(rows).map(({ prefix }) => prefix)).toContain(297);
      const options = { temperature: 0.7 };
      const apart = createTrainer(overrides, lora, { sharePrefixes: false });
      const expected = await apart.accumulate(rows, cotangents, options);
      const byLayer = { training: "layered", tokensPerMicrobatch: 40 } as const;
      for (const cut of [{}, { tokensPerMicrobatch: 40 }, byLayer, { ...byLayer, layered: FINE }]) {
        const shared = createTrainer(overrides, lora, cut);
        const outputs = await shared.accumulate(rows, cotangents, options);
        expect(outputGap(outputs, expected)).toBeLessThan(1e-5);
        expect(await gradientGap(shared, apart)).toBeLessThan(1e-5);
        expect(await shared.evaluate(rows, { ...options, entropies: true })).toEqual(outputs);
      }
    },
  );

  test("sharing a prefix works for rows that fill a context whose length is not a multiple of 8", async () => {
    const rng = new Rng(6);
    const randomTokens = (length: number) => Array.from({ length }, () => rng.integer(0, 60));
    const prompt = randomTokens(150);
    const rows = [251, 240, 251].map((length) =>
      createRow([...prompt, ...randomTokens(length - 150)], [160, length - 1]),
    );
    const cotangents = randomCotangents(rng, rows);
    const cut = { contextLength: 251 };
    const apart = createTrainer(cut, true, { sharePrefixes: false });
    const expected = await apart.accumulate(rows, cotangents);
    for (const training of ["whole", "layered"] as const) {
      const shared = createTrainer(cut, true, { training });
      expect(outputGap(await shared.accumulate(rows, cotangents), expected)).toBeLessThan(1e-5);
      expect(await gradientGap(shared, apart)).toBeLessThan(1e-5);
    }
  });

  test("sharing a prefix changes neither the values nor the gradient of a value head", async () => {
    const rng = new Rng(5);
    const rows = createRows(rng);
    const cotangents = rows.map(({ at }) => ({
      logprobs: Array.from(at, () => rng.normal()),
      values: Array.from(at, () => rng.normal()),
    }));
    const [shared, apart] = [true, false].map((sharePrefixes) => {
      const head = new ValueHeadStore(
        parseModelConfig(TINY),
        parseValueHeadOptions({}, parseModelConfig(TINY)),
      );
      initializeValueHead(head, 3);
      const trainer = createTrainer({}, false, { sharePrefixes, valueHead: head });
      return { head, trainer };
    });
    const outputs = await shared!.trainer.accumulate(rows, cotangents);
    const expected = await apart!.trainer.accumulate(rows, cotangents);
    expect(outputGap(outputs, expected)).toBeLessThan(1e-5);
    const gaps = outputs.flatMap(({ values }, i) =>
      [...values!].map((value, j) => Math.abs(value - expected[i]!.values![j]!)),
    );
    expect(Math.max(...gaps)).toBeLessThan(1e-5);
    expect(await gradientGap(shared!.trainer, apart!.trainer)).toBeLessThan(1e-5);
    const computeValueNorm = (one: typeof shared) => one!.trainer.critic!.state.computeNorm();
    expect(await computeValueNorm(shared)).toBeCloseTo(await computeValueNorm(apart), 3);
    // With cotangents of values alone, nothing flows back into the policy, nor into the shared prefix.
    await shared!.trainer.discard();
    const still = cotangents.map(({ logprobs, values }) => ({
      logprobs: logprobs.map(() => 0),
      values,
    }));
    await shared!.trainer.accumulate(rows, still);
    expect(await shared!.trainer.state.computeNorm()).toBe(0);
  });

  test("shared prefixes give the same bits in a second run, and work for the base without its adapter", async () => {
    const rng = new Rng(4);
    const rows = createRows(rng);
    const cotangents = randomCotangents(rng, rows);
    const [one, two] = [createTrainer({}, true, {}), createTrainer({}, true, {})];
    expect(await one.accumulate(rows, cotangents)).toEqual(await two.accumulate(rows, cotangents));
    expect(await one.state.readGradient()).toEqual(await two.state.readGradient());
    const apart = createTrainer({}, true, { sharePrefixes: false });
    const [a, b] = [
      await one.evaluate(rows, { adapter: "off" }),
      await apart.evaluate(rows, { adapter: "off" }),
    ];
    expect(outputGap(a, b)).toBeLessThan(1e-5);
  });
});
