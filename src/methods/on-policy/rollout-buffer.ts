/**
 * Remembers rollouts for three uses: to put a success into a group that failed as a whole, to learn again from rollouts
 * that earned more than recent groups, and to imitate them. The remembered rollouts are stored in every checkpoint.
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
/** Which rollouts are kept and for how long. */
type StoreLimits = {
  readonly perTask: number;
  readonly capacity: number;
  readonly maxAge: number;
  readonly keep: "passed" | "positive";
};

/** Replaces the last rollout of each group that failed as a whole by a remembered success of its task. */
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

/** Returns the solutions as a buffer of rollouts, so that they can be injected. */
function solutionsAsBuffer(solutions: readonly Rollout[]): RolloutBuffer {
  const stored = solutions.map((rollout) => ({ rollout, reward: 1, advantage: 0, iteration: 0 }));
  return Object.fromEntries(stored.map((item) => [item.rollout.task.id, [item]]));
}

/**
 * Returns the remembered rollouts that earned more than recent groups, for an additional pass. `iteration` counts from
 * 1.
 */
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

/** Returns all remembered rollouts, so that they can be imitated. */
export function rememberedRollouts(state: BufferState): Rollout[] {
  return storedRollouts(state.buffer ?? {}).map(({ rollout }) => rollout);
}

const RECENT_GROUPS = 1024;

/**
 * Adds an iteration's rollouts to the buffer, and its groups to the recent groups. Rollouts that came from the buffer
 * are not added again.
 */
export function updateBuffer(
  state: BufferState,
  graded: readonly GradedRollout[],
  { perTask, capacity, maxAge, keep }: StoreLimits,
  iteration: number,
  recentGroups: number = RECENT_GROUPS,
): void {
  const fresh = graded.filter(({ stored }) => !stored);
  const worthKeeping = fresh.filter(({ rollout, advantage }) =>
    keep === "passed" ? isPassed(rollout) : advantage > 0,
  );
  const limits = { perTask, capacity, maxAge };
  state.buffer = rememberRollouts(state.buffer ?? {}, worthKeeping, iteration - 1, limits);
  const groups = [...groupBy(fresh, ({ rollout }) => rollout.task.id).values()];
  const means = groups.map((group) => meanOrZero(group.map(({ reward }) => reward)));
  state.recent = { means: [...(state.recent?.means ?? []), ...means].slice(-recentGroups) };
}
