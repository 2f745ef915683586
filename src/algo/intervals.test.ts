import { describe, expect, it, test } from "vitest";
import { Rng } from "../core/index.ts";
import {
  areAllEqual,
  type Cluster,
  clusteredInterval,
  meanInterval,
  meanShareInterval,
  sampleStandardDeviation,
  studentQuantile,
  twoSidedPValue,
  wilsonInterval,
} from "./index.ts";

/** Values from SciPy 1.17: `2 * stats.t.sf(abs(t), df)`. */
const P: readonly (readonly [t: number, df: number, p: number])[] = [
  [0, 3, 1],
  [0.5, 1, 0.7048327646991335],
  [1.2, 4, 0.29635139331235333],
  [2.5, 7, 0.04099221858575289],
  [2.364624251, 7, 0.050000000043598135],
  [-3.1, 9, 2 - 1.987277544021798],
  [6, 23, 4.0568662138124395e-6],
  [40, 2, 0.0006244146721847406],
  [1e-3, 59, 0.9992054891267637],
  [1.96, 1e6, 0.04999606758526985],
  [12, 100, 4.395087715604393e-21],
];
/** Values from SciPy 1.17: `stats.t.ppf(0.975, df)`. */
const QUANTILES: readonly (readonly [df: number, t: number])[] = [
  [1, 12.706204736174694],
  [2, 4.302652729749462],
  [3, 3.1824463052837078],
  [7, 2.364624251592784],
  [19, 2.0930240544083087],
  [23, 2.0686576104190486],
  [59, 2.000995378088267],
  [179, 1.9733054338414737],
  [1e5, 1.9599877075346095],
];

test("Student's t distribution agrees with SciPy", () => {
  for (const [t, df, p] of P) expect(Math.abs(twoSidedPValue(t, df) / p - 1)).toBeLessThan(1e-9);
  for (const [df, t] of QUANTILES) expect(studentQuantile(df)).toBeCloseTo(t, 8);
  expect(twoSidedPValue(Number.POSITIVE_INFINITY, 7)).toBe(0);
});

test("the interval of a mean is the t interval, and a single value has none", () => {
  // The expected interval comes from `scipy.stats.ttest_rel(a, b).confidence_interval()`.
  const [a, b] = [
    [0.72, 0.75, 0.69, 0.74, 0.78, 0.7, 0.73, 0.76],
    [0.7, 0.74, 0.7, 0.69, 0.75, 0.7, 0.71, 0.7],
  ];
  const [low, high] = meanInterval(a!.map((value, i) => value - b![i]!))!;
  expect(low).toBeCloseTo(0.0026405748301423226, 10);
  expect(high).toBeCloseTo(0.04235942516985772, 10);
  expect(meanInterval([0.5])).toBeUndefined();
  expect(sampleStandardDeviation([1, 3])).toBe(Math.SQRT2);
});

test("values that are all equal have no interval, because their spread is unknown", () => {
  expect(meanInterval([0, 0])).toBeUndefined();
  expect(meanInterval(Array.from({ length: 20 }, () => 0.7))).toBeUndefined();
  // Equal differences of scores, apart from rounding: 0.3 - 0.2 is 0.09999999999999998.
  expect(meanInterval([0.3 - 0.2, 0.1, 0.8 - 0.7])).toBeUndefined();
  expect(meanInterval([0.7, 0.7 + 1 / 180])).toBeDefined();
  expect([areAllEqual([]), areAllEqual([1]), areAllEqual([1, 1.01])]).toEqual([true, true, false]);
});

test("the interval of a mean share stays within 0 and 1", () => {
  expect(meanShareInterval([0.9, 1])).toEqual([expect.closeTo(0.95 - 12.706 * 0.05, 3), 1]);
  expect(meanShareInterval([0, 0.1])![0]).toBe(0);
  expect(meanShareInterval([1, 1, 1])).toBeUndefined();
});

test("Wilson intervals match published values and stay within 0 and 1", () => {
  // The expected values come from Newcombe (1998), method 3.
  const close = (share: number, count: number, low: number, high: number) => {
    const interval = wilsonInterval(share, count);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  };
  close(81 / 263, 263, 0.2553, 0.3662);
  close(15 / 148, 148, 0.0624, 0.1605);
  close(0, 20, 0, 0.1611);
  close(1 / 29, 29, 0.0061, 0.1718);
  expect(wilsonInterval(1, 20)[1]).toBe(1);
});

