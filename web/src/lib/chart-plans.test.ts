import { expect, it } from "vitest";
import { isPercentMetric, metricTitle } from "./chart-plans.ts";

it.each([
  ["loop reward/mean", "Reward: mean return"],
  ["eval tgc/dev@T1", "Tasks solved (TGC): dev at T = 1"],
  ["warm warm/loss", "Warm start: loss, nats per token"],
  ["loop behaviour/docs_calls", "behaviour/docs_calls"],
])("a comparison calls %s as the page of a run does: %s", (key, title) => {
  expect(metricTitle(key)).toBe(title);
});

it("a comparison shows as percentages what the page of a run does", () => {
  const keys = ["eval tgc/dev", "loop group/mixed", "loop ratio/clip_fraction", "loop reward/mean"];
  expect(keys.map(isPercentMetric)).toEqual([true, true, true, false]);
});
