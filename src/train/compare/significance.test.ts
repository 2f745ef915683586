import { describe, expect, it, test } from "vitest";
import { fakeArm, fakeComparison, fakeRun } from "../../../tests/support/fake-comparison.ts";
import { average } from "../../algo/mean-and-spread.ts";
import { Rng } from "../../core/index.ts";
import { checkSize, checkSizes, combineSizes } from "./aa-test.ts";
import { MIN_SEEDS, testPrimaryComparisons } from "./primary-comparisons.ts";
import { armDifference, armScore } from "./scores.ts";
import { adjustByHolm, pairedTest } from "./significance.ts";

test("the paired test gives the numbers of SciPy's ttest_rel", () => {
  const a = [0.72, 0.75, 0.69, 0.74, 0.78, 0.7, 0.73, 0.76];
  const b = [0.7, 0.74, 0.7, 0.69, 0.75, 0.7, 0.71, 0.7];
  const { difference, interval, p } = pairedTest(a.map((value, i) => value - b[i]!));
  expect(difference).toBeCloseTo(0.0225, 12);
  expect(p).toBeCloseTo(0.031583504186854704, 9);
  expect(interval![0]).toBeCloseTo(0.0026405748301423226, 9);
});

test("pairs that all differ equally have no interval and no t test", () => {
  expect(pairedTest([0, 0, 0])).toEqual({ difference: 0, interval: undefined, p: 1 });
  expect(pairedTest([0.3 - 0.2, 0.1])).toEqual({
    difference: expect.closeTo(0.1, 12),
    interval: undefined,
    p: undefined,
  });
  const runs = [0.5, 0.6, 0.7, 0.8, 0.5, 0.6, 0.7, 0.8];
  const primary = [{ a: "starter", b: "ei", on: "test-normal" }];
  const arms = [
    fakeArm("starter", runs),
    fakeArm("ei", runs, {
      runs: runs.map((share, i) => {
        const run = fakeRun(i + 1, share);
        const better = run.after["test-normal"]!.map((passed) => Math.min(passed, 2));
        return { ...run, after: { "test-normal": better } };
      }),
    }),
  ];
  const equal = [fakeArm("starter", runs), fakeArm("ei", runs)];
  const [same] = testPrimaryComparisons(fakeComparison(equal), primary);
  expect(same).toMatchObject({ difference: 0, p: 1, adjusted: 1 });
  expect(same).not.toHaveProperty("interval");
  expect(testPrimaryComparisons(fakeComparison(arms), primary)[0]).toHaveProperty("interval");
});

test("arms of equal runs, and single runs that pass the same tasks, have no interval", () => {
  const [a, b] = [fakeArm("a", [0.5, 0.5]), fakeArm("b", [0.6, 0.6])];
  const comparison = fakeComparison([a, b]);
  expect(armScore(comparison, a, "dev")).toMatchObject({ interval: undefined, over: "runs" });
  expect(armDifference(comparison, a, b, "dev")).toMatchObject({ interval: undefined, sd: 0 });
  const [one, other] = [fakeArm("one", [0.5]), fakeArm("other", [0.5])];
  expect(armDifference(fakeComparison([one, other]), one, other, "dev")).toMatchObject({
    ...{ mean: 0, interval: undefined, over: "scenarios" },
  });
});

