/** Policies that say what they were told to: one of messages, one of tokens. They keep the contract of `Policy`. */
import type { Message, Policy, Renderer, SampleRequest } from "../spec/index.ts";

/** Says the given messages in order, then empty ones. A function is called with what was said so far. */
export function scriptedPolicy(
  script: readonly string[] | ((messages: readonly Message[]) => string | Promise<string>),
): Policy {
  return {
    kind: "messages",
    complete: async (messages) => {
      if (typeof script === "function") return script(messages);
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return script[turn] ?? "";
    },
  };
}

/** A policy of tokens that follows a script, and what happened to it. */
export interface ScriptedTokenPolicy {
  readonly policy: Policy;
  /** What it was asked, in order. */
  readonly requests: readonly SampleRequest[];
  readonly released: readonly string[];
}

/**
 * Samples the tokens of the given turns in order for every cache key, then empty turns. A turn longer than asked for
 * is cut with stop "length". The log-prob of the token at position p is `scriptedLogprob(p)`; the version is 7.
 */
export function scriptedTokenPolicy(
  script: readonly string[],
  renderer: Renderer,
): ScriptedTokenPolicy {
  const requests: SampleRequest[] = [];
  const released: string[] = [];
  const policy: Policy = {
    kind: "tokens",
    sample: async (request, signal) => {
      const turn = requests.filter(({ cacheKey }) => cacheKey === request.cacheKey).length;
      requests.push(request);
      const none = { tokens: [], logprobs: [], policyVersion: 7 };
      if (signal?.aborted) return { ...none, stop: "cancelled" };
      const whole = renderer.turn(script[turn] ?? "");
      const tokens = whole.slice(0, request.maxTokens);
      const logprobs = tokens.map((_, i) => scriptedLogprob(request.tokens.length + i));
      const stop = tokens.length < whole.length ? "length" : "stop";
      return { tokens, logprobs, stop, policyVersion: 7 };
    },
    release: (cacheKey) => {
      released.push(cacheKey);
    },
  };
  return { policy, requests, released };
}

/** The log-prob, nats, that the scripted policy gives to the token at a position; exact in float32. */
export function scriptedLogprob(position: number): number {
  return -(position + 1) / 1024;
}
