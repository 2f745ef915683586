/**
 * Limits how many requests are sent per minute, and repeats them after a pause when the server is busy. When the server
 * asks one request to wait, all requests wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ChatFailure, type ChatModel } from "./chat-model.ts";

/** Limits on how often and how fast requests may be sent. */
export interface RetryOptions {
  /** The number of attempts at one answer, including the first attempt. */
  readonly attempts: number;
  /** The largest number of requests per minute; undefined if there is no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** The pause before the second attempt. It doubles with each further attempt, up to a minute. */
  readonly pauseMs?: number;
  readonly onRetry?: (failure: ChatFailure) => void;
}

const MAX_PAUSE_MS = 60_000;
const MAX_REQUESTED_WAIT_MS = 600_000;

/** Returns a model that repeats requests while the server is busy. Other failures are thrown at once. */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  const { attempts, requestsPerMinute, pauseMs = 500, onRetry } = options;
  const apartMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
  /** The earliest time at which the next request may be sent, by the clock of `performance`. */
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
