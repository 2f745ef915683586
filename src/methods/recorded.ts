/**
 * Learning from recorded rollouts instead of rollouts of the policy: what other models or people did, with outcomes.
 *
 * Only methods that need no log-probs of the sampler can learn from recordings: methods that imitate (`ei`, `rft`) and
 * the method that compares pairs (`dmpo`). A policy gradient would need importance weights p_theta / p_sampler, and
 * nobody knows p_sampler of a recording. Each iteration learns from all recordings. There is one iteration by default,
 * so that the reference of `dmpo` stays the policy that training started from.
 */
import { rewardOf } from "../algo/index.ts";
import { BowlineError } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { expertIteration, rft } from "./imitation.ts";
import type { BaseConfig, Collected, Grading, Method } from "./method.ts";
import { dmpo } from "./preference.ts";

const RECORDED_METHODS: Readonly<Record<string, Method>> = { dmpo, ei: expertIteration, rft };

/**
 * Returns the method `name` with its rollouts replaced by recorded ones. `readRollouts` is called in each iteration.
 * Throws a `config` error for a method that cannot learn from recordings.
 */
export function recordedMethod(name: string, readRollouts: () => readonly Rollout[]): Method {
  const method = Object.hasOwn(RECORDED_METHODS, name) ? RECORDED_METHODS[name]! : undefined;
  if (method === undefined) {
    throw new BowlineError(
      "config",
      `method: expected ${Object.keys(RECORDED_METHODS).join(", ")} to learn from recordings, got ${name}; other methods need the log-probs with which answers were sampled, and recordings have none`,
    );
  }
  return {
    ...method,
    name: `recorded-${name}`,
    summary: `${method.summary}; from recordings`,
    // Tasks are drawn as for every method, but recordings take the place of their rollouts.
    preset: {
      ...method.preset,
      algo: { ...method.preset["algo"], iterations: 1, tasksPerIteration: 1 },
    },
    spends: "tasks",
    conflict: (config) => findRecordedConflict(config) ?? method.conflict(config),
    collect: async (): Promise<Collected> => ({ rollouts: readRollouts() }),
    grade: async ({ rollouts }): Promise<Grading> => ({ graded: rollouts.map(grade), metrics: {} }),
  };
}

/** A recorded rollout has its outcome as return. Imitation and pairs do not read the advantage. */
const grade = (rollout: Rollout) => ({ rollout, reward: rewardOf(rollout), advantage: 0 });

function findRecordedConflict(config: BaseConfig): string | undefined {
  const { rewards } = config as { readonly rewards?: { readonly terms: readonly unknown[] } };
  if (rewards === undefined || rewards.terms.length === 0) return undefined;
  return "rewards.terms have no effect, because recordings have their outcomes as rewards: leave the terms out";
}
