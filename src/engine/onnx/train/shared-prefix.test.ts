/** Rows that begin alike, computed once: what is found, and that it gives what rows apart give. */
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
/** Everything is cut: strips of queries, pieces of tokens, the vocabulary. */
const FINE = { tokensPerPiece: 32, scoreElements: 1, logitElements: 1 };
const open: Trainer[] = [];
afterEach(async () => {
  for (const trainer of open.splice(0)) await trainer.close();
});

const row = (tokens: readonly number[], at: readonly number[]): Row => ({ tokens, at });
const counting = (from: number, length: number) =>
  Array.from({ length }, (_, i) => (from + i) % 50);

function groupsOf(rows: readonly Row[]) {
  return findPrefixGroups(rows, requiredLengths(rows, parseModelConfig(TINY)));
}

describe("what rows share", () => {
  const root = counting(0, 280);

  test("the common beginning, up to the token before the first that is asked for", () => {
    const rows = [row([...root, 1, 2, 3], [281, 282]), row([...root, 4, 5, 6], [282])];
    expect(groupsOf(rows)).toEqual([{ prefix: 280, rows: [0, 1] }]);
    const early = [row([...root, 1, 2, 3], [270, 282]), row([...root, 4, 5, 6], [282])];
    expect(groupsOf(early)).toEqual([{ prefix: 269, rows: [0, 1] }]);
  });

  test("one root, or one for each task, whichever saves more", () => {
    const [a, b] = [counting(7, 260), counting(9, 260)];
    const rows = [a, b, a, b, a, b].map((task, i) =>
      row([...root.slice(0, 10), ...task, i], [270]),
    );
    expect(groupsOf(rows)).toEqual([
      { prefix: 269, rows: [0, 2, 4] },
      { prefix: 269, rows: [1, 3, 5] },
    ]);
    const rooted = [a, b].map((task, i) => row([...root, ...task.slice(0, 20), i], [300]));
    expect(groupsOf(rooted)).toEqual([{ prefix: 280, rows: [0, 1] }]);
  });

  test("what shares too little, or asks for nothing, is left apart", () => {
    const rows = [
      row([...root, 1], [280]),
      row([...root, 2], [280]),
      row(counting(3, 90), [89]),
      row(root, []),
    ];
    expect(groupsOf(rows)).toEqual([
      { prefix: 279, rows: [0, 1] },
      { prefix: 0, rows: [2] },
    ]);
    expect(groupsOf([row([...root, 1], [280])])).toEqual([{ prefix: 0, rows: [0] }]);
  });

  test("every row that asks is in one group, and its prefix is all rows'", () => {
    const rows = fc.array(
      fc.tuple(fc.constantFrom(0, 30, 270, 290), fc.integer({ min: 1, max: 4 }), fc.nat(2)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const made = drawn.map(([shared, own, start]) => {
          const tokens = [...counting(start, shared), ...counting(40 + own, own), 60];
          return row(tokens, [tokens.length - 1]);
        });
        const groups = groupsOf(made);
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

function create(
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
  open.push(trainer);
  return trainer;
}

/** Rows of two prompts, of several lengths, asked here and there; one of its own. */
function rowsOf(rng: Rng): Row[] {
  const draw = (length: number) => Array.from({ length }, () => rng.integer(0, 60));
  const prompts = [draw(297), draw(270)];
  const lengths = [40, 40, 33, 9, 25, 2];
  const rows = lengths.map((length, i) => {
    const prompt = prompts[i % 2]!;
    const tokens = [...prompt, ...draw(length)];
    const at = tokens.flatMap((_, j) => (j > prompt.length && j % 3 !== i % 3 ? [j] : []));
    return row(tokens, at.length > 0 ? at : [tokens.length - 1]);
  });
  return [...rows, row(draw(50), [20, 49])];
}

function cotangentsOf(rng: Rng, rows: readonly Row[]): Cotangents[] {
  return rows.map(({ at }) => ({
    logprobs: Array.from(at, () => rng.normal()),
    entropies: Array.from(at, () => rng.normal()),
  }));
}

function outputGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const flat = (outputs: readonly TokenOutputs[]) =>
    outputs.flatMap(({ logprobs, entropies }) => [...logprobs, ...(entropies ?? [])]);
  const other = flat(b);
  return Math.max(...flat(a).map((value, i) => Math.abs(value - other[i]!)));
}

/** |a - b| / |b| of everything that is trained. */
function gradientGap(a: Trainer, b: Trainer): number {
  const norm = (values: Float32Array) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0));
  return norm(a.gradient.map((value, i) => value - b.gradient[i]!)) / norm(b.gradient);
}

describe("shared or apart: the same outputs and gradients", () => {
  test.each(VARIANTS)("%s", async (_, overrides, lora) => {
    const rng = new Rng(3);
    const rows = rowsOf(rng);
    const cotangents = cotangentsOf(rng, rows);
    expect(groupsOf(rows).map(({ prefix }) => prefix)).toContain(297);
    const options = { temperature: 0.7 };
    const apart = create(overrides, lora, { sharePrefixes: false });
    const expected = await apart.accumulate(rows, cotangents, options);
    const byLayer = { training: "layered", tokensPerMicrobatch: 40 } as const;
    for (const cut of [{}, { tokensPerMicrobatch: 40 }, byLayer, { ...byLayer, layered: FINE }]) {
      const shared = create(overrides, lora, cut);
      const outputs = await shared.accumulate(rows, cotangents, options);
      expect(outputGap(outputs, expected)).toBeLessThan(1e-5);
      expect(gradientGap(shared, apart)).toBeLessThan(1e-5);
      expect(await shared.evaluate(rows, { ...options, entropies: true })).toEqual(outputs);
    }
  });

  test("rows that fill a context of no round length", async () => {
    const rng = new Rng(6);
    const draw = (length: number) => Array.from({ length }, () => rng.integer(0, 60));
    const prompt = draw(150);
    const rows = [251, 240, 251].map((length) =>
      row([...prompt, ...draw(length - 150)], [160, length - 1]),
    );
    const cotangents = cotangentsOf(rng, rows);
    const cut = { contextLength: 251 };
    const apart = create(cut, true, { sharePrefixes: false });
    const expected = await apart.accumulate(rows, cotangents);
    for (const training of ["whole", "layered"] as const) {
      const shared = create(cut, true, { training });
      expect(outputGap(await shared.accumulate(rows, cotangents), expected)).toBeLessThan(1e-5);
      expect(gradientGap(shared, apart)).toBeLessThan(1e-5);
    }
  });

  test("a value head reads and learns from what rows share", async () => {
    const rng = new Rng(5);
    const rows = rowsOf(rng);
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
      const trainer = create({}, false, { sharePrefixes, valueHead: head });
      return { head, trainer };
    });
    const outputs = await shared!.trainer.accumulate(rows, cotangents);
    const expected = await apart!.trainer.accumulate(rows, cotangents);
    expect(outputGap(outputs, expected)).toBeLessThan(1e-5);
    const gaps = outputs.flatMap(({ values }, i) =>
      [...values!].map((value, j) => Math.abs(value - expected[i]!.values![j]!)),
    );
    expect(Math.max(...gaps)).toBeLessThan(1e-5);
    expect(gradientGap(shared!.trainer, apart!.trainer)).toBeLessThan(1e-5);
    expect(shared!.trainer.critic!.gradientNorm()).toBeCloseTo(
      apart!.trainer.critic!.gradientNorm(),
      3,
    );
    // Values alone: nothing flows back into the policy, nor into what rows share.
    shared!.trainer.discard();
    const still = cotangents.map(({ logprobs, values }) => ({
      logprobs: logprobs.map(() => 0),
      values,
    }));
    await shared!.trainer.accumulate(rows, still);
    expect(shared!.trainer.gradientNorm()).toBe(0);
  });

  test("twice: the same bits; the base without its adapter", async () => {
    const rng = new Rng(4);
    const rows = rowsOf(rng);
    const cotangents = cotangentsOf(rng, rows);
    const [one, two] = [create({}, true, {}), create({}, true, {})];
    expect(await one.accumulate(rows, cotangents)).toEqual(await two.accumulate(rows, cotangents));
    expect(one.gradient).toEqual(two.gradient);
    const apart = create({}, true, { sharePrefixes: false });
    const [a, b] = [
      await one.evaluate(rows, { adapter: "off" }),
      await apart.evaluate(rows, { adapter: "off" }),
    ];
    expect(outputGap(a, b)).toBeLessThan(1e-5);
  });
});
