import { expect, it } from "vitest";
import type { UsageSummary } from "../spec/index.ts";
import { phaseUsageTable, taskUsageTable } from "./run-tables.ts";
import { formatTokenCount, formatUsage } from "./usage-text.ts";

const tokens = { prefill: 1_234_567, cached: 812_000, sampled: 45_300, trained: 999 };
const usage: UsageSummary = {
  ...tokens,
  phases: { collect: tokens },
  tasks: [{ task: "train/1/2", rollouts: 6, ...tokens }],
};
const priced: UsageSummary = {
  ...usage,
  cost: 3.21,
  tasks: [{ ...usage.tasks[0]!, cost: 0.123456 }],
  spent: { ...tokens, cost: 3.404, ceiling: 5 },
};

it("formatUsage writes numbers of tokens, and their cost when they have a price", () => {
  expect(formatUsage(usage)).toBe("1.2M prompt tokens read, 812k cached, 45k sampled, 999 trained");
  expect(formatUsage(priced)).toContain("999 trained; cost 3.21, 3.404 of 5 spent");
  expect(formatUsage({ ...priced, spent: { ...priced.spent!, ceiling: null } })).toContain(
    "3.404 spent",
  );
});

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1.0k"],
  [12_345, "12k"],
  [3.44e6, "3.4M"],
  [2e10, "20G"],
])("formatTokenCount writes %i as %s", (count, text) => expect(formatTokenCount(count)).toBe(text));

it("the tables of usage name phases and tasks, and have costs only where tokens have a price", () => {
  const cells = ["1.2M", "812k", "45k", "999"];
  expect(phaseUsageTable(usage).rows).toEqual([["training rollouts", ...cells]]);
  expect(taskUsageTable(usage).rows).toEqual([["train/1/2", "6", ...cells]]);
  expect(taskUsageTable(priced).rows).toEqual([["train/1/2", "6", ...cells, "0.1235"]]);
});
