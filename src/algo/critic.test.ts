/** The critic: value regression, generalised advantages, redistribution. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centralDifference, withEntry } from "../testing/finite-differences.ts";
import {
  clampValues,
  generalisedAdvantages,
  lengthAdaptiveLambda,
  redistributed,
  redistributionObjective,
  tokenRewards,
  turnReturns,
  valueObjective,
  whitened,
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
  test("cotangents are central differences, clipped and not", () => {
    fc.assert(
      fc.property(valueRows, fc.constantFrom(undefined, 0.2), (rows, clip) => {
        const o = clip === undefined ? {} : { clip };
        // Away from the kinks: the clip's edges, and where both squares are equal.
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
              valueObjective(rows.with(i, { ...row, values: withEntry(row.values, t, v) }), o).loss;
            expectSlope(cotangents[i]!.values[t]!, lossAt, value);
          });
        });
      }),
    );
  });

  test("mean squared error over all tokens, or over a whole of which these are a part", () => {
    const rows = [
      { values: [0.5, 0], returns: [1, 1] },
      { values: [1], returns: [1] },
    ];
    expect(valueObjective(rows).loss).toBeCloseTo(1.25 / 3, 12);
    expect(valueObjective(rows, { total: 10 }).loss).toBeCloseTo(0.125, 12);
    expect([...valueObjective(rows).cotangents[0]!.values]).toEqual([-1 / 3, -2 / 3]);
  });

  test("a value gains nothing by leaving the range around what it was", () => {
    const row = { values: [0.9], oldValues: [0.5], returns: [1] };
    const { loss, cotangents, clipFraction } = valueObjective([row], { clip: 0.2 });
    expect(loss).toBeCloseTo(0.09, 12);
    expect(cotangents[0]!.values[0]).toBe(0);
    expect(clipFraction).toBe(1);
    expect(() => valueObjective([{ values: [1], returns: [1] }], { clip: 0.2 })).toThrow(
      /old values/,
    );
  });

  test("explained variance is 1 for a perfect critic and 0 for its mean", () => {
    const returns = [0, 1, 0.5];
    expect(valueObjective([{ values: returns, returns }]).explainedVariance).toBe(1);
    const flat = [0.5, 0.5, 0.5];
    expect(valueObjective([{ values: flat, returns }]).explainedVariance).toBeCloseTo(0, 12);
  });
});

describe("generalised advantages", () => {
  const episode = fc.array(fc.tuple(unit, unit), { minLength: 1, maxLength: 8 });
  test("are the sum of discounted differences, written out", () => {
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

  test("at lambda 1 the values cancel but for the own one; at 0 it is one step", () => {
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

  test("a turn pays at its last token", () => {
    expect([...tokenRewards([0.25, 0.5, 1], [2, 0, 3])]).toEqual([0, 0.75, 0, 0, 1]);
    expect([...tokenRewards([1], [0])]).toEqual([]);
  });

  test("longer episodes look further", () => {
    expect(lengthAdaptiveLambda(100, 0.05)).toBeCloseTo(0.8, 12);
    expect(lengthAdaptiveLambda(1, 0.05)).toBe(0);
  });

  test("whitened advantages of a batch, and values in their range", () => {
    const [a, b] = whitened([Float64Array.of(1, 2), Float64Array.of(3)]);
    const all = [...a!, ...b!];
    expect(all.reduce((x, y) => x + y, 0)).toBeCloseTo(0, 12);
    expect(all.reduce((x, y) => x + y * y, 0) / 3).toBeCloseTo(1, 12);
    expect(whitened([])).toEqual([]);
    expect([...clampValues([-1, 0.5, 2], 0, 1)]).toEqual([0, 0.5, 1]);
  });
});

describe("redistribution", () => {
  const rows = fc.array(
    fc.record({ contributions: fc.array(unit, { maxLength: 5 }), outcome: unit }),
    { minLength: 1, maxLength: 4 },
  );
  test("cotangents are central differences", () => {
    fc.assert(
      fc.property(rows, (batch) => {
        const { cotangents } = redistributionObjective(batch);
        batch.forEach((row, i) => {
          row.contributions.forEach((value, j) => {
            const lossAt = (c: number) => {
              const contributions = withEntry(row.contributions, j, c);
              return redistributionObjective(batch.with(i, { ...row, contributions })).loss;
            };
            expectSlope(cotangents[i]!.values[j]!, lossAt, value);
          });
        });
      }),
    );
  });

  test("what is paid sums to the outcome", () => {
    const paid = redistributed([0.5, 0.1, 0], 1);
    expect(paid.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(paid[0]! - paid[1]!).toBeCloseTo(0.4, 12);
  });
});
