/** The reward of an episode, as the function of a user's agent returns it: a number, or a number with metrics. */
import { formatValue } from "../../core/index.ts";
import type { Evaluation } from "../../spec/index.ts";

/** A reward in [0, 1], and the user's own metrics, whose means over rollouts are shown. */
export interface RewardWithMetrics {
  readonly reward: number;
  readonly metrics?: Readonly<Record<string, number>>;
}

/**
 * Converts a reward to an evaluation. `passAt` is the least reward that counts as solved. Throws on a missing or bad
 * one.
 */
export function toEvaluation(result: unknown, passAt = 1): Evaluation {
  const { reward, metrics } = requireReward(result);
  return {
    passed: reward >= passAt,
    finished: true,
    checks: [],
    reward,
    ...(metrics && { metrics: { ...metrics } }),
  };
}

function requireReward(result: unknown): RewardWithMetrics {
  const rewarded =
    typeof result === "number" ? { reward: result } : (result as RewardWithMetrics | undefined);
  const { reward, metrics = {} } = rewarded ?? {};
  if (reward === undefined) {
    throw namedError(
      "no-reward",
      "the agent returned no reward: return a number from 0 to 1, or { reward, metrics }, or post it to the gateway",
    );
  }
  if (typeof reward !== "number" || !(reward >= 0 && reward <= 1)) {
    throw namedError(
      "bad-reward",
      `reward: expected a number from 0 to 1, got ${formatValue(reward)}`,
    );
  }
  for (const [name, value] of Object.entries(metrics)) {
    if (Number.isFinite(value)) continue;
    throw namedError(
      "bad-reward",
      `metrics.${name}: expected a finite number, got ${formatValue(value)}`,
    );
  }
  return rewarded?.metrics ? { reward, metrics } : { reward };
}

/** Makes an error whose name becomes the failure code of the rollout. */
function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
