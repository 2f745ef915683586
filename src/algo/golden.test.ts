/** Numbers of LOOP's estimator and clip that were worked out by hand from the formulas, not by this code. */
import { expect, test } from "vitest";
import { fakeRollout, fakeTokens } from "../testing/fake-rollout.ts";
import {
  cancelStragglers,
  clipBound,
  dropNearZero,
  gradeBatch,
  groupAdvantages,
  LOOP_OBJECTIVE,
  type ObjectiveOptions,
  policyObjective,
  roundHalfEven,
} from "./index.ts";

const RETURNS = [1, 0.5, 0.5, 0, 1, 0.25];

function expectClose(actual: readonly number[], expected: readonly number[], digits = 12) {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i]!, digits);
  });
}

test("leave-one-out advantages of a full group", () => {
  expectClose(groupAdvantages(RETURNS), [0.55, -0.05, -0.05, -0.65, 0.55, -0.35]);
});

test("RwNorm divides leave-one-out by the population standard deviation", () => {
  const actual = groupAdvantages(RETURNS, { baseline: "leave-one-out", scale: "group" });
  expectClose(actual, [1.50428, -0.136753, -0.136753, -1.777785, 1.50428, -0.957269], 5);
});

test("GRPO's advantage is 5/6 of RwNorm's", () => {
  const actual = groupAdvantages(RETURNS, { baseline: "mean", scale: "group" });
  const rwNorm = [1.50428, -0.136753, -0.136753, -1.777785, 1.50428, -0.957269];
  expectClose(
    actual,
    rwNorm.map((value) => (value * 5) / 6),
    5,
  );
});

/** Makes rollouts of one task with these returns (multiples of a quarter) and these numbers of decode steps. */
function batch(returns: readonly number[], steps: readonly number[]) {
  return returns.map((value, index) =>
    fakeRollout({
      index,
      checks: [0, 1, 2, 3].map((quarter) => quarter < value * 4),
      tokens: fakeTokens([0, ...new Array<1>(steps[index]!).fill(1)]),
    }),
  );
}

const PAPER_STRAGGLERS = { groupSize: 6, perTaskFraction: 0.75, totalFraction: 0.9 };

test("in a group cut to 4 rollouts, the baseline is the mean of the other three", () => {
  const rollouts = batch(RETURNS, [5, 9, 3, 4, 8, 2]);
  const four = { ...PAPER_STRAGGLERS, totalFraction: 0.5 };
  const { graded } = gradeBatch(cancelStragglers(rollouts, four));
  expect(graded.map(({ rollout }) => rollout.index)).toEqual([0, 2, 3, 5]);
  // The returns are 1, .5, 0, .25; the means of the others are .25, 5/12, 7/12, .5.
  expectClose(
    graded.map(({ advantage }) => advantage),
    [0.75, 1 / 12, -7 / 12, -0.25],
  );
});

test("in a group cut to 5 rollouts, the baseline is the mean of the other four", () => {
  const rollouts = batch(RETURNS, [5, 9, 3, 4, 8, 2]);
  const five = { ...PAPER_STRAGGLERS, totalFraction: 5 / 6 };
  const { graded } = gradeBatch(cancelStragglers(rollouts, five));
  expect(graded.map(({ rollout }) => rollout.index)).toEqual([0, 2, 3, 4, 5]);
  // The returns are 1, .5, 0, 1, .25; their sum is 2.75.
  expectClose(
    graded.map(({ advantage }) => advantage),
    [0.5625, -0.0625, -0.6875, 0.5625, -0.375],
  );
});

test("near-zero advantages are dropped, and an advantage at the threshold is kept", () => {
  const values = [0.55, -0.05, 0.009999, -0.009999, 0, 0.01, -0.01];
  const kept = dropNearZero(values.map((advantage) => ({ advantage })));
  expect(kept.map(({ advantage }) => advantage)).toEqual([0.55, -0.05, 0.01, -0.01]);
});

/** Returns the objective (to maximise) of one token with this ratio. */
function tokenObjective(
  advantage: number,
  ratio: number,
  lowerClip: ObjectiveOptions["lowerClip"],
) {
  const options = { ...LOOP_OBJECTIVE, lowerClip, minibatchSize: 1 };
  const row = { advantage, logprobs: [Math.log(ratio)], oldLogprobs: [0] };
  return -policyObjective([row], options).loss;
}

test.each([
  [-1, 0.905, -0.905, -0.909091],
  [-1, 0.8, -0.9, -0.909091],
  [-1, 1.2, -1.2, -1.2],
  [1, 1.2, 1.1, 1.1],
  [1, 0.8, 0.8, 0.8],
])(
  "a token with A = %f and ratio %f contributes %f under the paper's clip and %f under the code's clip",
  (a, ratio, paper, code) => {
    expect(tokenObjective(a, ratio, "paper")).toBeCloseTo(paper, 6);
    expect(tokenObjective(a, ratio, "code")).toBeCloseTo(code, 6);
  },
);

test("clipBound returns the bounds of the paper and of the code", () => {
  expect(clipBound(-2, { clip: 0.1, lowerClip: "paper" })).toBeCloseTo(-1.8, 12);
  expect(clipBound(-2, { clip: 0.1, lowerClip: "code" })).toBeCloseTo(-2 / 1.1, 12);
  expect(clipBound(2, { clip: 0.1, lowerClip: "code" })).toBeCloseTo(2.2, 12);
});

test("roundHalfEven rounds halves to even, so 4.5 becomes 4", () => {
  const values = [4.5, 5.5, 0.5, 1.5, 2.5, -0.5, -1.5, 4.4, 4.6, 3];
  const rounded = values.map((value) => roundHalfEven(value) + 0);
  expect(rounded).toEqual([4, 6, 0, 2, 2, 0, -2, 4, 5, 3]);
});
