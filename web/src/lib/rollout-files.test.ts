import { describe, expect, it } from "vitest";
import type { RolloutFile, RunDetail } from "../../../src/spec/studio/index.ts";
import { collectScores, describeFile } from "./rollout-files.ts";

const makeFile = (when: string, split: string, mode: "greedy" | "T1", passed = 1): RolloutFile => ({
  name: `eval-${when}-${split}-${mode}`,
  kind: "eval",
  when,
  split,
  mode,
  rollouts: 4,
  passed,
});

describe("the files of rollouts of a run", () => {
  it("provide the scores while the run has no summary", () => {
    const detail = { files: [makeFile("before", "dev", "T1", 3)] } as unknown as RunDetail;
    expect(collectScores(detail)).toEqual([
      { split: "dev@T1", before: { tgc: 0.75 }, after: undefined, tasks: 4 },
    ]);
    const score = { tgc: 0.5, tasks: 9 } as NonNullable<RunDetail["after"]>[string];
    expect(collectScores({ ...detail, after: { "dev@T1": score } })[0]).toMatchObject({
      before: { tgc: 0.75 },
      after: { tgc: 0.5 },
      tasks: 9,
    });
  });
});

it.each([
  [makeFile("before", "dev", "T1"), "dev at T = 1, before training"],
  [makeFile("iteration-0010", "dev", "greedy"), "dev, after iteration 10"],
  [{ name: "train-0003", kind: "train", iteration: 3, rollouts: 1, passed: 0 }, "iteration 3"],
] as const)("a file is described by what it holds: %j", (file, words) => {
  expect(describeFile(file)).toBe(words);
});
