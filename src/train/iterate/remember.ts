/** What an iteration leaves in the state for later ones: of groups, tasks and rollouts. */
import { type Graded, groupsOf, isPassed, rewardOf, updatedTasks } from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { Config } from "../config.ts";
import { usesTaskTable } from "../mechanism-rules.ts";
import { rewardOptions } from "../metrics.ts";
import { updateShares } from "../task-sampling.ts";
import type { TrainerState } from "../trainer-state.ts";
import { remember } from "./memory.ts";

export function rememberIteration(
  graded: readonly Graded[],
  rollouts: readonly Rollout[],
  context: {
    readonly config: Config;
    readonly iteration: number;
    readonly state: TrainerState;
  },
): void {
  const { config, state } = context;
  state.mixedShares = updateShares(state.mixedShares, graded);
  remember(state, graded, context);
  if (!usesTaskTable(config)) return;
  const groups = groupsOf(rollouts).map((group) => ({
    task: group[0]!.task.id,
    returns: group.map((rollout) => rewardOf(rollout, rewardOptions(config))),
    passed: group.map(isPassed),
  }));
  state.taskTable = updatedTasks(state.taskTable ?? {}, groups, config.tasks.memory);
}
