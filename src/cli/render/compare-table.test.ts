import { expect, test } from "vitest";
import { fakeArm, fakeComparison, fakeRun } from "../../../tests/support/fake-comparison.ts";
import { meanCurve, renderComparisonChart, renderResultsChart } from "../../report/index.ts";
import { renderComparison } from "./compare-table.ts";

const COMPARISON = fakeComparison(
  [fakeArm("starter", [0.3, 0.5]), fakeArm("fast", [0.8, 0.9]), fakeArm("once", [0.7])],
  { leftOut: [{ recipe: "held", why: "the fake engine cannot serve it" }] },
);
const PLAIN_VIEW = { paint: (_: unknown, value: string) => value, columns: 100 };

test("a comparison ranks arms and shows both splits, greedy and at T = 1, with the standard deviation over runs", () => {
  const text = renderComparison(COMPARISON, PLAIN_VIEW);
  const expectRow = (name: string, ...cells: string[]) =>
    expect(text.split("\n").find((line) => line.includes(`${name} `))).toMatch(
      new RegExp(cells.join(" +").replaceAll(".", "\\.")),
    );
  expect(text).toMatch(/runs +rollouts +updates +test-normal +T = 1 +SGC +dev +T = 1/);
  expectRow("1  fast", "2", "480", "30", "85.0 ± 7.1", "75.0 ± 7.1");
  expectRow("3  starter", "2", "480", "30", "40.0 ± 14.1", "30.0 ± 14.1");
  expectRow("warm start, before", "2", "20.0 ± 0.0", "10.0 ± 0.0");
  expect(text).toMatch(/starter +▁▃▄ +10\.0 +30\.0 +40\.0 +at 0, 50, 100%/);
  expect(text).toContain("left out: held: the fake engine cannot serve it");
});

test("differences have an interval over pairs of runs, or over scenarios if there is one pair, and no p-value", () => {
  const text = renderComparison(COMPARISON, PLAIN_VIEW);
  expect(text).toContain("TGC compared with starter");
  // Two pairs give a t interval with only one degree of freedom, which is wide.
  expect(text).toMatch(/fast +2 +\+45\.0 \[−18\.5, \+108\.5\]/);
  expect(text).toMatch(/once +1 +\+40\.0 \[\+\d+\.\d, \+\d+\.\d\]\*/);
  expect(text).not.toMatch(/\bp\b|significan|corrected/i);
});

test("a comparison shows the scores that were taken, and no curves when dev was not evaluated", () => {
  const arm = (name: string, shares: readonly number[]) => {
    const made = fakeArm(name, shares);
    const runs = made.runs.map((run) => {
      const { dev: greedy, "dev@T1": sampled } = run.after;
      const after = { "test-challenge": greedy!, "dev@T1": sampled! };
      return { ...run, after, dev: [] };
    });
    return { ...made, runs };
  };
  const { splits, ...rest } = fakeComparison([arm("starter", [0.3, 0.5]), arm("ei", [0.8, 0.9])]);
  const text = renderComparison(
    { ...rest, splits: { dev: splits["dev"]!, "test-challenge": splits["dev"]! } },
    PLAIN_VIEW,
  );
  const heads = text.split("\n").filter((line) => line.includes("test-challenge"));
  expect(heads[0]).toMatch(/updates +test-challenge +SGC +dev, T = 1$/);
  expect(heads[1]).toMatch(/^ +arm +pairs +test-challenge +dev, T = 1$/);
  expect(text).toMatch(/ei +2 +\+45\.0 \[−18\.5, \+108\.5\] +\+45\.0/);
  expect(text).not.toContain("by rollouts spent");
});

test("equal differences are shown without an interval, and the page says why", () => {
  const equal = fakeComparison([fakeArm("starter", [0.5, 0.5]), fakeArm("same", [0.5, 0.5])]);
  const text = renderComparison(equal, PLAIN_VIEW);
  expect(text).toMatch(/same +2 +±0\.0 \[no interval\]/);
  expect(text.replace(/\s+/g, " ")).toContain("There is no interval where all runs");
  expect(renderComparison(COMPARISON, PLAIN_VIEW)).not.toContain("no interval");
  const svg = renderComparisonChart(equal);
  expect(svg).toContain("same, dev, greedy: 50.0 ± 0.0 [no interval], over 2 runs");
  const primary = [
    {
      a: "starter",
      b: "same",
      on: "test-normal",
      seeds: [1, 2, 3, 4, 5, 6, 7, 8],
      difference: 0.1,
    },
  ];
  expect(renderComparison({ ...equal, primary }, PLAIN_VIEW)).toMatch(
    /8 +\+10\.0 \[no interval\] +no test: all pairs differ equally/,
  );
});

