import { expect, test } from "vitest";
import { evaluationOf, fakeRollout } from "../testing/fake-rollout.ts";
import { reward, rewardOf } from "./index.ts";

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
] as const)("%s of two progress checks, one failed, with both guards intact", (name, value) => {
  const evaluation = verdict(
    ["progress", true],
    ["progress", false],
    ["guard", true],
    ["guard", true],
  );
  expect(reward(evaluation, { reward: name, unfinished: "fail" })).toBe(value);
});

test("one broken guard voids progress, but only its share of the fraction", () => {
  const evaluation = verdict(["progress", true], ["guard", false]);
  expect(reward(evaluation, { reward: "progress", unfinished: "fail" })).toBe(0);
  expect(reward(evaluation, { reward: "fraction", unfinished: "fail" })).toBe(0.5);
});

test.each(["fraction", "strict", "progress"] as const)("%s of everything passed is 1", (name) => {
  const evaluation = verdict(["progress", true], ["guard", true]);
  expect(reward(evaluation, { reward: name, unfinished: "fail" })).toBe(1);
});

test.each(["fraction", "strict", "progress"] as const)("%s without checks to count", (name) => {
  const options = { reward: name, unfinished: "fail" } as const;
  expect(reward({ passed: true, finished: true, checks: [] }, options)).toBe(1);
  expect(reward({ passed: false, finished: true, checks: [] }, options)).toBe(0);
});

test("an unfinished episode fails by the paper and scores its state by the code", () => {
  const unfinished = evaluationOf([true, false], false);
  expect(reward(unfinished)).toBe(0);
  expect(reward(unfinished, { reward: "fraction", unfinished: "score" })).toBe(0.5);
});

test("a rollout without evaluation has no return", () => {
  expect(rewardOf(fakeRollout({ checks: [true, false] }))).toBe(0.5);
  expect(() => rewardOf(fakeRollout({ outcome: "cancelled" }))).toThrow(/no evaluation/);
});
