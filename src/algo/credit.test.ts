/** Advantages by key, baseline and scale; turns; trees; changes of advantages. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  type AdvantageOptions,
  type Branch,
  batchGain,
  type Credit,
  choiceNodesOf,
  counterfactualAdvantages,
  creditAdvantages,
  entropyScaled,
  gradeBatch,
  gradeTurns,
  groupAdvantages,
  mixedAdvantages,
  nodesOf,
  outcomeTerm,
  recalibrated,
  rowAdvantage,
  sharedPrefixAdvantages,
  sumOf,
  turnReturns,
  turnTerm,
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
  creditAdvantages(credits, { ...LOO, ...options }).advantages;

describe("credits are compared by key", () => {
  test("task", () => expect(by({})).toEqual([0.75, -0.75, 0, -0.5, 0.5]));
  test("task and turn; alone in its group is not compared", () => {
    expect(by({ key: "task-turn" })).toEqual([1, -1, undefined, -0.5, 0.5]);
  });
  test("task and branch", () => {
    expect(by({ key: "task-branch" })).toEqual([1, -1, undefined, -0.5, 0.5]);
  });
  test("role, over all tasks", () => {
    const [a, b, , , e] = by({ key: "role", baseline: "mean" });
    expect(a).toBeCloseTo(1 - (1 + 0.5 + 0.25) / 3, 12);
    expect([b, e]).toEqual([-0.375, 0.375]);
  });
  test("chain position", () => {
    expect(by({ key: "chain-position" })).toEqual([0.5, undefined, -0.5, -0.5, 0.5]);
  });
  test("a key that a credit does not carry is a bug", () => {
    expect(() => creditAdvantages([{ task: "a", return: 1 }], { ...LOO, key: "role" })).toThrow(
      /by role/,
    );
  });
});

describe("baselines and scales", () => {
  test("for tasks it is the groups' own estimator", () => {
    const returns = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 6,
    });
    const baseline = fc.constantFrom("leave-one-out", "mean" as const);
    const scale = fc.constantFrom("none", "group" as const);
    fc.assert(
      fc.property(returns, baseline, scale, (list, b, s) => {
        const options = { baseline: b, scale: s };
        const { advantages } = creditAdvantages(
          list.map((value) => ({ task: "a", return: value })),
          options,
        );
        expect(advantages).toEqual(groupAdvantages(list, options));
      }),
    );
  });

  test("none leaves the return; a single one is kept", () => {
    expect(
      creditAdvantages([{ task: "a", return: 0.5 }], { baseline: "none", scale: "none" }),
    ).toEqual({ advantages: [0.5], running: {} });
  });

  test("the batch's deviation divides all alike", () => {
    const plain = by({ baseline: "mean" });
    const scaled = by({ baseline: "mean", scale: "batch" });
    const std = Math.sqrt([1, 0, 0.5, 0.25, 0.75].reduce((s, r) => s + (r - 0.5) ** 2, 0) / 5);
    plain.forEach((a, i) => {
      expect(scaled[i]!).toBeCloseTo(a! / std, 12);
    });
  });

  test("a running baseline is read before the return enters it, and carries over", () => {
    const options: AdvantageOptions = {
      baseline: "running",
      scale: "none",
      decay: 0.5,
      key: "role",
    };
    const first = creditAdvantages(credits.slice(0, 3), options);
    expect(first.advantages).toEqual([1, 0, 0]);
    expect(first.running).toEqual({ buyer: 0.5, seller: 0 });
    const second = creditAdvantages(credits.slice(3), options, first.running);
    expect(second.advantages).toEqual([-0.25, 0.75]);
    expect(second.running).toEqual({ buyer: 0.375, seller: 0.375 });
  });

  test("rollouts are graded with running baselines too", () => {
    const rollouts = [1, 0].map((r) => fakeRollout({ checks: [r === 1] }));
    const options = { baseline: "running", scale: "none", decay: 0.5 } as const;
    const { graded, running } = gradeBatch(rollouts, options);
    expect(graded.map(({ advantage }) => advantage)).toEqual([1, -0.5]);
    expect(running).toEqual({ "train/0/0": 0.25 });
    const slow = creditAdvantages(credits.slice(0, 1), { ...LOO, baseline: "running" });
    expect(slow.running["a"]).toBeCloseTo(0.05, 12);
    const raw = gradeBatch(rollouts.slice(0, 1), { baseline: "none", scale: "none" });
    expect(raw.graded).toMatchObject([{ advantage: 1 }]);
  });
});

const turn = (code: string) => fakeTurn({ code });

describe("turns", () => {
  test("returns: one outcome for all, or what came after, or up to a break", () => {
    const rewards = [0, 1, 0, 2];
    expect(turnReturns(rewards, { type: "broadcast" })).toEqual([3, 3, 3, 3]);
    const toGo = { type: "to-go", gamma: 0.5 } as const;
    expect(turnReturns(rewards, toGo)).toEqual([0.75, 1.5, 1, 2]);
    expect(turnReturns(rewards, toGo, [false, true, false, false])).toEqual([0.5, 1, 1, 2]);
    expect(turnReturns([], toGo)).toEqual([]);
    expect(() => turnReturns(rewards, { type: "broadcast" }, [true, true, true, true])).toThrow(
      /broken off/,
    );
  });

  test("the j-th turns of siblings are compared; what has no sibling gets 0", () => {
    const good = fakeRollout({ turns: [turn("a"), turn(""), turn("c")], checks: [true] });
    const bad = fakeRollout({ turns: [turn(""), turn("b")], checks: [false] });
    const cancelled = fakeRollout({ outcome: "cancelled" });
    const term = sumOf(
      outcomeTerm(),
      turnTerm(({ code }) => code !== ""),
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

  test("step and episode mixed", () => {
    expect(mixedAdvantages(0.5, [1, -1], { episode: 1, turn: 0.5 })).toEqual([1, 0]);
  });
});

describe("trees", () => {
  const branches: Branch[] = [
    { advantage: 1, turns: 3 },
    { advantage: -1, turns: 2, parent: 0, fork: 1 },
    { advantage: 0.5, turns: 4, parent: 1, fork: 1 },
  ];
  test("shared turns get the mean of the rollouts through them, own turns their own", () => {
    const [root, first, second] = sharedPrefixAdvantages(branches);
    const mean = 0.5 / 3;
    expect(root!.advantages[0]).toBeCloseTo(mean, 12);
    expect(root!.advantages.slice(1)).toEqual([1, 1]);
    expect(first!.advantages.slice(1)).toEqual([-1]);
    expect(second!.advantages.slice(1)).toEqual([0.5, 0.5, 0.5]);
    expect(root!.holders).toEqual([3, 1, 1]);
    expect(second!.advantages[0]).toBeCloseTo(mean, 12);
  });
  test("a fork of a fork shares with both", () => {
    const nested: Branch[] = [...branches, { advantage: 2, turns: 3, parent: 2, fork: 2 }];
    const last = sharedPrefixAdvantages(nested).at(-1)!;
    expect(last.holders).toEqual([4, 2, 1]);
    expect(last.advantages).toEqual([2.5 / 4, 1.25, 2]);
  });
  test("without forks everyone keeps the own advantage", () => {
    const flat = sharedPrefixAdvantages([
      { advantage: 1, turns: 2 },
      { advantage: -1, turns: 1 },
    ]);
    expect(flat.map(({ advantages }) => advantages)).toEqual([[1, 1], [-1]]);
  });
  test("a counterfactual is what the others earned who chose otherwise", () => {
    const choices = [
      { node: "n", choice: "call", return: 1 },
      { node: "n", choice: "call", return: 0.5 },
      { node: "n", choice: "ask", return: 0.25 },
      { node: "m", choice: "ask", return: 1 },
    ];
    expect(counterfactualAdvantages(choices)).toEqual([0.75, 0.25, -0.5, undefined]);
  });
});

describe("changes of advantages", () => {
  test("a batch of few mixed groups still takes a full step", () => {
    const groups = [
      [0.5, -0.5],
      [0, 0],
      [0, 0],
      [0.25, -0.25],
    ];
    expect(batchGain(groups)).toBe(2);
    expect(batchGain([[0, 0]])).toBe(1);
  });
  test("uncertain tokens count more, on average as much", () => {
    const scaled = entropyScaled(0.5, [0, 1, 2], 0.2);
    expect(scaled[0]).toBeLessThan(0.5);
    expect(scaled[2]).toBeGreaterThan(0.5);
    expect(scaled.reduce((a, b) => a + b, 0)).toBeCloseTo(1.5, 12);
    expect([...entropyScaled(0.5, [1, 1], 0.2)]).toEqual([0.5, 0.5]);
  });
  test("stored rollouts are measured against what groups earn now", () => {
    expect(recalibrated([1, 0.5], { means: [0.2, 0.9, 0.6] })[0]).toBeCloseTo(0.4, 12);
    const scaled = recalibrated([1], { means: [0.6], stds: [0.2] });
    expect(scaled[0]).toBeCloseTo(2, 12);
    expect(recalibrated([1], { means: [] })).toEqual([1]);
    expect(recalibrated([1], { means: [0, 1] }, 0.9)[0]).toBeCloseTo(0.1, 12);
  });
});

describe("nodes of a tree", () => {
  // The second was forked from the first before its turn 2, the third began on its own.
  const tree = [{ turns: 4 }, { turns: 3, parent: 0, fork: 2 }, { turns: 2 }];

  test("rollouts share the name of every node that they stood at together", () => {
    const [parent, fork, other] = nodesOf(tree);
    expect(fork!.slice(0, 3)).toEqual(parent!.slice(0, 3));
    expect(fork![0]).toBe(other![0]);
    expect(other![1]).not.toBe(parent![1]);
    expect(new Set([...parent!, ...fork!, ...other!]).size).toBe(1 + 3 + 1);
  });

  test("a turn that all at its node share is no choice; the start and the fork are", () => {
    const [parent, fork, other] = choiceNodesOf(tree);
    expect(fork![0]).toBe(parent![0]);
    expect(other![0]).toBe(parent![0]);
    expect(fork![1]).not.toBe(parent![1]);
    expect(fork![2]).toBe(parent![2]);
  });
});

test("batch gain is groups over groups that teach, and 1 where none does", () => {
  expect(batchGain([[1, -1], [0, 0], [0]])).toBe(3);
  expect(batchGain([[0, 0]])).toBe(1);
});
