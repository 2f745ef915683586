/**
 * What a run remembers of its rollouts, and the three uses of it: a success for a group that failed as a whole, a further
 * pass over what was better than groups are now, and more to imitate. All of it is in the checkpoint.
 */
import {
  type Graded,
  groupBy,
  groupsOf,
  injectSuccess,
  isPassed,
  remembered,
  replayed,
  rewardOf,
  storedRollouts,
  valueAt,
} from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";
import type { Config } from "../config.ts";
import { meanOf, rewardOptions } from "../metrics.ts";
import type { TrainerState } from "../trainer-state.ts";

/** What groups earned lately, oldest first. */
export interface RecentGroups {
  readonly means: readonly number[];
}

/** The rollouts that are graded: groups that failed as a whole get a remembered success in the last place. */
export function withInjections(
  rollouts: readonly Rollout[],
  state: TrainerState,
  config: Config,
): readonly Rollout[] {
  const { inject, injectBelow, injectSpread, injectReward } = config.buffer;
  if (!inject) return rollouts;
  const options = { maxStd: injectSpread, maxMean: injectBelow, minReward: injectReward };
  const returnOf = (rollout: Rollout) => rewardOf(rollout, rewardOptions(config));
  return groupsOf(rollouts).flatMap((group) =>
    injectSuccess(group, returnOf, state.buffer ?? {}, options),
  );
}

/** Remembered rollouts that beat what groups earn now, for a pass of their own; 1-based iteration. */
export function replayBatch(state: TrainerState, config: Config, iteration: number): Graded[] {
  const { replayWeight, replayQuantile } = config.buffer;
  const weight = valueAt(replayWeight, iteration - 1);
  if (weight === 0) return [];
  const recent = state.recent ?? { means: [] };
  return replayed(state.buffer ?? {}, recent, replayQuantile).map((item) => ({
    ...item,
    advantage: weight * item.advantage,
    stored: true,
  }));
}

/** Everything that is remembered, to be imitated. */
export function rememberedRollouts(state: TrainerState, { buffer }: Config): Rollout[] {
  return buffer.imitate ? storedRollouts(state.buffer ?? {}).map(({ rollout }) => rollout) : [];
}

/** Adds what an iteration found. A rollout that came from the buffer is in it already. */
export function remember(
  state: TrainerState,
  graded: readonly Graded[],
  { config, iteration }: { readonly config: Config; readonly iteration: number },
): void {
  const { perTask, capacity, maxAge, keep, replayGroups } = config.buffer;
  if (perTask === 0) return;
  const fresh = graded.filter(({ stored }) => !stored);
  const worth = fresh.filter(({ rollout, advantage }) =>
    keep === "passed" ? isPassed(rollout) : advantage > 0,
  );
  const limits = { perTask, capacity, maxAge };
  state.buffer = remembered(state.buffer ?? {}, worth, iteration - 1, limits);
  const groups = [...groupBy(fresh, ({ rollout }) => rollout.task.id).values()];
  const means = groups.map((group) => meanOf(group.map(({ reward }) => reward)));
  state.recent = { means: [...(state.recent?.means ?? []), ...means].slice(-replayGroups) };
}
