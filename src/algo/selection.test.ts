/** Tests what decides what is learned from: filters, token weights, the rollout buffer and statistics of tasks. */
import { describe, expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  classifyDifficulty,
  covarianceClipMasks,
  dropMasteredTasks,
  entropyBandAroundMean,
  formatProtectionMask,
  groupSizeByDifficulty,
  hasPositiveAdvantage,
  hasVoidTurn,
  highEntropyTokenMasks,
  highEntropyTurnMask,
  injectSuccess,
  isSaturatedGroup,
  multiplyWeights,
  type RolloutBuffer,
  reachedTokenLimit,
  reachedTurnLimit,
  rememberRollouts,
  rewardOf,
  selectForReplay,
  storedRollouts,
  surpriseBandMask,
  surpriseQuantileBand,
  type TaskTable,
  taskSamplingWeight,
  turnSurprises,
  updateTaskStatistics,
} from "./index.ts";

const turn = (code: string) => fakeTurn({ code });

describe("rollout filters", () => {
  test("a turn without code is void, unless it ends the episode", () => {
    const turns = [turn("x"), turn(" ")];
    expect(hasVoidTurn(fakeRollout({ turns }))).toBe(false);
    expect(hasVoidTurn(fakeRollout({ turns, outcome: "turn-limit" }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: turns.toReversed() }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: [turn("x")] }))).toBe(false);
  });
  test("a turn whose code does not parse counts as void", () => {
    const cut = { ...turn("var s='x"), status: "error" as const };
    const said = (observation: string) => [{ ...cut, observation }, turn("x")];
    const unterminated = said("SyntaxError: Unterminated string constant (1:8)");
    expect(hasVoidTurn(fakeRollout({ turns: unterminated }))).toBe(true);
    expect(hasVoidTurn(fakeRollout({ turns: said("TypeError: no") }))).toBe(false);
  });
  test("filters recognise turn and token limits, positive advantages and saturated groups", () => {
    expect(reachedTurnLimit(fakeRollout({ outcome: "turn-limit" }))).toBe(true);
    expect(reachedTurnLimit(fakeRollout({ outcome: "token-limit" }))).toBe(false);
    expect(reachedTokenLimit(fakeRollout({ outcome: "token-limit" }))).toBe(true);
    expect([0.1, 0, -0.1].map((advantage) => hasPositiveAdvantage({ advantage }))).toEqual([
      true,
      false,
      false,
    ]);
    expect([[1, 1], [1, 0.5], []].map((group) => isSaturatedGroup(group))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isSaturatedGroup([0.9, 1], 0.9)).toBe(true);
  });
});

