/** The contract that every engine must keep. Its tests use token ids below 32 and rows of at most 96 tokens. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../src/core/index.ts";
import type {
  Engine,
  OptimizerStep,
  Row,
  Sample,
  SampleRequest,
  TokenOutputs,
} from "../../src/spec/index.ts";
import { describeFilters } from "./describe-filters.ts";
import {
  expectSameSamples,
  largestOutputGap,
  largestSampleGap,
  meanLogprob,
} from "./output-gaps.ts";

const ID_COUNT = 32;
const STOP_ID = 3;
const STEP: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};

/** Options of the engine contract. */
export interface ContractOptions {
  /**
   * True when the engine is behind a server. Such an engine is slower. A turn that it samples token by token differs
   * from a turn that it samples in one call, because each call has its own seed.
   */
  readonly isRemote?: boolean;
  /**
   * The largest difference between a log-prob that is sampled alone and in a batch. Default: 0, bit for bit. A
   * provider whose kernels divide a product by the number of rows cannot promise more.
   */
  readonly batchRounding?: number;
}

/** Tests that an engine keeps the contract. `make` creates an engine with weights that depend on the seed. */
export function describeEngine(
  name: string,
  make: (seed: number) => Promise<Engine>,
  options: ContractOptions = {},
): void {
  const rounding = options.batchRounding ?? 0;
  describe(`engine contract: ${name}`, () => {
    // Starting an engine takes about a second, so all tests of the contract share three engines and run in order.
    let engine: Engine;
    let twin: Engine;
    let other: Engine;
    const folder = mkdtempSync(join(tmpdir(), "bowline-engine-"));
    beforeAll(async () => {
      [engine, twin, other] = await Promise.all([make(1), make(1), make(2)]);
    });
    afterAll(async () => {
      await Promise.all([engine.close(), twin.close(), other.close()]);
      rmSync(folder, { recursive: true, force: true });
    });

    describe("sampling", () => {
      test("sample returns the same log-probs as evaluate, at any temperature", async () => {
        for (const temperature of engine.info.capabilities.tempered === false ? [1] : [1, 0.6]) {
          const requests = randomRequests(16).map((request) => ({ ...request, temperature }));
          const samples = await engine.sample(requests);
          const outputs = await engine.evaluate(appendSamples(requests, samples), { temperature });
          expect(largestSampleGap(samples, outputs)).toBeLessThan(1e-4);
        }
      });

      test("samples do not depend on the other requests of the batch, bit for bit", async () => {
        const requests = randomRequests(24);
        const together = await engine.sample(requests);
        const one = await Promise.all(requests.map((request) => engine.sample([request])));
        expectSameSamples(one.flat(), together, rounding);
        for (const i of [0, 7, 23]) {
          expectSameSamples(await engine.sample([requests[i]!]), [together[i]!], rounding);
        }
      });

      test.skipIf(options.isRemote)(
        "sampling with a cache gives the same turns as decoding the whole row for each token",
        async () => {
          const cached = await Promise.all(
            randomRequests(6).map((request, i) => sampleTurns(engine, request, `turns-${i}`)),
          );
          const naive = await Promise.all(
            randomRequests(6).map((request) => sampleTurnsTokenByToken(engine, request)),
          );
          expectSameSamples(cached.flat(), naive.flat(), rounding);
        },
      );

      test("a cached prefix is not used when the tokens under its cache key have changed", async () => {
        const [request] = randomRequests(1);
        await engine.sample([{ ...request!, cacheKey: "changed" }]);
        const tokens = request!.tokens.with(1, (request!.tokens[1]! + 1) % ID_COUNT);
        const fresh = await engine.sample([{ ...request!, tokens }]);
        expect(await engine.sample([{ ...request!, tokens, cacheKey: "changed" }])).toEqual(fresh);
        engine.release("changed");
        expect(await engine.sample([{ ...request!, tokens, cacheKey: "changed" }])).toEqual(fresh);
      });

      test("temperature 0 samples the most likely token and returns its untempered log-prob", async () => {
        const requests = randomRequests(4).map((request) => ({ ...request, temperature: 0 }));
        const samples = await engine.sample(requests);
        expect(
          largestSampleGap(samples, await engine.evaluate(appendSamples(requests, samples))),
        ).toBeLessThan(1e-4);
        for (const [i, { tokens, logprobs }] of samples.entries()) {
          const rows = Array.from({ length: ID_COUNT }, (_, id) => ({
            tokens: [...requests[i]!.tokens, id],
            at: [requests[i]!.tokens.length],
          }));
          const all = (await engine.evaluate(rows)).map((output) => output.logprobs[0]!);
          expect(all[tokens[0]!]).toBeCloseTo(logprobs[0]!, 4);
          expect(Math.max(...all)).toBeLessThan(logprobs[0]! + 1e-4);
        }
      });

      describeFilters(() => engine, randomRequests, rounding);

      test("the frequencies of sampled tokens match their probabilities", async () => {
        const tokens = [5, 9, 2];
        const rows = Array.from({ length: ID_COUNT }, (_, id) => ({
          tokens: [...tokens, id],
          at: [3],
        }));
        const expected = (await engine.evaluate(rows)).map(({ logprobs }) =>
          Math.exp(logprobs[0]!),
        );
        const count = options.isRemote ? 200 : 600;
        const requests = Array.from({ length: count }, (_, stream) => ({
          ...{ tokens, stream, maxTokens: 1, temperature: 1, stopIds: [] },
        }));
        const seen = new Array<number>(ID_COUNT).fill(0);
        for (const { tokens: drawn } of await engine.sample(requests)) {
          if (drawn[0]! < ID_COUNT) seen[drawn[0]!]!++;
        }
        for (const [id, p] of expected.entries()) {
          const deviation = Math.sqrt((p * (1 - p)) / count);
          expect(Math.abs(seen[id]! / count - p)).toBeLessThan(5 * deviation + 1e-3);
        }
      });

      test("sampling stops at a stop id, which is included, or at maxTokens", async () => {
        const samples = await engine.sample(
          randomRequests(32, { maxTokens: 24, stopIds: [STOP_ID, 4] }),
        );
        expect(new Set(samples.map(({ stop }) => stop))).toEqual(new Set(["stop", "length"]));
        for (const { tokens, logprobs, stop } of samples) {
          const ends = tokens.map((id) => id === STOP_ID || id === 4);
          expect(logprobs).toHaveLength(tokens.length);
          expect(ends.slice(0, -1)).not.toContain(true);
          expect(ends.at(-1)).toBe(stop === "stop");
          if (stop === "length") expect(tokens).toHaveLength(24);
        }
      });

      test("sampling stops at the end of the context", async () => {
        const length = engine.info.contextLength - 2;
        const tokens = Array.from({ length }, (_, i) => i % ID_COUNT);
        const [sample] = await engine.sample([
          { tokens, stream: 1, maxTokens: 50, temperature: 1, stopIds: [] },
        ]);
        expect(sample).toMatchObject({ stop: "length", tokens: { length: 2 } });
      });

      test("equal seeds and streams give equal tokens, and another stream gives other tokens", async () => {
        const requests = randomRequests(4);
        const again = await engine.sample(requests);
        expect(await engine.sample(requests)).toEqual(again);
        const streams = requests.map((request) => ({ ...request, stream: request.stream + 1000 }));
        expect(await engine.sample(streams)).not.toEqual(again);
        expect(await twin.sample(requests)).toEqual(again);
        expect(await other.sample(requests)).not.toEqual(again);
      });

      test("an aborted request resolves with the tokens so far, and other requests go on", async () => {
        const [long, neighbour] = randomRequests(2, { maxTokens: 60, stopIds: [] });
        const whole = await engine.sample([long!]);
        const controller = new AbortController();
        const pending = engine.sample([long!], controller.signal);
        const beside = engine.sample([neighbour!]);
        setTimeout(() => controller.abort(), 5);
        const [cut] = await pending;
        expect(await beside).toMatchObject([{ stop: "length", tokens: { length: 60 } }]);
        expect(cut!.tokens).toEqual(whole[0]!.tokens.slice(0, cut!.tokens.length));
        const [none] = await engine.sample([long!], AbortSignal.abort());
        expect(none).toMatchObject({ stop: "cancelled", tokens: [] });
      });
    });

    describe("learning", () => {
      test("accumulate returns the same log-probs as evaluate, so the first ratio is 1", async () => {
        const rows = randomRows(12);
        const evaluated = await engine.evaluate(rows);
        const accumulated = await engine.accumulate(rows, constantCotangents(rows, 0.1));
        await engine.discard();
        const ratios = evaluated.flatMap(({ logprobs }, i) =>
          [...logprobs].map((before, j) => Math.exp(accumulated[i]!.logprobs[j]! - before)),
        );
        for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(1e-4);
        expect(await engine.evaluate([])).toEqual([]);
      });

      test("accumulate adds to the gradient, and discard drops it", async () => {
        const rows = randomRows(8);
        await twin.accumulate(rows, constantCotangents(rows, 1));
        await twin.discard();
        await twin.accumulate(rows.slice(0, 4), constantCotangents(rows.slice(0, 4), 0.2));
        await twin.accumulate(rows.slice(4), constantCotangents(rows.slice(4), 0.2));
        await engine.accumulate(rows, constantCotangents(rows, 0.2));
        const [split, whole] = [await twin.update(STEP), await engine.update(STEP)];
        expect(split.gradientNorm).toBeGreaterThan(0);
        expect(Math.abs(split.gradientNorm / whole.gradientNorm - 1)).toBeLessThan(1e-4);
        expect(
          largestOutputGap(await twin.evaluate(rows), await engine.evaluate(rows)),
        ).toBeLessThan(1e-2);
      });

      test("updates increase the log-probs of imitated tokens", async () => {
        const rows = randomRows(8);
        const before = meanLogprob(await twin.evaluate(rows));
        for (let i = 0; i < 8; i++) await takeImitationStep(twin, rows);
        expect(meanLogprob(await twin.evaluate(rows))).toBeGreaterThan(before + 0.3);
      });

      test("publish makes the sampler use the new weights and drops cached prefixes", async () => {
        await twin.publish();
        const requests = randomRequests(6).map((request, i) => ({ ...request, cacheKey: `k${i}` }));
        const [first] = await twin.sample(requests);
        await takeImitationStep(twin, randomRows(8));
        const version = await twin.publish();
        expect(version).toBeGreaterThan(first!.policyVersion);
        const samples = await twin.sample(requests);
        expect(samples[0]!.policyVersion).toBe(version);
        const outputs = await twin.evaluate(appendSamples(requests, samples));
        expect(largestSampleGap(samples, outputs)).toBeLessThan(1e-4);
      });

      test("training continues bit for bit after save and load, including the optimizer's moments", async () => {
        const rows = randomRows(8);
        const requests = randomRequests(4);
        await twin.publish();
        await twin.save(join(folder, "checkpoint"));
        await twin.save(join(folder, "checkpoint"));
        await other.load(join(folder, "checkpoint"));
        const ends: { norm: number; version: number; outputs: readonly TokenOutputs[] }[] = [];
        for (const each of [twin, other]) {
          const norm = await takeImitationStep(each, rows);
          const version = await each.publish();
          ends.push({ norm, version, outputs: await each.evaluate(rows) });
        }
        expect(ends[1]).toEqual(ends[0]);
        expect((await other.sample(requests))[0]!.policyVersion).toBe(ends[0]!.version);
      });

      test("after a load with fresh moments, the size of the first step does not depend on the gradient's size", async () => {
        const rows = randomRows(4);
        const checkpoint = join(folder, "moments");
        await takeImitationStep(twin, randomRows(8));
        await twin.save(checkpoint);
        const unclipped = { ...STEP, weightDecay: 0, maxGradientNorm: Number.POSITIVE_INFINITY };
        /** Compares the log-probs after one step with a gradient and after one step with ten times this gradient. */
        const compareGradientSizes = async (moments: "kept" | "fresh") => {
          const after: (readonly TokenOutputs[])[] = [];
          for (const size of [-0.1, -1]) {
            await other.load(checkpoint, { moments });
            await other.accumulate(rows, constantCotangents(rows, size));
            await other.update(unclipped);
            after.push(await other.evaluate(rows));
          }
          return largestOutputGap(after[0]!, after[1]!);
        };
        const fresh = await compareGradientSizes("fresh");
        expect(await compareGradientSizes("kept")).toBeGreaterThan(10 * fresh);
      });
    });

    describe("invalid input", () => {
      const [request] = randomRequests(1);
      const expectEngineError = async (
        run: () => Promise<unknown>,
        ...words: (string | RegExp)[]
      ) => {
        const error = await run().then(
          () => undefined,
          (cause: unknown) => cause,
        );
        expect(BowlineError.is(error) && error.code).toBe("engine");
        for (const word of words) expect((error as Error).message).toMatch(word);
      };
      const row = { tokens: [1, 2, 3], at: [1, 2] };

      test("an invalid sample request is rejected with an error that names the field", async () => {
        const sampleWith = (patch: Partial<SampleRequest>) => () =>
          engine.sample([request!, { ...request!, ...patch }]);
        await expectEngineError(sampleWith({ tokens: [] }), "request 1", "tokens");
        await expectEngineError(
          sampleWith({ tokens: [1, engine.info.vocabularySize] }),
          "request 1",
          /tokens\[1\]/,
        );
        await expectEngineError(sampleWith({ tokens: [0.5] }), "request 1", /tokens\[0\]/);
        await expectEngineError(
          sampleWith({ tokens: new Array(engine.info.contextLength).fill(1) }),
          "request 1",
        );
        await expectEngineError(sampleWith({ maxTokens: 0 }), "request 1", "maxTokens");
        await expectEngineError(sampleWith({ temperature: -1 }), "request 1", "temperature");
        await expectEngineError(
          sampleWith({ temperature: Number.NaN }),
          "request 1",
          "temperature",
        );
        await expectEngineError(sampleWith({ stream: -1 }), "request 1", "stream");
        await expectEngineError(sampleWith({ stopIds: [-1] }), "request 1", "stopIds");
      });

      test("invalid rows, cotangents and steps are rejected with an error that names the field", async () => {
        const evaluateWith = (patch: Partial<Row>) => () =>
          engine.evaluate([row, { ...row, ...patch }]);
        await expectEngineError(evaluateWith({ at: [0] }), "row 1", "at");
        await expectEngineError(evaluateWith({ at: [3] }), "row 1", "at");
        await expectEngineError(evaluateWith({ tokens: [1, -2, 3] }), "row 1", /tokens\[1\]/);
        await expectEngineError(
          evaluateWith({ tokens: new Array(engine.info.contextLength + 1).fill(1) }),
          "row 1",
          "tokens",
        );
        await expectEngineError(() => engine.evaluate([row], { temperature: 0 }), "temperature");
        if (engine.info.capabilities.tempered === false) {
          await expectEngineError(
            () => engine.evaluate([row], { temperature: 0.6 }),
            /temperature is 0\.6/,
          );
          await expectEngineError(
            () => engine.accumulate([row], [{ logprobs: [1, 1] }], { temperature: 0.6 }),
            /temperature is 0\.6/,
          );
        }
        await expectEngineError(() => engine.accumulate([row], []), "1 rows", "0 cotangents");
        await expectEngineError(
          () => engine.accumulate([row], [{ logprobs: [1] }]),
          "row 0",
          "logprobs",
        );
        await expectEngineError(
          () => engine.accumulate([row], [{ logprobs: [1, Number.NaN] }]),
          "row 0",
          /logprobs\[1\]/,
        );
        await expectEngineError(
          () => engine.accumulate([row], [{ logprobs: [1, 1], entropies: [1] }]),
          "row 0",
          "entropies",
        );
        await expectEngineError(() => engine.update({ ...STEP, learningRate: -1 }), "learningRate");
        await expectEngineError(
          () => engine.update({ ...STEP, maxGradientNorm: Number.NaN }),
          "GradientNorm",
        );
      });

      test("using a capability that the engine lacks is an error", async () => {
        const { capabilities } = engine.info;
        if (!capabilities.snapshot) {
          await expectEngineError(() => engine.snapshot(), "snapshot");
          await expectEngineError(
            () => engine.evaluate([row], { weights: "ref" }),
            "ref",
            "snapshot",
          );
        }
        if (!capabilities.value) {
          await expectEngineError(() => engine.evaluate([row], { values: true }), "value");
          await expectEngineError(() => engine.update({ value: STEP }), "value");
        }
        const ratio = { oldLogprobs: [-1], lowest: 0.9, highest: 1.1 };
        const multiply = () =>
          engine.accumulate([{ ...row, at: [1] }], [{ logprobs: [0.1], ratio }]);
        if (!capabilities.ratioCotangents) await expectEngineError(multiply, "ratioCotangents");
        else await multiply().then(() => engine.discard());
        const wanted = engine.evaluate([row], { entropies: true });
        if (!capabilities.entropy) return expectEngineError(() => wanted, "entropy");
        const [output] = await wanted;
        for (const entropy of output!.entropies!) expect(entropy).toBeGreaterThan(0);
      });

      test("the engine still samples after invalid input", async () => {
        await engine.publish();
        expect((await engine.sample([request!]))[0]!.tokens.length).toBeGreaterThan(0);
      });
    });

    test("after close every call rejects", async () => {
      await other.close();
      await expect(other.evaluate([{ tokens: [1, 2], at: [1] }])).rejects.toThrow(/closed/);
      await other.close();
    });
  });
}

