/** What an agent's run is worth, as its owner says it: a number, or a number with others beside it. */
import { formatValue } from "../../core/index.ts";
import type { Evaluation } from "../../spec/index.ts";

/** A reward in [0, 1], and numbers of one's own that are shown as means over rollouts. */
export interface RewardWithMetrics {
  readonly reward: number;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** `passAt`: the least reward that counts as solved. Throws where there is none, or one that is no reward. */
export function toEvaluation(said: unknown, passAt = 1): Evaluation {
  const { reward, metrics } = requireReward(said);
  return {
    passed: reward >= passAt,
    finished: true,
    checks: [],
    reward,
    ...(metrics && { metrics: { ...metrics } }),
  };
}

function requireReward(said: unknown): RewardWithMetrics {
  const rewarded =
    typeof said === "number" ? { reward: said } : (said as RewardWithMetrics | undefined);
  const { reward, metrics = {} } = rewarded ?? {};
  if (reward === undefined) {
    throw namedError(
      "no-reward",
      "the run gave no reward: return a number from 0 to 1, or { reward, metrics }, or post it to the gateway",
    );
  }
  if (typeof reward !== "number" || !(reward >= 0 && reward <= 1)) {
    throw namedError(
      "bad-reward",
      `reward: expected a number from 0 to 1, came ${formatValue(reward)}`,
    );
  }
  for (const [name, value] of Object.entries(metrics)) {
    if (Number.isFinite(value)) continue;
    throw namedError(
      "bad-reward",
      `metrics.${name}: expected a finite number, came ${formatValue(value)}`,
    );
  }
  return rewarded?.metrics ? { reward, metrics } : { reward };
}

/** Its name is the code of the failed rollout. */
function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
