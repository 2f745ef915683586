/** Estimates the entropy of a policy from what it sampled. */
import type { Rollout } from "../spec/index.ts";
import { joinRolloutTokens } from "./action-row.ts";

/**
 * Returns the mean of -log p over all sampled tokens, in nats per token: an unbiased estimate of the mean entropy of the
 * next-token distributions, at the temperature of sampling. Every engine can give it. Returns undefined if nothing was
 * sampled.
 */
export function sampledEntropy(
  rollouts: readonly Pick<Rollout, "tokens" | "segments">[],
): number | undefined {
  let [sum, count] = [0, 0];
  for (const rollout of rollouts) {
    const row = joinRolloutTokens(rollout);
    row?.logprobs.forEach((logprob, t) => {
      if (row.mask[t] !== 1) return;
      sum -= logprob;
      count += 1;
    });
  }
  return count === 0 ? undefined : sum / count;
}
