import { expect, test } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { renderBeforeAfter, renderFirstAttempt } from "./example-rollouts.ts";

const rollout = {
  task: { id: "train/1/1", instruction: "tidy the red box ".repeat(30).trim() },
  turns: ["a", "b"].map((name) => ({
    message: `${name}()`,
    code: `${name}(${"1, ".repeat(120)}2)`,
    observation: "seen things ".repeat(120),
    status: "ok",
    calls: [],
  })),
  outcome: "finished",
} as unknown as Rollout;

/** Returns the length of the longest line. */
function widthOf(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}
const channelOf = (columns: number) => ({ columns, paint: (_: unknown, text: string) => text });

test.each([
  [60, 60, 60],
  [100, 100, 100],
  [119, 100, 100],
  [120, 100, 120],
  [170, 100, 170],
  [220, 100, 170],
])(
  "in %i columns the first attempt takes at most %i, and before and after at most %i",
  (columns, first, both) => {
    const channel = channelOf(columns) as Parameters<typeof renderFirstAttempt>[1];
    const widths = [
      renderFirstAttempt(rollout, channel),
      renderBeforeAfter(rollout, rollout, channel),
    ];
    for (const [i, limit] of [first, both].entries()) {
      expect(widthOf(widths[i]!)).toBeLessThanOrEqual(limit);
      expect(widthOf(widths[i]!)).toBeGreaterThan(limit - 12);
    }
  },
);
