/** Tests reward terms, the functions that combine them, and schedules. */
import { describe, expect, test } from "vitest";
import type { Turn } from "../spec/index.ts";
import { fakeRollout, fakeTurn } from "../testing/fake-rollout.ts";
import {
  callSuccessShare,
  codePresence,
  decayByAttemptTerm,
  decayTerm,
  errorFreeTurns,
  externalScoreTerm,
  gateTerm,
  informationGain,
  klRewardPerTurn,
  multiplyTerm,
  outcomeTerm,
  penaliseTerm,
  planAdherence,
  scaleTerm,
  scheduledValue,
  scoreImprovements,
  stagePatchAt,
  sumTerms,
  tokenCost,
  toolUseTerm,
  totalReward,
  turnCost,
  turnRepetition,
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

describe("reward terms", () => {
  test.each([
    ["outcomeTerm", outcomeTerm(), [0, 0, 0.5]],
    ["codePresence", codePresence, [1, 0, 1]],
    ["errorFreeTurns", errorFreeTurns, [1, 1, 0]],
    ["callSuccessShare", callSuccessShare, [0.5, 0, 1]],
    ["toolUseTerm(1)", toolUseTerm(1), [1, 0, 0]],
    ["toolUseTerm(4)", toolUseTerm(4), [0.25, 0, 0.25]],
    ["turnCost", turnCost, [1, 1, 1]],
    ["tokenCost", tokenCost, [3, 1, 2]],
    ["externalScoreTerm", externalScoreTerm(() => [1, 2, 3]), [1, 2, 3]],
  ] as const)("%s pays the expected number at each turn", (_, term, expected) => {
    expect(term(rollout, 0)).toEqual(expected);
  });
  test("turnRepetition is the share of turns whose code was run before, ignoring spaces", () => {
    expect(turnRepetition(rollout, 0)[2]).toBeCloseTo(1 / 3, 12);
  });
  test("a rollout without turns earns nothing, and the outcome of a rollout without an evaluation is 0", () => {
    for (const term of [
      outcomeTerm(),
      codePresence,
      callSuccessShare,
      turnRepetition,
      turnCost,
      tokenCost,
    ]) {
      expect(term(empty, 0)).toEqual([]);
    }
    const cancelled = fakeRollout({ outcome: "cancelled", turns: [turn("x")] });
    expect(outcomeTerm()(cancelled, 0)).toEqual([0]);
  });
  test("planAdherence is the share of a turn's calls that the newest plan names", () => {
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
    expect(planAdherence(fakeRollout({ turns }), 0)).toEqual([0, 0, 0.5, 0, 0, 1, 0]);
  });
  test("an assertion fails when external scores do not have one number for each turn", () => {
    expect(() => externalScoreTerm(() => [1])(rollout, 0)).toThrow(/1 scores/);
  });
  test("scoreImprovements is positive for a better attempt and negative for a worse one", () => {
    expect(scoreImprovements([0.25, 0.75, 0.5])).toEqual([0, 0.5, -0.25]);
  });
  test("information gains add up to the total change of belief", () => {
    const gains = informationGain([-3, -1, -2, -0.1]);
    expect(gains).toHaveLength(3);
    const total = gains.reduce((a, b) => a + b, 0);
    expect(total).toBeCloseTo(Math.exp(-0.1) - Math.exp(-3), 12);
  });
  test("klRewardPerTurn accepts all estimators, including k1", () => {
    const pair = [
      [-1, -2, -1],
      [-1.5, -1, -1],
    ] as const;
    expect(klRewardPerTurn(pair, [2, 0, 1], "k1")).toEqual([0.5, 0, 0]);
    expect(klRewardPerTurn(pair, [3], "k2")[0]).toBeCloseTo(-(0.25 + 1) / 2, 12);
    const [k3] = klRewardPerTurn(pair, [3], "k3");
    expect(k3).toBeCloseTo(-(Math.exp(-0.5) - 0.5 + (Math.E - 2)), 12);
  });
});

describe("combinators of reward terms", () => {
  const total = (term: Parameters<typeof totalReward>[0], iteration = 0) =>
    totalReward(term, rollout, iteration);

  test("terms are summed turn by turn, with a weight that follows a schedule", () => {
    const weight = { shape: "linear", from: 1, to: 0, over: 10 } as const;
    const term = sumTerms(outcomeTerm(), scaleTerm(weight, codePresence));
    expect(term(rollout, 0)).toEqual([1, 0, 1.5]);
    expect(total(term, 5)).toBeCloseTo(1.5, 12);
    expect(total(term, 20)).toBe(0.5);
  });
  test("decayTerm multiplies turn j by gamma^j", () => {
    expect(decayTerm(0.5, turnCost)(rollout, 0)).toEqual([1, 0.5, 0.25]);
    expect(total(decayTerm(0.5, outcomeTerm()))).toBe(0.125);
  });
  test("decayByAttemptTerm multiplies every turn of attempt n by gamma^n, and the first attempt by 1", () => {
    const turns = [{}, { attempt: 0 }, {}, { attempt: 1 }].map((grades) => fakeTurn({ grades }));
    const twice = fakeRollout({ turns });
    expect(decayByAttemptTerm(0.5, turnCost)(twice, 0)).toEqual([1, 1, 0.5, 0.5]);
    expect(decayByAttemptTerm(0.5, turnCost)(rollout, 0)).toEqual([1, 1, 1]);
  });
  test("gateTerm pays the gated term only when the threshold is reached", () => {
    const open = gateTerm(outcomeTerm(), 0.5, codePresence);
    const shut = gateTerm(outcomeTerm(), 0.51, codePresence);
    expect(open(rollout, 0)).toEqual([1, 0, 1]);
    expect(shut(rollout, 0)).toEqual([0, 0, 0]);
    expect(sumTerms(outcomeTerm(), open)(rollout, 0)).toEqual([1, 0, 1.5]);
    expect(sumTerms(outcomeTerm(), shut)(rollout, 0)).toEqual([0, 0, 0.5]);
  });
  test("penaliseTerm deducts no more than the rollout earned, down to the floor", () => {
    expect(total(penaliseTerm(outcomeTerm(), scaleTerm(0.1, turnCost)))).toBeCloseTo(0.2, 12);
    expect(total(penaliseTerm(outcomeTerm(), turnCost))).toBeCloseTo(0, 12);
    expect(total(penaliseTerm(outcomeTerm(), turnCost, -1))).toBeCloseTo(-1, 12);
  });
  test("multiplyTerm multiplies a term by a factor of the whole rollout", () => {
    expect(total(multiplyTerm(outcomeTerm(), ({ turns }) => 1 / turns.length))).toBeCloseTo(1 / 6);
  });
});

describe("schedules", () => {
  test("scheduledValue follows constants, lines, half cosines and steps", () => {
    expect(scheduledValue(0.3, 99)).toBe(0.3);
    const line = { shape: "linear", from: 1, to: 3, over: 4 } as const;
    expect([0, 1, 4, 9].map((i) => scheduledValue(line, i))).toEqual([1, 1.5, 3, 3]);
    const up = { shape: "cosine", from: 0, to: 1, over: 100 } as const;
    expect(scheduledValue(up, 25)).toBeCloseTo((1 - Math.cos(Math.PI / 4)) / 2, 12);
    expect(scheduledValue(up, 100)).toBe(1);
    const down = { shape: "cosine", from: 1, to: 0, over: 200 } as const;
    expect(scheduledValue(down, 50)).toBeCloseTo((1 + Math.cos(Math.PI / 4)) / 2, 12);
    expect(scheduledValue({ ...line, over: 0 }, 0)).toBe(3);
    const horizon = { shape: "steps", values: [5, 10, 15], every: 100 } as const;
    expect([0, 99, 100, 250, 900].map((i) => scheduledValue(horizon, i))).toEqual([
      5, 5, 10, 15, 15,
    ]);
  });
  test("stagePatchAt returns the stages in order and stays at the last one", () => {
    const stages = [
      { iterations: 2, patch: "one" },
      { iterations: 1, patch: "two" },
    ] as const;
    expect([0, 1, 2, 3].map((i) => stagePatchAt(stages, i))).toEqual(["one", "one", "two", "two"]);
  });
});
