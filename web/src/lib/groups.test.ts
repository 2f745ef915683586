import { describe, expect, it } from "vitest";
import type { GroupRow, RolloutRow } from "../../../src/spec/studio/index.ts";
import { countGroups, filterGroups, rolloutMark, describeRollout, countOutcomes } from "./groups.ts";

const row = (over: Partial<RolloutRow>): RolloutRow => ({
  id: "1/0/0",
  index: 0,
  outcome: "finished",
  passed: false,
  turns: 1,
  sampled: 9,
  ...over,
});

const group = (id: string, difficulty: 1 | 2, rollouts: readonly RolloutRow[]): GroupRow => ({
  task: { id, scenario: "s", split: "train", difficulty, signature: "pay", instruction: "Pay Ann" },
  rollouts: [...rollouts],
});

const groups = [
  group("train/0/1", 1, [row({ passed: true }), row({ outcome: "failed" })]),
  group("train/1/1", 2, [row({ passed: true }), row({})]),
  group("train/2/1", 2, [row({}), row({ outcome: "turn-limit" })]),
];

const ids = (found: readonly GroupRow[]) => found.map(({ task }) => task.id);

describe("groups of a file", () => {
  it("counts rollouts that have an outcome", () => {
    expect(countOutcomes(groups[0]!)).toEqual({ size: 1, passed: 1 });
    expect(countGroups(groups)).toEqual({ wrong: 1, mixed: 1, right: 1, none: 0 });
  });

  it("filters by kind, difficulty and words", () => {
    expect(ids(filterGroups(groups, { kind: "mixed" }))).toEqual(["train/1/1"]);
    expect(ids(filterGroups(groups, { difficulty: "2", text: "ANN 2/1" }))).toEqual(["train/2/1"]);
    expect(filterGroups(groups, { kind: "none" })).toEqual([]);
  });

  it("marks a rollout, and says it in words", () => {
    expect([row({ passed: true }), row({}), row({ outcome: "failed" })].map(rolloutMark).join("")).toBe(
      "✓✗!",
    );
    expect(describeRollout(row({ reward: 0.5, turns: 2 }))).toBe(
      "rollout 0: finished, did not pass, reward 0.50, 2 turns",
    );
  });
});
