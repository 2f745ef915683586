/** Converts what a world reports into the studio's API types, and hides the checks of tasks that may only be scored. */
import { isPassed, isScored, type RewardOptions, rewardOf } from "../../algo/index.ts";
import type { Evaluation, Rollout, Split, TaskInfo } from "../../spec/index.ts";
import type { CallView, Change, RolloutRow, StateView, TaskView } from "../../spec/studio/index.ts";
import type {
  AnsweredCall,
  EpisodeState,
  InspectedChange,
  InspectedStep,
  TaskDetails,
  WorldInspector,
} from "../../world/index.ts";

/** Whether checks and solutions of this split are shown only on request: all splits except train and dev. */
export function hidesChecks(split: Split): boolean {
  return split !== "train" && split !== "dev";
}

/** Returns the rollout without the checks of its evaluation. */
export function removeChecks(rollout: Rollout): Rollout {
  const { evaluation } = rollout;
  return evaluation ? { ...rollout, evaluation: { ...evaluation, checks: [] } } : rollout;
}

export function buildChangeViews(changes: readonly InspectedChange[]): Change[] {
  return changes.map((change) => ({ ...change }) as Change);
}

export function buildCallView({ app, api, args, status, answer, changes }: AnsweredCall): CallView {
  return { app, api, args, status, answer: answer ?? null, changes: buildChangeViews(changes) };
}

export function buildCellView(
  by: "record" | "hand",
  code: string,
  { result, calls }: InspectedStep,
) {
  return { by, code, status: result.status, text: result.text, calls: calls.map(buildCallView) };
}

/** Builds the row of a rollout that was made here, with its reward by the rule of a run. */
export function buildRolloutRow(rollout: Rollout, reward: RewardOptions): RolloutRow {
  const { id, index, outcome, turns, failure } = rollout;
  return {
    id,
    index,
    outcome,
    passed: isPassed(rollout),
    ...(isScored(rollout) && { reward: rewardOf(rollout, reward) }),
    turns: turns.length,
    sampled: turns.reduce((sum, { span }) => sum + (span ? span[1] - span[0] : 0), 0),
    ...(failure && { failure: failure.message }),
  };
}

/** Builds the view of the final state beside the intended state. */
export function buildStateView(
  task: TaskDetails,
  { changes, finish }: EpisodeState,
  evaluation: Evaluation,
  includeHiddenChecks: boolean,
): StateView {
  const changed = buildChangeViews(changes);
  if (hidesChecks(task.info.split) && !includeHiddenChecks) return { changes: changed };
  return {
    changes: changed,
    intended: buildChangeViews(task.intended),
    answer: {
      wanted: task.outcome.impossible ? "impossible" : (task.outcome.answer ?? null),
      given: finish?.status === "impossible" ? "impossible" : (finish?.answer ?? null),
    },
    checks: [...evaluation.checks],
  };
}

export async function buildTaskView(
  world: WorldInspector,
  task: TaskDetails,
  includeHiddenChecks: boolean,
): Promise<TaskView> {
  const info: TaskInfo = { ...task.info };
  const hidden = hidesChecks(info.split);
  if (hidden && !includeHiddenChecks) return { task: info, hidden };
  const { turns } = task.hasSolution ? await world.solve(info.id) : { turns: undefined };
  return {
    task: info,
    hidden,
    intended: buildChangeViews(task.intended),
    answer: task.outcome.impossible ? "impossible" : (task.outcome.answer ?? null),
    checks: [...task.checks],
    ...(turns && { solution: turns.map(({ code }) => code) }),
  };
}
