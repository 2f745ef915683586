/** Tokens and what they cost, in words. */
import type { UsageSummary } from "../spec/index.ts";

type Tokens = Pick<UsageSummary, "prefill" | "cached" | "sampled" | "trained">;

/** "1.2M tokens read, 800k again, 45k sampled, 60k trained; cost 3.21, 3.4 of 5 spent" */
export function usageLine(usage: UsageSummary): string {
  const { cost, spent } = usage;
  const price = cost === undefined ? [] : [`cost ${money(cost)}`];
  const ceiling = spent?.ceiling === null || !spent ? "" : ` of ${spent.ceiling}`;
  const more = spent ? [`${money(spent.cost)}${ceiling} spent`] : [];
  return [tokensText(usage), [...price, ...more].join(", ")].filter(Boolean).join("; ");
}

function tokensText({ prefill, cached, sampled, trained }: Tokens): string {
  const [read, again, drawn, learned] = [prefill, cached, sampled, trained].map(short);
  return `${read} tokens read, ${again} again, ${drawn} sampled, ${learned} trained`;
}

/** 950, 12k, 3.4M, 1.2G */
export function short(count: number): string {
  const steps: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [size, unit] = steps.find(([from]) => count >= from) ?? [1, ""];
  const value = count / size;
  return `${value < 10 && size > 1 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** Four digits that say something: 0.0123, 12.35, 1235. */
export function money(cost: number): string {
  return String(Number(cost.toPrecision(4)));
}
