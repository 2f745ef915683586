/**
 * What a batch of rollouts says about the signal in it: an all-right or all-wrong group has no advantage to learn from.
 */
import type { Rollout } from "../spec/index.ts";
import { groupsOf, PAPER_REWARD, rewardOf } from "./rewards.ts";

/** Shares lie in [0, 1]; all are 0 without groups. */
export interface GroupStatistics {
  /** Groups with at least one scored rollout. */
  readonly groups: number;
  readonly meanGroupSize: number;
  /** Shares of groups in which every, or no, rollout passes all checks and finishes. */
  readonly allRight: number;
  readonly allWrong: number;
  /** Share of groups of two or more whose returns differ: the ones that teach. */
  readonly mixed: number;
  readonly rewardMean: number;
  /** Share of scored rollouts that pass all checks and finish. */
  readonly passRate: number;
}

/** True when the agent finished the episode and every check passed. */
export function isPassed(rollout: Rollout): boolean {
  return rollout.evaluation?.finished === true && rollout.evaluation.passed;
}

/** Of the scored rollouts among these, by what each was paid; cancelled and failed ones are in no group. */
export function groupStatistics(
  rollouts: readonly Rollout[],
  returnOf: (rollout: Rollout) => number = (rollout) => rewardOf(rollout, PAPER_REWARD),
): GroupStatistics {
  const groups = groupsOf(rollouts);
  const scored = groups.flat();
  const rewards = scored.map(returnOf);
  const isMixed = (group: readonly Rollout[]) => new Set(group.map(returnOf)).size > 1;
  return {
    groups: groups.length,
    meanGroupSize: scored.length / Math.max(groups.length, 1),
    allRight: share(groups, (group) => group.every(isPassed)),
    allWrong: share(groups, (group) => !group.some(isPassed)),
    mixed: share(groups, isMixed),
    rewardMean: rewards.reduce((sum, value) => sum + value, 0) / Math.max(rewards.length, 1),
    passRate: share(scored, isPassed),
  };
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
