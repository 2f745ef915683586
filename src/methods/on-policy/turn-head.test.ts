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

const makeCall = (status: number, wrote = false) => ({
  app: "a",
  api: "b",
  args: {},
  status,
  wrote,
});
const makeTurn = (code: string, more: Partial<Turn> = {}) => fakeTurn({ code, ...more });
const turnThatWrote = makeTurn("write", { calls: [makeCall(200, true)] });
const idleTurn = makeTurn("look");

describe("the linear head that scores turns", () => {
  test("the turn head has one weight for each feature, and features are at least 0", () => {
    const turns = [turnThatWrote, idleTurn, idleTurn, makeTurn("", { status: "error" })];
    const features = turnFeatures(fakeRollout({ turns }));
    for (const list of features) {
      expect(list).toHaveLength(ZERO_HEAD.length);
      for (const f of list) expect(f).toBeGreaterThanOrEqual(0);
    }
    expect(features[1]).not.toEqual(features[2]);
  });

  test("the turn head learns which call brings which task forward", () => {
    const callTo = (api: string) => makeTurn("x", { calls: [{ ...makeCall(200, true), api }] });
    const makeSample = (instruction: string, api: string, outcome: number) => {
      const plain = fakeRollout({ turns: [callTo(api)] });
      return { rollout: { ...plain, task: { ...plain.task, instruction } }, outcome };
    };
    const samples = [
      makeSample("Pay the rent.", "pay", 1),
      makeSample("Pay the rent.", "send", 0),
      makeSample("Send a letter.", "send", 1),
      makeSample("Send a letter.", "pay", 0),
    ];
    const head = fitContributions(ZERO_HEAD, samples, { rate: 0.9, steps: 500 });
    const predicted = samples.map(({ rollout }) => predictContributions(head, rollout)[0]!);
    samples.forEach(({ outcome }, i) => {
      expect(predicted[i]).toBeCloseTo(outcome, 1);
    });
  });

  test("the turn head attributes the return to the turns that it depends on, and the contributions sum to the return", () => {
    const good = {
      rollout: fakeRollout({ turns: [idleTurn, turnThatWrote, idleTurn] }),
      outcome: 1,
    };
    const bad = {
      rollout: fakeRollout({ turns: [idleTurn, makeTurn("other"), idleTurn] }),
      outcome: 0,
    };
    const head = fitContributions(ZERO_HEAD, [good, bad], { rate: 0.9, steps: 2000 });
    const [first, second, third] = predictContributions(head, good.rollout);
    expect(first! + second! + third!).toBeCloseTo(1, 1);
    expect(second).toBeGreaterThan(Math.max(first!, third!));
    expect(predictContributions(head, bad.rollout).reduce((a, b) => a + b)).toBeCloseTo(0, 1);
  });

  test("the turn head ranks rollouts by what they earned, but only within a task", () => {
    const makeSample = (taskId: string, turns: Turn[], outcome: number) => ({
      rollout: fakeRollout({ taskId, turns }),
      outcome,
    });
    const pairs = [
      makeSample("train/0/0", [turnThatWrote], 1),
      makeSample("train/0/0", [makeTurn("other")], 0),
    ];
    const head = fitRanking(ZERO_HEAD, pairs, { rate: 0.9, steps: 100 });
    const [better, worse] = pairs.map(({ rollout }) => rolloutScore(head, rollout));
    expect(better).toBeGreaterThan(worse! + 1);
    const apart = [
      makeSample("train/0/0", [turnThatWrote], 1),
      makeSample("train/0/1", [makeTurn("other")], 0),
    ];
    expect(fitRanking(ZERO_HEAD, apart, { rate: 0.9, steps: 100 })).toEqual(ZERO_HEAD);
  });
});
