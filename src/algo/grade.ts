/** Rollouts with their returns and advantages: what the filter and the learner work on. */
import type { Rollout } from "../spec/index.ts";
import { type AdvantageOptions, LOOP_ADVANTAGE } from "./advantage.ts";
import { creditAdvantages, creditOf, type RunningBaselines } from "./credit.ts";
import { groupsOf, PAPER_REWARD, type RewardOptions, rewardOf } from "./rewards.ts";

/** A rollout with its return and its advantage. */
export interface Graded {
  readonly rollout: Rollout;
  readonly reward: number;
  readonly advantage: number;
  /** One for each turn, where credit is finer than the rollout; `advantage` is then the largest in size. */
  readonly turnAdvantages?: readonly number[];
  /** What each turn earned, where rewards are of turns; they sum to `reward`. */
  readonly turnRewards?: readonly number[];
  /** It comes from a buffer: an older policy sampled it. */
  readonly stored?: true;
}

/**
 * Rewards and advantages of a batch, and the running baselines that it leaves behind, given those that it found. Left out
 * are rollouts without a return and, where the baseline takes siblings, groups of one.
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
    /** Instead of the outcome alone. */
    readonly returnOf?: (rollout: Rollout) => number;
    readonly running?: RunningBaselines;
  } = {},
): { readonly graded: Graded[]; readonly running: RunningBaselines } {
  const scored = groupsOf(rollouts).flat();
  const rewards = scored.map((rollout) => returnOf(rollout));
  const credits = scored.map((rollout, k) => creditOf(rollout, rewards[k]!));
  const result = creditAdvantages(credits, advantage, running);
  const graded = scored.flatMap((rollout, k) => {
    const value = result.advantages[k];
    return value === undefined ? [] : [{ rollout, reward: rewards[k]!, advantage: value }];
  });
  return { graded, running: result.running };
}
