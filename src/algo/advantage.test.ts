import fc from "fast-check";
import { expect, test } from "vitest";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { gradeBatch, groupAdvantages } from "./index.ts";

const group = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 });

test("leave-one-out is the return minus the mean of the other returns", () => {
  fc.assert(
    fc.property(group, (rewards) => {
      groupAdvantages(rewards).forEach((advantage, k) => {
        const others = rewards.filter((_, i) => i !== k);
        const baseline = others.reduce((a, b) => a + b, 0) / others.length;
        expect(advantage).toBeCloseTo(rewards[k]! - baseline, 10);
      });
    }),
  );
});

test("leave-one-out is K/(K-1) times mean-centring, and both sum to zero", () => {
  fc.assert(
    fc.property(group, (rewards) => {
      const loo = groupAdvantages(rewards);
      const centred = groupAdvantages(rewards, { baseline: "mean", scale: "none" });
      const factor = rewards.length / (rewards.length - 1);
      loo.forEach((advantage, k) => {
        expect(advantage).toBeCloseTo(factor * centred[k]!, 10);
      });
      expect(loo.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 10);
    }),
  );
});

test("scaling by the group's deviation gives unit population variance, and equal returns give zero advantages", () => {
  const scaled = groupAdvantages([0.2, 0.9, 0.4], { baseline: "mean", scale: "group" });
  const variance = scaled.reduce((sum, a) => sum + a * a, 0) / 3;
  expect(variance).toBeCloseTo(1, 12);
  expect(groupAdvantages([1, 1, 1], { baseline: "leave-one-out", scale: "group" })).toEqual([
    0, 0, 0,
  ]);
});

test("a group with one rollout has no baseline and is dropped", () => {
  expect(groupAdvantages([1])).toEqual([]);
  expect(groupAdvantages([])).toEqual([]);
});

test("gradeBatch groups rollouts by task, and leaves out rollouts without a return and groups with one rollout", () => {
  const rollouts = [
    fakeRollout({ taskId: "train/a/0", index: 0, checks: [true, true] }),
    fakeRollout({ taskId: "train/b/0", index: 0, checks: [true, false] }),
    fakeRollout({ taskId: "train/a/0", index: 1, checks: [true, false] }),
    fakeRollout({ taskId: "train/a/0", index: 2, outcome: "cancelled" }),
    fakeRollout({ taskId: "train/b/0", index: 1, outcome: "failed" }),
  ];
  const { graded } = gradeBatch(rollouts);
  expect(graded.map(({ rollout, reward, advantage }) => [rollout, reward, advantage])).toEqual([
    [rollouts[0], 1, 0.5],
    [rollouts[2], 0.5, -0.5],
  ]);
});
