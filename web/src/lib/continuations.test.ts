import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/spec/index.ts";
import type { ContinuationEvent, RolloutRow } from "../../../src/spec/studio/index.ts";
import {
  applyEvent,
  beginContinuations,
  type Continuations,
  stopContinuations,
  summarizeContinuations,
} from "./continuations.ts";

const makeTurn = (code: string): Turn => ({
  message: code,
  code,
  observation: "",
  status: "ok",
  calls: [],
});
const makeRow = (reward: number | undefined, passed = false): RolloutRow => ({
  id: "0/0/0",
  index: 0,
  outcome: "finished",
  passed,
  ...(reward !== undefined && { reward }),
  turns: 1,
  sampled: 3,
});
const makeRolloutEvent = (
  index: number,
  reward: number | undefined,
  passed = false,
): ContinuationEvent => ({
  type: "rollout",
  index,
  row: makeRow(reward, passed),
  turns: [makeTurn("a"), makeTurn("b")],
  checks: [],
});
const applyEvents = (events: readonly ContinuationEvent[], count = 2): Continuations =>
  events.reduce(applyEvent, beginContinuations(count));

describe("several continuations", () => {
  it("grow independently", () => {
    const { continuations, policy, phase } = applyEvents([
      { type: "policy", name: "final", scaffold: "compact" },
      { type: "turn", index: 1, turn: makeTurn("a") },
      { type: "turn", index: 0, turn: makeTurn("b") },
      { type: "turn", index: 1, turn: makeTurn("c") },
    ]);
    expect(continuations.map(({ turns }) => turns.map(({ code }) => code))).toEqual([
      ["b"],
      ["a", "c"],
    ]);
    expect(policy).toEqual({ name: "final", scaffold: "compact" });
    expect(phase).toBe("running");
  });

  it("have the turns of their last event after they have ended", () => {
    const { continuations } = applyEvents([
      { type: "turn", index: 0, turn: makeTurn("x") },
      makeRolloutEvent(0, 1, true),
    ]);
    expect(continuations[0]).toMatchObject({ end: { row: { reward: 1 } } });
    expect(continuations[0]!.turns.map(({ code }) => code)).toEqual(["a", "b"]);
    expect(continuations[1]).toEqual({ turns: [] });
  });

  it("ignore events of an unknown continuation", () => {
    expect(applyEvents([{ type: "turn", index: 7, turn: makeTurn("x") }])).toEqual(
      beginContinuations(2),
    );
  });

  it("end as done, failed or stopped", () => {
    expect(applyEvents([{ type: "done" }]).phase).toBe("done");
    expect(applyEvents([{ type: "failed", error: "no" }])).toMatchObject({
      phase: "failed",
      error: "no",
    });
    expect(stopContinuations(beginContinuations(1)).phase).toBe("stopped");
    expect(stopContinuations(applyEvents([{ type: "done" }])).phase).toBe("done");
  });
});

describe("the summary of continuations", () => {
  it("counts them, and compares the mean reward with the reward of the record", () => {
    const state = applyEvents([makeRolloutEvent(0, 1, true), makeRolloutEvent(1, 0.5)], 3);
    expect(summarizeContinuations(state, makeRow(0.25))).toEqual({
      asked: 3,
      ended: 2,
      solved: 1,
      meanReward: 0.75,
      gain: 0.5,
    });
  });

  it("has no mean reward and no gain if rewards are missing", () => {
    expect(
      summarizeContinuations(applyEvents([makeRolloutEvent(0, undefined)]), makeRow(1)),
    ).toMatchObject({
      ended: 1,
      meanReward: undefined,
      gain: undefined,
    });
    expect(
      summarizeContinuations(applyEvents([makeRolloutEvent(0, 1)]), undefined).gain,
    ).toBeUndefined();
    expect(
      summarizeContinuations(applyEvents([makeRolloutEvent(0, 1)]), makeRow(undefined)).gain,
    ).toBeUndefined();
  });
});
