import fc from "fast-check";
import { expect, test } from "vitest";
import { fakeRollout, fakeTokens } from "../testing/fake-rollout.ts";
import {
  cancelStragglers,
  countDecodeSteps,
  decideStragglers,
  type RolloutProgress,
} from "./index.ts";

const PAPER = { groupSize: 6, perTaskFraction: 0.75, totalFraction: 0.9 };
const OFF = { groupSize: 6, perTaskFraction: 1, totalFraction: 1 };

const finished = (task: string, ...steps: number[]): RolloutProgress[] =>
  steps.map((count) => ({ task, steps: count, state: "finished" }));

test("collection stops when 90% of all rollouts have finished", () => {
  const progress = [
    ...finished("a", 1, 2, 3, 4, 5, 6),
    ...finished("b", 1, 2, 3, 4, 50, 60),
    ...finished("c", 1, 2, 3, 4, 5, 6),
    ...finished("d", 1, 2, 3, 4, 5, 6),
    ...finished("e", 1, 2, 3, 4, 5, 6),
  ];
  // 27 of 30 rollouts must finish. The 27th finishes at step 6, when 28 have finished.
  expect(decideStragglers(progress, PAPER)).toMatchObject({ cutoff: 6, cancelled: [10, 11] });
});

test("every task needs 4 of its 6 rollouts to finish, however many rollouts of other tasks have finished", () => {
  const progress = [
    ...finished("a", 1, 2, 3, 70, 80, 90),
    ...finished("b", 1, 2, 3, 4, 5, 6),
    ...finished("c", 1, 2, 3, 4, 5, 6),
  ];
  const loose = { ...PAPER, totalFraction: 0.5 };
  expect(decideStragglers(progress, loose)).toMatchObject({ cutoff: 70, cancelled: [4, 5] });
});

test("quotas of 1 keep every rollout", () => {
  const progress = finished("a", 1, 2, 3, 70, 80, 9000);
  expect(decideStragglers(progress, OFF)).toEqual({
    cutoff: 9000,
    kept: [0, 1, 2, 3, 4, 5],
    cancelled: [],
  });
});

test("all rollouts that end exactly at the cutoff are kept", () => {
  const progress = finished("a", 5, 5, 5, 5, 5, 5);
  expect(decideStragglers(progress, { ...PAPER, totalFraction: 0.1 }).kept).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
});

test("a failed rollout is neither kept nor cancelled, and only rollouts that can still finish count for the quotas", () => {
  const progress: RolloutProgress[] = [
    ...finished("a", 1, 2),
    ...Array.from({ length: 4 }, () => ({ task: "a", steps: 0, state: "failed" }) as const),
  ];
  expect(decideStragglers(progress, PAPER)).toEqual({ cutoff: 2, kept: [0, 1], cancelled: [] });
  const none = decideStragglers([{ task: "a", steps: 3, state: "failed" }], PAPER);
  expect(none).toEqual({ cutoff: 0, kept: [], cancelled: [] });
});

test("no rollout is cancelled until the finished ones meet the quotas", () => {
  const progress: RolloutProgress[] = [
    ...finished("a", 1, 2, 3),
    { task: "a", steps: 1_000_000, state: "in-flight" },
    { task: "a", steps: 5, state: "in-flight" },
    { task: "a", steps: 5, state: "in-flight" },
  ];
  expect(decideStragglers(progress, PAPER)).toEqual({
    cutoff: Number.POSITIVE_INFINITY,
    kept: [0, 1, 2],
    cancelled: [],
  });
});

const K = 4;
const OPTIONS = { groupSize: K, perTaskFraction: 0.75, totalFraction: 0.9 };
/** Generates up to 4 tasks x 4 rollouts, each with its final step count and the count it has reached now. */
const situation = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })), {
    minLength: 1,
    maxLength: 16,
  })
  .map((pairs) => pairs.map(([final, now], i) => ({ task: `${i % 4}`, final, now })));

const present = (
  items: readonly { task: string; final: number; now: number }[],
): RolloutProgress[] =>
  items.map(({ task, final, now }) =>
    now >= final
      ? { task, steps: final, state: "finished" }
      : { task, steps: now, state: "in-flight" },
  );
const final = (items: readonly { task: string; final: number }[]): RolloutProgress[] =>
  items.map(({ task, final }) => ({ task, steps: final, state: "finished" }));

