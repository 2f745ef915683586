import { describe, expect, it } from "vitest";
import type { GroupRow, RolloutRow } from "../../../src/spec/studio/index.ts";
import { countGroups, describeRollout, filterGroups, rolloutMark } from "./groups.ts";

const makeRow = (over: Partial<RolloutRow>): RolloutRow => ({
  id: "1/0/0",
  index: 0,
  outcome: "finished",
  passed: false,
  turns: 1,
  sampled: 9,
  ...over,
});

const makeGroup = (
  id: string,
  difficulty: 1 | 2,
  counts: Pick<GroupRow, "size" | "passed">,
  rollouts: readonly RolloutRow[] = [],
): GroupRow => ({
  ...counts,
  task: { id, scenario: "s", split: "train", difficulty, signature: "pay", instruction: "Pay Ann" },
  rollouts: [...rollouts],
});

const groups = [
  makeGroup("train/0/1", 1, { size: 1, passed: 1 }),
  makeGroup("train/1/1", 2, { size: 2, passed: 1 }),
  makeGroup("train/2/1", 2, { size: 2, passed: 0 }),
];

const taskIds = (found: readonly GroupRow[]) => found.map(({ task }) => task.id);

describe("the groups of a file", () => {
  it("are counted by how many of their rollouts passed", () => {
    expect(countGroups(groups)).toEqual({ wrong: 1, mixed: 1, right: 1, none: 0 });
  });

  it("can be filtered by outcome, difficulty and words", () => {
    expect(taskIds(filterGroups(groups, { kind: "mixed" }))).toEqual(["train/1/1"]);
    expect(taskIds(filterGroups(groups, { difficulty: "2", text: "ANN 2/1" }))).toEqual([
      "train/2/1",
    ]);
    expect(filterGroups(groups, { kind: "none" })).toEqual([]);
  });

  it("show each rollout as a mark, and describe it in words", () => {
    expect(
      [makeRow({ passed: true }), makeRow({}), makeRow({ outcome: "failed" })]
        .map(rolloutMark)
        .join(""),
    ).toBe("✓✗!");
    expect(describeRollout(makeRow({ reward: 0.5, turns: 2 }))).toBe(
      "rollout 0: finished, did not pass, reward 0.50, 2 turns",
    );
  });
});
