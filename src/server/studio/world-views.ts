/** Converts what a world reports into the studio's API types, and hides the checks of tasks that may only be scored. */
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

/**
 * Builds the row of a rollout. Without `reward` it takes the evaluation's own reward, or the fraction of passed checks.
 */
export function buildRolloutRow(
  { id, index, outcome, evaluation, turns, failure }: Rollout,
  reward = rewardFromEvaluation(evaluation),
): RolloutRow {
  return {
    id,
    index,
    outcome,
    passed: evaluation?.passed === true && evaluation.finished,
    ...(reward !== undefined && { reward }),
    turns: turns.length,
    sampled: turns.reduce((sum, { span }) => sum + (span ? span[1] - span[0] : 0), 0),
    ...(failure && { failure: failure.message }),
  };
}

function rewardFromEvaluation(evaluation: Rollout["evaluation"]): number | undefined {
  if (!evaluation) return undefined;
  const { reward, checks, passed } = evaluation;
  if (reward !== undefined || checks.length === 0) return reward ?? Number(passed);
  return checks.filter((check) => check.passed).length / checks.length;
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
