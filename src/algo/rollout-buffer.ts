/**
 * Remembers rollouts by task. The buffer is plain data, so a checkpoint can hold it and a resumed run replays the
 * same.
 *
 * It has three uses: to inject a success into a group that failed as a whole, which then has a difference to learn
 * from; to replay good rollouts in an imitation update of their own; and to collect passed rollouts as a data set.
 * Log-probs are not stored: the learner recomputes the old ones of every rollout that it learns from, including
 * stored ones.
 */
import type { Rollout } from "../spec/index.ts";
import { recalibrateAdvantages } from "./advantage-shaping.ts";
import type { GradedRollout } from "./grade.ts";
import { average, populationStd } from "./mean-and-spread.ts";

/** A remembered rollout, with the reward and the advantage that it had when it was collected. */
export interface StoredRollout {
  readonly rollout: Rollout;
  readonly reward: number;
  readonly advantage: number;
  /** The iteration, counted from 0, that collected the rollout. */
  readonly iteration: number;
}

/** Remembered rollouts by task id, oldest first within a task. */
export type RolloutBuffer = { readonly [task: string]: readonly StoredRollout[] };

/** Limits of a buffer. With 0 rollouts per task or in all, nothing is kept. */
export interface BufferOptions {
  /** The number of rollouts that are kept for each task. The oldest are dropped first. */
  readonly perTask: number;
  /** The number of rollouts that are kept for all tasks together. The oldest are dropped first. */
  readonly capacity: number;
  /** Number of iterations after which a rollout is dropped. */
  readonly maxAge: number;
}

/** Returns the buffer with these rollouts added and those beyond its limits dropped. */
export function rememberRollouts(
  buffer: RolloutBuffer,
  graded: readonly GradedRollout[],
  iteration: number,
  { perTask, capacity, maxAge }: BufferOptions,
): RolloutBuffer {
  const added = graded.map(({ rollout, reward, advantage }) => ({
    rollout,
    reward,
    advantage,
    iteration,
  }));
  const all = [...storedRollouts(buffer), ...added].filter(
    (item) => iteration - item.iteration <= maxAge,
  );
  const newest = all.sort((a, b) => a.iteration - b.iteration).slice(-capacity);
  const next: Record<string, StoredRollout[]> = {};
  for (const item of newest) {
    const list = next[item.rollout.task.id] ?? [];
    next[item.rollout.task.id] = [...list, item].slice(-perTask);
  }
  return capacity > 0 && perTask > 0 ? next : {};
}

/** Returns all stored rollouts, task by task. */
export function storedRollouts(buffer: RolloutBuffer): StoredRollout[] {
  return Object.values(buffer).flat();
}

/** Says which groups get a stored success, and which stored rollouts may be used. Returns lie in [0, 1]. */
export interface InjectionOptions {
  /** A group gets a stored success when the standard deviation of its returns is below this. */
  readonly maxStd: number;
  /** A group gets a stored success only when, in addition, the mean of its returns is below this. */
  readonly maxMean: number;
  /** Least reward of a stored rollout that may be injected. */
  readonly minReward: number;
}

/**
 * Returns a group that failed as a whole with its last rollout replaced by the task's latest stored success. Returns
 * any other group unchanged. All rollouts of the group must be evaluated, and baselines must be computed after this.
 */
export function injectSuccess(
  group: readonly Rollout[],
  returnOf: (rollout: Rollout) => number,
  buffer: RolloutBuffer,
  { maxStd, maxMean, minReward }: InjectionOptions,
): readonly Rollout[] {
  const task = group[0]?.task.id;
  const returns = group.map((rollout) => returnOf(rollout));
  if (task === undefined || average(returns) >= maxMean || populationStd(returns) >= maxStd) {
    return group;
  }
  const success = buffer[task]?.findLast(({ reward }) => reward >= minReward);
  return success ? [...group.slice(0, -1), success.rollout] : group;
}

/** The returns of recent groups. They decide which stored rollouts are still worth imitating. */
export interface RecentGroupReturns {
  /** Mean return of each recent group. */
  readonly means: readonly number[];
  /** Standard deviation of each recent group's returns. */
  readonly stds?: readonly number[];
}

/**
 * Returns the stored rollouts that are worth an update of their own, with recalibrated advantages. Those with an
 * advantage below 0 are left out.
 */
export function selectForReplay(
  buffer: RolloutBuffer,
  recent: RecentGroupReturns,
  share = 0.5,
): GradedRollout[] {
  const stored = storedRollouts(buffer);
  const returns = stored.map(({ reward }) => reward);
  const advantages = recalibrateAdvantages(returns, recent, share);
  return stored
    .map(({ rollout, reward }, i) => ({ rollout, reward, advantage: advantages[i]! }))
    .filter(({ advantage }) => advantage >= 0);
}
