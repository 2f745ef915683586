/**
 * Decides when to stop waiting for long rollouts (arXiv 2502.01600, appendix D): once every task has at least 3/4 of
 * its rollouts finished and at least 90% of all rollouts are finished, the rest is cancelled. A cancelled rollout is
 * not a failed one: it leaves the batch, and its siblings' baseline is taken over the remaining rollouts.
 *
 * Time is counted in decode steps of each rollout, not in seconds. So the result depends only on what was sampled,
 * and is the same on a slow and on a fast machine. The rule has one number, the cutoff: the smallest step count t
 * such that the rollouts of at most t steps meet both quotas. Rollouts that end exactly at the cutoff are all kept.
 *
 * While rollouts are running, treating them as endless gives an upper bound of the cutoff, because the cutoff can
 * only fall when one of them finishes. A rollout that has passed this bound will certainly be cancelled, so it can be
 * stopped early.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { joinRolloutTokens } from "./action-row.ts";

/** The two quotas of the straggler rule. In the paper, K is 6 and the quotas are 3/4 and 0.9. */
export interface StragglerOptions {
  /** The configured number of rollouts for each task, K. */
  readonly groupSize: number;
  /**
   * The share of K that must have finished in every task. The resulting number is rounded half to even, as Python does.
   */
  readonly perTaskFraction: number;
  /** The share of all rollouts that must have finished. If this and `perTaskFraction` are 1, nothing is cancelled. */
  readonly totalFraction: number;
}

/** Rounds half to even, as Python's `round` does: 4.5 -> 4, 5.5 -> 6. (`Math.round(4.5)` is 5.) */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/**
 * The progress of one rollout, for the straggler rule. A failed rollout can never finish; only rollouts that can still
 * finish count for the quotas.
 */
export interface RolloutProgress {
  readonly task: string;
  /** The number of decode steps: the final number of a finished rollout, the current number of a running one. */
  readonly steps: number;
  readonly state: "finished" | "in-flight" | "failed";
}

/** What the straggler rule says about rollouts at their current step counts. */
export interface StragglerDecision {
  /** The cutoff in decode steps. It is Infinity until the finished rollouts meet both quotas. */
  readonly cutoff: number;
  /**
   * Indices, in ascending order, of finished rollouts at or below the cutoff. The list is final once no rollout is
   * running.
   */
  readonly kept: readonly number[];
  /** Indices of rollouts that are certainly cancelled. They are finished or running, but beyond the cutoff. */
  readonly cancelled: readonly number[];
}

/**
 * Applies the straggler rule to the current step counts. When it is called again with larger step counts, `cancelled`
 * only grows. It never contains a rollout that the rule would keep once all counts are known. When no rollout is
 * running, the result is final.
 */
export function decideStragglers(
  progress: readonly RolloutProgress[],
  options: StragglerOptions,
): StragglerDecision {
  const alive = progress.filter(({ state }) => state !== "failed");
  const perTask = roundHalfEven(options.perTaskFraction * options.groupSize);
  const total = Math.ceil(options.totalFraction * progress.length - 1e-9);
  const tasks = groupBy(alive, ({ task }) => task);
  const cutoff = Math.max(
    stepsOfNthFinished(alive, total),
    ...[...tasks.values()].map((group) => stepsOfNthFinished(group, perTask)),
  );
  const kept: number[] = [];
  const cancelled: number[] = [];
  progress.forEach(({ steps, state }, index) => {
    if (state === "failed") return;
    if (steps > cutoff) cancelled.push(index);
    else if (state === "finished") kept.push(index);
  });
  return { cutoff, kept, cancelled };
}

/**
 * Returns the step count at which the n-th of these rollouts finishes, or the last one if there are fewer than n. A
 * rollout that never finishes counts as Infinity.
 */
function stepsOfNthFinished(group: readonly RolloutProgress[], n: number): number {
  const steps = group.map(({ state, steps }) => (state === "finished" ? steps : Infinity));
  steps.sort((a, b) => a - b);
  const nth = Math.min(n, steps.length);
  return nth === 0 ? 0 : steps[nth - 1]!;
}

/**
 * Returns the length of a rollout in decode steps: the sampled tokens of all its rows, or its turns when the policy
 * has no tokens.
 */
export function countDecodeSteps(rollout: Rollout): number {
  const tokens = joinRolloutTokens(rollout);
  if (!tokens) return rollout.turns.length;
  return tokens.mask.reduce<number>((sum, sampled) => sum + sampled, 0);
}

/**
 * Applies the straggler rule to a batch: kept rollouts stay as they are, and the others become `cancelled` records
 * without turns. Turns are removed because how far a rollout got before it was stopped depends on the machine, and
 * equal runs must write equal files.
 */
export function cancelStragglers(
  rollouts: readonly Rollout[],
  options: StragglerOptions,
): Rollout[] {
  const progress = rollouts.map((rollout) => ({
    task: rollout.task.id,
    steps: countDecodeSteps(rollout),
    state: progressState(rollout),
  }));
  const kept = new Set(decideStragglers(progress, options).kept);
  return rollouts.map((rollout, index) =>
    kept.has(index) || rollout.outcome === "failed" ? rollout : makeCancelledRecord(rollout),
  );
}

function progressState({ outcome }: Rollout): RolloutProgress["state"] {
  if (outcome === "failed") return "failed";
  return outcome === "cancelled" ? "in-flight" : "finished";
}

function makeCancelledRecord(rollout: Rollout): Rollout {
  const { id, task, index, stream, temperature } = rollout;
  const head = { version: 1, id, task, index, stream, temperature, policyVersion: -1 } as const;
  return { ...head, turns: [], outcome: "cancelled" };
}
