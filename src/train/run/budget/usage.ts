/**
 * Counts the tokens that an engine worked on, by the kinds that services price: read, read again, sampled, trained on.
 *
 * A turn of a rollout is one request whose prompt is the whole row so far. The tokens of earlier requests of the same
 * rollout are `cached`: many services keep them and charge less. Rows that are only evaluated (for old log-probs or a
 * reference) are read, so they count as `prefill`.
 */
import type { Rollout } from "../../../spec/index.ts";
import type { TokenPrices } from "../../config/token-prices.ts";

export interface TokenUsage {
  readonly prefill: number;
  readonly cached: number;
  readonly sampled: number;
  readonly trained: number;
}

export const NO_USAGE: TokenUsage = { prefill: 0, cached: 0, sampled: 0, trained: 0 };

export function addUsage(a: TokenUsage, b: Partial<TokenUsage>): TokenUsage {
  return {
    prefill: a.prefill + (b.prefill ?? 0),
    cached: a.cached + (b.cached ?? 0),
    sampled: a.sampled + (b.sampled ?? 0),
    trained: a.trained + (b.trained ?? 0),
  };
}

export function costOf(usage: TokenUsage, prices: TokenPrices): number {
  const { prefillPrice, cachedPrice, samplePrice, trainPrice } = prices;
  const millionths =
    usage.prefill * prefillPrice +
    usage.cached * (cachedPrice ?? prefillPrice) +
    usage.sampled * samplePrice +
    usage.trained * trainPrice;
  return millionths / 1e6;
}

/** Computes the tokens that sampling a rollout took from its record; zero if it has no tokens. */
export function usageOfRollout({ tokens, turns }: Pick<Rollout, "tokens" | "turns">): TokenUsage {
  if (tokens === undefined) return NO_USAGE;
  /** The position after the last turn, by row of the rollout. */
  const endsBySegment = new Map<number, number>();
  let usage = NO_USAGE;
  for (const { span, segment = 0 } of turns) {
    if (span === undefined) continue;
    const [start, end] = span;
    const cached = endsBySegment.get(segment) ?? 0;
    usage = addUsage(usage, { prefill: start - cached, cached, sampled: end - start });
    endsBySegment.set(segment, end);
  }
  return usage;
}
