import { describe, expect, it } from "vitest";
import type { Curves } from "../../../src/spec/studio/index.ts";
import { type Arm, buildOverlayLines, chooseFirstMetrics, listOverlayMetrics } from "./overlay.ts";

const makeCurves = (rewards: (number | null)[], perIteration: number): Curves => ({
  phases: {
    loop: {
      steps: rewards.map((_, i) => i + 1),
      columns: { "reward/mean": rewards, "rollout/count": rewards.map(() => perIteration) },
    },
  },
  glossary: {},
});

const curvesByRun: Record<string, Curves> = {
  a1: makeCurves([0.2, 0.4, 0.6], 10),
  a2: makeCurves([0.4, 0.6], 10),
  b1: makeCurves([0.1, 0.1], 20),
};

const arms = [
  { name: "loop", runs: ["a1", "a2", "unread"] },
  { name: "rloo", runs: ["b1"] },
] as unknown as Arm[];

const buildLines = (against: "iteration" | "rollouts") =>
  buildOverlayLines(arms, (run) => curvesByRun[run], "loop", "reward/mean", against);

describe("the chart of several runs", () => {
  it("draws each run as a thin line, and the mean of an arm wherever all its runs have a value", () => {
    const { x, lines: drawn } = buildLines("iteration");
    expect(x).toEqual([1, 2, 3]);
    expect(drawn.map(({ name, isQuiet = false }) => [name, isQuiet])).toEqual([
      ["loop run 1", true],
      ["loop run 2", true],
      ["loop, mean of 2", false],
      ["rloo", false],
    ]);
    expect(drawn[2]!.values.map((value) => value?.toFixed(1))).toEqual(["0.3", "0.5", undefined]);
    expect(drawn[3]!.colour).not.toBe(drawn[2]!.colour);
  });

  it("can use rollouts instead of iterations on the horizontal axis", () => {
    const { x, lines: drawn } = buildLines("rollouts");
    expect(x).toEqual([10, 20, 30, 40]);
    expect(drawn[3]!.values).toEqual([null, 0.1, null, 0.1]);
  });

  it("lists the metrics that can be drawn", () => {
    const metrics = listOverlayMetrics([curvesByRun["a1"], undefined]);
    expect(metrics).toEqual(["loop reward/mean", "loop rollout/count"]);
    expect(chooseFirstMetrics(metrics)).toEqual(["loop reward/mean"]);
  });
});
