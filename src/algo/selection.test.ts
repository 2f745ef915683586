/** What is learned from: filters, token weights, the buffer, statistics of tasks. */
import { describe, expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  covarianceClip,
  difficultyClass,
  entropyBand,
  groupSizeOf,
  hasVoidTurn,
  highEntropyTokens,
  highEntropyTurns,
  injectSuccess,
  isOverLong,
  isOverTurn,
  isPositive,
  isSaturated,
  productOf,
  protectedFormat,
  quantileBand,
  type RolloutBuffer,
  remembered,
  replayed,
  rewardOf,
  storedRollouts,
  surpriseBand,
  type TaskTable,
  taskWeight,
  turnSurprises,
  unsaturated,
  updatedTasks,
} from "./index.ts";

const turn = (code: string) => fakeTurn({ code });

describe("filters", () => {
  test("a turn without code is void, unless the episode ends with it", () => {
    const turns = [turn("x"), turn(" ")];
    expect(hasVoidTurn(fakeRollout({ turns }))).toBe(false);
    expect(hasVoidTurn(fakeRollout({ turns, outcome: "turn-limit" }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: turns.toReversed() }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: [turn("x")] }))).toBe(false);
  });
  test("a turn whose code does not parse ran as little as one without code", () => {
    const cut = { ...turn("var s='x"), status: "error" as const };
    const said = (observation: string) => [{ ...cut, observation }, turn("x")];
    const unterminated = said("SyntaxError: Unterminated string constant (1:8)");
    expect(hasVoidTurn(fakeRollout({ turns: unterminated }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: said("TypeError: no") }))).toBe(false);
  });
  test("budgets, sign and saturation", () => {
    expect(isOverTurn(fakeRollout({ outcome: "turn-limit" }))).toBe(true);
    expect(isOverTurn(fakeRollout({ outcome: "token-limit" }))).toBe(false);
    expect(isOverLong(fakeRollout({ outcome: "token-limit" }))).toBe(true);
    expect([0.1, 0, -0.1].map((advantage) => isPositive({ advantage }))).toEqual([
      true,
      false,
      false,
    ]);
    expect([[1, 1], [1, 0.5], []].map((group) => isSaturated(group))).toEqual([true, false, false]);
    expect(isSaturated([0.9, 1], 0.9)).toBe(true);
  });
});

