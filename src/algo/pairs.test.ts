/** Tests objectives over pairs: preference, squared regression and ranking. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centralDifference, replaceEntry } from "../testing/finite-differences.ts";
import {
  discountedTurnWeights,
  type PreferenceSide,
  pairRegressionObjective,
  preferenceObjective,
  rankingObjective,
  repeatPerToken,
  selectedTurnWeights,
} from "./index.ts";

const number = fc.double({ min: -4, max: 4, noNaN: true });
const weight = fc.constantFrom(0, 0.5, 1);
const side = fc
  .tuple(
    fc.array(fc.tuple(number, number, weight), { maxLength: 6 }),
    fc.boolean(),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([tokens, weighted, earned]) => ({
    logprobs: tokens.map(([p]) => p),
    referenceLogprobs: tokens.map(([, q]) => q),
    return: earned,
    ...(weighted && { weights: tokens.map(([, , c]) => c) }),
  }));
const pairs = fc.array(fc.record({ chosen: side, rejected: side }), { minLength: 1, maxLength: 4 });

function expectSlope(actual: number, f: (x: number) => number, at: number) {
  const slope = centralDifference(f, at);
  expect(Math.abs(actual - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
}

const moved = <S extends PreferenceSide>(s: S, t: number, p: number): S => ({
  ...s,
  logprobs: replaceEntry(s.logprobs, t, p),
});

describe("preference objective", () => {
  test("cotangents of both rollouts of a pair equal the loss's central differences", () => {
    const beta = fc.constantFrom(0.1, 1);
    fc.assert(
      fc.property(pairs, beta, fc.constantFrom(undefined, 8), (batch, b, nominal) => {
        const o = { beta: b, ...(nominal !== undefined && { pairs: nominal }) };
        const { cotangents } = preferenceObjective(batch, o);
        batch.forEach((pair, i) => {
          for (const name of ["chosen", "rejected"] as const) {
            pair[name].logprobs.forEach((value, t) => {
              const lossAt = (p: number) => {
                const changed = { ...pair, [name]: moved(pair[name], t, p) };
                return preferenceObjective(batch.with(i, changed), o).loss;
              };
              expectSlope(cotangents[i]![name].logprobs[t]!, lossAt, value);
            });
          }
        });
      }),
    );
  });

  test("when the policy equals the reference, every pair has loss log 2 and slope beta / 2", () => {
    const same = { logprobs: [-1, -2], referenceLogprobs: [-1, -2] };
    const result = preferenceObjective([{ chosen: same, rejected: same }], { beta: 0.2 });
    expect(result.loss).toBeCloseTo(Math.LN2, 12);
    expect(result).toMatchObject({ accuracy: 0, margin: 0 });
    expect(Array.from(result.cotangents[0]!.chosen.logprobs)).toEqual([-0.1, -0.1]);
    expect(Array.from(result.cotangents[0]!.rejected.logprobs)).toEqual([0.1, 0.1]);
  });

  test("extreme margins neither overflow nor lose the sign of their slope", () => {
    const far = { logprobs: [2000], referenceLogprobs: [0] };
    const near = { logprobs: [0], referenceLogprobs: [0] };
    expect(preferenceObjective([{ chosen: far, rejected: near }], { beta: 1 }).loss).toBe(0);
    const wrong = preferenceObjective([{ chosen: near, rejected: far }], { beta: 1 });
    expect(wrong.loss).toBe(2000);
    expect(wrong.cotangents[0]!.rejected.logprobs[0]).toBe(1);
  });

  test("selectedTurnWeights gives 1 to the tokens of the selected turns and 0 to all others", () => {
    expect([...selectedTurnWeights([2, 1, 3], new Set([0, 2]))]).toEqual([1, 1, 0, 1, 1, 1]);
  });

  test("turn discounts start at 1 and fall from turn to turn", () => {
    const gamma = 0.7;
    const [first, second, third] = discountedTurnWeights([1, 1, 1], gamma);
    expect(first).toBe(1);
    expect(second).toBeCloseTo((0.7 * (1 - 0.49)) / (1 - 0.343), 12);
    expect(third).toBeCloseTo((0.49 * (1 - 0.7)) / (1 - 0.343), 12);
    expect([...discountedTurnWeights([1, 2], 1)]).toEqual([1, 0.5, 0.5]);
    const nearlyOne = discountedTurnWeights([1, 2], 1 - 1e-7);
    expect(nearlyOne[1]).toBeCloseTo(0.5, 6);
  });

  test("an assertion fails when a rollout of a pair lacks a reference log-prob for a token", () => {
    const side = { logprobs: [0, 0], referenceLogprobs: [0] };
    expect(() => preferenceObjective([{ chosen: side, rejected: side }], { beta: 1 })).toThrow(
      /reference log-prob/,
    );
    expect(() => preferenceObjective([], { beta: 1 })).toThrow(/one pair/);
  });
});

test("cotangents of the squared pair regression equal the loss's central differences", () => {
  fc.assert(
    fc.property(pairs, fc.constantFrom(0.5, 1), (batch, eta) => {
      const list = batch.map(({ chosen, rejected }) => ({ first: chosen, second: rejected }));
      const { cotangents } = pairRegressionObjective(list, { eta });
      list.forEach((pair, i) => {
        for (const [name, key] of [
          ["first", "chosen"],
          ["second", "rejected"],
        ] as const) {
          pair[name].logprobs.forEach((value, t) => {
            const lossAt = (p: number) => {
              const changed = { ...pair, [name]: moved(pair[name], t, p) };
              return pairRegressionObjective(list.with(i, changed), { eta }).loss;
            };
            expectSlope(cotangents[i]![key].logprobs[t]!, lossAt, value);
          });
        }
      });
    }),
  );
});

test("the squared pair regression has zero loss when log-ratios differ by eta times the difference of returns", () => {
  const first = { logprobs: [0.5], referenceLogprobs: [0], return: 1 };
  const second = { logprobs: [0], referenceLogprobs: [0], return: 0.5 };
  const { loss, cotangents } = pairRegressionObjective([{ first, second }], { eta: 1 });
  expect(loss).toBe(0);
  expect(cotangents[0]!.chosen.logprobs[0]! + 0).toBe(0);
});

test("cotangents of the ranking loss equal its central differences", () => {
  const scores = fc.array(fc.record({ better: number, worse: number }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(scores, (batch) => {
      const { cotangents } = rankingObjective(batch);
      batch.forEach((pair, i) => {
        for (const name of ["better", "worse"] as const) {
          const lossAt = (s: number) =>
            rankingObjective(batch.with(i, { ...pair, [name]: s })).loss;
          expectSlope(cotangents[i]![name], lossAt, pair[name]);
        }
      });
    }),
  );
});

test("repeatPerToken repeats a turn's number for each of its tokens, and skips empty turns", () => {
  expect([...repeatPerToken([2, 0, 1], (j) => j)]).toEqual([0, 0, 2]);
});
