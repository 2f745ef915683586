/**
 * Counts the tokens of the work whose results a run kept, by phase and by training task. The counts are part of the
 * run's state, so they are the same whether or not the run was interrupted.
 */
import type { Rollout } from "../../../spec/index.ts";
import { addUsage, NO_USAGE, type TokenUsage, usageOfRollout } from "./usage.ts";

/**
 * A phase of a run. `before` is the evaluations before training, and `evaluate` is all later evaluations and the tokens
 * on which the distance from the start is measured.
 */
export type UsagePhase = "warm" | "before" | "collect" | "learn" | "evaluate";

export interface TaskUsage extends TokenUsage {
  readonly rollouts: number;
}

/** The token counts of a run, by phase and by training task. */
export interface RunUsage {
  phases: Readonly<Record<UsagePhase, TokenUsage>>;
  /** The tokens of training rollouts, by task id. */
  tasks: Readonly<Record<string, TaskUsage>>;
}

export function emptyUsage(): RunUsage {
  const phases = {
    warm: NO_USAGE,
    before: NO_USAGE,
    collect: NO_USAGE,
    learn: NO_USAGE,
    evaluate: NO_USAGE,
  };
  return { phases, tasks: {} };
}

export function addPhaseUsage(run: RunUsage, phase: UsagePhase, usage: Partial<TokenUsage>): void {
  run.phases = { ...run.phases, [phase]: addUsage(run.phases[phase], usage) };
}

export function addRolloutUsage(
  run: RunUsage,
  phase: UsagePhase,
  rollouts: readonly Rollout[],
): void {
  for (const rollout of rollouts) addPhaseUsage(run, phase, usageOfRollout(rollout));
}

/** Adds the tokens of training rollouts to the phase `collect` and to their tasks. */
export function addTrainingUsage(run: RunUsage, rollouts: readonly Rollout[]): void {
  addRolloutUsage(run, "collect", rollouts);
  const tasks: Record<string, TaskUsage> = { ...run.tasks };
  for (const rollout of rollouts) {
    const { id } = rollout.task;
    const { rollouts: count, ...sum } = tasks[id] ?? { ...NO_USAGE, rollouts: 0 };
    tasks[id] = { ...addUsage(sum, usageOfRollout(rollout)), rollouts: count + 1 };
  }
  run.tasks = tasks;
}

export function totalUsage({ phases }: RunUsage): TokenUsage {
  return Object.values(phases).reduce(addUsage, NO_USAGE);
}
