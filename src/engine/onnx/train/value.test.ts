/** Tests of value head training: golden numbers of PyTorch, finite differences, and an unchanged policy. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../../core/index.ts";
import type { Cotangents, OptimizerStep, Row, TokenOutputs } from "../../../spec/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  initializeValueHead,
  type ModelConfig,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
  parseValueHeadOptions,
  ValueHeadStore,
} from "../model/index.ts";
import { Trainer, type TrainerOptions } from "./trainer.ts";

const SMALL = parseModelConfig({
  vocabularySize: 11,
  hiddenSize: 16,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 64,
  qkvBias: true,
});
const STEP: OptimizerStep = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0.1,
  maxGradientNorm: 1,
};
const openTrainers: Trainer[] = [];
afterEach(async () => {
  for (const trainer of openTrainers.splice(0)) await trainer.close();
});

interface Options extends Pick<TrainerOptions, "training" | "tokensPerMicrobatch"> {
  readonly lora?: boolean;
  /** Null means that there is no head. */
  readonly hiddenSizes?: readonly number[] | null | undefined;
}

/** Returns a trainer whose head is not at its small initial values, so that all its gradients are of similar size. */
function createTrainer({ lora, hiddenSizes, ...options }: Options = {}): Trainer {
  const parameters = new ParameterStore(SMALL);
  initializeParameters(parameters, 5);
  const rng = new Rng(11);
  const adapter = lora
    ? new AdapterStore(
        SMALL,
        parseLoraOptions({ rank: 2, alpha: 4, targetModules: "all-linear" }, SMALL),
      )
    : undefined;
  if (adapter) {
    initializeAdapter(adapter, 5);
    adapter.data.forEach((value, i) => {
      adapter.data[i] = value + 0.1 * rng.normal();
    });
  }
  const valueHead =
    hiddenSizes === null
      ? undefined
      : new ValueHeadStore(SMALL, parseValueHeadOptions({ hiddenSizes }, SMALL));
  for (const { offset, size } of valueHead?.parameters ?? []) {
    for (let i = offset; i < offset + size; i++) valueHead!.data[i] = 0.3 * rng.normal();
  }
  const trainer = new Trainer(parameters, { threads: 2, adapter, valueHead, ...options });
  openTrainers.push(trainer);
  return trainer;
}

const rows: Row[] = [9, 20, 14].map((length, row) => {
  const rng = new Rng(row);
  return {
    tokens: Array.from({ length }, () => rng.integer(0, SMALL.vocabularySize - 1)),
    at: Array.from({ length: length - 1 }, (_, i) => i + 1).filter((i) => i % 3 !== row),
  };
});

function randomValues(seed: number): number[][] {
  const rng = new Rng(seed);
  return rows.map(({ at }) => Array.from(at, () => rng.normal()));
}

const zeroCotangents = rows.map(({ at }) => Array.from(at, () => 0));

function createCotangents(logprobs: number[][], values?: number[][]): Cotangents[] {
  return rows.map((_, row) => ({
    logprobs: logprobs[row]!,
    ...(values && { values: values[row]! }),
  }));
}

const outputValues = (outputs: readonly TokenOutputs[]) => outputs.map(({ values }) => values!);

async function expectEngineError(run: Promise<unknown>, word: string): Promise<void> {
  const error = await run.catch((caught: unknown) => caught);
  expect(BowlineError.is(error) && error.code).toBe("engine");
  expect((error as Error).message).toContain(word);
}

describe.each([[undefined], [[]], [[12, 7, 5]]])(
  "a value head with hidden sizes %o",
  (hiddenSizes) => {
    test("the value head's gradient of a squared error equals finite differences", async () => {
      const trainer = createTrainer({ hiddenSizes });
      const critic = trainer.critic!;
      const targets = randomValues(2);
      const loss = async () => {
        const values = outputValues(await trainer.evaluate(rows, { values: true }));
        return values.reduce(
          (sum, list, row) =>
            list.reduce((own, value, i) => own + (value - targets[row]![i]!) ** 2, sum),
          0,
        );
      };
      const values = outputValues(await trainer.evaluate(rows, { values: true }));
      const slopes = targets.map((list, row) => list.map((r, i) => 2 * (values[row]![i]! - r)));
      await trainer.accumulate(rows, createCotangents(zeroCotangents, slopes));
      const { data, parameters } = critic.head;
      const gradient = await critic.state.readGradient();
      const scale = (await critic.state.computeNorm()) / Math.sqrt(critic.head.elementCount);
      const change = (at: number, number: number) => {
        data[at] = number;
        critic.head.markChanged();
      };
      const rng = new Rng(4);
      for (const { name, offset, size } of parameters) {
        for (const at of [offset, offset + rng.integer(0, size - 1), offset + size - 1]) {
          const lossAt = async (by: number) => {
            const old = data[at]!;
            change(at, old + by);
            const result = await loss();
            change(at, old);
            return result;
          };
          // The step is so small that hardly any ReLU switches. The rounding of the values is smaller still.
          const numeric = ((await lossAt(2e-3)) - (await lossAt(-2e-3))) / 4e-3;
          const error = Math.abs(gradient[at]! - numeric);
          expect(error, `${name}: ${gradient[at]} and ${numeric}`).toBeLessThan(
            0.01 * Math.abs(numeric) + 0.02 * scale,
          );
        }
      }
    });
  },
);

