/** Formats numbers of tokens and their cost. */
import type { UsageSummary } from "../spec/index.ts";

type Tokens = Pick<UsageSummary, "prefill" | "cached" | "sampled" | "trained">;

/**
 * Returns a line such as "1.2M prompt tokens read, 800k cached, 45k sampled, 60k trained; cost 3.21, 3.4 of 5 spent".
 */
export function formatUsage(usage: UsageSummary): string {
  const { cost, spent } = usage;
  const price = cost === undefined ? [] : [`cost ${formatCost(cost)}`];
  const ceiling = spent?.ceiling === null || !spent ? "" : ` of ${spent.ceiling}`;
  const more = spent ? [`${formatCost(spent.cost)}${ceiling} spent`] : [];
  return [formatTokens(usage), [...price, ...more].join(", ")].filter(Boolean).join("; ");
}

function formatTokens({ prefill, cached, sampled, trained }: Tokens): string {
  const [read, fromCache, drawn, learned] = [prefill, cached, sampled, trained].map(
    formatTokenCount,
  );
  return `${read} prompt tokens read, ${fromCache} cached, ${drawn} sampled, ${learned} trained`;
}

/** Formats a number of tokens, such as 950, 12k, 3.4M or 1.2G. */
export function formatTokenCount(count: number): string {
  const steps: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [size, unit] = steps.find(([from]) => count >= from) ?? [1, ""];
  const value = count / size;
  return `${value < 10 && size > 1 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** Formats a cost with at most four significant digits, such as 0.0123, 12.35 or 1235. */
export function formatCost(cost: number): string {
  return String(Number(cost.toPrecision(4)));
}
