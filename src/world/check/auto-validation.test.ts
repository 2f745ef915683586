/** Tests the results of a check in the terms of RFC 008. */
import { expect, test } from "vitest";
import { describeAsValidation } from "./auto-validation.ts";

const sound = {
  ...{ tasks: 9, solutionPass: 9, noopFail: 9, mutants: 40, killed: 40 },
  ...{ equivalents: 11, accepted: 11, failures: [], exceptions: [] },
};
const statuses = (report: Parameters<typeof describeAsValidation>[0]) =>
  Object.fromEntries(
    describeAsValidation(report).map(({ check_id, status }) => [check_id, status]),
  );

const GREEN = {
  "semantic.oracle_max": "pass",
  "semantic.floor_gap": "pass",
  "semantic.canary_floor": "pass",
  "statistical.adversarial_floor": "skip",
  "statistical.gameability_gap": "pass",
  "runtime.observation_schema": "pass",
  "runtime.seed_control": "pass",
  "semantic.replayability": "pass",
};

test("a sound world passes every check that was measured, and claims nothing about the rest of the panel", () => {
  expect(statuses(sound)).toEqual(GREEN);
});

test("each defect fails the checks that it belongs to, and no others", () => {
  const failure = { task: "t", why: "why" };
  const exception = { task: "t", api: "a.b", what: "w", calls: 1 };
  expect(statuses({ ...sound, solutionPass: 8, failures: [failure] })).toEqual({
    ...GREEN,
    "semantic.oracle_max": "fail",
    "statistical.gameability_gap": "fail",
    "semantic.replayability": "fail",
  });
  expect(statuses({ ...sound, noopFail: 8, failures: [failure] })).toEqual({
    ...GREEN,
    "semantic.floor_gap": "fail",
    "statistical.adversarial_floor": "fail",
    "statistical.gameability_gap": "fail",
  });
  expect(statuses({ ...sound, killed: 39 })).toEqual({
    ...GREEN,
    "semantic.canary_floor": "fail",
    "statistical.adversarial_floor": "fail",
    "statistical.gameability_gap": "fail",
  });
  expect(statuses({ ...sound, accepted: 10 })).toEqual({
    ...GREEN,
    "statistical.gameability_gap": "fail",
  });
  expect(statuses({ ...sound, failures: [failure] })).toEqual({
    ...GREEN,
    "runtime.seed_control": "fail",
  });
  expect(statuses({ ...sound, exceptions: [exception] })).toEqual({
    ...GREEN,
    "runtime.observation_schema": "fail",
  });
});

test("the gap is the difference of two shares: 20 of 20 right endings pass, and 10 of 49 wrong ones", () => {
  const gap = describeAsValidation({ ...sound, killed: 30 }).find(
    ({ check_id }) => check_id === "statistical.gameability_gap",
  )!;
  expect(gap.measured["gap"]).toBeCloseTo(1 - 10 / 49, 12);
  expect(gap.remediation).toContain("survivors");
});

test("a check without canaries is skipped, because it proves nothing", () => {
  expect(statuses({ ...sound, mutants: 0, killed: 0 })["semantic.canary_floor"]).toBe("skip");
});