function randomRequests(count: number, patch: Partial<SampleRequest> = {}): SampleRequest[] {
  const rng = new Rng(count);
  return Array.from({ length: count }, (_, stream) => ({
    tokens: Array.from({ length: rng.integer(2, 30) }, () => rng.integer(0, ID_COUNT - 1)),
    stream,
    maxTokens: 20,
    temperature: 1,
    stopIds: [STOP_ID],
    ...patch,
  }));
}

/** Returns random rows of tokens. The field `at` of a row selects about half of its tokens. */
function randomRows(count: number): Row[] {
  const rng = new Rng(count);
  return Array.from({ length: count }, () => {
    const tokens = Array.from({ length: rng.integer(4, 40) }, () => rng.integer(0, ID_COUNT - 1));
    const at = tokens.flatMap((_, i) => (i > 0 && rng.chance(0.5) ? [i] : []));
    return { tokens, at: at.length > 0 ? at : [1] };
  });
}

function appendSamples(requests: readonly SampleRequest[], samples: readonly Sample[]): Row[] {
  return requests.map(({ tokens }, i) => ({
    tokens: [...tokens, ...samples[i]!.tokens],
    at: samples[i]!.tokens.map((_, j) => tokens.length + j),
  }));
}

function constantCotangents(rows: readonly Row[], value: number): { logprobs: number[] }[] {
  return rows.map(({ at }) => ({ logprobs: Array.from(at, () => value) }));
}

