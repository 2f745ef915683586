/**
 * Policies that follow a script: one continues messages and one continues tokens. They keep the contract of `Policy`.
 */
import type { Message, Policy, Renderer, SampleRequest } from "../spec/index.ts";

/**
 * Returns a policy that calls a function for its answers, or takes them from a list and then answers with empty
 * messages.
 */
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

/** A token policy that follows a script, with the requests that it received. */
export interface ScriptedTokenPolicy {
  readonly policy: Policy;
  /** The requests in order. */
  readonly requests: readonly SampleRequest[];
  /** The cache keys that were released, in order. */
  readonly released: readonly string[];
}

/**
 * Returns a token policy that samples the turns of the script in order for every cache key, and then empty turns. A
 * turn that is longer than `maxTokens` is cut, with the reason "length". The log-prob of the token at position p is
 * `scriptedLogprob(p)`, and the policy version is 7.
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
      const emptySample = { tokens: [], logprobs: [], policyVersion: 7 };
      if (signal?.aborted) return { ...emptySample, stop: "cancelled" };
      const scripted = renderer.turn(script[turn] ?? "");
      const tokens = scripted.slice(0, request.maxTokens);
      const logprobs = tokens.map((_, i) => scriptedLogprob(request.tokens.length + i));
      const stop = tokens.length < scripted.length ? "length" : "stop";
      return { tokens, logprobs, stop, policyVersion: 7 };
    },
    release: (cacheKey) => {
      released.push(cacheKey);
    },
  };
  return { policy, requests, released };
}

/** Returns the log-prob in nats of the token at a position under the scripted token policy. It is exact in float32. */
export function scriptedLogprob(position: number): number {
  return -(position + 1) / 1024;
}
