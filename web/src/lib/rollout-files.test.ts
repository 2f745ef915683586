import { describe, expect, it } from "vitest";
import type { RolloutFile, RunDetail } from "../../../src/spec/studio/index.ts";
import { collectScores } from "./rollout-files.ts";

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
