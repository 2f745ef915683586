/** Compares iterations: gradients from the same rollouts, rollouts under the same random streams, or drawn tasks. */
import { groupBy } from "../../../src/algo/index.ts";
import type { Rollout } from "../../../src/spec/index.ts";
import type { Attempt } from "./attempt.ts";
import type { Counterfactual } from "./change.ts";
import { squaredDistance } from "./gradient.ts";

/** A squared difference, and the squared size that it is divided by. Both are summed over iterations. */
export interface Difference {
  readonly squared: number;
  readonly size: number;
}

/** Returns how far `b` is from `a`. For rollouts and tasks, both numbers are counts, whose ratio is squared later. */
export function compareAttempts(
  compares: Counterfactual["compares"],
  a: Attempt,
  b: Attempt,
): Difference {
  if (compares === "gradients") {
    return {
      squared: squaredDistance(a.gradient, b.gradient),
      size: squaredDistance(a.gradient),
    };
  }
  return compares === "rollouts"
    ? compareRollouts(a.collected.rollouts, b.collected.rollouts)
    : compareTasks(a.collected.rollouts, b.collected.rollouts);
}

/**
 * Returns the relative difference over all iterations. Gradients: the norm of the difference over the norm of the
 * gradient. Rollouts and tasks: the share that differs.
 */
export function relativeDifference(
  compares: Counterfactual["compares"],
  parts: readonly Difference[],
): number {
  const squared = parts.reduce((sum, part) => sum + part.squared, 0);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size === 0) return 0;
  return compares === "gradients" ? Math.sqrt(squared / size) : squared / size;
}

/** Counts the agent's turns, and those that are not written at the same place of the same rollout. */
function compareRollouts(a: readonly Rollout[], b: readonly Rollout[]): Difference {
  const others = new Map(b.map((rollout) => [rollout.id, agentTurns(rollout)]));
  let squared = 0;
  let size = 0;
  for (const rollout of a) {
    const own = agentTurns(rollout);
    const other = others.get(rollout.id) ?? [];
    const count = Math.max(own.length, other.length);
    size += count;
    for (let j = 0; j < count; j++) squared += Number(own[j] !== other[j]);
  }
  return { squared, size };
}

/** Returns what the agent wrote in its turns, with the task. Plans, summaries and other parts are left out. */
function agentTurns({ task, turns }: Rollout): string[] {
  return turns
    .filter(({ part }) => part === undefined)
    .map(({ message }) => `${task.id} ${message}`);
}

/** Counts the rollouts of `a`, and those whose task has fewer rollouts in `b`. */
function compareTasks(a: readonly Rollout[], b: readonly Rollout[]): Difference {
  const others = groupBy(b, ({ task }) => task.id);
  const own = groupBy(a, ({ task }) => task.id);
  const missing = [...own].map(([id, group]) =>
    Math.max(0, group.length - (others.get(id)?.length ?? 0)),
  );
  const extra = [...others].map(([id, group]) =>
    Math.max(0, group.length - (own.get(id)?.length ?? 0)),
  );
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  return { squared: Math.max(sum(missing), sum(extra)), size: Math.max(a.length, b.length) };
}
