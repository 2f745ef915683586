import { expect, test } from "vitest";
import { fakeArm, fakeComparison } from "../../../tests/support/fake-comparison.ts";
import { drawTrainedSteps, drawTraining } from "./horizon-charts.ts";

const countDots = (svg: string) => svg.match(/<circle/g)?.length ?? 0;

test("the figure of fresh errands has one point for each method, horizon and decoding", () => {
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
  // Two runs have an interval, which ends at 100%. One run has none.
  expect(svg).toContain(`x1="120" x2="120" y1="340" y2="40"`);
});

test("the figure of training has a curve for each method of several iterations, which skips missing values", () => {
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
