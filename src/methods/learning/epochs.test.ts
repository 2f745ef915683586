/** Tests of epochs of minibatches, and of the optimizer step with its guards. */
import { describe, expect, test } from "vitest";
import { Rng } from "../../core/index.ts";
import type { Engine, EngineInfo, Row } from "../../spec/index.ts";
import { FAKE_STEP, fakeConfig } from "../../testing/fake-iteration.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { loop } from "../loop.ts";
import { minibatchSize, runEpochs, takeStep } from "./epochs.ts";
import { checkSamplerGap, requireFinite } from "./guards.ts";

type Algo = { readonly [field: string]: unknown };

describe("the epochs of an iteration", () => {
  const items = Array.from({ length: 10 }, (_, i) => i);

  /** Runs epochs and lists the minibatches that `update` was called with, in order. */
  async function runAndListParts(
    algo: Algo,
    { epochs, stopAt = Infinity }: { readonly epochs?: number; readonly stopAt?: number } = {},
    rng = new Rng(7),
  ) {
    const parts: (readonly number[])[] = [];
    const update = async (part: readonly number[], done: number) => {
      expect(done).toBe(parts.length);
      parts.push(part);
      return done === stopAt ? { stopped: `at ${done}` } : { done };
    };
    const config = fakeConfig(loop, { algo });
    return { parts, ...(await runEpochs(items, { config, rng }, update, epochs)) };
  }

  test("runEpochs goes over all items once per epoch, in a different order each time", async () => {
    const { parts, updates, stopped } = await runAndListParts({ epochs: 3, minibatch: 4 });
    expect(parts.map(({ length }) => length)).toEqual([4, 4, 2, 4, 4, 2, 4, 4, 2]);
    expect(updates).toEqual(parts.map((_, done) => ({ done })));
    expect(stopped).toBeUndefined();
    const orders = [0, 3, 6].map((first) => parts.slice(first, first + 3).flat());
    for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(items);
    expect(new Set(orders.map(String)).size).toBe(3);
  });

  test("the order of items depends on the random stream's name, not on numbers drawn from the stream before", async () => {
    const algo = { epochs: 2, minibatch: 3 };
    const { parts } = await runAndListParts(algo);
    const used = new Rng(7);
    used.uniform();
    expect((await runAndListParts(algo, {}, used)).parts).toEqual(parts);
    expect((await runAndListParts(algo, {}, new Rng(8))).parts).not.toEqual(parts);
  });

  test("with minibatch 0, runEpochs makes one step per epoch on all items", async () => {
    const algo = { epochs: 2, minibatch: 0, groupSize: 2, tasksPerIteration: 5 };
    const { parts } = await runAndListParts(algo);
    expect(parts.map(({ length }) => length)).toEqual([10, 10]);
  });

  test("runEpochs runs the number of epochs that it is given, instead of the configured number", async () => {
    expect((await runAndListParts({ epochs: 5, minibatch: 10 }, { epochs: 1 })).parts).toHaveLength(
      1,
    );
    expect((await runAndListParts({ epochs: 5, minibatch: 10 }, { epochs: 0 })).updates).toEqual(
      [],
    );
  });

  test("runEpochs ends when an update returns a reason to stop, and returns the updates before it", async () => {
    const { parts, updates, stopped } = await runAndListParts(
      { epochs: 3, minibatch: 4 },
      { stopAt: 4 },
    );
    expect(parts).toHaveLength(5);
    expect(updates).toEqual([{ done: 0 }, { done: 1 }, { done: 2 }, { done: 3 }]);
    expect(stopped).toBe("at 4");
  });

  test("minibatchSize is the configured size, or all rollouts of an iteration for 0", () => {
    const fullSize = (algo: Algo) => minibatchSize(fakeConfig(loop, { algo }));
    expect(fullSize({ minibatch: 8 })).toBe(8);
    expect(fullSize({ minibatch: 0, groupSize: 6, tasksPerIteration: 40 })).toBe(240);
    const { groupSize: _, ...ungrouped } = fakeConfig(loop, {
      algo: { minibatch: 0, tasksPerIteration: 40 },
    }).algo;
    expect(minibatchSize({ algo: ungrouped })).toBe(40);
  });
});

