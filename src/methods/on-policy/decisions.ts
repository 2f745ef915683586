/**
 * Pays each decision for itself (Think in Games, arXiv 2508.21365): a turn is right when it does what the known solution
 * of its task does next. A turn's decision is its API calls with their arguments.
 */
import type { Rollout, Turn } from "../../spec/index.ts";

/**
 * Returns what the reward term `decision` pays each turn, by rollout id: 1 for a turn whose calls are those of the
 * solution's next turn, else 0. The next turn of the solution is the one after those that the rollout already made. A
 * rollout whose task has no solution is left out.
 */
export function scoreDecisions(
  rollouts: readonly Rollout[],
  solutions: readonly Rollout[],
): ReadonlyMap<string, readonly number[]> {
  const known = new Map(solutions.map(({ task, turns }) => [task.id, listDecisions(turns)]));
  return new Map(
    rollouts.flatMap(({ id, task, turns }) => {
      const right = known.get(task.id);
      if (right === undefined) return [];
      let made = 0;
      const paid = turns.map((turn) => {
        const isRight = made < right.length && describeDecision(turn) === right[made];
        made += Number(isRight);
        return Number(isRight);
      });
      return [[id, paid] as const];
    }),
  );
}

/** Lists the decisions of the turns that made calls. */
function listDecisions(turns: readonly Turn[]): string[] {
  return turns.filter(({ calls }) => calls.length > 0).map(describeDecision);
}

/** Returns a text that two turns share when they made the same calls in the same order. */
function describeDecision({ calls }: Turn): string {
  return JSON.stringify(calls.map(({ app, api, args }) => [app, api, args]));
}
