/** Tests the critic: value regression, generalised advantages and redistribution of returns. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centralDifference, replaceEntry } from "../testing/finite-differences.ts";
import {
  clampValues,
  generalisedAdvantages,
  lengthAdaptiveLambda,
  payAtLastTokenOfTurn,
  redistributeOutcome,
  redistributionObjective,
  turnReturns,
  valueObjective,
  whitenAdvantages,
} from "./index.ts";

const unit = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000);
const valueRow = fc
  .array(fc.tuple(unit, unit, unit, fc.constantFrom(0, 0.5, 1)), { maxLength: 6 })
  .map((tokens) => ({
    values: tokens.map(([v]) => v + 0.0003),
    oldValues: tokens.map(([, old]) => old),
    returns: tokens.map(([, , r]) => r),
    weights: tokens.map(([, , , w]) => w),
  }));
const valueRows = fc
  .array(valueRow, { minLength: 1, maxLength: 4 })
  .filter((rows) => rows.some(({ values }) => values.length > 0));

function expectSlope(actual: number, f: (x: number) => number, at: number) {
  const slope = centralDifference(f, at);
  expect(Math.abs(actual - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
}

describe("value regression", () => {
  test("value cotangents equal the loss's central differences, with and without a clip", () => {
    fc.assert(
      fc.property(valueRows, fc.constantFrom(undefined, 0.2), (rows, clip) => {
        const o = clip === undefined ? {} : { clip };
        // Cases near kinks are skipped: at the edges of the clip, and where both squares are equal.
        const nearKink = rows.some((row) =>
          row.values.some((v, t) => {
            const edges = [row.oldValues[t]! - 0.2, row.oldValues[t]! + 0.2];
            return edges.some(
              (edge) =>
                Math.abs(v - edge) < 1e-4 ||
                Math.abs(Math.abs(v - row.returns[t]!) - Math.abs(edge - row.returns[t]!)) < 1e-4,
            );
          }),
        );
        fc.pre(!nearKink);
        const { cotangents } = valueObjective(rows, o);
        rows.forEach((row, i) => {
          row.values.forEach((value, t) => {
            const lossAt = (v: number) =>
              valueObjective(rows.with(i, { ...row, values: replaceEntry(row.values, t, v) }), o)
                .loss;
            expectSlope(cotangents[i]!.values[t]!, lossAt, value);
          });
        });
      }),
    );
  });

  test("the value loss is the mean squared error over all tokens, or the sum divided by `total` if that is given", () => {
    const rows = [
      { values: [0.5, 0], returns: [1, 1] },
      { values: [1], returns: [1] },
    ];
    expect(valueObjective(rows).loss).toBeCloseTo(1.25 / 3, 12);
    expect(valueObjective(rows, { total: 10 }).loss).toBeCloseTo(0.125, 12);
    expect([...valueObjective(rows).cotangents[0]!.values]).toEqual([-1 / 3, -2 / 3]);
  });

  test("a value gains nothing by moving out of the range around its old value", () => {
    const row = { values: [0.9], oldValues: [0.5], returns: [1] };
    const { loss, cotangents, clipFraction } = valueObjective([row], { clip: 0.2 });
    expect(loss).toBeCloseTo(0.09, 12);
    expect(cotangents[0]!.values[0]).toBe(0);
    expect(clipFraction).toBe(1);
    expect(() => valueObjective([{ values: [1], returns: [1] }], { clip: 0.2 })).toThrow(
      /old values/,
    );
  });

  test("explained variance is 1 for a perfect critic, and 0 for one that always predicts the mean return", () => {
    const returns = [0, 1, 0.5];
    expect(valueObjective([{ values: returns, returns }]).explainedVariance).toBe(1);
    const flat = [0.5, 0.5, 0.5];
    expect(valueObjective([{ values: flat, returns }]).explainedVariance).toBeCloseTo(0, 12);
  });
});

describe("generalised advantages", () => {
  const episode = fc.array(fc.tuple(unit, unit), { minLength: 1, maxLength: 8 });
  test("generalised advantages equal the discounted sum of temporal differences", () => {
    fc.assert(
      fc.property(episode, (steps) => {
        const rewards = steps.map(([r]) => r);
        const values = steps.map(([, v]) => v);
        const [gamma, lambda] = [0.9, 0.7];
        const { advantages, returns } = generalisedAdvantages(rewards, values, { gamma, lambda });
        steps.forEach((_, t) => {
          let expected = 0;
          for (let k = t; k < steps.length; k++) {
            const delta = rewards[k]! + gamma * (values[k + 1] ?? 0) - values[k]!;
            expected += (gamma * lambda) ** (k - t) * delta;
          }
          expect(advantages[t]).toBeCloseTo(expected, 12);
          expect(returns[t]).toBeCloseTo(expected + values[t]!, 12);
        });
      }),
    );
  });

  test("at lambda 1 only the token's own value is subtracted; at lambda 0 the return looks one step ahead", () => {
    const rewards = [0.1, 0, 1];
    const values = [0.5, 0.25, 0.75];
    const all = generalisedAdvantages(rewards, values, { gamma: 1, lambda: 1 });
    const toGo = turnReturns(rewards, { type: "to-go", gamma: 1 });
    toGo.forEach((g, t) => {
      expect(all.advantages[t]).toBeCloseTo(g - values[t]!, 12);
    });
    const one = generalisedAdvantages(rewards, values, { gamma: 1, lambda: 0 });
    expect([...one.returns]).toEqual([0.35, 0.75, 1]);
  });

  test("a turn's reward is paid at its last token", () => {
    expect([...payAtLastTokenOfTurn([0.25, 0.5, 1], [2, 0, 3])]).toEqual([0, 0.75, 0, 0, 1]);
    expect([...payAtLastTokenOfTurn([1], [0])]).toEqual([]);
  });

  test("lengthAdaptiveLambda is larger for longer episodes", () => {
    expect(lengthAdaptiveLambda(100, 0.05)).toBeCloseTo(0.8, 12);
    expect(lengthAdaptiveLambda(1, 0.05)).toBe(0);
  });

  test("whitened advantages have mean 0 and deviation 1, and clamped values lie in their range", () => {
    const [a, b] = whitenAdvantages([Float64Array.of(1, 2), Float64Array.of(3)]);
    const all = [...a!, ...b!];
    expect(all.reduce((x, y) => x + y, 0)).toBeCloseTo(0, 12);
    expect(all.reduce((x, y) => x + y * y, 0) / 3).toBeCloseTo(1, 12);
    expect(whitenAdvantages([])).toEqual([]);
    expect([...clampValues([-1, 0.5, 2], 0, 1)]).toEqual([0, 0.5, 1]);
  });
});

describe("redistribution", () => {
  const rows = fc.array(
    fc.record({ contributions: fc.array(unit, { maxLength: 5 }), outcome: unit }),
    { minLength: 1, maxLength: 4 },
  );
  test("redistribution cotangents equal the loss's central differences", () => {
    fc.assert(
      fc.property(rows, (batch) => {
        const { cotangents } = redistributionObjective(batch);
        batch.forEach((row, i) => {
          row.contributions.forEach((value, j) => {
            const lossAt = (c: number) => {
              const contributions = replaceEntry(row.contributions, j, c);
              return redistributionObjective(batch.with(i, { ...row, contributions })).loss;
            };
            expectSlope(cotangents[i]!.values[j]!, lossAt, value);
          });
        });
      }),
    );
  });

  test("redistributed turn rewards sum to the outcome", () => {
    const paid = redistributeOutcome([0.5, 0.1, 0], 1);
    expect(paid.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(paid[0]! - paid[1]!).toBeCloseTo(0.4, 12);
  });
});
