/**
 * Collects the policy's own actions in an expert's states (arXiv 2510.08558): each rollout begins with a part of its
 * task's solution, then the policy acts on its own, and the world answers. Learning from these answers needs no reward.
 *
 * The k-th rollout of a task leaves the solution before its turn k (counting starts over after the last turn) and runs
 * to its end. The policy learns the answer to its first action after the solution (`buildAnswerRow`).
 */
import { mapConcurrently } from "../../core/index.ts";
import type { Rollout, TaskInfo } from "../../spec/index.ts";
import type { Collected, Iteration } from "../method.ts";
import { throwIfTooManyFailed } from "./failures.ts";
import { type GroupConfig, groupAssignments, groupPlan } from "./groups.ts";
import { createRestartingShaper, type StoredPrefix } from "./restarts.ts";
import { runAssignment } from "./run-assignments.ts";
import { collectSolutions } from "./solutions.ts";

/**
 * Runs rollouts that begin with parts of solutions, and returns them together with the solutions. Tasks without a
 * solution are left out.
 */
export async function collectFromExpertStates(
  tasks: readonly TaskInfo[],
  iteration: Iteration<GroupConfig>,
): Promise<Collected> {
  const solutions = await collectSolutions(tasks, iteration);
  const solved = new Map(solutions.map((solution) => [solution.task.id, solution]));
  const plan = groupPlan(iteration);
  const assignments = groupAssignments(
    tasks.filter(({ id }) => solved.has(id)),
    iteration,
  );
  let done = 0;
  const rollouts = await mapConcurrently(assignments, plan.episodes, async (assignment) => {
    plan.signal?.throwIfAborted();
    const solution = solved.get(assignment.task.id)!;
    const turns = assignment.index % solution.turns.length;
    const start = turns === 0 ? undefined : prefixOfSolution(solution, turns);
    const shape = start && createRestartingShaper(() => start, undefined);
    const rollout = await runAssignment(assignment, { ...plan, shape });
    plan.onDone?.(++done, rollout);
    return rollout;
  });
  plan.signal?.throwIfAborted();
  throwIfTooManyFailed(rollouts);
  return { rollouts, solutions };
}

function prefixOfSolution({ id, task, tokens, turns }: Rollout, count: number): StoredPrefix {
  return {
    task: task.id,
    from: `solution ${id}`,
    spread: 0,
    turns: turns.slice(0, count).map(({ span, observation, status }) => ({
      tokens: tokens!.ids.slice(...span!),
      observation,
      status,
    })),
  };
}
