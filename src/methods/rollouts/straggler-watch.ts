/**
 * The straggler rule while rollouts run: one that the rule is certain to drop is stopped at once. Decode steps are
 * counted, never seconds, so a slow machine drops the same ones.
 */
import {
  countDecodeSteps,
  decideStragglers,
  type RolloutProgress,
  type StragglerOptions,
} from "../../algo/index.ts";
import type { Rollout, TaskInfo } from "../../spec/index.ts";

/** What a rollout under the rule is told, and tells. */
export interface WatchedRollout {
  /** Aborted when the rule is certain to drop it. */
  readonly signal: AbortSignal;
  /** After a turn: decode steps so far. */
  onTurn(steps: number): void;
}

export interface StragglerWatch {
  /** Of a rollout, by its position. */
  watchRollout(position: number): WatchedRollout;
  endRollout(position: number, rollout: Rollout): void;
}

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
  const note = (position: number, change: Partial<RolloutProgress>) => {
    progress[position] = { ...progress[position]!, ...change };
    for (const index of decideStragglers(progress, options).cancelled) controllers[index]!.abort();
  };
  return {
    watchRollout: (position) => ({
      signal: controllers[position]!.signal,
      onTurn: (steps) => note(position, { steps }),
    }),
    // One that an earlier life finished took no turn in this one.
    endRollout(position, rollout) {
      if (rollout.outcome === "cancelled") return;
      const state = rollout.outcome === "failed" ? "failed" : "finished";
      note(position, { steps: countDecodeSteps(rollout), state });
    },
  };
}
