/** Tokens and their price as `summary.json` and `usage.json` tell them. */
import type { UsageSummary } from "../../../spec/index.ts";
import { isPriced } from "../../config/token-prices.ts";
import { type RunUsage, totalOf } from "./run-usage.ts";
import type { Spending, SpendingOptions } from "./spending.ts";
import { costOf, type TokenUsage } from "./usage.ts";

/** Tasks that the summary names; `usage.json` has all. */
const NAMED = 10;

const FREE: SpendingOptions = {
  prefillPrice: 0,
  cachedPrice: null,
  samplePrice: 0,
  trainPrice: 0,
  ceiling: null,
};

/** `budget` and `spending` where tokens have a price. */
export function usageSummary(
  usage: RunUsage,
  budget: SpendingOptions | null,
  spending: Spending | undefined,
): UsageSummary {
  const prices = budget ?? FREE;
  const total = totalOf(usage);
  return {
    ...total,
    ...priced(total, prices),
    phases: { ...usage.phases },
    tasks: perTask(usage, prices).slice(0, NAMED),
    ...(spending && {
      spent: { ...spending.total, cost: spending.cost(), ceiling: prices.ceiling },
    }),
  };
}

/** Every training task, the dearest first. */
export function perTask(usage: RunUsage, budget: SpendingOptions | null): UsageSummary["tasks"] {
  const prices = budget ?? FREE;
  const weight = (tokens: TokenUsage) =>
    isPriced(prices) ? costOf(tokens, prices) : tokens.prefill + tokens.sampled;
  return Object.entries(usage.tasks)
    .map(([task, tokens]) => ({ task, ...tokens, ...priced(tokens, prices) }))
    .sort((a, b) => weight(b) - weight(a) || (a.task < b.task ? -1 : 1));
}

function priced(tokens: TokenUsage, prices: SpendingOptions): { cost?: number } {
  return isPriced(prices) ? { cost: costOf(tokens, prices) } : {};
}
