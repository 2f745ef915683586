import { expect, test } from "vitest";
import { compactToolsScaffold } from "../../src/agent/index.ts";
import type { Turn } from "../../src/spec/index.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import {
  type ActionRun,
  formatActionSpaces,
  measureRollouts,
  type RolloutMeasures,
} from "./action-spaces-table.ts";

const createTurn = (overrides: Partial<Turn> = {}): Turn => ({
  message: "print(1)",
  code: "print(1)",
  observation: "1",
  status: "ok",
  calls: [],
  ...overrides,
});
const call = { app: "mail", api: "list", args: {}, status: 200, wrote: false };

test("an action that could not be run counts as ill-formed, and an action without status ok counts as failed", () => {
  const turns = [
    createTurn({ calls: [call, call] }),
    createTurn({ status: "error", observation: "SyntaxError: Unexpected token" }),
    createTurn({
      status: "error",
      code: compactToolsScaffold().extractCode("mail"),
      observation: "x",
    }),
    createTurn({
      status: "error",
      observation: "ApiError: 404",
      calls: [{ ...call, status: 404 }],
    }),
    createTurn({ code: " ", observation: "(no output)" }),
  ];
  const tokens = { ids: [1, 2, 3], mask: [0, 1, 1] as const, logprobs: [0, -1, -1] };
  const whole = { ...tokens, mask: [...tokens.mask] };
  expect(
    measureRollouts([fakeRollout({ turns, tokens: whole }), fakeRollout({ turns: [] })]),
  ).toMatchObject({ turns: 2.5, calls: 1.5, illFormed: 3 / 5, failed: 3 / 5 });
  const one = measureRollouts([fakeRollout({ turns, tokens: whole })]);
  expect([one.tokens, one.sampled]).toEqual([3, 2]);
});

test("the table has two rows for each action space, with means over its runs", () => {
  const createMeasures = (tgc: number): RolloutMeasures => ({
    ...{ tgc, turns: 4, tokens: 100.4, sampled: 50, calls: 7.25, illFormed: 0.125, failed: 0.25 },
  });
  const createRun = (space: ActionRun["space"], seed: number, tgc: number): ActionRun => ({
    ...{ space, seed, seconds: 1 },
    before: { greedy: createMeasures(0), T1: createMeasures(0.1) },
    after: { greedy: createMeasures(tgc), T1: createMeasures(tgc / 2) },
  });
  const runs = [createRun("tools", 1, 0.2), createRun("code", 1, 0.6), createRun("code", 2, 0.8)];
  const text = formatActionSpaces({
    ...{ version: 1, setting: "starter", method: "loop", rollouts: 1920, demonstrations: 10 },
    ...{ fields: "{}", runs },
  });
  expect(text.split("\n").slice(2)).toEqual([
    "| code, before LOOP | 2 | 0.0% | 10.0% | 4.0 | 100 | 50 | 7.3 | 12.5% | 25.0% |",
    "| code, after LOOP | 2 | 70.0% | 35.0% | 4.0 | 100 | 50 | 7.3 | 12.5% | 25.0% |",
    "| tools, before LOOP | 1 | 0.0% | 10.0% | 4.0 | 100 | 50 | 7.3 | 12.5% | 25.0% |",
    "| tools, after LOOP | 1 | 20.0% | 10.0% | 4.0 | 100 | 50 | 7.3 | 12.5% | 25.0% |",
  ]);
});