describe.each<[string, Options]>([
  ["all weights", {}],
  ["LoRA", { lora: true }],
  ["all weights, layer by layer", { training: "layered" }],
  ["LoRA, layer by layer", { lora: true, training: "layered" }],
])("training %s with a value head", (_, options) => {
  test("the policy's outputs and gradient equal those without a value head, bit by bit", async () => {
    const [plain, trainer] = [
      createTrainer({ ...options, hiddenSizes: null }),
      createTrainer(options),
    ];
    const [logprobs, values] = [randomValues(1), randomValues(2)];
    const expected = await plain.accumulate(rows, createCotangents(logprobs));
    const outputs = await trainer.accumulate(rows, createCotangents(logprobs, values));
    expect(outputs.map(({ logprobs }) => ({ logprobs }))).toEqual(expected);
    const [state, critic] = [trainer.state, trainer.critic!.state];
    expect(await state.readGradient()).toEqual(await plain.state.readGradient());
    expect(await state.computeNorm()).toBeGreaterThan(0);
    expect(await critic.computeNorm()).toBeGreaterThan(0);
    expect(await trainer.evaluate(rows, { values: true })).toEqual(outputs);

    const gradient = (await critic.readGradient()).slice();
    await trainer.discard();
    expect(await critic.computeNorm()).toBe(0);
    const alone = await trainer.accumulate(rows, createCotangents(zeroCotangents, values));
    expect(alone).toEqual(outputs);
    expect(await critic.readGradient()).toEqual(gradient);
    expect(await state.computeNorm()).toBe(0);
    await trainer.accumulate(rows, createCotangents(logprobs));
    expect(await critic.readGradient()).toEqual(gradient);
  });

  test("the value head's gradient adds up over microbatches, and rows without value cotangents add nothing", async () => {
    const [whole, cut] = [
      createTrainer(options),
      createTrainer({ ...options, tokensPerMicrobatch: 8 }),
    ];
    const values = randomValues(2);
    await whole.accumulate(rows, createCotangents(zeroCotangents, values));
    for (const [row, own] of values.entries()) {
      const cotangents = createCotangents(randomValues(1)).map((cotangent, i) =>
        i === row ? { ...cotangent, values: own } : cotangent,
      );
      await cut.accumulate(rows, cotangents);
    }
    const [a, b] = [
      await whole.critic!.state.readGradient(),
      await cut.critic!.state.readGradient(),
    ];
    const scale = await whole.critic!.state.computeNorm();
    expect(Math.max(...a.map((value, i) => Math.abs(value - b[i]!)))).toBeLessThan(1e-5 * scale);
  });
});

test("a value depends on the tokens before its token only, and not on the temperature", async () => {
  const trainer = createTrainer();
  const tokens = [1, 2, 3, 4, 5, 6, 7, 8];
  const at = [1, 4, 7];
  const evaluate = async (changed: number[], temperature: number) =>
    (await trainer.evaluate([{ tokens: changed, at }], { values: true, temperature }))[0]!;
  const [row, later, before] = [
    await evaluate(tokens, 1),
    await evaluate(tokens.with(4, 9), 0.5),
    await evaluate(tokens.with(3, 9), 1),
  ];
  expect([...later.values!.subarray(0, 2)]).toEqual([...row.values!.subarray(0, 2)]);
  expect(later.values![2]).not.toBe(row.values![2]);
  expect(before.values![0]).toBe(row.values![0]);
  expect(before.values![1]).not.toBe(row.values![1]);
  expect(later.logprobs[0]).not.toBe(row.logprobs[0]);
});

