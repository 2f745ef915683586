/** Grades rollouts: gives each its return and its advantage, which filters and learners use. */
import type { Rollout } from "../spec/index.ts";
import { type AdvantageOptions, LOOP_ADVANTAGE } from "./advantage.ts";
import { computeCreditAdvantages, creditForRollout, type RunningBaselines } from "./credit.ts";
import { groupScoredRollouts, PAPER_REWARD, type RewardOptions, rewardOf } from "./rewards.ts";

/** A rollout with its return (`reward`) and its advantage. */
export interface GradedRollout {
  readonly rollout: Rollout;
  readonly reward: number;
  readonly advantage: number;
  /**
   * The advantage of each turn, when turns get credit one by one. `advantage` is then the one of largest absolute size.
   */
  readonly turnAdvantages?: readonly number[];
  /** What each turn earned, when turns are rewarded one by one. The sum is `reward`. */
  readonly turnRewards?: readonly number[];
  /** True for a rollout from a buffer, which an older policy sampled. */
  readonly stored?: true;
}

/**
 * Returns the graded rollouts of a batch, and the running baselines after it. Rollouts without a return are left out.
 * So are groups with one rollout, when the baseline needs other rollouts of the group.
 */
export function gradeBatch(
  rollouts: readonly Rollout[],
  advantage: AdvantageOptions = LOOP_ADVANTAGE,
  {
    reward = PAPER_REWARD,
    returnOf = (rollout) => rewardOf(rollout, reward),
    running = {},
  }: {
    readonly reward?: RewardOptions;
    /** Computes a rollout's return. By default this is the reward of its outcome. */
    readonly returnOf?: (rollout: Rollout) => number;
    readonly running?: RunningBaselines;
  } = {},
): { readonly graded: GradedRollout[]; readonly running: RunningBaselines } {
  const scored = groupScoredRollouts(rollouts).flat();
  const rewards = scored.map((rollout) => returnOf(rollout));
  const credits = scored.map((rollout, k) => creditForRollout(rollout, rewards[k]!));
  const result = computeCreditAdvantages(credits, advantage, running);
  const graded = scored.flatMap((rollout, k) => {
    const value = result.advantages[k];
    return value === undefined ? [] : [{ rollout, reward: rewards[k]!, advantage: value }];
  });
  return { graded, running: result.running };
}
