import { describe, expect, test } from "vitest";
import type { Turn } from "../../spec/index.ts";
import { fakeRollout, fakeTurn } from "../../testing/fake-rollout.ts";
import {
  fitContributions,
  fitRanking,
  predictContributions,
  rolloutScore,
  turnFeatures,
  ZERO_HEAD,
} from "./turn-head.ts";

const call = (status: number, wrote = false) => ({ app: "a", api: "b", args: {}, status, wrote });
const turn = (code: string, more: Partial<Turn> = {}) => fakeTurn({ code, ...more });
const wrote = turn("write", { calls: [call(200, true)] });
const idle = turn("look");

describe("a head over turns", () => {
  test("has a weight for each feature, and features are shares of one", () => {
    const features = turnFeatures({ turns: [wrote, idle, idle, turn("", { status: "error" })] });
    for (const list of features) {
      expect(list).toHaveLength(ZERO_HEAD.length);
      for (const f of list) expect(f >= 0 && f <= 1).toBe(true);
    }
    expect(features[1]).not.toEqual(features[2]);
  });

  test("contributions go to the turns that returns depend on, and sum to them", () => {
    const good = { rollout: fakeRollout({ turns: [idle, wrote, idle] }), outcome: 1 };
    const bad = { rollout: fakeRollout({ turns: [idle, turn("other"), idle] }), outcome: 0 };
    const head = fitContributions(ZERO_HEAD, [good, bad], { rate: 0.9, steps: 2000 });
    const [first, second, third] = predictContributions(head, good.rollout);
    expect(first! + second! + third!).toBeCloseTo(1, 1);
    expect(second).toBeGreaterThan(Math.max(first!, third!));
    expect(predictContributions(head, bad.rollout).reduce((a, b) => a + b)).toBeCloseTo(0, 1);
  });

  test("a ranking prefers what earned more in the same task, and other tasks tell nothing", () => {
    const at = (taskId: string, turns: Turn[], outcome: number) => ({
      rollout: fakeRollout({ taskId, turns }),
      outcome,
    });
    const pairs = [at("train/0/0", [wrote], 1), at("train/0/0", [turn("other")], 0)];
    const head = fitRanking(ZERO_HEAD, pairs, { rate: 0.9, steps: 100 });
    const [better, worse] = pairs.map(({ rollout }) => rolloutScore(head, rollout));
    expect(better).toBeGreaterThan(worse! + 1);
    const apart = [at("train/0/0", [wrote], 1), at("train/0/1", [turn("other")], 0)];
    expect(fitRanking(ZERO_HEAD, apart, { rate: 0.9, steps: 100 })).toEqual(ZERO_HEAD);
  });
});
