/** Wraps an engine so that the tokens of every request are reported. Otherwise it behaves like the wrapped engine. */

import { createForwardingEngine } from "../../../methods/index.ts";
import type { Engine, Row } from "../../../spec/index.ts";
import type { TokenUsage } from "./usage.ts";

/** Receives the token counts of each request to an engine. */
export interface UsageMeter {
  /** Called when a prompt is sent and when its sample arrives. Both cost money, even if the result is not used. */
  readonly onUsage: (usage: Partial<TokenUsage>) => void;
  /** Called for rows of tokens that are evaluated or trained on, in addition to `onUsage`. */
  readonly onLearned: (usage: Partial<TokenUsage>) => void;
}

export function createMeteredEngine(engine: Engine, { onUsage, onLearned }: UsageMeter): Engine {
  /** The number of tokens that the engine has already read or sampled, by cache key. */
  const seenTokens = new Map<string, number>();
  const learn = (usage: Partial<TokenUsage>) => {
    onUsage(usage);
    onLearned(usage);
  };
  return {
    ...createForwardingEngine(engine),
    async sample(requests, signal) {
      for (const { tokens, cacheKey } of requests) {
        const before = Math.min(seenTokens.get(cacheKey ?? "") ?? 0, tokens.length);
        onUsage({ prefill: tokens.length - before, cached: before });
      }
      const samples = await engine.sample(requests, signal);
      samples.forEach(({ tokens }, i) => {
        onUsage({ sampled: tokens.length });
        const { cacheKey, tokens: prompt } = requests[i]!;
        if (cacheKey !== undefined) seenTokens.set(cacheKey, prompt.length + tokens.length);
      });
      return samples;
    },
    release(cacheKey) {
      seenTokens.delete(cacheKey);
      engine.release(cacheKey);
    },
    evaluate(rows, options) {
      learn({ prefill: countTokens(rows) });
      return engine.evaluate(rows, options);
    },
    accumulate(rows, cotangents, options) {
      learn({ trained: countTokens(rows) });
      return engine.accumulate(rows, cotangents, options);
    },
  };
}

function countTokens(rows: readonly Row[]): number {
  return rows.reduce((sum, { tokens }) => sum + tokens.length, 0);
}
