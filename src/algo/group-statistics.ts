/**
 * Statistics about the learning signal in a batch of rollouts: a group in which all rollouts pass, or none does, has
 * no advantage to learn from.
 */
import type { Rollout } from "../spec/index.ts";
import { groupScoredRollouts, PAPER_REWARD, rewardOf } from "./rewards.ts";
import type { RewardedRollout } from "./scored-checks.ts";

/** Statistics of a batch by group. Shares lie in [0, 1]. All numbers are 0 when there are no groups. */
export interface GroupStatistics {
  /** Number of groups with at least one evaluated rollout. */
  readonly groups: number;
  readonly meanGroupSize: number;
  /** Share of groups in which every rollout passes all checks and finishes. */
  readonly allRight: number;
  /** Share of groups in which no rollout passes all checks and finishes. */
  readonly allWrong: number;
  /** Share of groups whose returns differ, which are the groups that teach something. */
  readonly mixed: number;
  readonly rewardMean: number;
  /** Share of evaluated rollouts that pass all checks and finish. */
  readonly passRate: number;
}

/** Returns whether the agent finished the episode and every check passed. */
export function isPassed({ evaluation }: Pick<RewardedRollout, "evaluation">): boolean {
  return evaluation?.finished === true && evaluation.passed;
}

/**
 * Returns statistics of the evaluated rollouts by group, with the returns that `returnOf` gives. Cancelled and failed
 * rollouts count in no group.
 */
export function groupStatistics(
  rollouts: readonly Rollout[],
  returnOf: (rollout: Rollout) => number = (rollout) => rewardOf(rollout, PAPER_REWARD),
): GroupStatistics {
  const groups = groupScoredRollouts(rollouts);
  const scored = groups.flat();
  const rewards = scored.map(returnOf);
  const isMixed = (group: readonly Rollout[]) => new Set(group.map(returnOf)).size > 1;
  return {
    groups: groups.length,
    meanGroupSize: scored.length / Math.max(groups.length, 1),
    allRight: shareWhere(groups, (group) => group.every(isPassed)),
    allWrong: shareWhere(groups, (group) => !group.some(isPassed)),
    mixed: shareWhere(groups, isMixed),
    rewardMean: rewards.reduce((sum, value) => sum + value, 0) / Math.max(rewards.length, 1),
    passRate: shareWhere(scored, isPassed),
  };
}

function shareWhere<T>(items: readonly T[], matches: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(matches).length / items.length;
}