test("Holm's procedure corrects p-values, and also counts planned tests that were not done", () => {
  expect(adjustByHolm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(adjustByHolm([0.5, 0.9])).toEqual([1, 1]);
  expect(adjustByHolm([0.01, 0.02], 6)).toEqual([0.06, 0.1]);
});

describe("the primary comparisons", () => {
  const makeShares = (mean: number, count: number) =>
    Array.from({ length: count }, (_, i) => mean + (i % 4) * 0.05);
  const at = { world: { name: "everyday/starter", seed: 1 }, rollouts: 1920 };

  it("need eight seeds for a p-value, cover both decodings, and are corrected for all six tests", () => {
    const found = testPrimaryComparisons(
      fakeComparison(
        [
          fakeArm("starter", makeShares(0.5, 8)),
          fakeArm("ei", makeShares(0.6, 8).toReversed()),
          fakeArm("rloo", makeShares(0.4, 7)),
        ],
        at,
      ),
    );
    expect(found.map(({ b, on, seeds }) => [b, on, seeds.length])).toEqual([
      ["ei", "test-normal", 8],
      ["ei", "test-normal@T1", 8],
      ["rloo", "test-normal", 7],
      ["rloo", "test-normal@T1", 7],
    ]);
    const [greedy, sampled, few] = found;
    expect(greedy!.difference).toBeCloseTo(-0.1, 10);
    expect(greedy!.p).toBeLessThan(0.05);
    expect(Math.max(greedy!.adjusted!, sampled!.adjusted!)).toBeCloseTo(6 * greedy!.p!, 10);
    expect(few).not.toHaveProperty("p");
    expect(few!.difference).toBeCloseTo(0.1, 1);
  });

  it("have no results in other worlds, at other budgets, or for other arms", () => {
    const arms = [fakeArm("starter", makeShares(0.5, 8)), fakeArm("ei", makeShares(0.6, 8))];
    expect(testPrimaryComparisons(fakeComparison(arms))).toEqual([]);
    expect(testPrimaryComparisons(fakeComparison(arms, { ...at, rollouts: 480 }))).toEqual([]);
    const others = [fakeArm("starter", makeShares(0.5, 8)), fakeArm("rft", makeShares(0.6, 8))];
    expect(testPrimaryComparisons(fakeComparison(others, at))).toEqual([]);
  });
});

test("each score says whether its interval is over runs or over scenarios", () => {
  const one = fakeArm("one", [0.7]);
  const five = fakeArm("five", [0.6, 0.65, 0.7, 0.75, 0.8]);
  const comparison = fakeComparison([one, five]);
  expect(armScore(comparison, one, "test-normal")).toMatchObject({ over: "scenarios", count: 20 });
  expect(armScore(comparison, five, "test-normal")).toMatchObject({ over: "runs", count: 5 });
  expect(armScore(comparison, five, "test-challenge")).toBeUndefined();
  expect(armDifference(comparison, five, one, "dev")).toMatchObject({ over: "scenarios" });
  expect(armDifference(comparison, five, fakeArm("none", []), "dev")).toBeUndefined();
});

/** The standard deviation of scores between runs: three points of TGC, as measured. */
const STANDARD_DEVIATION = 0.03;

describe("how often the paired test calls equal arms different", () => {
  const drawTrueMeans = (rng: Rng, count: number, mean = 0.7) =>
    Array.from({ length: count }, () => mean + STANDARD_DEVIATION * rng.normal());

  it("it does so for 2% to 8% of pairs drawn from 24 runs", () => {
    for (let study = 0; study < 20; study++) {
      const values = drawTrueMeans(new Rng(study), 24);
      const { pairs, rejected, size } = checkSize(values, 2000);
      expect(size).toBe(rejected / pairs);
      expect(size, `study ${study}`).toBeGreaterThan(0.02);
      expect(size, `study ${study}`).toBeLessThan(0.08);
    }
  });

  it("it does so for about 5% of new sets of eight pairs, and it still finds a difference of five points", () => {
    const rng = new Rng(3);
    const shareOfRejected = (gap: number) => {
      const draws = Array.from({ length: 2000 }, () => {
        const [a, b] = [drawTrueMeans(rng, MIN_SEEDS), drawTrueMeans(rng, MIN_SEEDS)];
        return pairedTest(a.map((value, i) => value - b[i]! + gap)).p! < 0.05;
      });
      return average(draws.map(Number));
    };
    expect(Math.abs(shareOfRejected(0) - 0.05)).toBeLessThan(0.015);
    expect(shareOfRejected(0.05)).toBeGreaterThan(0.75);
  });

  it("it does so far more often than 5% when scenarios within runs are the units", () => {
    const rng = new Rng(5);
    const studies = Array.from({ length: 200 }, () => {
      const [a, b] = [drawScenarioRuns(rng, 3), drawScenarioRuns(rng, 3)];
      const blocks = a.flatMap((run, i) => run.map((passed, k) => passed - b[i]![k]!));
      return permutationPValue(blocks, rng) < 0.05;
    });
    expect(average(studies.map(Number))).toBeGreaterThan(0.15);
  });
});

/** Draws the passed tasks of sixty scenarios for several runs. Each run has its own chances of passing. */
function drawScenarioRuns(rng: Rng, runs: number): number[][] {
  return Array.from({ length: runs }, () => {
    const shift = 2 * STANDARD_DEVIATION * rng.normal();
    return Array.from({ length: 60 }, () => {
      const chance = 0.7 + shift;
      return [0, 1, 2].filter(() => rng.chance(chance)).length;
    });
  });
}

/** Returns the two-sided p-value of the sum of `blocks` under random signs of the blocks. */
function permutationPValue(blocks: readonly number[], rng: Rng): number {
  const total = Math.abs(blocks.reduce((sum, block) => sum + block, 0));
  let extreme = 0;
  for (let i = 0; i < 400; i++) {
    const flipped = blocks.reduce((sum, block) => sum + (rng.chance(0.5) ? block : -block), 0);
    if (Math.abs(flipped) >= total) extreme += 1;
  }
  return (extreme + 1) / 401;
}

describe("the A/A test of a results file", () => {
  const makeScores = (count: number) =>
    Array.from({ length: count }, (_, i) => 0.6 + 0.2 * new Rng(i).uniform());

  it("tests every arm with enough runs, on both primary scores", () => {
    const comparison = fakeComparison([
      fakeArm("starter", makeScores(24)),
      fakeArm("ei", makeScores(8)),
    ]);
    const sizes = checkSizes({ version: 2, comparisons: [comparison] }, "aa.json");
    expect(sizes.map(({ arm, on, runs: all }) => [arm, on, all])).toEqual([
      ["starter", "test-normal", 24],
      ["starter", "test-normal@T1", 24],
    ]);
    const all = combineSizes(sizes);
    expect(Object.keys(all)).toEqual(["pairs", "rejected", "size"]);
    expect(all.pairs).toBe(20_000);
    expect(all.size).toBeGreaterThan(0.02);
    expect(all.size).toBeLessThan(0.08);
    expect(checkSizes({ version: 2, comparisons: [comparison] }, "aa.json")).toEqual(sizes);
  });

  it("is rejected with the number of missing runs and the command that makes them", () => {
    const comparison = fakeComparison([fakeArm("starter", makeScores(23))]);
    expect(() => checkSizes({ version: 2, comparisons: [comparison] }, "x.json")).toThrow(
      /needs 24 runs of one arm, but in x\.json starter has the most, 23; train more: bowline compare starter --seeds 1\.\.24/,
    );
    expect(() => checkSizes({ version: 2, comparisons: [] }, "x.json")).toThrow(
      /there are no runs/,
    );
  });
});
