/** Wraps an engine so that the tokens of every request are reported. Otherwise it behaves like the wrapped engine. */

import { findList } from "../../../core/index.ts";
import { createForwardingEngine } from "../../../methods/index.ts";
import type { Engine, Row, SampleRequest } from "../../../spec/index.ts";
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
      for (const request of requests) {
        const length = promptLength(request);
        const before = Math.min(seenTokens.get(request.cacheKey ?? "") ?? 0, length);
        onUsage({ prefill: length - before, cached: before });
      }
      const samples = await engine.sample(requests, signal);
      samples.forEach(({ tokens }, i) => {
        onUsage({ sampled: tokens.length });
        const { cacheKey } = requests[i]!;
        if (cacheKey === undefined) return;
        seenTokens.set(cacheKey, promptLength(requests[i]!) + tokens.length);
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

/** Counts the tokens of a prompt without making an array of them. */
function promptLength(request: SampleRequest): number {
  return findList(request)?.length ?? request.tokens.length;
}

function countTokens(rows: readonly Row[]): number {
  return rows.reduce((sum, { tokens }) => sum + tokens.length, 0);
}
