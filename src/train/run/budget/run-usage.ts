/**
 * The tokens of the work that a run kept, by phase and by training task: a part of its state, so an interrupted run
 * counts what an uninterrupted one counts.
 */
import type { Rollout } from "../../../spec/index.ts";
import { addUsage, NO_USAGE, type TokenUsage, usageOf } from "./usage.ts";

/** `before` and `evaluate` are the evaluations: those of the start, and all others. */
export type UsagePhase = "warm" | "before" | "collect" | "learn" | "evaluate";

export interface TaskUsage extends TokenUsage {
  readonly rollouts: number;
}

export interface RunUsage {
  phases: Readonly<Record<UsagePhase, TokenUsage>>;
  /** Sampling for training, by task id. */
  tasks: Readonly<Record<string, TaskUsage>>;
}

export function freshUsage(): RunUsage {
  const phases = {
    warm: NO_USAGE,
    before: NO_USAGE,
    collect: NO_USAGE,
    learn: NO_USAGE,
    evaluate: NO_USAGE,
  };
  return { phases, tasks: {} };
}

export function countPhase(run: RunUsage, phase: UsagePhase, usage: Partial<TokenUsage>): void {
  run.phases = { ...run.phases, [phase]: addUsage(run.phases[phase], usage) };
}

export function countRollouts(
  run: RunUsage,
  phase: UsagePhase,
  rollouts: readonly Rollout[],
): void {
  for (const rollout of rollouts) countPhase(run, phase, usageOf(rollout));
}

/** Training rollouts: the phase `collect`, and their tasks. */
export function countTraining(run: RunUsage, rollouts: readonly Rollout[]): void {
  countRollouts(run, "collect", rollouts);
  const tasks: Record<string, TaskUsage> = { ...run.tasks };
  for (const rollout of rollouts) {
    const { id } = rollout.task;
    const { rollouts: count, ...sum } = tasks[id] ?? { ...NO_USAGE, rollouts: 0 };
    tasks[id] = { ...addUsage(sum, usageOf(rollout)), rollouts: count + 1 };
  }
  run.tasks = tasks;
}

export function totalOf({ phases }: RunUsage): TokenUsage {
  return Object.values(phases).reduce(addUsage, NO_USAGE);
}
