/**
 * Patience with an endpoint: so many requests a minute, and again after a while where it is busy. When it asks to be
 * left alone for some time, that holds for all requests, not only for the one that heard it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ChatFailure, type ChatModel } from "./chat-model.ts";

export interface RetryOptions {
  /** Attempts at one answer, the first included. */
  readonly attempts: number;
  /** Undefined: as fast as answers come. */
  readonly requestsPerMinute?: number | undefined;
  /** Milliseconds before the second attempt; doubled for each further one, up to a minute. */
  readonly pauseMs?: number;
  readonly onRetry?: (failure: ChatFailure) => void;
}

const MAX_PAUSE_MS = 60_000;
const MAX_REQUESTED_WAIT_MS = 600_000;

/** The same model, asked patiently. What is not `busy` is thrown at once. */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  const { attempts, requestsPerMinute, pauseMs = 500, onRetry } = options;
  const apartMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
  /** When the next request may be sent, by the clock of `performance`. */
  let free = 0;
  const turn = async (signal?: AbortSignal) => {
    const now = performance.now();
    const at = Math.max(now, free);
    free = at + apartMs;
    if (at > now) await sleep(at - now, undefined, signal ? { signal } : {});
  };
  return {
    name: model.name,
    async reply(request) {
      for (let attempt = 1; ; attempt++) {
        await turn(request.signal);
        try {
          return await model.reply(request);
        } catch (error) {
          if (!(error instanceof ChatFailure) || error.kind !== "busy") throw error;
          if (attempt >= attempts) throw error;
          onRetry?.(error);
          const pause = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (attempt - 1));
          const asked = Math.min(MAX_REQUESTED_WAIT_MS, error.waitMs ?? 0);
          free = Math.max(free, performance.now() + asked);
          await sleep(pause, undefined, request.signal ? { signal: request.signal } : {});
        }
      }
    },
  };
}
