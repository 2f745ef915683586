import { expect, test } from "vitest";
import { compareChart, meanCurve } from "../../report/index.ts";
import type { Comparison } from "../../train/index.ts";
import { renderComparison } from "./compare-table.ts";

const scored = (tgc: number, sgc: number) => {
  const score = {
    tgc,
    sgc,
    tgcInterval: [0, 1] as [number, number],
    tasks: 3,
    scenarios: 1,
    byDifficulty: {},
    reward: tgc,
    behaviour: {},
  };
  return { "test-normal": score, "test-normal@T1": score, dev: score };
};

const run = (seed: number, after: number) => ({
  seed,
  directory: `x-seed${seed}`,
  seconds: 60,
  rollouts: 480,
  updates: 30,
  before: scored(0.1, 0),
  after: scored(after, after / 2),
  dev: [
    { rollouts: 0, value: 0.1 },
    { rollouts: 240, value: 0.2 + after / 4 },
    { rollouts: 480, value: after },
  ],
});

const COMPARISON: Comparison = {
  version: 1,
  world: { name: "fake", seed: 1 },
  rollouts: 480,
  seeds: [1, 2],
  warmStart: { shared: true, demonstrations: 96, hastyShare: 0.6, seconds: [30, 30] },
  arms: [
    { recipe: "slow", summary: "s", changes: {}, runs: [run(1, 0.3), run(2, 0.5)] },
    { recipe: "fast", summary: "f", changes: {}, runs: [run(1, 0.8), run(2, 0.9)] },
  ],
  leftOut: [{ recipe: "held", why: "the fake engine cannot serve it" }],
  pairs: [{ a: "slow", b: "fast", difference: -0.45, p: 0.0001, adjusted: 0.0001 }],
  test: "paired permutation",
  versions: {},
  machine: "2 cores",
  seconds: 300,
};

test("a comparison is ranked, with spread over seeds, significance, curves and what was left out", () => {
  const text = renderComparison(COMPARISON, { paint: (_, value) => value, columns: 100 });
  expect(text).toMatch(/1 +fast +480 +30 +85\.0 ± 7\.1 .*\n.*2 +slow +480 +30 +40\.0 ± 14\.1/);
  expect(text).toMatch(/warm start, before +10\.0 ± 0\.0/);
  expect(text).toMatch(/fast +\+\n.*slow +− +−45\.0 +<0\.001 +<0\.001/);
  expect(text).toMatch(/slow +▁▃▄ +10\.0 +30\.0 +40\.0 +at 0, 50, 100%/);
  expect(text).toContain("Significance: TGC, paired permutation.");
  expect(text).toContain("left out: held: the fake engine cannot serve it");
});

test("the chart has a line and a name for each recipe, inside its frame", () => {
  const svg = compareChart(COMPARISON);
  expect(svg.match(/<path d="M48 /g)).toHaveLength(2);
  expect(svg).toContain("fast 85.0 ± 7.1");
  const [, height] = /viewBox="0 0 860 (\d+)"/.exec(svg)!;
  for (const [, y] of svg.matchAll(/ y="(\d+(?:\.\d+)?)"/g)) {
    expect(Number(y)).toBeLessThanOrEqual(Number(height));
  }
});

test("a mean curve keeps the points that all seeds have", () => {
  const short = { ...run(2, 0.5), dev: run(2, 0.5).dev.slice(0, 2) };
  const arm = { ...COMPARISON.arms[0]!, runs: [run(1, 0.3), short] };
  expect(meanCurve(arm).map(({ rollouts }) => rollouts)).toEqual([0, 240]);
});
