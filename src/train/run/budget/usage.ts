/**
 * Counts the tokens that an engine worked on, by the kinds that services price: read, read again, sampled, trained on.
 *
 * Each turn of a rollout is one request whose prompt is the whole conversation so far. Tokens that were part of the
 * rollout's earlier requests count as `cached`, because many services keep them and charge less for them. Tokens that
 * are evaluated but not trained on (for old log-probabilities or a reference policy) are read, so they count as
 * `prefill`.
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

/** Computes from a rollout's record how many tokens its sampling took. The counts are 0 if the record has no tokens. */
export function usageOfRollout({ tokens, turns }: Pick<Rollout, "tokens" | "turns">): TokenUsage {
  if (tokens === undefined) return NO_USAGE;
  /** The position after the last turn of each row of the rollout. */
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
