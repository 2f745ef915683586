/** What can be paid beside the outcome, and how terms are put together. */
import { describe, expect, test } from "vitest";
import type { Turn } from "../spec/index.ts";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  adherence,
  behindGate,
  callSuccess,
  decayed,
  givenTerm,
  hasCode,
  improvements,
  informationGain,
  klRewards,
  multiplied,
  outcomeTerm,
  penalised,
  ranWithoutError,
  repetition,
  scaled,
  stageAt,
  sumOf,
  tokenCost,
  toolUseTerm,
  totalReward,
  turnCost,
  valueAt,
} from "./index.ts";

function turn(code: string, statuses: readonly number[] = [], rest: Partial<Turn> = {}): Turn {
  const calls = statuses.map((status) => ({ app: "a", api: "b", args: {}, status, wrote: false }));
  return fakeTurn({ code, calls, ...rest });
}
const rollout = fakeRollout({
  checks: [true, false],
  turns: [
    turn("list()", [200, 404], { span: [2, 5] }),
    turn("", [], { span: [7, 8] }),
    turn(" list() ", [200], { status: "error", span: [9, 11] }),
  ],
});
const empty = fakeRollout({ turns: [] });

describe("terms", () => {
  test.each([
    ["outcome", outcomeTerm(), [0, 0, 0.5]],
    ["format", hasCode, [1, 0, 1]],
    ["executability", ranWithoutError, [1, 1, 0]],
    ["call success", callSuccess, [0.5, 0, 1]],
    ["tool use, once", toolUseTerm(1), [1, 0, 0]],
    ["tool use, of four", toolUseTerm(4), [0.25, 0, 0.25]],
    ["turn cost", turnCost, [1, 1, 1]],
    ["token cost", tokenCost, [3, 1, 2]],
    ["given", givenTerm(() => [1, 2, 3]), [1, 2, 3]],
  ] as const)("%s", (_, term, expected) => {
    expect(term(rollout, 0)).toEqual(expected);
  });
  test("repetition is the share of turns that were run before, spaces aside", () => {
    expect(repetition(rollout, 0)[2]).toBeCloseTo(1 / 3, 12);
  });
  test("a rollout without turns earns nothing, one without a return no outcome", () => {
    for (const term of [outcomeTerm(), hasCode, callSuccess, repetition, turnCost, tokenCost]) {
      expect(term(empty, 0)).toEqual([]);
    }
    const cancelled = fakeRollout({ outcome: "cancelled", turns: [turn("x")] });
    expect(outcomeTerm()(cancelled, 0)).toEqual([0]);
  });
  test("adherence is the share of a turn's calls that the newest plan names", () => {
    const call = (api: string) => ({ app: "mail", api, args: {}, status: 200, wrote: false });
    const act = (...apis: string[]) => ({ ...turn("x"), calls: apis.map(call) });
    const plan = (message: string) => ({ ...turn(""), message, part: "plan" as const });
    const turns = [
      act("list"),
      plan("mail.list, send"),
      act("list", "star"),
      act(),
      plan("star"),
      act("star"),
      act("list"),
    ];
    expect(adherence(fakeRollout({ turns }), 0)).toEqual([0, 0, 0.5, 0, 0, 1, 0]);
  });
  test("given scores that miss a turn are a bug", () => {
    expect(() => givenTerm(() => [1])(rollout, 0)).toThrow(/1 scores/);
  });
  test("improvement pays for getting better and charges for getting worse", () => {
    expect(improvements([0.25, 0.75, 0.5])).toEqual([0, 0.5, -0.25]);
  });
  test("information gain adds up to the belief that was gained", () => {
    const gains = informationGain([-3, -1, -2, -0.1]);
    expect(gains).toHaveLength(3);
    const total = gains.reduce((a, b) => a + b, 0);
    expect(total).toBeCloseTo(Math.exp(-0.1) - Math.exp(-3), 12);
  });
  test("KL as a reward allows k1", () => {
    const pair = [
      [-1, -2, -1],
      [-1.5, -1, -1],
    ] as const;
    expect(klRewards(pair, [2, 0, 1], "k1")).toEqual([0.5, 0, 0]);
    expect(klRewards(pair, [3], "k2")[0]).toBeCloseTo(-(0.25 + 1) / 2, 12);
    const [k3] = klRewards(pair, [3], "k3");
    expect(k3).toBeCloseTo(-(Math.exp(-0.5) - 0.5 + (Math.E - 2)), 12);
  });
});

