import { expect, test } from "vitest";
import type { LiveEpisode } from "../episode/index.ts";
import { runRecordedStep } from "./episode-inspection.ts";

/** An episode whose steps make calls with these answers, without a world. */
function episodeThatAnswers(answers: readonly unknown[]): LiveEpisode {
  const live = {
    world: { dispatcher: { catalog: {} } },
    start: { checks: { comparedBookkeeping: new Set() } },
    step: async () => {
      for (const value of answers) live.onResult?.({ app: "a", api: "b" }, { value, changes: [] });
      return { text: "done" };
    },
    onResult: undefined as ((call: object, result: object) => void) | undefined,
  };
  return live as unknown as LiveEpisode;
}

test("a step keeps answers of 100,000 characters, and a million characters together", async () => {
  const longest = "x".repeat(99_998);
  const live = episodeThatAnswers([
    ...[`${longest}y`, ...Array(10).fill(longest), undefined, "", 7],
  ]);
  const { text, answered } = await runRecordedStep(live, "");
  expect(text).toBe("done");
  expect(answered.map(({ answer }) => answer)).toEqual([
    "(100001 characters, too many to keep)",
    ...Array(10).fill(longest),
    undefined,
    "(2 characters, too many to keep)",
    "(1 characters, too many to keep)",
  ]);
  expect(live.onResult).toBeUndefined();
});
