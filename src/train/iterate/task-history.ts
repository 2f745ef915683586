/** Updates what a run remembers about its tasks. Later iterations draw tasks by it. It is stored in checkpoints. */
import {
  type GradedRollout,
  groupBy,
  groupScoredRollouts,
  isPassed,
  rewardOf,
  updateTaskStatistics,
} from "../../algo/index.ts";
import { type TaskSampler, usesTaskTable } from "../../methods/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { MixedShares, TaskHistory } from "../run/trainer-state.ts";
import { readTaskRules } from "./task-rules.ts";

/** The weight of earlier iterations when a new iteration enters an average. */
const HISTORY_WEIGHT = 0.7;

/** Returns the share of groups with different returns for each task signature, updated with an iteration's rollouts. */
export function updateMixedShares(
  shares: MixedShares,
  graded: readonly GradedRollout[],
): MixedShares {
  const groups = groupBy(graded, ({ rollout }) => rollout.task.id);
  const seen = new Map<string, number[]>();
  for (const group of groups.values()) {
    const { signature } = group[0]!.rollout.task;
    const differs = group.some(({ reward }) => reward !== group[0]!.reward);
    seen.set(signature, [...(seen.get(signature) ?? []), Number(differs)]);
  }
  const next: Record<string, number> = { ...shares };
  for (const [signature, outcomes] of seen) {
    const now = outcomes.reduce((sum, value) => sum + value, 0) / outcomes.length;
    next[signature] = HISTORY_WEIGHT * (shares[signature] ?? 1) + (1 - HISTORY_WEIGHT) * now;
  }
  return next;
}

/** Updates the averages by task signature and, if the method or a sampler reads them, the averages of single tasks. */
export function rememberTasks(
  history: TaskHistory,
  graded: readonly GradedRollout[],
  rollouts: readonly Rollout[],
  config: Config,
  sampler?: TaskSampler,
): void {
  history.mixedShares = updateMixedShares(history.mixedShares, graded);
  const tasks = readTaskRules(config);
  const isAsked = sampler !== undefined || usesTaskTable({ algo: config.algo, tasks });
  if (!isAsked) return;
  const groups = groupScoredRollouts(rollouts).map((group) => ({
    task: group[0]!.task.id,
    returns: group.map((rollout) => rewardOf(rollout, config.algo)),
    passed: group.map(isPassed),
  }));
  history.table = updateTaskStatistics(history.table ?? {}, groups, tasks?.memory);
}
