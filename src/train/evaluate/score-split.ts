/** Plays one rollout of each task of a split and scores them, for the evaluations of a run and for `bowline eval`. */
import { scoreRollouts } from "../../algo/index.ts";
import { randomStreamId } from "../../core/index.ts";
import type { RolloutJournal } from "../../methods/index.ts";
import {
  type Assignment,
  type RolloutAgent,
  type RolloutShaper,
  runAssignments,
} from "../../methods/index.ts";
import type { Policy, Rollout, Score, Split, TaskInfo, Turn, World } from "../../spec/index.ts";

/** The input of `scoreSplit()`. */
export interface SplitPlan {
  readonly world: World;
  readonly split: Split;
  /** The number of scenarios, three tasks each; undefined means all that the world lists. */
  readonly scenarios: number | undefined;
  readonly policy: Policy;
  readonly agent: RolloutAgent;
  /** The sampling temperature; 0 is greedy. */
  readonly temperature: number;
  readonly maxTurns: number;
  readonly episodes: number;
  /** The seed of the sampling streams. */
  readonly seed: number;
  /** The first part of the rollouts' ids. */
  readonly name: string;
  readonly journal?: RolloutJournal;
  /** Shapes rollouts, for example with a memory; without it they are linear. */
  readonly shape?: RolloutShaper | undefined;
  readonly onTurn?: (task: TaskInfo, turn: Turn) => void;
  readonly onDone?: (done: number, rollout: Rollout) => void;
  readonly signal?: AbortSignal | undefined;
}

export async function scoreSplit(
  plan: SplitPlan,
): Promise<{ readonly score: Score; readonly rollouts: readonly Rollout[] }> {
  const tasks = plan.world.tasks(plan.split, plan.scenarios);
  const assignments = tasks.map(
    (task, position): Assignment => ({
      task,
      id: `${plan.name}/${position}/0`,
      index: 0,
      stream: randomStreamId(plan.seed, "eval", task.id),
    }),
  );
  const rollouts = await runAssignments(assignments, plan);
  return { score: scoreRollouts(rollouts), rollouts };
}
