/**
 * What is known of each task from its past groups, and what a sampler makes of it.
 *
 * A group teaches when its returns differ, and they differ most where success is as likely as failure. All statistics
 * are exponential averages over iterations in plain data; a task never seen has none and is treated as open.
 */

/** What is known of one task. */
export interface TaskStatistics {
  /** Share of passed rollouts. */
  readonly success: number;
  /** Variance of returns within a group. */
  readonly variance: number;
  /** Groups seen. */
  readonly groups: number;
}

/** By task id. */
export type TaskTable = { readonly [task: string]: TaskStatistics };

/** What one group of an iteration earned; both lists have one entry for each scored rollout. */
export interface GroupOutcome {
  readonly task: string;
  readonly returns: readonly number[];
  readonly passed: readonly boolean[];
}

/** The table after these groups; `memory` is the share of the old average that stays. */
export function updatedTasks(
  table: TaskTable,
  groups: readonly GroupOutcome[],
  memory = 0.7,
): TaskTable {
  const next: Record<string, TaskStatistics> = { ...table };
  for (const { task, returns, passed } of groups) {
    if (returns.length === 0) continue;
    const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
    const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / returns.length;
    const success = passed.filter(Boolean).length / returns.length;
    const old = next[task];
    const mix = (before: number, now: number) => memory * before + (1 - memory) * now;
    next[task] = old
      ? {
          success: mix(old.success, success),
          variance: mix(old.variance, variance),
          groups: old.groups + 1,
        }
      : { success, variance, groups: 1 };
  }
  return next;
}

/** How much a task is worth drawing. `uniform`: 1. `half`: 4 p (1 - p). `variance`: 4 times the groups' variance. */
export type TaskInterest = "uniform" | "half" | "variance";

/** From `floor` (never quite forgotten) to 1. Unseen tasks weigh 1. */
export function taskWeight(
  statistics: TaskStatistics | undefined,
  interest: TaskInterest,
  floor = 0.1,
): number {
  if (!statistics || interest === "uniform") return 1;
  const { success, variance } = statistics;
  const worth = interest === "half" ? 4 * success * (1 - success) : Math.min(4 * variance, 1);
  return floor + (1 - floor) * worth;
}

/** Tasks not yet mastered: those whose success stays below the threshold after enough groups. */
export function unsaturated<T extends { readonly id: string }>(
  tasks: readonly T[],
  table: TaskTable,
  { threshold, minGroups }: { readonly threshold: number; readonly minGroups: number },
): T[] {
  return tasks.filter(({ id }) => {
    const known = table[id];
    return !known || known.groups < minGroups || known.success < threshold;
  });
}

/** Not seen yet, then by how often rollouts pass: seldom, at times, nearly always. */
export const DIFFICULTY_CLASSES = ["unseen", "hard", "medium", "easy"] as const;

/** The class of a task, which changes as it is learned: see `difficultyClass`. */
export type DifficultyClass = (typeof DIFFICULTY_CLASSES)[number];

/** By success: below 1/4 hard, above 3/4 easy. Stages of a curriculum go from easy to hard. */
export function difficultyClass(
  statistics: TaskStatistics | undefined,
  [low, high]: readonly [number, number] = [0.25, 0.75],
): DifficultyClass {
  if (!statistics) return "unseen";
  if (statistics.success < low) return "hard";
  return statistics.success > high ? "easy" : "medium";
}

/** K by difficulty: from `min` where a task always or never succeeds to `max` where it does half of the time. */
export function groupSizeOf(
  statistics: TaskStatistics | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (!statistics) return max;
  const { success } = statistics;
  return Math.round(min + (max - min) * 4 * success * (1 - success));
}