describe("clustered intervals", () => {
  const scenarios = (...passed: number[]): Cluster[] => passed.map((p) => ({ passed: p, of: 3 }));
  const width = ([low, high]: readonly [number, number]) => high - low;
  const repeated = (count: number, ...passed: number[]) =>
    Array.from({ length: count }, () => scenarios(...passed)).flat();

  it("clustered intervals get wider when tasks of a scenario agree more", () => {
    const apart = clusteredInterval(repeated(10, 1, 2, 1, 2));
    const together = clusteredInterval(repeated(10, 0, 3, 0, 3));
    expect(width(apart)).toBeCloseTo(0.18, 2);
    expect(width(together)).toBeGreaterThan(1.6 * width(apart));
  });

  it("clustered intervals are wide when there is at most one scenario, and when all tasks pass", () => {
    expect(clusteredInterval([])).toEqual([0, 1]);
    expect(width(clusteredInterval(scenarios(3)))).toBeGreaterThan(0.7);
    const [low, high] = clusteredInterval(repeated(20, 3));
    expect(high).toBe(1);
    // In the worst case, twenty scenarios count as twenty trials and not as sixty.
    expect(low).toBeCloseTo(wilsonInterval(1, 20, studentQuantile(19))[0], 12);
  });

  it("clustered intervals have a width when all scenarios are equal", () => {
    for (const passed of [0, 1, 2, 3]) {
      for (const count of [1, 2, 5, 60]) {
        expect(width(clusteredInterval(repeated(count, passed))), `${count}`).toBeGreaterThan(0.05);
      }
    }
    // Two scenarios that agree are little evidence.
    expect(width(clusteredInterval(repeated(2, 2)))).toBeGreaterThan(0.9);
  });

  /**
   * Returns the share of simulated evaluations whose interval contains the true share. The tasks of a scenario have the
   * same chance to pass, which is drawn from a beta distribution.
   */
  function coverage(
    interval: (clusters: readonly Cluster[]) => readonly [number, number],
    { n, p, rho, draws = 4000 }: { n: number; p: number; rho: number; draws?: number },
  ): number {
    const rng = new Rng(7).child(`${n} ${p} ${rho}`);
    let held = 0;
    for (let i = 0; i < draws; i++) {
      const clusters = Array.from({ length: n }, () => clusterOf(rng, p, rho));
      const [low, high] = interval(clusters);
      if (low <= p && p <= high) held += 1;
    }
    return held / draws;
  }

  const CASES = [20, 60].flatMap((n) =>
    [0, 0.3, 0.6, 0.9].flatMap((rho) => [0.1, 0.3, 0.5, 0.7, 0.9].map((p) => ({ n, rho, p }))),
  );

  it("clustered intervals contain the true share in 92% to 98% of evaluations, at any correlation", () => {
    const found = CASES.map((one) => ({ ...one, held: coverage(clusteredInterval, one) }));
    expect(found.filter(({ held }) => held < 0.92 || held > 0.98)).toEqual([]);
  });

  it("intervals that treat the tasks of a scenario as independent contain the true share too rarely", () => {
    const naive = (clusters: readonly Cluster[]) => {
      const passed = clusters.reduce((sum, cluster) => sum + cluster.passed, 0);
      return wilsonInterval(passed / (3 * clusters.length), 3 * clusters.length);
    };
    expect(coverage(naive, { n: 60, p: 0.7, rho: 0.6 })).toBeLessThan(0.87);
  });
});

/**
 * Simulates the three tasks of a scenario whose common chance to pass is drawn from a beta distribution of mean p, with
 * correlation rho between the tasks. Polya's urn does this: each task that passes makes the next one more likely to
 * pass.
 */
function clusterOf(rng: Rng, p: number, rho: number): Cluster {
  let passed = 0;
  for (let k = 0; k < 3; k++) {
    const seen = rho * passed + (1 - rho) * p;
    if (rng.chance(seen / (rho * k + (1 - rho)))) passed += 1;
  }
  return { passed, of: 3 };
}
