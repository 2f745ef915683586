/** What a world tells, as the API says it; what stays hidden of tasks that may only be scored. */
import type { Evaluation, Rollout, Split, TaskInfo } from "../../spec/index.ts";
import type { CallView, Change, RolloutRow, StateView, TaskView } from "../../spec/studio/index.ts";
import type {
  AnsweredCall,
  EpisodeState,
  SeenChange,
  SeenStep,
  TaskLook,
  WorldInspector,
} from "../../world/index.ts";

/** Of all splits but those that may be tuned on, checks and solutions are shown on demand only. */
export function isHidden(split: Split): boolean {
  return split !== "train" && split !== "dev";
}

/** A record without what its task's checks are and came to. */
export function withoutChecks(rollout: Rollout): Rollout {
  const { evaluation } = rollout;
  return evaluation ? { ...rollout, evaluation: { ...evaluation, checks: [] } } : rollout;
}

export function changesView(changes: readonly SeenChange[]): Change[] {
  return changes.map((change) => ({ ...change }) as Change);
}

export function callView({ app, api, args, status, answer, changes }: AnsweredCall): CallView {
  return { app, api, args, status, answer: answer ?? null, changes: changesView(changes) };
}

export function cellView(by: "record" | "hand", code: string, { result, calls }: SeenStep) {
  return { by, code, status: result.status, text: result.text, calls: calls.map(callView) };
}

/** `reward`: as its run counts it; otherwise what its owner paid, or the share of its checks. */
export function rolloutRow(
  { id, index, outcome, evaluation, turns, failure }: Rollout,
  reward = worthOf(evaluation),
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

function worthOf(evaluation: Rollout["evaluation"]): number | undefined {
  if (!evaluation) return undefined;
  const { reward, checks, passed } = evaluation;
  if (reward !== undefined || checks.length === 0) return reward ?? Number(passed);
  return checks.filter((check) => check.passed).length / checks.length;
}

/** The final state against the intended one. */
export function stateView(
  task: TaskLook,
  { changes, finish }: EpisodeState,
  evaluation: Evaluation,
  asked: boolean,
): StateView {
  const changed = changesView(changes);
  if (isHidden(task.info.split) && !asked) return { changes: changed };
  return {
    changes: changed,
    intended: changesView(task.intended),
    answer: {
      wanted: task.outcome.impossible ? "impossible" : (task.outcome.answer ?? null),
      given: finish?.status === "impossible" ? "impossible" : (finish?.answer ?? null),
    },
    checks: [...evaluation.checks],
  };
}

export async function taskView(
  world: WorldInspector,
  task: TaskLook,
  asked: boolean,
): Promise<TaskView> {
  const info: TaskInfo = { ...task.info };
  const hidden = isHidden(info.split);
  if (hidden && !asked) return { task: info, hidden };
  const { turns } = task.hasSolution ? await world.solve(info.id) : { turns: undefined };
  return {
    task: info,
    hidden,
    intended: changesView(task.intended),
    answer: task.outcome.impossible ? "impossible" : (task.outcome.answer ?? null),
    checks: [...task.checks],
    ...(turns && { solution: turns.map(({ code }) => code) }),
  };
}
