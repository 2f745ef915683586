import { expect, test } from "vitest";
import { type Evaluation, FINISH_CHECK } from "../spec/index.ts";
import { fakeEvaluation, fakeRollout } from "../testing/fake-rollout.ts";
import { rewardOf, rewardOfEvaluation } from "./index.ts";

type Label = "progress" | "guard";
const verdict = (...checks: [Label, boolean][]) => ({
  passed: checks.every(([, passed]) => passed),
  finished: true,
  checks: checks.map(([label, passed], i) => ({ name: `${i}`, label, passed })),
});

test.each([
  ["fraction", 0.75],
  ["strict", 0],
  ["progress", 0.5],
] as const)(
  "the %s reward when one of two progress checks failed and both guards passed",
  (name, value) => {
    const evaluation = verdict(
      ["progress", true],
      ["progress", false],
      ["guard", true],
      ["guard", true],
    );
    expect(rewardOfEvaluation(evaluation, { reward: name, unfinished: "fail" })).toBe(value);
  },
);

test("one failed guard makes the progress reward 0, but costs only its share of the fraction reward", () => {
  const evaluation = verdict(["progress", true], ["guard", false]);
  expect(rewardOfEvaluation(evaluation, { reward: "progress", unfinished: "fail" })).toBe(0);
  expect(rewardOfEvaluation(evaluation, { reward: "fraction", unfinished: "fail" })).toBe(0.5);
});

test.each(["fraction", "strict", "progress"] as const)(
  "the %s reward is 1 when all checks pass",
  (name) => {
    const evaluation = verdict(["progress", true], ["guard", true]);
    expect(rewardOfEvaluation(evaluation, { reward: name, unfinished: "fail" })).toBe(1);
  },
);

test.each(["fraction", "strict", "progress"] as const)(
  "the %s reward without checks is 1 when the evaluation passed, else 0",
  (name) => {
    const options = { reward: name, unfinished: "fail" } as const;
    expect(rewardOfEvaluation({ passed: true, finished: true, checks: [] }, options)).toBe(1);
    expect(rewardOfEvaluation({ passed: false, finished: true, checks: [] }, options)).toBe(0);
  },
);

test("an unfinished episode earns 0 by default, and with unfinished: score what its state scores", () => {
  const unfinished = fakeEvaluation([true, false], false);
  expect(rewardOfEvaluation(unfinished)).toBe(0);
  expect(rewardOfEvaluation(unfinished, { reward: "fraction", unfinished: "score" })).toBe(0.5);
});

test("an assertion fails when the reward of a rollout without an evaluation is computed", () => {
  expect(rewardOf(fakeRollout({ checks: [true, false] }))).toBe(0.5);
  expect(() => rewardOf(fakeRollout({ outcome: "cancelled" }))).toThrow(/no evaluation/);
});

test("doing nothing but to finish earns nothing in `progress`, and the share of guards in `fraction`", () => {
  const idle = verdict(["progress", false], ["guard", true], ["guard", true]);
  expect(rewardOfEvaluation(idle, { reward: "progress", unfinished: "fail" })).toBe(0);
  expect(rewardOfEvaluation(idle)).toBeCloseTo(2 / 3, 12);
});

test("in `progress`, an unfinished state that may be scored keeps its progress, and damage still costs all", () => {
  const unfinish = (evaluation: Evaluation): Evaluation => ({
    ...evaluation,
    ...{ passed: false, finished: false },
    checks: [...evaluation.checks, { name: FINISH_CHECK, label: "guard", passed: false }],
  });
  const options = { reward: "progress", unfinished: "score" } as const;
  const half = verdict(["progress", true], ["progress", false], ["guard", true]);
  expect(rewardOfEvaluation(unfinish(half), options)).toBe(0.5);
  expect(rewardOfEvaluation(unfinish(half), { ...options, unfinished: "fail" })).toBe(0);
  const damage = verdict(["progress", true], ["guard", false]);
  expect(rewardOfEvaluation(unfinish(damage), options)).toBe(0);
});
