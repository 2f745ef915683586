import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/spec/index.ts";
import type { ContinuationEvent, RolloutRow } from "../../../src/spec/studio/index.ts";
import { applyEvent, beginContinuations, type Continuations, stopContinuations, summarizeContinuations } from "./continuations.ts";

const turn = (code: string): Turn => ({
  message: code,
  code,
  observation: "",
  status: "ok",
  calls: [],
});
const row = (reward: number | undefined, passed = false): RolloutRow => ({
  id: "0/0/0",
  index: 0,
  outcome: "finished",
  passed,
  ...(reward !== undefined && { reward }),
  turns: 1,
  sampled: 3,
});
const ended = (index: number, reward: number | undefined, passed = false): ContinuationEvent => ({
  type: "rollout",
  index,
  row: row(reward, passed),
  turns: [turn("a"), turn("b")],
  checks: [],
});
const tell = (events: readonly ContinuationEvent[], count = 2): Continuations =>
  events.reduce(applyEvent, beginContinuations(count));

describe("continuations", () => {
  it("grow each by itself", () => {
    const { continuations: each, policy, phase } = tell([
      { type: "policy", name: "final", scaffold: "compact" },
      { type: "turn", index: 1, turn: turn("a") },
      { type: "turn", index: 0, turn: turn("b") },
      { type: "turn", index: 1, turn: turn("c") },
    ]);
    expect(each.map(({ turns }) => turns.map(({ code }) => code))).toEqual([["b"], ["a", "c"]]);
    expect(policy).toEqual({ name: "final", scaffold: "compact" });
    expect(phase).toBe("running");
  });

  it("are what their end says, once they have ended", () => {
    const { continuations: each } = tell([{ type: "turn", index: 0, turn: turn("x") }, ended(0, 1, true)]);
    expect(each[0]).toMatchObject({ end: { row: { reward: 1 } } });
    expect(each[0]!.turns.map(({ code }) => code)).toEqual(["a", "b"]);
    expect(each[1]).toEqual({ turns: [] });
  });

  it("take no notice of one that was not asked for", () => {
    expect(tell([{ type: "turn", index: 7, turn: turn("x") }])).toEqual(beginContinuations(2));
  });

  it("end by being done, failed or stopped", () => {
    expect(tell([{ type: "done" }]).phase).toBe("done");
    expect(tell([{ type: "failed", error: "no" }])).toMatchObject({ phase: "failed", error: "no" });
    expect(stopContinuations(beginContinuations(1)).phase).toBe("stopped");
    expect(stopContinuations(tell([{ type: "done" }])).phase).toBe("done");
  });
});

describe("their summary", () => {
  it("counts, and sets the mean reward against the record's", () => {
    const state = tell([ended(0, 1, true), ended(1, 0.5)], 3);
    expect(summarizeContinuations(state, row(0.25))).toEqual({
      asked: 3,
      ended: 2,
      solved: 1,
      meanReward: 0.75,
      gain: 0.5,
    });
  });

  it("says nothing of rewards that are not there", () => {
    expect(summarizeContinuations(tell([ended(0, undefined)]), row(1))).toMatchObject({
      ended: 1,
      meanReward: undefined,
      gain: undefined,
    });
    expect(summarizeContinuations(tell([ended(0, 1)]), undefined).gain).toBeUndefined();
    expect(summarizeContinuations(tell([ended(0, 1)]), row(undefined)).gain).toBeUndefined();
  });
});