test("a comparison that was fixed beforehand is tested when it has at least eight seeds", () => {
  const comparison = {
    a: "starter",
    b: "ei",
    difference: -0.03,
    interval: [-0.05, -0.01] as [number, number],
  };
  const primary = [
    {
      ...comparison,
      on: "test-normal",
      seeds: [1, 2, 3, 4, 5, 6, 7, 8],
      p: 0.004,
      adjusted: 0.024,
    },
    { ...comparison, on: "test-normal@T1", seeds: [1, 2, 3] },
  ];
  const text = renderComparison({ ...COMPARISON, primary }, PLAIN_VIEW);
  expect(text).toMatch(
    /starter − ei +test-normal, greedy +8 +−3\.0 \[−5\.0, −1\.0\] +0\.004 +0\.024/,
  );
  expect(text).toMatch(/test-normal, T = 1 +3 +−3\.0 .* too few seeds for a test/);
});

test("the chart has a curve and two scores per split for each arm, all of them inside its frame", () => {
  const svg = renderComparisonChart(COMPARISON);
  expect(svg.match(/<path d="M48 /g)).toHaveLength(3);
  expect(svg).toContain("fast, test-normal, greedy: 85.0 ± 7.1 [21, 100], over 2 runs");
  expect(svg).toContain("fast, dev, T = 1: 75.0 ± 7.1");
  expect(svg).toContain("once, dev, greedy: 70.0 [57, 81], over 20 scenarios");
  const [, height] = /viewBox="0 0 860 (\d+)"/.exec(svg)!;
  for (const [, y] of svg.matchAll(/ y="(\d+(?:\.\d+)?)"/g)) {
    expect(Number(y)).toBeLessThanOrEqual(Number(height));
  }
});

test("the name of a curve is at the end of the curve, even if the arm spent less than the budget", () => {
  const few = fakeArm("few", [], { runs: [fakeRun(1, 0.9, 240)] });
  const svg = renderComparisonChart(fakeComparison([fakeArm("all", [0.5]), few]));
  const name = (text: string) =>
    new RegExp(`x="([\\d.]+)" y="[\\d.]+" [^>]*>${text}<`).exec(svg)![1];
  expect(name("few")).toBe("339");
  expect(name("all")).toBe("652");
  expect(svg.match(/stroke="#8886"/g)).toHaveLength(1);
});

test("the chart of results in several worlds groups scores by world", () => {
  const comparisonIn = (name: string, share: number) =>
    fakeComparison([fakeArm("starter", [share, share]), fakeArm("ei", [share - 0.1, share])], {
      world: { name, seed: 1 },
    });
  const comparisons = [
    comparisonIn("everyday/errands-1", 0.9),
    comparisonIn("everyday/errands-2", 0.6),
  ];
  const svg = renderResultsChart({ version: 2, comparisons });
  for (const text of [
    ">1</text>",
    ">everyday/errands-…<",
    "test-normal, greedy",
    "test-normal, T = 1",
  ]) {
    expect(svg).toContain(text);
  }
  expect(svg.match(/<circle/g)).toHaveLength(8);
});

test("a mean curve keeps only the points that all runs have, at the mean of their numbers of rollouts", () => {
  const [first, second] = fakeArm("dpo-mcts", [0.4, 0.6]).runs;
  const curve = meanCurve(
    fakeArm("dpo-mcts", [], {
      runs: [
        {
          ...first!,
          dev: [
            [0, 0.1],
            [200, 0.3],
            [380, 0.4],
          ],
        },
        {
          ...second!,
          dev: [
            [0, 0.3],
            [240, 0.5],
          ],
        },
      ],
    }),
  );
  expect(curve).toEqual([
    { rollouts: 0, value: 0.2 },
    { rollouts: 220, value: 0.4 },
  ]);
});
