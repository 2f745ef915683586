import { expect, test } from "vitest";
import type { Evaluation, Rollout } from "../spec/index.ts";
import { describeResult } from "./rollout-text.ts";

const rolloutWith = (evaluation: Evaluation) => ({ outcome: "finished", evaluation }) as Rollout;

test("the result of a rollout counts its checks, or names the reward of an agent without checks", () => {
  const checks = [true, false].map((passed) => ({ name: "c", label: "progress" as const, passed }));
  expect(describeResult(rolloutWith({ passed: false, finished: true, checks }))).toBe(
    "failed: 1 of 2 checks passed",
  );
  const rewarded = { finished: true, checks: [] };
  expect(describeResult(rolloutWith({ ...rewarded, passed: false, reward: 0.25 }))).toBe(
    "failed: reward 0.25",
  );
  expect(describeResult(rolloutWith({ ...rewarded, passed: true, reward: 1 }))).toBe(
    "solved: reward 1.00",
  );
});
