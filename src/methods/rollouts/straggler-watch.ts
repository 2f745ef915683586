/**
 * Applies the straggler rule while rollouts run: stops each rollout as soon as it is certain that it will be dropped.
 * The rule counts decode steps and not seconds, so a slow machine drops the same rollouts.
 */
import {
  countDecodeSteps,
  decideStragglers,
  type RolloutProgress,
  type StragglerOptions,
} from "../../algo/index.ts";
import type { Rollout, TaskInfo } from "../../spec/index.ts";

/** The connection between a running rollout and the straggler rule. */
export interface WatchedRollout {
  /** Aborted when it is certain that the rule will drop the rollout. */
  readonly signal: AbortSignal;
  /** Reports the rollout's decode steps so far. It is called after every turn. */
  onTurn(steps: number): void;
}

/** Watches all rollouts that are collected together. */
export interface StragglerWatch {
  /** Returns the connection of the rollout at this position. */
  watchRollout(position: number): WatchedRollout;
  /** Reports that the rollout at this position has ended. */
  endRollout(position: number, rollout: Rollout): void;
}

/** Starts watching the rollouts of these assignments. */
export function watchStragglers(
  assignments: readonly { readonly task: Pick<TaskInfo, "id"> }[],
  options: StragglerOptions,
): StragglerWatch {
  const progress: RolloutProgress[] = assignments.map(({ task }) => ({
    task: task.id,
    steps: 0,
    state: "in-flight",
  }));
  const controllers = assignments.map(() => new AbortController());
  const updateProgress = (position: number, change: Partial<RolloutProgress>) => {
    progress[position] = { ...progress[position]!, ...change };
    for (const index of decideStragglers(progress, options).cancelled) controllers[index]!.abort();
  };
  return {
    watchRollout: (position) => ({
      signal: controllers[position]!.signal,
      onTurn: (steps) => updateProgress(position, { steps }),
    }),
    // A rollout from the journal reports no turns, so its decode steps are counted here.
    endRollout(position, rollout) {
      if (rollout.outcome === "cancelled") return;
      const state = rollout.outcome === "failed" ? "failed" : "finished";
      updateProgress(position, { steps: countDecodeSteps(rollout), state });
    },
  };
}