describe("an optimizer step", () => {
  const rows: Row[] = [{ tokens: [0, 1, 2], at: [1, 2] }];
  const cotangents = [{ logprobs: [-1, 0.5] }];
  /** The log-probability of every token in a table that has learned nothing. */
  const uniformLogprob = -Math.log(4);

  /** Creates a table engine of four tokens that records the calls it receives. */
  function watchEngine(change: Partial<Engine> = {}, info: Partial<EngineInfo> = {}) {
    const calls: string[] = [];
    const inner = tableEngine(4);
    const engine: Engine = {
      ...inner,
      accumulate: (...given) => {
        calls.push("accumulate");
        return inner.accumulate(...given);
      },
      update: (step) => {
        calls.push("update");
        return inner.update(step);
      },
      discard: () => {
        calls.push("discard");
        return inner.discard();
      },
      ...change,
      info: { ...inner.info, ...info },
    };
    const logprobs = async () => Array.from((await inner.evaluate(rows))[0]!.logprobs);
    return { engine, calls, logprobs };
  }

  test("takeStep accumulates the gradient, checks it, calls beforeUpdate and updates, in this order", async () => {
    const { engine, calls, logprobs } = watchEngine();
    const { gradientNorm } = await takeStep(engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: [[uniformLogprob, uniformLogprob]],
      beforeUpdate: ([outputs]) => {
        calls.push("beforeUpdate");
        expect(Array.from(outputs!.logprobs)).toEqual([
          Math.fround(uniformLogprob),
          Math.fround(uniformLogprob),
        ]);
      },
    });
    expect(calls).toEqual(["accumulate", "beforeUpdate", "update"]);
    // d log p / d logits is the indicator minus the probabilities. Its length is sqrt(3/4), times the derivative that
    // was passed.
    expect(gradientNorm).toBeCloseTo(Math.sqrt(0.75 * (1 + 0.25)), 12);
    const [up, down] = await logprobs();
    expect(up).toBeGreaterThan(uniformLogprob);
    expect(down).toBeLessThan(uniformLogprob);
  });

  test("takeStep waits for beforeUpdate, which may add to the gradient", async () => {
    const { engine } = watchEngine();
    const alone = await takeStep(engine, rows, cotangents, { step: FAKE_STEP });
    const other = watchEngine();
    const both = await takeStep(other.engine, rows, cotangents, {
      step: FAKE_STEP,
      beforeUpdate: async () => {
        await Promise.resolve();
        await other.engine.accumulate(rows, cotangents);
      },
    });
    expect(other.calls).toEqual(["accumulate", "accumulate", "update"]);
    expect(both.gradientNorm).toBeCloseTo(2 * alone.gradientNorm, 12);
  });

  test("takeStep passes a temperature to the gradient pass, and no options without one", async () => {
    const seen: unknown[] = [];
    const inner = tableEngine(4);
    const { engine } = watchEngine({
      accumulate: (given, slopes, options) => {
        seen.push(options);
        return inner.accumulate(given, slopes, options);
      },
    });
    await takeStep(engine, rows, cotangents, { step: FAKE_STEP });
    await takeStep(engine, rows, cotangents, { step: FAKE_STEP, temperature: 0.5 });
    expect(seen).toEqual([undefined, { temperature: 0.5 }]);
  });

  test.each([
    ["is away from 1", uniformLogprob + 2e-4],
    ["is not a number", Number.NaN],
  ])("takeStep stops before the update when a first ratio %s", async (_, said) => {
    const { engine, calls, logprobs } = watchEngine();
    const before = await logprobs();
    const beforeUpdate = () => {
      throw new Error("must not be reached");
    };
    const taken = takeStep(engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: [[uniformLogprob, said]],
      beforeUpdate,
    });
    await expect(taken).rejects.toMatchObject({
      code: "tripwire",
      message: expect.stringMatching(
        /^a ratio in the first minibatch differs from 1 by .* evaluate and accumulate/,
      ),
    });
    expect(calls).toEqual(["accumulate", "discard"]);
    expect(await logprobs()).toEqual(before);
    // The gradient was discarded too.
    expect((await engine.update(FAKE_STEP)).gradientNorm).toBe(0);
  });

  test("takeStep accepts a first ratio within the tolerance that the engine states", async () => {
    const expected = [[uniformLogprob, uniformLogprob + 0.01]];
    const loose = watchEngine({}, { tolerance: { firstRatio: 0.02, samplerGap: 1 } });
    await takeStep(loose.engine, rows, cotangents, { step: FAKE_STEP, expectedLogprobs: expected });
    expect(loose.calls).toEqual(["accumulate", "update"]);
    const tight = watchEngine({}, { tolerance: { firstRatio: 0.005, samplerGap: 1 } });
    const taken = takeStep(tight.engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: expected,
    });
    await expect(taken).rejects.toThrow("expected at most 0.005");
  });

  test.each([Number.NaN, Infinity])(
    "takeStep refuses a gradient norm of %d",
    async (gradientNorm) => {
      const { engine } = watchEngine({ update: async () => ({ gradientNorm }) });
      const taken = takeStep(engine, rows, cotangents, { step: FAKE_STEP });
      await expect(taken).rejects.toMatchObject({
        code: "tripwire",
        message: `the gradient norm is ${gradientNorm}`,
      });
    },
  );

  test("takeStep accepts a gradient norm of NaN from an engine that cannot compute norms", async () => {
    const { capabilities } = tableEngine(4).info;
    const { engine } = watchEngine(
      { update: async () => ({ gradientNorm: Number.NaN }) },
      { capabilities: { ...capabilities, gradientNorm: false } },
    );
    expect(await takeStep(engine, rows, cotangents, { step: FAKE_STEP })).toEqual({
      gradientNorm: Number.NaN,
    });
  });

  test("requireFinite names the number that is not finite", () => {
    requireFinite(-1e300, "loss");
    expect(() => requireFinite(-Infinity, "loss")).toThrow("the loss is -Infinity");
  });
});

