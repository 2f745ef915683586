/** Tests reward terms and filters that a user adds to a method. */
import { expect, test } from "vitest";
import type { Rollout } from "../spec/index.ts";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { applyFilters, computeExtraRewards, NO_EXTENSIONS } from "./extensions.ts";

/** The first two rollouts were evaluated, the last two were not. */
const first = fakeRollout({ index: 0 });
const second = fakeRollout({ index: 1, checks: [false] });
const cancelled = fakeRollout({ index: 2, outcome: "cancelled" });
const failed = fakeRollout({ index: 3, outcome: "failed" });
const allRollouts = [first, cancelled, second, failed];

test("reward terms of a rollout are summed, and the mean of each over evaluated rollouts is a metric", async () => {
  const rewards = {
    passed: ({ evaluation }: Rollout) => (evaluation?.passed ? 1 : -0.5),
    late: async ({ index }: Rollout) => {
      await new Promise((resolve) => setTimeout(resolve, index === 0 ? 5 : 0));
      return 0.25 * index;
    },
  };
  const extra = await computeExtraRewards(allRollouts, { rewards });
  expect(allRollouts.map((rollout) => extra.rewardOf(rollout))).toEqual([1, 0, -0.25, 0]);
  expect(extra.metrics).toEqual({ "reward/term/passed": 0.25, "reward/term/late": 0.125 });
});

test("a reward term may pay every turn, and a single number is paid at the last turn", async () => {
  const steps = ({ turns }: Rollout) => turns.map((_, j) => -(j + 1));
  const rewards = { steps, bonus: () => 10 };
  const rollout = { ...first, turns: [first.turns[0]!, first.turns[0]!, first.turns[0]!] };
  const extra = await computeExtraRewards([rollout, cancelled], { rewards });
  expect(extra.turnRewards(rollout)).toEqual([-1, -2, 7]);
  expect(extra.rewardOf(rollout)).toBe(4);
  expect(extra.turnRewards(cancelled)).toEqual(cancelled.turns.map(() => 0));
  expect(extra.metrics).toEqual({ "reward/term/steps": -6, "reward/term/bonus": 10 });
  await expect(computeExtraRewards([rollout], { rewards: { steps: () => [1] } })).rejects.toThrow(
    "the reward term steps returned [1] for rollout 0/train/0/0/0: expected a finite number, or a list of 3",
  );
});

test("without reward terms there are no metrics, and without evaluated rollouts a mean is 0", async () => {
  const none = await computeExtraRewards(allRollouts, NO_EXTENSIONS);
  expect([none.rewardOf(first), none.metrics]).toEqual([0, {}]);
  const neverCalledTerm = () => {
    throw new Error("there is nobody to pay");
  };
  const { metrics } = await computeExtraRewards([cancelled], {
    rewards: { unasked: neverCalledTerm },
  });
  expect(metrics).toEqual({ "reward/term/unasked": 0 });
});

test("all reward terms are called for all rollouts at once", async () => {
  let asked = 0;
  let release = () => {};
  const everyone = new Promise<void>((resolve) => {
    release = resolve;
  });
  const term = async () => {
    asked += 1;
    if (asked === 4) release();
    await everyone;
    return 1;
  };
  const extra = await computeExtraRewards(allRollouts, { rewards: { a: term, b: term } });
  expect(extra.rewardOf(first)).toBe(2);
});

test.each([
  ["throws", () => JSON.parse("{")],
  ["rejects", () => Promise.reject(new SyntaxError("Unexpected end"))],
])(
  "when a reward term %s, the error names the term, the rollout and the cause",
  async (_, term) => {
    const failForSecondRollout = (rollout: Rollout) => (rollout === second ? term() : 0);
    await expect(
      computeExtraRewards(allRollouts, {
        rewards: { fine: () => 1, failing: failForSecondRollout },
      }),
    ).rejects.toMatchObject({
      code: "config",
      message: expect.stringMatching(
        /^the reward term failing failed on rollout 0\/train\/0\/0\/1: ./,
      ),
      cause: expect.any(SyntaxError),
    });
  },
);

test.each([Number.NaN, Infinity, "1", undefined])(
  "a reward term that returns %s is an error",
  async (value) => {
    const payOddValue = (rollout: Rollout) => (rollout === second ? (value as number) : 0);
    await expect(
      computeExtraRewards(allRollouts, { rewards: { odd: payOddValue } }),
    ).rejects.toMatchObject({
      code: "config",
      message: `the reward term odd returned ${value} for rollout 0/train/0/0/1: expected a finite number, or a list of ${second.turns.length}, one for each turn`,
    });
  },
);

const gradedRollouts = [0.5, -0.5, 0.25, 0].map((advantage, index) => ({
  rollout: fakeRollout({ index }),
  reward: index,
  advantage,
}));

test("filters apply one after another, and each filter's metric counts the rollouts that it left out", () => {
  const asked: string[] = [];
  const { kept, metrics } = applyFilters(gradedRollouts, {
    filters: {
      positive: ({ rollout, advantage }) => {
        asked.push(`positive ${rollout.index}`);
        return advantage >= 0;
      },
      early: ({ rollout }) => {
        asked.push(`early ${rollout.index}`);
        return rollout.index < 2;
      },
      any: () => true,
    },
  });
  expect(kept).toEqual([gradedRollouts[0]]);
  expect(Object.entries(metrics)).toEqual([
    ["filter/positive", 1],
    ["filter/early", 2],
    ["filter/any", 0],
  ]);
  // A filter is not called for a rollout that an earlier filter left out.
  const positive = [0, 1, 2, 3].map((index) => `positive ${index}`);
  expect(asked).toEqual([...positive, "early 0", "early 2", "early 3"]);
});

test("a filter sees all graded rollouts, including those that an earlier filter left out", () => {
  const seen: unknown[] = [];
  const recordGroup = (_: unknown, group: readonly unknown[]) => {
    seen.push(group);
    return true;
  };
  applyFilters(gradedRollouts, {
    filters: { none: ({ reward }) => reward > 2, best: recordGroup },
  });
  expect(seen).toEqual([gradedRollouts]);
});

test("without filters every rollout is kept", () => {
  expect(applyFilters(gradedRollouts, NO_EXTENSIONS)).toEqual({
    kept: gradedRollouts,
    metrics: {},
  });
});
