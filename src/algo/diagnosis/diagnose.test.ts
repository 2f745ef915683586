/** Tests the rules of a diagnosis on numbers made by hand: where a few rollouts are not enough, it is silent. */
import { describe, expect, it } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { MeasuredIteration, RunMeasurements } from "./measurements.ts";
import type { ObservedAnswer, ObservedRollout } from "./observe-rollout.ts";

const ANSWER: ObservedAnswer = {
  length: 5,
  last: 3,
  next: 9,
  surprise: 1,
  holdsNext: false,
  holdsOpening: false,
  isIllFormed: false,
};

const rollout = (task: number, change: Partial<ObservedRollout> = {}): ObservedRollout => ({
  task: `train/${task}`,
  outcome: "finished",
  failure: undefined,
  isScored: true,
  isFinished: true,
  isPassed: false,
  earned: 0,
  result: "[false]",
  turns: 1,
  answers: [ANSWER],
  calls: [],
  deeds: "",
  said: task,
  ...change,
});

/** Returns an iteration of `tasks` groups of four rollouts that all fail and differ in what they say. */
const failingIteration = (
  number: number,
  tasks: number,
  change: (index: number) => Partial<ObservedRollout> = () => ({}),
): MeasuredIteration => ({
  number,
  metrics: { "group/mixed": 0, "group/all_right": 0, "train/updates": 0 },
  rollouts: Array.from({ length: tasks * 4 }, (_, i) =>
    rollout(Math.floor(i / 4), { said: i, ...change(i) }),
  ),
});

const measure = (part: Partial<RunMeasurements>): RunMeasurements => ({
  warmLosses: [],
  evaluations: [],
  iterations: [],
  ...part,
});

describe("a diagnosis", () => {
  it("is silent about a run without measurements", () => {
    expect(diagnose(measure({}))).toEqual([]);
  });

  it("says nothing of a few groups, notes it of more, and stops after 59", () => {
    const severities = (iterations: readonly MeasuredIteration[]) =>
      diagnose(measure({ iterations })).map(({ id, severity }) => [id, severity]);
    expect(severities([failingIteration(1, 3)])).toEqual([]);
    expect(severities([failingIteration(1, 29)])).toEqual([["tasks-too-hard", "note"]]);
    expect(severities([failingIteration(1, 29), failingIteration(2, 29)])).toEqual([
      ["tasks-too-hard", "note"],
    ]);
    expect(severities([failingIteration(1, 29), failingIteration(2, 30)])).toEqual([
      ["tasks-too-hard", "stop"],
    ]);
  });

  it("does not stop a run that learns from solutions or from remembered successes", () => {
    for (const other of [{ "imitation/loss": 0.3 }, { "buffer/injected": 2 }]) {
      const iterations = [1, 2].map((number) => {
        const iteration = failingIteration(number, 40);
        return { ...iteration, metrics: { ...iteration.metrics, ...other } };
      });
      const found = diagnose(measure({ iterations }));
      expect(found.map(({ severity }) => severity)).not.toContain("stop");
    }
  });

  it("does not stop a run that has solved its tasks", () => {
    const solved = failingIteration(1, 80, () => ({ isPassed: true, earned: 1, result: "[true]" }));
    const metrics = { "group/mixed": 0, "group/all_right": 1, "train/updates": 0 };
    expect(diagnose(measure({ iterations: [{ ...solved, metrics }] }))).toEqual([]);
  });

  it("takes an interval by tasks, because the rollouts of a task behave alike", () => {
    // Four of five groups are cut; over five tasks this leaves room for less than half.
    const cut = (i: number) => ({
      answers: [i < 16 ? { ...ANSWER, length: 8, last: i + 10 } : ANSWER],
    });
    const few = diagnose(measure({ iterations: [failingIteration(1, 5, cut)] }));
    expect(few.map(({ id }) => id)).not.toContain("answers-cut");
    const many = failingIteration(1, 30, (i) => cut(i % 20));
    expect(diagnose(measure({ iterations: [many] })).map(({ id }) => id)).toEqual(["answers-cut"]);
  });

  it("states what it saw with numbers", () => {
    const cut = (i: number) => ({ answers: [{ ...ANSWER, length: 8, last: i + 10 }] });
    expect(diagnose(measure({ iterations: [failingIteration(1, 15, cut)] }))[0]).toMatchObject({
      seen: "in 100% (60 of 60) of the rollouts of tasks that no rollout solves, an answer is cut at 8 tokens before anything else goes wrong",
      options: "--scaffold.max-turn-tokens 16",
    });
  });
});
