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
   * The advantage of each turn, when credit is given by turn. `advantage` is then the one of the largest absolute
   * size.
   */
  readonly turnAdvantages?: readonly number[];
  /** What each turn earned, when rewards are given by turn. The sum is `reward`. */
  readonly turnRewards?: readonly number[];
  /** True for a rollout from a buffer, which an older policy sampled. */
  readonly stored?: true;
}

/**
 * Returns the graded rollouts of a batch, and the running baselines after it. Rollouts without a return are left out,
 * and, when the baseline compares siblings, also groups of one.
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
    /** Computes a rollout's return; default: its outcome by `reward`. */
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
