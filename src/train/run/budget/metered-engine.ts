/** An engine that says what is asked of it, in tokens. It changes nothing else. */

import { createForwardingEngine } from "../../../methods/index.ts";
import type { Engine, Row } from "../../../spec/index.ts";
import type { TokenUsage } from "./usage.ts";

export interface Meter {
  /** Told of a prompt when it is sent and of its sample when it is there: both are paid, whatever becomes of them. */
  readonly onUsage: (usage: Partial<TokenUsage>) => void;
  /** The same of rows alone, which are the learner's. */
  readonly onLearned: (usage: Partial<TokenUsage>) => void;
}

export function meteredEngine(engine: Engine, { onUsage, onLearned }: Meter): Engine {
  /** Tokens that the engine has seen under a cache key, its own included. */
  const shown = new Map<string, number>();
  const learn = (usage: Partial<TokenUsage>) => {
    onUsage(usage);
    onLearned(usage);
  };
  return {
    ...createForwardingEngine(engine),
    async sample(requests, signal) {
      for (const { tokens, cacheKey } of requests) {
        const before = Math.min(shown.get(cacheKey ?? "") ?? 0, tokens.length);
        onUsage({ prefill: tokens.length - before, cached: before });
      }
      const samples = await engine.sample(requests, signal);
      samples.forEach(({ tokens }, i) => {
        onUsage({ sampled: tokens.length });
        const { cacheKey, tokens: prompt } = requests[i]!;
        if (cacheKey !== undefined) shown.set(cacheKey, prompt.length + tokens.length);
      });
      return samples;
    },
    release(cacheKey) {
      shown.delete(cacheKey);
      engine.release(cacheKey);
    },
    evaluate(rows, options) {
      learn({ prefill: length(rows) });
      return engine.evaluate(rows, options);
    },
    accumulate(rows, cotangents, options) {
      learn({ trained: length(rows) });
      return engine.accumulate(rows, cotangents, options);
    },
  };
}

function length(rows: readonly Row[]): number {
  return rows.reduce((sum, { tokens }) => sum + tokens.length, 0);
}