test("the cutoff is the smallest step count at which both quotas are met", () => {
  fc.assert(
    fc.property(situation, (items) => {
      const meets = (time: number) => {
        const isIn = items.filter((item) => item.final <= time);
        const size = (list: typeof items, task: string) =>
          list.filter((item) => item.task === task).length;
        const tasks = [...new Set(items.map(({ task }) => task))];
        const everyTask = tasks.every((t) => size(isIn, t) >= Math.min(3, size(items, t)));
        return everyTask && isIn.length >= 0.9 * items.length;
      };
      let time = 0;
      while (!meets(time)) time++;
      expect(decideStragglers(final(items), OPTIONS).cutoff).toBe(time);
    }),
  );
});

test("while rollouts are running, the rule cancels none that the final decision keeps", () => {
  fc.assert(
    fc.property(situation, (items) => {
      const inTheEnd = new Set(decideStragglers(final(items), OPTIONS).kept);
      for (const index of decideStragglers(present(items), OPTIONS).cancelled) {
        expect(inTheEnd.has(index)).toBe(false);
      }
    }),
  );
});

test("while rollouts are running, every rollout that is not cancelled would be kept if it ended now", () => {
  fc.assert(
    fc.property(situation, (items) => {
      const now = present(items);
      const { cancelled } = decideStragglers(now, OPTIONS);
      now.forEach((item, index) => {
        if (item.state !== "in-flight" || cancelled.includes(index)) return;
        const endsNow = now.with(index, { ...item, state: "finished" });
        expect(decideStragglers(endsNow, OPTIONS).kept).toContain(index);
      });
    }),
  );
});

test("stopping rollouts early, once they are certain to be cancelled, keeps the same batch as waiting for all", () => {
  fc.assert(
    fc.property(situation, (items) => {
      const patient = decideStragglers(final(items), OPTIONS).kept;
      const cut = new Set(decideStragglers(present(items), OPTIONS).cancelled);
      const stopped = final(items).map(
        (item, index): RolloutProgress =>
          cut.has(index) && items[index]!.now < item.steps
            ? { ...item, steps: items[index]!.now, state: "in-flight" }
            : item,
      );
      expect(decideStragglers(stopped, OPTIONS).kept).toEqual(patient);
    }),
  );
});

test("a cancelled record does not show how far the rollout got", () => {
  const rollouts = [2, 3, 4, 9].map((steps, index) =>
    fakeRollout({ index, tokens: fakeTokens([0, ...new Array<1>(steps).fill(1)]) }),
  );
  const options = { groupSize: 4, perTaskFraction: 0.75, totalFraction: 0.75 };
  const batch = cancelStragglers(rollouts, options);
  expect(batch.slice(0, 3)).toEqual(rollouts.slice(0, 3));
  expect(batch[3]).toMatchObject({ id: rollouts[3]!.id, outcome: "cancelled", turns: [] });
  expect(batch[3]).not.toHaveProperty("tokens");
  expect(batch[3]).not.toHaveProperty("evaluation");
});

test("a cancelled rollout stays cancelled and a failed one stays failed, however short they are", () => {
  const steps = (count: number) => fakeTokens([0, ...new Array<1>(count).fill(1)]);
  const rollouts = [
    fakeRollout({ index: 0, tokens: steps(5) }),
    fakeRollout({ index: 1, tokens: steps(6) }),
    fakeRollout({ index: 2, tokens: steps(1), outcome: "cancelled" }),
    fakeRollout({ index: 3, tokens: steps(1), outcome: "failed" }),
  ];
  const options = { groupSize: 4, perTaskFraction: 0.5, totalFraction: 0.5 };
  const batch = cancelStragglers(rollouts, options);
  expect(batch.map(({ outcome }) => outcome)).toEqual([
    "finished",
    "finished",
    "cancelled",
    "failed",
  ]);
  expect(batch[3]).toBe(rollouts[3]);
});

test("decode steps are sampled tokens, or turns when the policy has no tokens", () => {
  expect(countDecodeSteps(fakeRollout({ tokens: fakeTokens([0, 1, 1, 0, 1]) }))).toBe(3);
  const turn = { message: "", code: "", observation: "", status: "ok" as const, calls: [] };
  expect(countDecodeSteps(fakeRollout({ turns: [turn, turn] }))).toBe(2);
});