describe("one optimizer per parameter group", () => {
  const copyWeights = async (trainer: Trainer) => {
    await trainer.readBack();
    return {
      policy: trainer.parameters.data.slice(),
      value: trainer.critic!.head.data.slice(),
    };
  };
  const computeNorms = async ({ state, critic }: Trainer) => ({
    gradientNorm: await state.computeNorm(),
    valueNorm: await critic!.state.computeNorm(),
  });
  const accumulateAll = (trainer: Trainer) =>
    trainer.accumulate(rows, createCotangents(randomValues(1), randomValues(2)));

  test("a group without a step is frozen and its gradient is dropped", async () => {
    const trainer = createTrainer();
    const first = await copyWeights(trainer);
    await accumulateAll(trainer);
    const norms = await computeNorms(trainer);
    expect(await trainer.update({ value: STEP })).toEqual(norms);
    const second = await copyWeights(trainer);
    expect(second.policy).toEqual(first.policy);
    expect(second.value).not.toEqual(first.value);
    expect([trainer.optimizer.step, trainer.critic!.optimizer.step]).toEqual([0, 1]);
    expect(await computeNorms(trainer)).toEqual({ gradientNorm: 0, valueNorm: 0 });
    for (const steps of [STEP, { policy: STEP }]) {
      await accumulateAll(trainer);
      const before = await copyWeights(trainer);
      await trainer.update(steps);
      const after = await copyWeights(trainer);
      expect(after.policy).not.toEqual(before.policy);
      expect(after.value).toEqual(before.value);
      expect((await computeNorms(trainer)).valueNorm).toBe(0);
    }
  });

  test("two groups that step together change as each would alone", async () => {
    const [both, policy, value] = [createTrainer(), createTrainer(), createTrainer()];
    for (const trainer of [both, policy, value]) await accumulateAll(trainer);
    await both.update({ policy: STEP, value: { ...STEP, learningRate: 0.1 } });
    await policy.update(STEP);
    await value.update({ value: { ...STEP, learningRate: 0.1 } });
    expect(await copyWeights(both)).toEqual({
      policy: (await copyWeights(policy)).policy,
      value: (await copyWeights(value)).value,
    });
  });

  test("a gradient that is not finite stops the steps of both groups", async () => {
    const trainer = createTrainer();
    const values = zeroCotangents.map((list) => list.map(() => Number.NaN));
    await trainer.accumulate(rows, createCotangents(randomValues(1), values));
    const before = await copyWeights(trainer);
    const update = trainer.update({ policy: STEP, value: STEP });
    await expectEngineError(update, "of the value head is NaN");
    expect(await copyWeights(trainer)).toEqual(before);
  });

  test("training values reduces their squared error", async () => {
    const trainer = createTrainer();
    initializeValueHead(trainer.critic!.head, 1);
    const targets = randomValues(7);
    const losses: number[] = [];
    for (let step = 0; step < 150; step++) {
      const values = outputValues(await trainer.evaluate(rows, { values: true }));
      const errors = targets.map((list, row) => list.map((r, i) => values[row]![i]! - r));
      losses.push(errors.flat().reduce((sum, error) => sum + error ** 2, 0));
      await trainer.accumulate(rows, createCotangents(zeroCotangents, errors));
      await trainer.update({ value: { ...STEP, weightDecay: 0 } });
    }
    expect(losses.at(-1)).toBeLessThan(losses[0]! / 5);
  });
});

describe("the initial value head", () => {
  const createHead = (seed: number, hiddenSizes?: readonly number[]) => {
    const store = new ValueHeadStore(SMALL, parseValueHeadOptions({ hiddenSizes }, SMALL));
    initializeValueHead(store, seed);
    return store;
  };

  test("an initial value head depends on the seed and gives values near 0", async () => {
    expect(createHead(1).data).toEqual(createHead(1).data);
    expect(createHead(1).data).not.toEqual(createHead(2).data);
    const trainer = createTrainer();
    initializeValueHead(trainer.critic!.head, 1);
    const values = outputValues(await trainer.evaluate(rows, { values: true }));
    const sizes = values.flatMap((list) => [...list].map(Math.abs));
    expect(Math.max(...sizes)).toBeLessThan(0.1);
    expect(Math.max(...sizes)).toBeGreaterThan(0);
  });

  test("a value head has the paper's layer sizes by default", () => {
    const defaultSizes = (hiddenSize: number) =>
      parseValueHeadOptions({}, { ...SMALL, hiddenSize }).hiddenSizes;
    expect([defaultSizes(5120), defaultSizes(128)]).toEqual([
      [3072, 2048],
      [80, 56],
    ]);
  });

  test.each([[{ hiddenSizes: [0] }], [{ hiddenSizes: [1.5] }], [{ hidden: [4] }], ["deep"]])(
    "the value head option %o is rejected",
    (options) => {
      expect(() => parseValueHeadOptions(options, SMALL)).toThrow(/value head options/);
    },
  );
});

