/**
 * What a run remembers of its rollouts, and the three uses of it: a success for a group that failed as a whole, a further
 * pass over what was better than groups are now, and more to imitate. All of it is in the checkpoint.
 */
import {
  type GradedRollout,
  groupBy,
  groupScoredRollouts,
  injectSuccess,
  isPassed,
  type RolloutBuffer,
  rememberRollouts,
  rewardOf,
  scheduledValue,
  selectForReplay,
  storedRollouts,
} from "../../algo/index.ts";
import type { FieldValue } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { meanOrZero, rewardOptions } from "../learning/metrics.ts";
import type { BaseConfig } from "../method.ts";
import type { buffer } from "../sections/credit.ts";
import type { BufferState } from "./on-policy-state.ts";

type BufferConfig = BaseConfig & { readonly buffer: FieldValue<typeof buffer> };
/** What of rollouts is kept, whatever it is used for. */
type StoreLimits = {
  readonly perTask: number;
  readonly capacity: number;
  readonly maxAge: number;
  readonly keep: "passed" | "positive";
};

/** The rollouts that are graded: groups that failed as a whole get a remembered success in the last place. */
export function injectRememberedSuccesses(
  rollouts: readonly Rollout[],
  state: BufferState,
  config: BufferConfig,
  solutions: readonly Rollout[] = [],
): readonly Rollout[] {
  const inject = config.buffer?.inject;
  if (!inject) return rollouts;
  const known = { ...(inject.solutions && solutionsAsBuffer(solutions)), ...state.buffer };
  const options = { maxStd: inject.spread, maxMean: inject.below, minReward: inject.reward };
  const returnOf = (rollout: Rollout) => rewardOf(rollout, rewardOptions(config));
  return groupScoredRollouts(rollouts).flatMap((group) =>
    injectSuccess(group, returnOf, known, options),
  );
}

/** Solutions as a buffer has them. */
function solutionsAsBuffer(solutions: readonly Rollout[]): RolloutBuffer {
  const stored = solutions.map((rollout) => ({ rollout, reward: 1, advantage: 0, iteration: 0 }));
  return Object.fromEntries(stored.map((item) => [item.rollout.task.id, [item]]));
}

/** Remembered rollouts that beat what groups earn now, for a pass of their own; 1-based iteration. */
export function selectReplayBatch(
  state: BufferState,
  { buffer }: BufferConfig,
  iteration: number,
): GradedRollout[] {
  if (!buffer?.replay) return [];
  const weight = scheduledValue(buffer.replay.weight, iteration - 1);
  if (weight === 0) return [];
  const recent = state.recent ?? { means: [] };
  return selectForReplay(state.buffer ?? {}, recent, buffer.replay.quantile).map((item) => ({
    ...item,
    advantage: weight * item.advantage,
    stored: true,
  }));
}

/** Everything that is remembered, to be imitated. */
export function rememberedRollouts(state: BufferState): Rollout[] {
  return storedRollouts(state.buffer ?? {}).map(({ rollout }) => rollout);
}

const RECENT_GROUPS = 1024;

/** Adds what an iteration found. A rollout that came from the buffer is in it already. */
export function updateBuffer(
  state: BufferState,
  graded: readonly GradedRollout[],
  { perTask, capacity, maxAge, keep }: StoreLimits,
  iteration: number,
  recentGroups: number = RECENT_GROUPS,
): void {
  const fresh = graded.filter(({ stored }) => !stored);
  const worth = fresh.filter(({ rollout, advantage }) =>
    keep === "passed" ? isPassed(rollout) : advantage > 0,
  );
  const limits = { perTask, capacity, maxAge };
  state.buffer = rememberRollouts(state.buffer ?? {}, worth, iteration - 1, limits);
  const groups = [...groupBy(fresh, ({ rollout }) => rollout.task.id).values()];
  const means = groups.map((group) => meanOrZero(group.map(({ reward }) => reward)));
  state.recent = { means: [...(state.recent?.means ?? []), ...means].slice(-recentGroups) };
}
