/**
 * Statistics of each task from its past groups, and how a sampler uses them.
 *
 * A group is informative when its returns differ, and they differ most where success is as likely as failure. All
 * statistics are exponential averages over iterations in plain data. A task that was never seen has no statistics and
 * is treated as not mastered.
 */

/** Exponential averages over the groups of one task. */
export interface TaskStatistics {
  /** Average share of rollouts that passed, 0 to 1. */
  readonly success: number;
  /** Average variance of the returns within a group. */
  readonly variance: number;
  /** Number of groups that entered the averages. */
  readonly groups: number;
}

/** Statistics by task id. */
export type TaskTable = { readonly [task: string]: TaskStatistics };

/** Results of one group of an iteration. Both lists have one entry for each evaluated rollout. */
export interface GroupOutcome {
  readonly task: string;
  readonly returns: readonly number[];
  readonly passed: readonly boolean[];
}

/** Returns the table with the results of these groups added. `memory` is the share of the old average that stays. */
export function updateTaskStatistics(
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
    const blend = (before: number, now: number) => memory * before + (1 - memory) * now;
    next[task] = old
      ? {
          success: blend(old.success, success),
          variance: blend(old.variance, variance),
          groups: old.groups + 1,
        }
      : { success, variance, groups: 1 };
  }
  return next;
}

/**
 * How strongly tasks are preferred when tasks are drawn. With p the success rate of a task, `uniform` is 1, `half` is 4
 * p (1 - p), and `variance` is 4 times the variance of returns within the task's groups.
 */
export type TaskInterest = "uniform" | "half" | "variance";

/**
 * Returns the weight with which a task is drawn. It lies between `floor`, so that no task is forgotten, and 1. Tasks
 * that were never seen have weight 1.
 */
export function taskSamplingWeight(
  statistics: TaskStatistics | undefined,
  interest: TaskInterest,
  floor = 0.1,
): number {
  if (!statistics || interest === "uniform") return 1;
  const { success, variance } = statistics;
  const worth = interest === "half" ? 4 * success * (1 - success) : Math.min(4 * variance, 1);
  return floor + (1 - floor) * worth;
}

/**
 * Returns the tasks that are not mastered yet: those with fewer than `minGroups` groups or a success rate below
 * `threshold`.
 */
export function dropMasteredTasks<T extends { readonly id: string }>(
  tasks: readonly T[],
  table: TaskTable,
  { threshold, minGroups }: { readonly threshold: number; readonly minGroups: number },
): T[] {
  return tasks.filter(({ id }) => {
    const known = table[id];
    return !known || known.groups < minGroups || known.success < threshold;
  });
}

/** The difficulty classes of tasks: not seen yet, rarely passed, sometimes passed, and nearly always passed. */
export const DIFFICULTY_CLASSES = ["unseen", "hard", "medium", "easy"] as const;

/** The difficulty class of a task. It changes while the policy learns the task: see `classifyDifficulty`. */
export type DifficultyClass = (typeof DIFFICULTY_CLASSES)[number];

/**
 * Returns the difficulty class of a task: `hard` below a success rate of 1/4, `easy` above 3/4. The stages of a
 * curriculum go from easy to hard.
 */
export function classifyDifficulty(
  statistics: TaskStatistics | undefined,
  [low, high]: readonly [number, number] = [0.25, 0.75],
): DifficultyClass {
  if (!statistics) return "unseen";
  if (statistics.success < low) return "hard";
  return statistics.success > high ? "easy" : "medium";
}

/**
 * Returns the group size K of a task. It is `min` if rollouts always or never succeed, and rises to `max` if half of
 * them do.
 */
export function groupSizeByDifficulty(
  statistics: TaskStatistics | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (!statistics) return max;
  const { success } = statistics;
  return Math.round(min + (max - min) * 4 * success * (1 - success));
}