test("values are rejected without a value head and for weights other than the live ones", async () => {
  const [plain, trainer] = [createTrainer({ hiddenSizes: null }), createTrainer({ lora: true })];
  await expect(plain.evaluate(rows, { values: true })).rejects.toThrow("no value head");
  const given = createCotangents(randomValues(1), randomValues(2));
  await expect(plain.accumulate(rows, given)).rejects.toThrow("no value head");
  await expectEngineError(plain.update({ value: STEP }), "no value head");
  const other = { values: true, adapter: "off" } as const;
  await expect(trainer.evaluate(rows, other)).rejects.toThrow('"live" weights alone');
  await expect(
    trainer.accumulate(
      rows,
      rows.map(({ at }) => ({ logprobs: at, values: [1] })),
    ),
  ).rejects.toThrow("but has 1 cotangents");
});

interface Golden {
  config: ModelConfig;
  hiddenSizes: number[];
  step: OptimizerStep;
  names: string[];
  headNames: string[];
  rows: (Row & { logprobCotangents: number[]; valueCotangents: number[]; values: number[] })[];
  norm: number;
  gradients: Record<string, string>;
  stepped: Record<string, string>;
}

function decodeFloats(base64: string): number[] {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return [...new Float32Array(bytes.buffer)];
}

/** Returns the largest difference relative to the largest golden number. */
function largestRelativeError(actual: ArrayLike<number>, golden: readonly number[]): number {
  expect(actual.length).toBe(golden.length);
  const scale = Math.max(1e-6, ...golden.map(Math.abs));
  return Math.max(...golden.map((value, i) => Math.abs(actual[i]! - value))) / scale;
}

test("values, their gradient and an AdamW step equal PyTorch", async () => {
  const url = new URL("../../../../tests/golden/value-head.json", import.meta.url);
  const golden = JSON.parse(readFileSync(url, "utf8")) as Golden;
  const parameters = new ParameterStore(parseModelConfig(golden.config));
  const { config } = parameters;
  const head = new ValueHeadStore(
    config,
    parseValueHeadOptions({ hiddenSizes: golden.hiddenSizes }, config),
  );
  [...golden.names, ...golden.headNames].forEach((name, index) => {
    const view = (head.hasParameter(name) ? head : parameters).view(name);
    for (let i = 0; i < view.length; i++) {
      const scrambled = Math.imul(i + index * 1_000_003, 2654435761) >>> 0;
      view[i] = (scrambled / 2 ** 32 - 0.5) * 0.8 + (name.includes("norm") ? 1 : 0);
    }
  });
  const trainer = new Trainer(parameters, { valueHead: head });
  openTrainers.push(trainer);
  const cotangents = golden.rows.map(({ logprobCotangents, valueCotangents }) => ({
    logprobs: logprobCotangents,
    values: valueCotangents,
  }));
  const outputs = await trainer.accumulate(golden.rows, cotangents, { temperature: 0.8 });
  for (const [i, { values }] of golden.rows.entries()) {
    expect(largestRelativeError(outputs[i]!.values!, values)).toBeLessThan(3e-6);
  }
  const gradient = await trainer.critic!.state.readGradient();
  for (const { name, offset, size } of head.parameters) {
    const own = gradient.subarray(offset, offset + size);
    expect(largestRelativeError(own, decodeFloats(golden.gradients[name]!)), name).toBeLessThan(
      1e-5,
    );
  }
  const { valueNorm } = await trainer.update({ value: golden.step });
  expect(valueNorm! / golden.norm).toBeCloseTo(1, 5);
  await trainer.readBack();
  for (const { name } of head.parameters) {
    expect(
      largestRelativeError(head.view(name), decodeFloats(golden.stepped[name]!)),
      name,
    ).toBeLessThan(1e-4);
  }
});
