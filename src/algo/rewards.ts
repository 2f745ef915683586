/**
 * Computes the terminal reward R in [0, 1] of a rollout: one number from the checks over its final state.
 *
 * LOOP (arXiv 2502.01600, section 5.2, appendix D) pays the fraction of a task's checks that pass, without shaping or
 * discounting. An episode that the agent did not finish itself counts as a failure. There is one deviation, off by
 * default: `unfinished: "score"` evaluates the state that an unfinished episode left, as the released code does.
 */
import { assert, groupBy } from "../core/index.ts";
import type { Evaluation, Rollout } from "../spec/index.ts";
import { isDamage, passedShare, type RewardedRollout, type ScoredChecks } from "./scored-checks.ts";

/**
 * Names of the reward rules. `fraction`: passed checks / checks. `strict`: 1 when all checks pass, else 0.
 * `progress`: see `progressReward`.
 */
export type RewardName = "fraction" | "strict" | "progress";

/** How checks become the reward R. `PAPER_REWARD` holds the paper's choice. */
export interface RewardOptions {
  readonly reward: RewardName;
  /** The reward of an episode that its agent did not finish: `fail` pays 0, `score` pays what its state scores. */
  readonly unfinished: "fail" | "score";
}

/**
 * The paper's reward (appendix D): the fraction of checks that pass, and 0 when the agent did not finish the episode.
 */
export const PAPER_REWARD: RewardOptions = { reward: "fraction", unfinished: "fail" };

/**
 * Returns the reward that the evaluation states. Without one, returns the share of checks that pass; without checks,
 * returns 1 when the evaluation passed, else 0. Guards count like other checks, as in the paper, so doing nothing but
 * to finish earns the share of guards.
 */
export function fractionReward({ passed, checks, reward }: ScoredChecks): number {
  if (reward !== undefined) return reward;
  return checks.length === 0 ? strictReward({ passed }) : passedShare(checks);
}

/** Returns 1 when the evaluation passed, else 0. */
export function strictReward({ passed }: Pick<Evaluation, "passed">): number {
  return passed ? 1 : 0;
}

/**
 * Returns the reward that the evaluation states. If it states none, returns the share of `progress` checks that pass,
 * or 0 when a guard fails, because progress cannot make up for damage. Doing nothing but to finish earns 0, because
 * every progress check fails then. Whether the agent finished is left to `RewardOptions.unfinished`.
 */
export function progressReward({ passed, checks, reward }: ScoredChecks): number {
  if (reward !== undefined) return reward;
  if (checks.some(isDamage)) return 0;
  const progress = checks.filter((check) => check.label === "progress");
  return progress.length === 0 ? strictReward({ passed }) : passedShare(progress);
}

const REWARD_FUNCTIONS: { readonly [name in RewardName]: (evaluation: ScoredChecks) => number } = {
  fraction: fractionReward,
  strict: strictReward,
  progress: progressReward,
};

/** Returns the reward of an evaluation, in [0, 1]. For a rollout, use `rewardOf`. */
export function rewardOfEvaluation(
  evaluation: ScoredChecks,
  options: RewardOptions = PAPER_REWARD,
): number {
  if (!evaluation.finished && options.unfinished === "fail") return 0;
  return REWARD_FUNCTIONS[options.reward](evaluation);
}

/**
 * Returns true if a rollout was evaluated, so that it has a return. Cancelled and failed rollouts have none. They are
 * left out of their group, whose baseline then covers the remaining rollouts.
 */
export function isScored(rollout: Rollout): rollout is Rollout & { evaluation: Evaluation } {
  return rollout.evaluation !== undefined;
}

/**
 * Groups the evaluated rollouts by task. Tasks are in the order of their first appearance, and rollouts keep their
 * order.
 */
export function groupScoredRollouts(rollouts: readonly Rollout[]): readonly (readonly Rollout[])[] {
  return [...groupBy(rollouts.filter(isScored), ({ task }) => task.id).values()];
}

/**
 * Returns the reward of an evaluated rollout (see `isScored`). For a role that plays against the agent, returns 1 -
 * R. Everything that shows or learns from a rollout's reward takes it from here, with the options of its run.
 */
export function rewardOf(rollout: RewardedRollout, options: RewardOptions = PAPER_REWARD): number {
  const { id, outcome, evaluation } = rollout;
  assert(
    evaluation !== undefined,
    `rollout ${id} (outcome ${outcome}) has no evaluation, so it has no reward`,
  );
  const earned = rewardOfEvaluation(evaluation, options);
  return rollout.opposed ? 1 - earned : earned;
}
