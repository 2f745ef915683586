/** Tests advantages by key, baseline and scale, advantages of turns and in trees, and later changes of advantages. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  type AdvantageOptions,
  type Branch,
  batchGainFactor,
  type Credit,
  computeCreditAdvantages,
  counterfactualAdvantages,
  gradeBatch,
  gradeTurns,
  groupAdvantages,
  mixAdvantages,
  nameChoiceNodes,
  nameNodesBeforeTurns,
  outcomeTerm,
  recalibrateAdvantages,
  rowAdvantage,
  scaleAdvantageByEntropy,
  sharedPrefixAdvantages,
  sumTerms,
  turnConditionTerm,
  turnReturns,
} from "./index.ts";

const credits: Credit[] = [
  { task: "a", return: 1, turn: 0, branch: "x", role: "buyer", position: 0 },
  { task: "a", return: 0, turn: 0, branch: "x", role: "seller", position: 1 },
  { task: "a", return: 0.5, turn: 1, branch: "y", role: "buyer", position: 0 },
  { task: "b", return: 0.25, turn: 0, branch: "x", role: "buyer", position: 0 },
  { task: "b", return: 0.75, turn: 0, branch: "x", role: "seller", position: 0 },
];
const LOO: AdvantageOptions = { baseline: "leave-one-out", scale: "none" };
const by = (options: Partial<AdvantageOptions>) =>
  computeCreditAdvantages(credits, { ...LOO, ...options }).advantages;

describe("computeCreditAdvantages compares credits by key", () => {
  test("with key task, credits of one task are compared", () =>
    expect(by({})).toEqual([0.75, -0.75, 0, -0.5, 0.5]));
  test("with key task-turn, a credit whose group has no other credit gets no advantage", () => {
    expect(by({ key: "task-turn" })).toEqual([1, -1, undefined, -0.5, 0.5]);
  });
  test("with key task-branch, credits at the same node are compared", () => {
    expect(by({ key: "task-branch" })).toEqual([1, -1, undefined, -0.5, 0.5]);
  });
  test("with key role, credits of a role are compared across all tasks", () => {
    const [a, b, , , e] = by({ key: "role", baseline: "mean" });
    expect(a).toBeCloseTo(1 - (1 + 0.5 + 0.25) / 3, 12);
    expect([b, e]).toEqual([-0.375, 0.375]);
  });
  test("with key chain-position, credits at the same position are compared", () => {
    expect(by({ key: "chain-position" })).toEqual([0.5, undefined, -0.5, -0.5, 0.5]);
  });
  test("a credit without the field that the key needs fails an assertion", () => {
    expect(() =>
      computeCreditAdvantages([{ task: "a", return: 1 }], { ...LOO, key: "role" }),
    ).toThrow(/by role/);
  });
});

describe("baselines and scales", () => {
  test("with key task, advantages equal those of groupAdvantages", () => {
    const returns = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 6,
    });
    const baseline = fc.constantFrom("leave-one-out", "mean" as const);
    const scale = fc.constantFrom("none", "group" as const);
    fc.assert(
      fc.property(returns, baseline, scale, (list, b, s) => {
        const options = { baseline: b, scale: s };
        const { advantages } = computeCreditAdvantages(
          list.map((value) => ({ task: "a", return: value })),
          options,
        );
        expect(advantages).toEqual(groupAdvantages(list, options));
      }),
    );
  });

  test("baseline none subtracts nothing and keeps a group with one rollout", () => {
    expect(
      computeCreditAdvantages([{ task: "a", return: 0.5 }], { baseline: "none", scale: "none" }),
    ).toEqual({ advantages: [0.5], running: {} });
  });

  test("scale batch divides all advantages by the same deviation", () => {
    const plain = by({ baseline: "mean" });
    const scaled = by({ baseline: "mean", scale: "batch" });
    const std = Math.sqrt([1, 0, 0.5, 0.25, 0.75].reduce((s, r) => s + (r - 0.5) ** 2, 0) / 5);
    plain.forEach((a, i) => {
      expect(scaled[i]!).toBeCloseTo(a! / std, 12);
    });
  });

  test("a running baseline is read before a return enters it, and is passed on to the next batch", () => {
    const options: AdvantageOptions = {
      baseline: "running",
      scale: "none",
      decay: 0.5,
      key: "role",
    };
    const first = computeCreditAdvantages(credits.slice(0, 3), options);
    expect(first.advantages).toEqual([1, 0, 0]);
    expect(first.running).toEqual({ buyer: 0.5, seller: 0 });
    const second = computeCreditAdvantages(credits.slice(3), options, first.running);
    expect(second.advantages).toEqual([-0.25, 0.75]);
    expect(second.running).toEqual({ buyer: 0.375, seller: 0.375 });
  });

  test("gradeBatch grades single rollouts with baselines running and none", () => {
    const rollouts = [1, 0].map((r) => fakeRollout({ checks: [r === 1] }));
    const options = { baseline: "running", scale: "none", decay: 0.5 } as const;
    const { graded, running } = gradeBatch(rollouts, options);
    expect(graded.map(({ advantage }) => advantage)).toEqual([1, -0.5]);
    expect(running).toEqual({ "train/0/0": 0.25 });
    const slow = computeCreditAdvantages(credits.slice(0, 1), { ...LOO, baseline: "running" });
    expect(slow.running["a"]).toBeCloseTo(0.05, 12);
    const raw = gradeBatch(rollouts.slice(0, 1), { baseline: "none", scale: "none" });
    expect(raw.graded).toMatchObject([{ advantage: 1 }]);
  });
});

const turn = (code: string) => fakeTurn({ code });

describe("credit of turns", () => {
  test("the returns of turns are one outcome for all, or the sum of later rewards, which ends at a break", () => {
    const rewards = [0, 1, 0, 2];
    expect(turnReturns(rewards, { type: "broadcast" })).toEqual([3, 3, 3, 3]);
    const toGo = { type: "to-go", gamma: 0.5 } as const;
    expect(turnReturns(rewards, toGo)).toEqual([0.75, 1.5, 1, 2]);
    expect(turnReturns(rewards, toGo, [false, true, false, false])).toEqual([0.5, 1, 1, 2]);
    expect(turnReturns([], toGo)).toEqual([]);
    expect(() => turnReturns(rewards, { type: "broadcast" }, [true, true, true, true])).toThrow(
      /take no breaks/,
    );
  });

  test("gradeTurns compares the j-th turns of a task's rollouts, and a turn with no other to compare with gets 0", () => {
    const good = fakeRollout({ turns: [turn("a"), turn(""), turn("c")], checks: [true] });
    const bad = fakeRollout({ turns: [turn(""), turn("b")], checks: [false] });
    const cancelled = fakeRollout({ outcome: "cancelled" });
    const term = sumTerms(
      outcomeTerm(),
      turnConditionTerm(({ code }) => code !== ""),
    );
    const graded = gradeTurns([good, bad, cancelled], {
      term,
      returns: { type: "to-go", gamma: 1 },
      advantage: { ...LOO, key: "task-turn" },
      iteration: 0,
    });
    expect(graded.map(({ reward }) => reward)).toEqual([3, 1]);
    expect(graded.map(({ turnAdvantages }) => turnAdvantages)).toEqual([
      [2, 1, 0],
      [-2, -1],
    ]);
    expect(graded.map(({ advantage }) => advantage)).toEqual([2, -2]);
    const spread = rowAdvantage(graded[0]!, [1, 2, 1]);
    expect(spread).toEqual(Float64Array.of(2, 1, 1, 0));
    const { turnAdvantages: _, ...whole } = graded[0]!;
    expect(rowAdvantage(whole, [1, 2, 1])).toBe(2);
  });

  test("mixAdvantages adds the weighted advantages of episode and turn", () => {
    expect(mixAdvantages(0.5, [1, -1], { episode: 1, turn: 0.5 })).toEqual([1, 0]);
  });
});

describe("advantages in trees of rollouts", () => {
  const branches: Branch[] = [
    { advantage: 1, turns: 3 },
    { advantage: -1, turns: 2, parent: 0, fork: 1 },
    { advantage: 0.5, turns: 4, parent: 1, fork: 1 },
  ];
  test("a turn that several rollouts share gets the mean of their advantages, and any other turn gets its own rollout's advantage", () => {
    const [root, first, second] = sharedPrefixAdvantages(branches);
    const mean = 0.5 / 3;
    expect(root!.advantages[0]).toBeCloseTo(mean, 12);
    expect(root!.advantages.slice(1)).toEqual([1, 1]);
    expect(first!.advantages.slice(1)).toEqual([-1]);
    expect(second!.advantages.slice(1)).toEqual([0.5, 0.5, 0.5]);
    expect(root!.holders).toEqual([3, 1, 1]);
    expect(second!.advantages[0]).toBeCloseTo(mean, 12);
  });
  test("a rollout that was forked from a fork shares turns with both", () => {
    const nested: Branch[] = [...branches, { advantage: 2, turns: 3, parent: 2, fork: 2 }];
    const last = sharedPrefixAdvantages(nested).at(-1)!;
    expect(last.holders).toEqual([4, 2, 1]);
    expect(last.advantages).toEqual([2.5 / 4, 1.25, 2]);
  });
  test("rollouts without forks keep their own advantages", () => {
    const flat = sharedPrefixAdvantages([
      { advantage: 1, turns: 2 },
      { advantage: -1, turns: 1 },
    ]);
    expect(flat.map(({ advantages }) => advantages)).toEqual([[1, 1], [-1]]);
  });
  test("the counterfactual advantage is the return minus the mean return of rollouts that chose otherwise", () => {
    const choices = [
      { node: "n", choice: "call", return: 1 },
      { node: "n", choice: "call", return: 0.5 },
      { node: "n", choice: "ask", return: 0.25 },
      { node: "m", choice: "ask", return: 1 },
    ];
    expect(counterfactualAdvantages(choices)).toEqual([0.75, 0.25, -0.5, undefined]);
  });
});

describe("shaping of advantages", () => {
  test("batchGainFactor is the number of groups divided by the number of mixed groups", () => {
    const groups = [
      [0.5, -0.5],
      [0, 0],
      [0, 0],
      [0.25, -0.25],
    ];
    expect(batchGainFactor(groups)).toBe(2);
    expect(batchGainFactor([[0, 0]])).toBe(1);
  });
  test("scaling by entropy gives uncertain tokens larger advantages and keeps the mean", () => {
    const scaled = scaleAdvantageByEntropy(0.5, [0, 1, 2], 0.2);
    expect(scaled[0]).toBeLessThan(0.5);
    expect(scaled[2]).toBeGreaterThan(0.5);
    expect(scaled.reduce((a, b) => a + b, 0)).toBeCloseTo(1.5, 12);
    expect([...scaleAdvantageByEntropy(0.5, [1, 1], 0.2)]).toEqual([0.5, 0.5]);
  });
  test("recalibrateAdvantages measures stored returns against recent group means", () => {
    expect(recalibrateAdvantages([1, 0.5], { means: [0.2, 0.9, 0.6] })[0]).toBeCloseTo(0.4, 12);
    const scaled = recalibrateAdvantages([1], { means: [0.6], stds: [0.2] });
    expect(scaled[0]).toBeCloseTo(2, 12);
    expect(recalibrateAdvantages([1], { means: [] })).toEqual([1]);
    expect(recalibrateAdvantages([1], { means: [0, 1] }, 0.9)[0]).toBeCloseTo(0.1, 12);
  });
});

describe("names of nodes in a tree", () => {
  // The second rollout was forked from the first before its turn 2. The third began independently.
  const tree = [{ turns: 4 }, { turns: 3, parent: 0, fork: 2 }, { turns: 2 }];

  test("rollouts that were at the same node have the same name there", () => {
    const [parent, fork, other] = nameNodesBeforeTurns(tree);
    expect(fork!.slice(0, 3)).toEqual(parent!.slice(0, 3));
    expect(fork![0]).toBe(other![0]);
    expect(other![1]).not.toBe(parent![1]);
    expect(new Set([...parent!, ...fork!, ...other!]).size).toBe(1 + 3 + 1);
  });

  test("nameChoiceNodes gives a unique name to a node where all rollouts continue with the same turn", () => {
    const [parent, fork, other] = nameChoiceNodes(tree);
    expect(fork![0]).toBe(parent![0]);
    expect(other![0]).toBe(parent![0]);
    expect(fork![1]).not.toBe(parent![1]);
    expect(fork![2]).toBe(parent![2]);
  });
});

test("batchGainFactor is 1 when no group has a nonzero advantage", () => {
  expect(batchGainFactor([[1, -1], [0, 0], [0]])).toBe(3);
  expect(batchGainFactor([[0, 0]])).toBe(1);
});