describe("token weights", () => {
  test("a band between quantiles leaves out the most and the least surprising turns", () => {
    const rows = [0.001, 0.002, 0.003, 0.004, 0.005].map((surprise) => ({
      logprobs: [-surprise, -surprise, 0],
      turnLengths: [2, 0],
    }));
    const surprises = turnSurprises(rows);
    expect(surprises).toEqual([0.001, 0.002, 0.003, 0.004, 0.005]);
    const band = surpriseQuantileBand(surprises, 0.1, 0.9);
    const left = rows.filter(({ logprobs }) => surpriseBandMask(logprobs, [2], band)[0] === 1);
    expect(left).toHaveLength(3);
    expect(surpriseQuantileBand(surprises, 0, 1)).toEqual([0.001, 0.005]);
    expect(surpriseQuantileBand([], 0.1, 0.9)).toEqual([0, Infinity]);
  });

  test("highEntropyTurnMask keeps the turns of highest mean entropy and does not count empty turns", () => {
    expect([...highEntropyTurnMask([1, 3, 0.5, 4], [2, 0, 1, 1], 0.6)]).toEqual([1, 1, 0, 1]);
    expect([...highEntropyTurnMask([1, 1], [1, 1], 0.5)]).toEqual([1, 0]);
    expect([...highEntropyTurnMask([1, 2], [1, 1], 1)]).toEqual([1, 1]);
  });
  test("highEntropyTokenMasks keeps the tokens of highest entropy in the minibatch", () => {
    const row = (entropies: number[]) => ({
      advantage: 1,
      logprobs: entropies,
      oldLogprobs: entropies,
      entropies,
    });
    const weights = highEntropyTokenMasks([row([1, 0.1]), row([0.5, 2])], 0.5);
    expect(weights.map((w) => [...w])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
  test("surpriseBandMask keeps turns that are neither mastered nor noise", () => {
    expect([...surpriseBandMask([-0.01, -1, -1.2, -9], [1, 2, 1], [0.1, 5])]).toEqual([0, 1, 1, 0]);
  });
  test("formatProtectionMask excludes format tokens of rollouts with a negative advantage", () => {
    expect([...formatProtectionMask(-0.5, [1, 0, 1])]).toEqual([0, 1, 0]);
    expect([...formatProtectionMask(0.5, [1, 0, 1])]).toEqual([1, 1, 1]);
  });
  test("multiplyWeights multiplies weights token by token", () => {
    expect([...multiplyWeights([1, 0.5, 1], [1, 0.5, 0])]).toEqual([1, 0.25, 0]);
  });

  describe("covariance clip", () => {
    const rows = [
      { advantage: 1, logprobs: [-0.1, -3, -0.2], oldLogprobs: [0, 0, 0] },
      { advantage: [-1, -1], logprobs: [-0.1, -3], oldLogprobs: [0, 0] },
    ];
    test("the covariance clip drops only tokens whose covariance is inside the band", () => {
      const all = { share: 1, low: 0.1, high: Infinity };
      const weights = covarianceClipMasks(rows, all, new Rng(1)).map((w) => [...w]);
      expect(weights).toEqual([
        [0, 1, 0],
        [1, 0],
      ]);
    });
    test("the covariance clip drops the configured share of all tokens, and the seed decides which", () => {
      const some = { share: 0.4, low: 0.1, high: Infinity };
      const drop = (seed: number) =>
        covarianceClipMasks(rows, some, new Rng(seed)).flatMap((w) => [...w]);
      expect(drop(1).filter((w) => w === 0)).toHaveLength(2);
      expect(drop(1)).toEqual(drop(1));
      const choices = Array.from({ length: 20 }, (_, seed) => String(drop(seed)));
      expect(new Set(choices).size).toBe(3);
    });
    test("the covariance clip drops nothing when all advantages are equal, because covariances are centred", () => {
      const alike = rows.map((row) => ({ ...row, advantage: 1 }));
      const any = { share: 1, low: 0.001, high: Infinity };
      expect(covarianceClipMasks(alike, any, new Rng(1)).flatMap((w) => [...w])).not.toContain(0);
    });
    test("the covariance clip drops nothing when no token is in the band", () => {
      const none = { share: 1, low: 50, high: 60 };
      expect(covarianceClipMasks(rows, none, new Rng(1)).flatMap((w) => [...w])).not.toContain(0);
      expect(covarianceClipMasks([], none, new Rng(1))).toEqual([]);
    });
  });

  test("entropyBandAroundMean puts the band around the mean of past entropies", () => {
    const band = entropyBandAroundMean([1, 3], { coefficient: 0.1, low: 0.5, high: 1.5 });
    expect(band).toEqual({ coefficient: 0.1, lower: 1, upper: 3 });
  });
});

const graded = (taskId: string, reward: number, index = 0) => {
  const rollout = fakeRollout({ taskId, index, checks: [reward === 1] });
  return { rollout, reward, advantage: reward - 0.5 };
};

describe("the rollout buffer", () => {
  const options = { perTask: 2, capacity: 3, maxAge: 5 };
  const indices = (buffer: RolloutBuffer) =>
    storedRollouts(buffer).map(({ rollout }) => rollout.index);
  test("the buffer keeps the newest rollouts per task and overall, and drops old ones", () => {
    const first = rememberRollouts(
      {},
      [0, 1, 2].map((i) => graded("a/0", 1, i)),
      0,
      options,
    );
    expect(indices(first)).toEqual([1, 2]);
    const second = rememberRollouts(first, [graded("b/0", 1, 3), graded("b/0", 1, 4)], 1, options);
    expect(indices(second)).toEqual([2, 3, 4]);
    expect(indices(rememberRollouts(second, [], 6, options))).toEqual([3, 4]);
    expect(indices(rememberRollouts(second, [], 7, options))).toEqual([]);
    expect(rememberRollouts(second, [], 1, { ...options, capacity: 0 })).toEqual({});
    expect(JSON.parse(JSON.stringify(second))).toEqual(second);
  });

  const injection = { maxStd: 0.05, maxMean: 0.2, minReward: 0.9 };
  const group = (...rewards: number[]) =>
    rewards.map((r, index) => fakeRollout({ taskId: "a/0", index, checks: [r === 1] }));
  test("a group that failed as a whole gets the latest stored success; other groups are unchanged", () => {
    const items = [graded("a/0", 1, 7), graded("a/0", 1, 8), graded("a/0", 0, 9)];
    const buffer = rememberRollouts({}, items, 0, { ...options, perTask: 9 });
    const failed = group(0, 0, 0);
    const injected = injectSuccess(failed, rewardOf, buffer, injection);
    expect(injected.map(({ index }) => index)).toEqual([0, 1, 8]);
    const mixed = group(0, 1, 0);
    expect(injectSuccess(mixed, rewardOf, buffer, injection)).toBe(mixed);
    expect(injectSuccess(failed, rewardOf, {}, injection)).toBe(failed);
    expect(injectSuccess([], rewardOf, buffer, injection)).toEqual([]);
  });

  test("replay selects stored rollouts that earned more than recent groups", () => {
    const buffer = rememberRollouts({}, [graded("a/0", 1), graded("b/0", 0.5)], 0, options);
    const kept = selectForReplay(buffer, { means: [0.4, 0.7, 0.6] });
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
  test("new groups move the statistics of a task towards their results", () => {
    const groups = [{ task: "a", returns: [1, 0.5], passed: [true, false] }];
    const first = updateTaskStatistics({}, groups);
    expect(first["a"]).toEqual({ success: 0.5, variance: 0.0625, groups: 1 });
    const next = updateTaskStatistics(
      first,
      [{ task: "a", returns: [1, 1], passed: [true, true] }],
      0.5,
    );
    expect(next["a"]).toEqual({ success: 0.75, variance: 0.03125, groups: 2 });
    expect(updateTaskStatistics(first, [{ task: "b", returns: [], passed: [] }])).toEqual(first);
  });
  test("tasks with a success rate near one half and unseen tasks have the largest weight", () => {
    const weights = (interest: "half" | "variance") =>
      ["easy", "half", "hard", "unseen"].map((task) => taskSamplingWeight(table[task], interest));
    expect(weights("half")).toEqual([0.1, 1, 0.1, 1]);
    expect(weights("variance")).toEqual([0.1, 1, 0.1, 1]);
    expect(taskSamplingWeight(table["easy"], "uniform")).toBe(1);
  });
  test("mastered tasks are dropped once they have enough groups", () => {
    const tasks = ["easy", "half", "new", "unseen"].map((id) => ({ id }));
    const left = dropMasteredTasks(tasks, table, { threshold: 0.95, minGroups: 2 });
    expect(left.map(({ id }) => id)).toEqual(["half", "new", "unseen"]);
  });
  test("tasks are classified by success rate, and tasks that pass half of the time get the largest groups", () => {
    const names = ["easy", "half", "hard", "unseen"];
    expect(names.map((task) => classifyDifficulty(table[task]))).toEqual([
      "easy",
      "medium",
      "hard",
      "unseen",
    ]);
    const sizes = names.map((task) => groupSizeByDifficulty(table[task], { min: 2, max: 8 }));
    expect(sizes).toEqual([2, 8, 2, 8]);
  });
});
