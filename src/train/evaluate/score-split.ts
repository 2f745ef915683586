/** Plays one rollout for each task of a split and scores it. The evaluations of a run and `bowline eval` use this. */
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

/** What the scoring of a split needs to know. */
export interface SplitPlan {
  readonly world: World;
  readonly split: Split;
  /** The number of scenarios, each with three tasks; undefined for all scenarios that the world lists. */
  readonly scenarios: number | undefined;
  readonly policy: Policy;
  readonly agent: RolloutAgent;
  /** The sampling temperature; 0 is greedy. */
  readonly temperature: number;
  readonly maxTurns: number;
  readonly episodes: number;
  /** The seed of the random streams for sampling. */
  readonly seed: number;
  /** The beginning of each rollout's id. */
  readonly name: string;
  readonly journal?: RolloutJournal;
  /** Determines the shape of rollouts, for example to add a memory. Without a shaper they are linear. */
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