describe("token weights", () => {
  test("a band by quantiles leaves out a share of the turns at both ends, wherever they lie", () => {
    const rows = [0.001, 0.002, 0.003, 0.004, 0.005].map((surprise) => ({
      logprobs: [-surprise, -surprise, 0],
      turnLengths: [2, 0],
    }));
    const surprises = turnSurprises(rows);
    expect(surprises).toEqual([0.001, 0.002, 0.003, 0.004, 0.005]);
    const band = quantileBand(surprises, 0.1, 0.9);
    const left = rows.filter(({ logprobs }) => surpriseBand(logprobs, [2], band)[0] === 1);
    expect(left).toHaveLength(3);
    expect(quantileBand(surprises, 0, 1)).toEqual([0.001, 0.005]);
    expect(quantileBand([], 0.1, 0.9)).toEqual([0, Infinity]);
  });

  test("the turns of highest mean entropy; empty ones are not counted", () => {
    expect([...highEntropyTurns([1, 3, 0.5, 4], [2, 0, 1, 1], 0.6)]).toEqual([1, 1, 0, 1]);
    expect([...highEntropyTurns([1, 1], [1, 1], 0.5)]).toEqual([1, 0]);
    expect([...highEntropyTurns([1, 2], [1, 1], 1)]).toEqual([1, 1]);
  });
  test("the tokens of highest entropy in a minibatch", () => {
    const row = (entropies: number[]) => ({
      advantage: 1,
      logprobs: entropies,
      oldLogprobs: entropies,
      entropies,
    });
    const weights = highEntropyTokens([row([1, 0.1]), row([0.5, 2])], 0.5);
    expect(weights.map((w) => [...w])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
  test("turns neither mastered nor noise", () => {
    expect([...surpriseBand([-0.01, -1, -1.2, -9], [1, 2, 1], [0.1, 5])]).toEqual([0, 1, 1, 0]);
  });
  test("format tokens of what went wrong keep their form", () => {
    expect([...protectedFormat(-0.5, [1, 0, 1])]).toEqual([0, 1, 0]);
    expect([...protectedFormat(0.5, [1, 0, 1])]).toEqual([1, 1, 1]);
  });
  test("filters multiply", () => {
    expect([...productOf([1, 0.5, 1], [1, 0.5, 0])]).toEqual([1, 0.25, 0]);
  });

  describe("covariance clip", () => {
    const rows = [
      { advantage: 1, logprobs: [-0.1, -3, -0.2], oldLogprobs: [0, 0, 0] },
      { advantage: [-1, -1], logprobs: [-0.1, -3], oldLogprobs: [0, 0] },
    ];
    test("drops only tokens inside the band", () => {
      const all = { share: 1, low: 0.1, high: Infinity };
      const weights = covarianceClip(rows, all, new Rng(1)).map((w) => [...w]);
      expect(weights).toEqual([
        [0, 1, 0],
        [1, 0],
      ]);
    });
    test("a share of all tokens, the seed's choice", () => {
      const some = { share: 0.4, low: 0.1, high: Infinity };
      const drop = (seed: number) =>
        covarianceClip(rows, some, new Rng(seed)).flatMap((w) => [...w]);
      expect(drop(1).filter((w) => w === 0)).toHaveLength(2);
      expect(drop(1)).toEqual(drop(1));
      const choices = Array.from({ length: 20 }, (_, seed) => String(drop(seed)));
      expect(new Set(choices).size).toBe(3);
    });
    test("is centred: alike advantages do not vary together with anything", () => {
      const alike = rows.map((row) => ({ ...row, advantage: 1 }));
      const any = { share: 1, low: 0.001, high: Infinity };
      expect(covarianceClip(alike, any, new Rng(1)).flatMap((w) => [...w])).not.toContain(0);
    });
    test("nothing in the band, nothing dropped", () => {
      const none = { share: 1, low: 50, high: 60 };
      expect(covarianceClip(rows, none, new Rng(1)).flatMap((w) => [...w])).not.toContain(0);
      expect(covarianceClip([], none, new Rng(1))).toEqual([]);
    });
  });

  test("the entropy band lies around the mean of the past", () => {
    const band = entropyBand([1, 3], { coefficient: 0.1, low: 0.5, high: 1.5 });
    expect(band).toEqual({ coefficient: 0.1, lower: 1, upper: 3 });
  });
});

const graded = (taskId: string, reward: number, index = 0) => {
  const rollout = fakeRollout({ taskId, index, checks: [reward === 1] });
  return { rollout, reward, advantage: reward - 0.5 };
};

describe("the buffer", () => {
  const options = { perTask: 2, capacity: 3, maxAge: 5 };
  const indices = (buffer: RolloutBuffer) =>
    storedRollouts(buffer).map(({ rollout }) => rollout.index);
  test("keeps the newest of a task, of all, and forgets with age", () => {
    const first = remembered(
      {},
      [0, 1, 2].map((i) => graded("a/0", 1, i)),
      0,
      options,
    );
    expect(indices(first)).toEqual([1, 2]);
    const second = remembered(first, [graded("b/0", 1, 3), graded("b/0", 1, 4)], 1, options);
    expect(indices(second)).toEqual([2, 3, 4]);
    expect(indices(remembered(second, [], 6, options))).toEqual([3, 4]);
    expect(indices(remembered(second, [], 7, options))).toEqual([]);
    expect(remembered(second, [], 1, { ...options, capacity: 0 })).toEqual({});
    expect(JSON.parse(JSON.stringify(second))).toEqual(second);
  });

  const injection = { maxStd: 0.05, maxMean: 0.2, minReward: 0.9 };
  const group = (...rewards: number[]) =>
    rewards.map((r, index) => fakeRollout({ taskId: "a/0", index, checks: [r === 1] }));
  test("a group that failed as a whole gets the latest success; others stay", () => {
    const items = [graded("a/0", 1, 7), graded("a/0", 1, 8), graded("a/0", 0, 9)];
    const buffer = remembered({}, items, 0, { ...options, perTask: 9 });
    const failed = group(0, 0, 0);
    const injected = injectSuccess(failed, rewardOf, buffer, injection);
    expect(injected.map(({ index }) => index)).toEqual([0, 1, 8]);
    const mixed = group(0, 1, 0);
    expect(injectSuccess(mixed, rewardOf, buffer, injection)).toBe(mixed);
    expect(injectSuccess(failed, rewardOf, {}, injection)).toBe(failed);
    expect(injectSuccess([], rewardOf, buffer, injection)).toEqual([]);
  });

  test("replay keeps what still beats the groups of now", () => {
    const buffer = remembered({}, [graded("a/0", 1), graded("b/0", 0.5)], 0, options);
    const kept = replayed(buffer, { means: [0.4, 0.7, 0.6] });
    expect(kept.map(({ reward }) => reward)).toEqual([1]);
    expect(kept[0]!.advantage).toBeCloseTo(0.4, 12);
  });
});

describe("statistics of tasks", () => {
  const table: TaskTable = {
    easy: { success: 1, variance: 0, groups: 3 },
    half: { success: 0.5, variance: 0.25, groups: 3 },
    hard: { success: 0, variance: 0, groups: 3 },
    new: { success: 1, variance: 0, groups: 1 },
  };
  test("move towards what groups show", () => {
    const groups = [{ task: "a", returns: [1, 0.5], passed: [true, false] }];
    const first = updatedTasks({}, groups);
    expect(first["a"]).toEqual({ success: 0.5, variance: 0.0625, groups: 1 });
    const next = updatedTasks(first, [{ task: "a", returns: [1, 1], passed: [true, true] }], 0.5);
    expect(next["a"]).toEqual({ success: 0.75, variance: 0.03125, groups: 2 });
    expect(updatedTasks(first, [{ task: "b", returns: [], passed: [] }])).toEqual(first);
  });
  test("tasks near one half are worth most, unseen ones as much", () => {
    const weights = (interest: "half" | "variance") =>
      ["easy", "half", "hard", "unseen"].map((task) => taskWeight(table[task], interest));
    expect(weights("half")).toEqual([0.1, 1, 0.1, 1]);
    expect(weights("variance")).toEqual([0.1, 1, 0.1, 1]);
    expect(taskWeight(table["easy"], "uniform")).toBe(1);
  });
  test("mastered tasks leave once they have been seen enough", () => {
    const tasks = ["easy", "half", "new", "unseen"].map((id) => ({ id }));
    const left = unsaturated(tasks, table, { threshold: 0.95, minGroups: 2 });
    expect(left.map(({ id }) => id)).toEqual(["half", "new", "unseen"]);
  });
  test("classes, and rollouts where they tell most", () => {
    const names = ["easy", "half", "hard", "unseen"];
    expect(names.map((task) => difficultyClass(table[task]))).toEqual([
      "easy",
      "medium",
      "hard",
      "unseen",
    ]);
    const sizes = names.map((task) => groupSizeOf(table[task], { min: 2, max: 8 }));
    expect(sizes).toEqual([2, 8, 2, 8]);
  });
});
