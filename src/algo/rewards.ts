/**
 * The terminal reward R in [0, 1] of a rollout: one scalar from the checks over its final state.
 *
 * LOOP (arXiv 2502.01600, section 5.2, appendix D) pays the fraction of a task's checks that pass; nothing is shaped
 * or discounted. An episode that the agent did not end itself is a failure there. Numbered deviation, off by default:
 *  1. `unfinished: "score"` evaluates whatever state an unfinished episode left, as the released code does.
 */
import { assert, groupBy } from "../core/index.ts";
import type { CheckResult, Evaluation, Rollout } from "../spec/index.ts";

/** `fraction`: passed checks / checks. `strict`: 1 when all pass, else 0. `progress`: see `progressReward`. */
export type RewardName = "fraction" | "strict" | "progress";

/** How checks become R; `PAPER_REWARD` is the paper's. */
export interface RewardOptions {
  readonly reward: RewardName;
  /** What an episode is worth that its agent did not finish: nothing, or what its state scores. */
  readonly unfinished: "fail" | "score";
}

/** The fraction of checks that pass, 0 where the agent did not end the episode (appendix D). */
export const PAPER_REWARD: RewardOptions = { reward: "fraction", unfinished: "fail" };

type Verdict = Pick<Evaluation, "passed" | "checks" | "reward">;

/** What was paid; else the share of checks that pass; without checks, whether the evaluation passed. */
export function fractionReward({ passed, checks, reward }: Verdict): number {
  if (reward !== undefined) return reward;
  return checks.length === 0 ? strictReward({ passed }) : passedShare(checks);
}

/** All or nothing. */
export function strictReward({ passed }: Pick<Evaluation, "passed">): number {
  return passed ? 1 : 0;
}

/**
 * What was paid; else the share of `progress` checks that pass, but 0 as soon as one guard fails: damage cannot be paid for
 * by progress.
 */
export function progressReward({ passed, checks, reward }: Verdict): number {
  if (reward !== undefined) return reward;
  if (checks.some((check) => check.label === "guard" && !check.passed)) return 0;
  const progress = checks.filter((check) => check.label === "progress");
  return progress.length === 0 ? strictReward({ passed }) : passedShare(progress);
}

const REWARDS: { readonly [name in RewardName]: (evaluation: Verdict) => number } = {
  fraction: fractionReward,
  strict: strictReward,
  progress: progressReward,
};

/** R of an evaluation, in [0, 1]. For a rollout, see `rewardOf`. */
export function reward(evaluation: Evaluation, options: RewardOptions = PAPER_REWARD): number {
  if (!evaluation.finished && options.unfinished === "fail") return 0;
  return REWARDS[options.reward](evaluation);
}

/**
 * True when a rollout has a return. Cancelled and failed ones have none: they are left out of their group, and their
 * siblings' baseline is taken over what remains.
 */
export function isScored(rollout: Rollout): rollout is Rollout & { evaluation: Evaluation } {
  return rollout.evaluation !== undefined;
}

/** Scored rollouts by task, tasks in order of first appearance, rollouts in the order given. */
export function groupsOf(rollouts: readonly Rollout[]): readonly (readonly Rollout[])[] {
  return [...groupBy(rollouts.filter(isScored), ({ task }) => task.id).values()];
}

/** R of a rollout that was scored (see `isScored`); for a role that plays against the agent, 1 - R. */
export function rewardOf(rollout: Rollout, options: RewardOptions = PAPER_REWARD): number {
  assert(
    isScored(rollout),
    `rollout ${rollout.id} (${rollout.outcome}) has no evaluation to reward`,
  );
  const earned = reward(rollout.evaluation, options);
  return rollout.opposed ? 1 - earned : earned;
}

function passedShare(checks: readonly CheckResult[]): number {
  return checks.filter((check) => check.passed).length / checks.length;
}