describe("the gap between sampler and learner", () => {
  /** Checks four tokens. The learner's log-prob of the last token differs from the sampler's by `off` nats. */
  const gapOfFourTokens = (off: number, tolerance?: EngineInfo["tolerance"]) =>
    checkSamplerGap(
      [{ sampled: [-1, -2] }, { sampled: [-3, -4] }],
      [
        { logprobs: Float32Array.of(-1, -2) },
        { logprobs: Float32Array.from([-3, Math.fround(-4 - off)]) },
      ],
      { ...(tolerance && { tolerance }) },
    );

  test("checkSamplerGap accepts a difference of up to 0.01 nats at any token", () => {
    expect(gapOfFourTokens(0)).toBe(0);
    expect(gapOfFourTokens(0.009)).toBeCloseTo(0.009, 6);
    expect(() => gapOfFourTokens(0.011)).toThrow(
      expect.objectContaining({
        code: "tripwire",
        message: expect.stringMatching(
          /^sampler and learner disagree: a log-prob differs by 0\.011.*at most 0\.01$/,
        ),
      }),
    );
    expect(() => gapOfFourTokens(Number.NaN)).toThrow("a log-prob differs by NaN");
  });

  test("checkSamplerGap checks the mean when the engine states a tolerance, and returns the largest difference", () => {
    const tolerance = { samplerGap: 0.1, firstRatio: 1 };
    expect(gapOfFourTokens(0.39, tolerance)).toBeCloseTo(0.39, 6);
    expect(() => gapOfFourTokens(0.5, tolerance)).toThrow(
      /log-probs differ on average by 0\.125.*at most 0\.1$/,
    );
    expect(() => gapOfFourTokens(Number.NaN, tolerance)).toThrow("on average by NaN");
  });

  test("checkSamplerGap returns 0 without rows", () => {
    expect(checkSamplerGap([], [], {})).toBe(0);
  });
});
