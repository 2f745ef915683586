/** Summarises tokens and their cost for `summary.json` and `usage.json`. */
import type { UsageSummary } from "../../../spec/index.ts";
import { isPriced } from "../../config/token-prices.ts";
import { type RunUsage, totalUsage } from "./run-usage.ts";
import type { Spending, SpendingOptions } from "./spending.ts";
import { costOf, type TokenUsage } from "./usage.ts";

/** The number of tasks that `summary.json` lists. `usage.json` lists all tasks. */
const MAX_LISTED_TASKS = 10;

const FREE_TOKENS: SpendingOptions = {
  prefillPrice: 0,
  cachedPrice: null,
  samplePrice: 0,
  trainPrice: 0,
  ceiling: null,
};

/** Summarises the token counts of a run. When tokens have no price, `budget` is null and `spending` is undefined. */
export function summarizeUsage(
  usage: RunUsage,
  budget: SpendingOptions | null,
  spending: Spending | undefined,
): UsageSummary {
  const prices = budget ?? FREE_TOKENS;
  const total = totalUsage(usage);
  return {
    ...total,
    ...costField(total, prices),
    phases: { ...usage.phases },
    tasks: usageByTask(usage, prices).slice(0, MAX_LISTED_TASKS),
    ...(spending && {
      spent: { ...spending.total, cost: spending.cost(), ceiling: prices.ceiling },
    }),
  };
}

/** Returns the token counts of every training task. The most expensive task comes first. */
export function usageByTask(
  usage: RunUsage,
  budget: SpendingOptions | null,
): UsageSummary["tasks"] {
  const prices = budget ?? FREE_TOKENS;
  const costOrTokens = (tokens: TokenUsage) =>
    isPriced(prices) ? costOf(tokens, prices) : tokens.prefill + tokens.sampled;
  return Object.entries(usage.tasks)
    .map(([task, tokens]) => ({ task, ...tokens, ...costField(tokens, prices) }))
    .sort((a, b) => costOrTokens(b) - costOrTokens(a) || (a.task < b.task ? -1 : 1));
}

function costField(tokens: TokenUsage, prices: SpendingOptions): { cost?: number } {
  return isPriced(prices) ? { cost: costOf(tokens, prices) } : {};
}