describe("combinators", () => {
  const total = (term: Parameters<typeof totalReward>[0], iteration = 0) =>
    totalReward(term, rollout, iteration);

  test("sum and scheduled weight", () => {
    const weight = { shape: "linear", from: 1, to: 0, over: 10 } as const;
    const term = sumOf(outcomeTerm(), scaled(weight, hasCode));
    expect(term(rollout, 0)).toEqual([1, 0, 1.5]);
    expect(total(term, 5)).toBeCloseTo(1.5, 12);
    expect(total(term, 20)).toBe(0.5);
  });
  test("decay by turn", () => {
    expect(decayed(0.5, turnCost)(rollout, 0)).toEqual([1, 0.5, 0.25]);
    expect(total(decayed(0.5, outcomeTerm()))).toBe(0.125);
  });
  test("a gate opens at the threshold, and lets nothing else through below it", () => {
    const open = behindGate(outcomeTerm(), 0.5, hasCode);
    const shut = behindGate(outcomeTerm(), 0.51, hasCode);
    expect(open(rollout, 0)).toEqual([1, 0, 1]);
    expect(shut(rollout, 0)).toEqual([0, 0, 0]);
    expect(sumOf(outcomeTerm(), open)(rollout, 0)).toEqual([1, 0, 1.5]);
    expect(sumOf(outcomeTerm(), shut)(rollout, 0)).toEqual([0, 0, 0.5]);
  });
  test("a penalty costs no more than was earned", () => {
    expect(total(penalised(outcomeTerm(), scaled(0.1, turnCost)))).toBeCloseTo(0.2, 12);
    expect(total(penalised(outcomeTerm(), turnCost))).toBeCloseTo(0, 12);
    expect(total(penalised(outcomeTerm(), turnCost, -1))).toBeCloseTo(-1, 12);
  });
  test("a factor of the rollout", () => {
    expect(total(multiplied(outcomeTerm(), ({ turns }) => 1 / turns.length))).toBeCloseTo(1 / 6);
  });
});

describe("schedules", () => {
  test("constant, line, half a cosine, steps", () => {
    expect(valueAt(0.3, 99)).toBe(0.3);
    const line = { shape: "linear", from: 1, to: 3, over: 4 } as const;
    expect([0, 1, 4, 9].map((i) => valueAt(line, i))).toEqual([1, 1.5, 3, 3]);
    const up = { shape: "cosine", from: 0, to: 1, over: 100 } as const;
    expect(valueAt(up, 25)).toBeCloseTo((1 - Math.cos(Math.PI / 4)) / 2, 12);
    expect(valueAt(up, 100)).toBe(1);
    const down = { shape: "cosine", from: 1, to: 0, over: 200 } as const;
    expect(valueAt(down, 50)).toBeCloseTo((1 + Math.cos(Math.PI / 4)) / 2, 12);
    expect(valueAt({ ...line, over: 0 }, 0)).toBe(3);
    const horizon = { shape: "steps", values: [5, 10, 15], every: 100 } as const;
    expect([0, 99, 100, 250, 900].map((i) => valueAt(horizon, i))).toEqual([5, 5, 10, 15, 15]);
  });
  test("stages follow one another, the last one stays", () => {
    const stages = [
      { iterations: 2, patch: "one" },
      { iterations: 1, patch: "two" },
    ] as const;
    expect([0, 1, 2, 3].map((i) => stageAt(stages, i))).toEqual(["one", "one", "two", "two"]);
  });
});
