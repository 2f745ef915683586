/**
 * Rollouts worth remembering, by task: plain data, so that a checkpoint holds it and a resumed run replays the same.
 *
 * Three uses. Inject a success into a group that failed as a whole, which then has something to tell apart; replay good
 * rollouts in an imitation update of their own; collect what passed as a data set. Log-probs are not stored: the learner
 * recomputes the old ones of whatever it learns from, stored rollouts included.
 */
import type { Rollout } from "../spec/index.ts";
import { recalibrated } from "./advantage-shaping.ts";
import type { Graded } from "./grade.ts";
import { average, populationStd } from "./moments.ts";

/** A remembered rollout, with what it earned and was worth when it was collected. */
export interface Stored {
  readonly rollout: Rollout;
  readonly reward: number;
  readonly advantage: number;
  /** 0-based iteration that collected it. */
  readonly iteration: number;
}

/** Remembered rollouts by task id, oldest first within a task. */
export type RolloutBuffer = { readonly [task: string]: readonly Stored[] };

/** What a buffer keeps. 0 rollouts of a task or of all: nothing. */
export interface BufferOptions {
  /** Rollouts kept of a task; the oldest leave. */
  readonly perTask: number;
  /** Rollouts kept of all tasks; the oldest leave. */
  readonly capacity: number;
  /** Iterations after which a rollout is forgotten. */
  readonly maxAge: number;
}

/** The buffer with these rollouts added and what is too much or too old forgotten. */
export function remembered(
  buffer: RolloutBuffer,
  graded: readonly Graded[],
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
  const next: Record<string, Stored[]> = {};
  for (const item of newest) {
    const list = next[item.rollout.task.id] ?? [];
    next[item.rollout.task.id] = [...list, item].slice(-perTask);
  }
  return capacity > 0 && perTask > 0 ? next : {};
}

/** Everything stored, task by task. */
export function storedRollouts(buffer: RolloutBuffer): Stored[] {
  return Object.values(buffer).flat();
}

/** Which groups are injected into, and with what. Returns lie in [0, 1]. */
export interface Injection {
  /** A group is injected into when its returns spread less than this and */
  readonly maxStd: number;
  /** their mean is below this. */
  readonly maxMean: number;
  /** What a stored rollout must have earned. */
  readonly minReward: number;
}

/**
 * A group that failed as a whole, its last rollout replaced by the task's latest stored success; any other group as it
 * is. The group's rollouts are scored ones; baselines are to be taken after this.
 */
export function injectSuccess(
  group: readonly Rollout[],
  returnOf: (rollout: Rollout) => number,
  buffer: RolloutBuffer,
  { maxStd, maxMean, minReward }: Injection,
): readonly Rollout[] {
  const task = group[0]?.task.id;
  const returns = group.map((rollout) => returnOf(rollout));
  if (task === undefined || average(returns) >= maxMean || populationStd(returns) >= maxStd) {
    return group;
  }
  const success = buffer[task]?.findLast(({ reward }) => reward >= minReward);
  return success ? [...group.slice(0, -1), success.rollout] : group;
}

/** What groups earned lately: the measure of what is still worth imitating. */
export interface RecentGroups {
  readonly means: readonly number[];
  readonly stds?: readonly number[];
}

/** Stored rollouts for an update of their own, with recalibrated advantages; those below 0 are left out. */
export function replayed(buffer: RolloutBuffer, recent: RecentGroups, share = 0.5): Graded[] {
  const stored = storedRollouts(buffer);
  const returns = stored.map(({ reward }) => reward);
  const advantages = recalibrated(returns, recent, share);
  return stored
    .map(({ rollout, reward }, i) => ({ rollout, reward, advantage: advantages[i]! }))
    .filter(({ advantage }) => advantage >= 0);
}
