import { expect, test } from "vitest";
import { fakeArm, fakeComparison } from "../../../tests/support/fake-comparison.ts";
import { drawTrainedSteps, drawTraining } from "./horizon-charts.ts";

const countDots = (svg: string) => svg.match(/<circle/g)?.length ?? 0;

test("the chart of scores on new tasks has one point for each method, number of steps and decoding (greedy or T = 1)", () => {
  const line = { seed: 1, tasks: 180, tgc: 0.5, reward: 1, turns: 4 };
  const lines = [
    { ...line, k: 1, method: "loop", mode: "greedy" },
    { ...line, k: 1, method: "loop", mode: "greedy", seed: 2, tgc: 0.9 },
    { ...line, k: 2, method: "loop", mode: "greedy" },
    { ...line, k: 2, method: "ei", mode: "T1" },
  ] as const;
  const svg = drawTrainedSteps({ version: 1, freshSeed: 1, lines });
  expect(countDots(svg)).toBe(3);
  expect(svg).toContain(">LOOP</text>");
  expect(svg).not.toContain("warm start");
  // The mean of two runs is drawn with an interval, which ends at 100%. The score of a single run has no interval.
  expect(svg).toContain(`x1="120" x2="120" y1="340" y2="40"`);
});

test("the chart of training has a curve for each method with several iterations, and the curve skips missing values", () => {
  const createArm = (method: string, values: (number | null)[]) => {
    const made = fakeArm(method, [0.5, 0.5], { name: method, recipe: method, method });
    const training = { "reward/pass_rate": values };
    return { ...made, runs: made.runs.map((run) => ({ ...run, training })) };
  };
  const arms = [createArm("loop", [0, null, 0.5, 1]), createArm("rft", [0.4])];
  const svg = drawTraining([
    fakeComparison(arms, { world: { name: "everyday/errands-2", seed: 1 } }),
  ]);
  expect(svg).toContain("pass rate, errands-2");
  expect(svg).toContain(">LOOP</text>");
  expect(svg).not.toContain("rft");
  const paths = [...svg.matchAll(/<path d="([^"]+)"/g)].map(([, path]) => path!);
  expect(paths).toEqual(["M95.5 172L190.5 117L238 62"]);
});
