import { describe, expect, it } from "vitest";
import type { RolloutFile, RunDetail } from "../../../src/spec/studio/index.ts";
import { evaluationOrder, scoresSoFar, whenWords } from "./rollout-files.ts";

const file = (when: string, split: string, mode: "greedy" | "T1", passed = 1): RolloutFile => ({
  name: `eval-${when}-${split}-${mode}`,
  kind: "eval",
  when,
  split,
  mode,
  rollouts: 4,
  passed,
});

describe("files of rollouts", () => {
  it("stand in order of time, then greedy before sampled, held-out first", () => {
    const files = [
      file("after", "dev", "greedy"),
      file("iteration-0004", "dev", "greedy"),
      file("before", "dev", "T1"),
      file("before", "dev", "greedy"),
      file("before", "test-normal", "greedy"),
    ];
    expect(evaluationOrder(files).map(({ name }) => name)).toEqual([
      "eval-before-test-normal-greedy",
      "eval-before-dev-greedy",
      "eval-before-dev-T1",
      "eval-iteration-0004-dev-greedy",
      "eval-after-dev-greedy",
    ]);
    expect(whenWords("iteration-0004")).toBe("after iteration 4");
  });

  it("give scores until the summary does", () => {
    const detail = { files: [file("before", "dev", "T1", 3)] } as unknown as RunDetail;
    expect(scoresSoFar(detail)).toEqual([
      { split: "dev@T1", before: { tgc: 0.75 }, after: undefined, tasks: 4 },
    ]);
    const score = { tgc: 0.5, tasks: 9 } as NonNullable<RunDetail["after"]>[string];
    expect(scoresSoFar({ ...detail, after: { "dev@T1": score } })[0]).toMatchObject({
      before: { tgc: 0.75 },
      after: { tgc: 0.5 },
      tasks: 9,
    });
  });
});
