import { expect, it } from "vitest";
import { metricTitle } from "./chart-plans.ts";

it.each([
  ["loop reward/mean", "Reward: mean return"],
  ["eval tgc/dev@T1", "Tasks solved (TGC): dev at T = 1"],
  ["warm warm/loss", "Warm start: loss, nats per token"],
  ["loop behaviour/docs_calls", "behaviour/docs_calls"],
])("a comparison calls %s as the page of a run does: %s", (key, title) => {
  expect(metricTitle(key)).toBe(title);
});
