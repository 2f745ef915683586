/** Epochs of minibatches, and the optimizer step with its guards. */
import { describe, expect, test } from "vitest";
import { Rng } from "../../core/index.ts";
import type { Engine, EngineInfo, Row } from "../../spec/index.ts";
import { FAKE_STEP, fakeConfig } from "../../testing/fake-iteration.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { loop } from "../loop.ts";
import { checkSamplerGap, minibatchSize, requireFinite, runEpochs, takeStep } from "./epochs.ts";

type Algo = { readonly [field: string]: unknown };

describe("epochs", () => {
  const items = Array.from({ length: 10 }, (_, i) => i);

  /** The parts that updates were called with, in order. */
  async function partsOf(
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

  test("each goes over all items once, in an order of its own", async () => {
    const { parts, updates, stopped } = await partsOf({ epochs: 3, minibatch: 4 });
    expect(parts.map(({ length }) => length)).toEqual([4, 4, 2, 4, 4, 2, 4, 4, 2]);
    expect(updates).toEqual(parts.map((_, done) => ({ done })));
    expect(stopped).toBeUndefined();
    const orders = [0, 3, 6].map((first) => parts.slice(first, first + 3).flat());
    for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(items);
    expect(new Set(orders.map(String)).size).toBe(3);
  });

  test("the order depends on the stream's name, not on what was drawn from it", async () => {
    const algo = { epochs: 2, minibatch: 3 };
    const { parts } = await partsOf(algo);
    const used = new Rng(7);
    used.uniform();
    expect((await partsOf(algo, {}, used)).parts).toEqual(parts);
    expect((await partsOf(algo, {}, new Rng(8))).parts).not.toEqual(parts);
  });

  test("a minibatch of 0 is all of an iteration, in one step an epoch", async () => {
    const algo = { epochs: 2, minibatch: 0, groupSize: 2, tasksPerIteration: 5 };
    const { parts } = await partsOf(algo);
    expect(parts.map(({ length }) => length)).toEqual([10, 10]);
  });

  test("their number may be another than the configured one", async () => {
    expect((await partsOf({ epochs: 5, minibatch: 10 }, { epochs: 1 })).parts).toHaveLength(1);
    expect((await partsOf({ epochs: 5, minibatch: 10 }, { epochs: 0 })).updates).toEqual([]);
  });

  test("they end where an update says so; what was done before it counts", async () => {
    const { parts, updates, stopped } = await partsOf({ epochs: 3, minibatch: 4 }, { stopAt: 4 });
    expect(parts).toHaveLength(5);
    expect(updates).toEqual([{ done: 0 }, { done: 1 }, { done: 2 }, { done: 3 }]);
    expect(stopped).toBe("at 4");
  });

  test("a full minibatch is what the configuration says, or all rollouts of an iteration", () => {
    const size = (algo: Algo) => minibatchSize(fakeConfig(loop, { algo }));
    expect(size({ minibatch: 8 })).toBe(8);
    expect(size({ minibatch: 0, groupSize: 6, tasksPerIteration: 40 })).toBe(240);
    const { groupSize: _, ...ungrouped } = fakeConfig(loop, {
      algo: { minibatch: 0, tasksPerIteration: 40 },
    }).algo;
    expect(minibatchSize({ algo: ungrouped })).toBe(40);
  });
});

describe("a step", () => {
  const rows: Row[] = [{ tokens: [0, 1, 2], at: [1, 2] }];
  const cotangents = [{ logprobs: [-1, 0.5] }];
  /** Of a table that has learned nothing. */
  const uniform = -Math.log(4);

  /** A table of four tokens that notes what is asked of it. */
  function watched(change: Partial<Engine> = {}, info: Partial<EngineInfo> = {}) {
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

  test("is gradient, guard, what is beside, update", async () => {
    const { engine, calls, logprobs } = watched();
    const { gradientNorm } = await takeStep(engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: [[uniform, uniform]],
      beforeUpdate: ([outputs]) => {
        calls.push("beforeUpdate");
        expect(Array.from(outputs!.logprobs)).toEqual([Math.fround(uniform), Math.fround(uniform)]);
      },
    });
    expect(calls).toEqual(["accumulate", "beforeUpdate", "update"]);
    // d log p / d logits is the indicator less the probabilities: of length sqrt(3/4), times the cotangent.
    expect(gradientNorm).toBeCloseTo(Math.sqrt(0.75 * (1 + 0.25)), 12);
    const [up, down] = await logprobs();
    expect(up).toBeGreaterThan(uniform);
    expect(down).toBeLessThan(uniform);
  });

  test("what is beside may add to the gradient, and is waited for", async () => {
    const { engine } = watched();
    const alone = await takeStep(engine, rows, cotangents, { step: FAKE_STEP });
    const other = watched();
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

  test("a temperature reaches the gradient pass; without one it gets no options", async () => {
    const seen: unknown[] = [];
    const inner = tableEngine(4);
    const { engine } = watched({
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
    ["is away from 1", uniform + 2e-4],
    ["is not a number", Number.NaN],
  ])("a first ratio that %s stops before anything is updated", async (_, said) => {
    const { engine, calls, logprobs } = watched();
    const before = await logprobs();
    const beforeUpdate = () => {
      throw new Error("must not be reached");
    };
    const taken = takeStep(engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: [[uniform, said]],
      beforeUpdate,
    });
    await expect(taken).rejects.toMatchObject({
      code: "tripwire",
      message: expect.stringMatching(/^the first minibatch has a ratio .* evaluate and accumulate/),
    });
    expect(calls).toEqual(["accumulate", "discard"]);
    expect(await logprobs()).toEqual(before);
    // The gradient is gone too.
    expect((await engine.update(FAKE_STEP)).gradientNorm).toBe(0);
  });

  test("an engine says how far the first ratio may be away", async () => {
    const expected = [[uniform, uniform + 0.01]];
    const loose = watched({}, { tolerance: { firstRatio: 0.02, samplerGap: 1 } });
    await takeStep(loose.engine, rows, cotangents, { step: FAKE_STEP, expectedLogprobs: expected });
    expect(loose.calls).toEqual(["accumulate", "update"]);
    const tight = watched({}, { tolerance: { firstRatio: 0.005, samplerGap: 1 } });
    const taken = takeStep(tight.engine, rows, cotangents, {
      step: FAKE_STEP,
      expectedLogprobs: expected,
    });
    await expect(taken).rejects.toThrow("expected at most 0.005");
  });

  test.each([Number.NaN, Infinity])("a gradient norm of %d is refused", async (gradientNorm) => {
    const { engine } = watched({ update: async () => ({ gradientNorm }) });
    const taken = takeStep(engine, rows, cotangents, { step: FAKE_STEP });
    await expect(taken).rejects.toMatchObject({
      code: "tripwire",
      message: `the gradient norm is ${gradientNorm}`,
    });
  });

  test("unless the engine cannot tell it", async () => {
    const { capabilities } = tableEngine(4).info;
    const { engine } = watched(
      { update: async () => ({ gradientNorm: Number.NaN }) },
      { capabilities: { ...capabilities, gradientNorm: false } },
    );
    expect(await takeStep(engine, rows, cotangents, { step: FAKE_STEP })).toEqual({
      gradientNorm: Number.NaN,
    });
  });

  test("a number that is not finite is named", () => {
    requireFinite(-1e300, "loss");
    expect(() => requireFinite(-Infinity, "loss")).toThrow("the loss is -Infinity");
  });
});

describe("sampler and learner", () => {
  /** Four tokens, of which the last is `off` nats away. */
  const gap = (off: number, tolerance?: EngineInfo["tolerance"]) =>
    checkSamplerGap(
      [{ sampled: [-1, -2] }, { sampled: [-3, -4] }],
      [
        { logprobs: Float32Array.of(-1, -2) },
        { logprobs: Float32Array.from([-3, Math.fround(-4 - off)]) },
      ],
      { ...(tolerance && { tolerance }) },
    );

  test("may differ by 0.01 at any token", () => {
    expect(gap(0)).toBe(0);
    expect(gap(0.009)).toBeCloseTo(0.009, 6);
    expect(() => gap(0.011)).toThrow(
      expect.objectContaining({
        code: "tripwire",
        message: expect.stringMatching(
          /^sampler and learner disagree: a log-prob differs by 0\.011.*at most 0\.01$/,
        ),
      }),
    );
    expect(() => gap(Number.NaN)).toThrow("a log-prob differs by NaN");
  });

  test("of a service are held to the mean, and the largest difference is told", () => {
    const tolerance = { samplerGap: 0.1, firstRatio: 1 };
    expect(gap(0.39, tolerance)).toBeCloseTo(0.39, 6);
    expect(() => gap(0.5, tolerance)).toThrow(
      /log-probs differ on average by 0\.125.*at most 0\.1$/,
    );
    expect(() => gap(Number.NaN, tolerance)).toThrow("on average by NaN");
  });

  test("of no rows, there is nothing to disagree about", () => {
    expect(checkSamplerGap([], [], {})).toBe(0);
  });
});
