import { expect, it } from "vitest";
import type { Summary, UsageSummary } from "../spec/index.ts";
import { usageSection } from "./usage.ts";
import { short, usageLine } from "./usage-text.ts";

const tokens = { prefill: 1_234_567, cached: 812_000, sampled: 45_300, trained: 999 };
const usage: UsageSummary = {
  ...tokens,
  phases: { collect: tokens },
  tasks: [{ task: "train/1/2<", rollouts: 6, ...tokens }],
};
const priced: UsageSummary = {
  ...usage,
  cost: 3.21,
  tasks: [{ ...usage.tasks[0]!, cost: 0.123456 }],
  spent: { ...tokens, cost: 3.404, ceiling: 5 },
};

it("says tokens in words, with their price where they have one", () => {
  expect(usageLine(usage)).toBe("1.2M tokens read, 812k again, 45k sampled, 999 trained");
  expect(usageLine(priced)).toContain("999 trained; cost 3.21, 3.404 of 5 spent");
  expect(usageLine({ ...priced, spent: { ...priced.spent!, ceiling: null } })).toContain(
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
])("%i is %s", (count, text) => expect(short(count)).toBe(text));

it("is a section of the report, by phase and task", () => {
  const sectionOf = (shown: UsageSummary) => usageSection({ usage: shown } as Summary).source;
  expect(sectionOf(priced)).toContain("training rollouts");
  expect(sectionOf(priced)).toContain("train/1/2&lt; (6 rollouts)");
  expect(sectionOf(priced)).toContain("<td>0.1235</td>");
  expect(sectionOf(usage)).not.toContain("cost");
  expect(usageSection({} as Summary).source).toBe("");
});
