/**
 * One advantage a rollout, from the returns of its group: the K rollouts of one start state (s0, c).
 *
 * LOOP (arXiv 2502.01600, equation 3) subtracts the mean of the *other* returns, A_k = R_k - 1/(K-1) sum_{i != k} R_i,
 * which equals K/(K-1) (R_k - mean R); it is unbiased and needs no critic. The same scalar goes to every action token.
 * K is the number of rollouts that are in, never the nominal group size. Options away from LOOP:
 *  1. `baseline: "mean"` subtracts the mean of all, the rollout's own return included (GRPO).
 *  2. `scale: "group"` divides by the group's population standard deviation. With leave-one-out this is the paper's
 *     RwNorm as in the released code; with the mean baseline it is GRPO's. LOOP leaves it out: it overweights groups
 *     that are nearly always or nearly never solved.
 */
import type { Rollout } from "../spec/index.ts";
import { groupBy } from "./group-by.ts";
import { isScored, PAPER_REWARD, type RewardOptions, rewardOf } from "./rewards.ts";

export interface AdvantageOptions {
  readonly baseline: "leave-one-out" | "mean";
  readonly scale: "none" | "group";
}

export const LOOP_ADVANTAGE: AdvantageOptions = { baseline: "leave-one-out", scale: "none" };

const STD_FLOOR = 1e-7;

/**
 * A_k for each return of one group, in order. A group of one (or none) has no baseline to compare with: it returns
 * an empty array, so its rollout is dropped rather than given a made-up advantage.
 */
export function groupAdvantages(
  rewards_G: readonly number[],
  { baseline, scale }: AdvantageOptions = LOOP_ADVANTAGE,
): number[] {
  const size = rewards_G.length;
  if (size < 2) return [];
  const mean = average(rewards_G);
  const own = baseline === "leave-one-out" ? size / (size - 1) : 1;
  const divisor = scale === "group" ? Math.max(populationStd(rewards_G), STD_FLOOR) : 1;
  return rewards_G.map((reward) => (own * (reward - mean)) / divisor);
}

/** A rollout with its return and its advantage. */
export interface Graded {
  readonly rollout: Rollout;
  readonly reward: number;
  readonly advantage: number;
}

/** Scored rollouts by task, tasks in order of first appearance, rollouts in the order given. */
export function groupsOf(rollouts: readonly Rollout[]): readonly (readonly Rollout[])[] {
  return [...groupBy(rollouts.filter(isScored), ({ task }) => task.id).values()];
}

/** Rewards and advantages of a batch. Rollouts without a return, and groups of one, are left out. */
export function gradeRollouts(
  rollouts: readonly Rollout[],
  advantage: AdvantageOptions = LOOP_ADVANTAGE,
  reward: RewardOptions = PAPER_REWARD,
): Graded[] {
  return groupsOf(rollouts).flatMap((group) => {
    const rewards_G = group.map((rollout) => rewardOf(rollout, reward));
    const advantages_G = groupAdvantages(rewards_G, advantage);
    return advantages_G.map((advantage, k) => ({
      rollout: group[k]!,
      reward: rewards_G[k]!,
      advantage,
    }));
  });
}

function populationStd(values: readonly number[]): number {
  const mean = average(values);
  return Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