/** Takes one optimizer step that imitates the rows, and returns the gradient's norm. */
async function takeImitationStep(engine: Engine, rows: readonly Row[]): Promise<number> {
  const count = rows.reduce((sum, { at }) => sum + at.length, 0);
  await engine.accumulate(rows, constantCotangents(rows, -1 / count));
  return (await engine.update(STEP)).gradientNorm;
}

/** The observation tokens after each turn of a test. */
const OBSERVATIONS = [
  [7, 8, 9, 10, 11],
  [12],
  [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
];

async function sampleTurns(engine: Engine, request: SampleRequest, cacheKey: string) {
  let tokens = request.tokens.slice(0, 12);
  const samples: Sample[] = [];
  for (const observation of OBSERVATIONS) {
    const [sample] = await engine.sample([{ ...request, tokens, maxTokens: 12, cacheKey }]);
    samples.push(sample!);
    tokens = [...tokens, ...sample!.tokens, ...observation];
  }
  engine.release(cacheKey);
  return samples.map(({ tokens: sampled, logprobs }) => ({ tokens: sampled, logprobs }));
}

async function sampleTurnsTokenByToken(engine: Engine, request: SampleRequest) {
  let tokens = request.tokens.slice(0, 12);
  const turns: { tokens: number[]; logprobs: number[] }[] = [];
  for (const observation of OBSERVATIONS) {
    const turn = { tokens: [] as number[], logprobs: [] as number[] };
    while (turn.tokens.length < 12 && turn.tokens.at(-1) !== STOP_ID) {
      const [sample] = await engine.sample([{ ...request, tokens, maxTokens: 1 }]);
      turn.tokens.push(sample!.tokens[0]!);
      turn.logprobs.push(sample!.logprobs[0]!);
      tokens = [...tokens, sample!.tokens[0]!];
    }
    turns.push(turn);
    tokens = [...tokens, ...observation];
  }
  return turns;
}
