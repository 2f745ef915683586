/** Names and means that learners report. The glossary of all metrics is in `train`. */
import type { ObjectiveStats, RewardOptions } from "../../algo/index.ts";
import type { BaseConfig } from "../method.ts";

/** The arithmetic mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Absent where the engine does not tell norms. */
export function normMetric(
  updates: readonly { readonly gradientNorm: number }[],
): Readonly<Record<string, number>> {
  const mean = meanOf(updates.map(({ gradientNorm }) => gradientNorm));
  return Number.isFinite(mean) ? { "gradient/norm": mean } : {};
}

/** What a rollout earns, from the fields that every method has. */
export function rewardOptions({ algo }: Pick<BaseConfig, "algo">): RewardOptions {
  return { reward: algo.reward, unfinished: algo.unfinished };
}

/** One optimizer step of a clipped objective. */
export interface ClippedUpdate {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
}

/** Metrics of an iteration of a clipped objective: means over its updates; ratios as its last update left them. */
export function clippedMetrics(updates: readonly ClippedUpdate[]): Record<string, number> {
  const last = updates.at(-1)?.stats;
  return {
    "train/updates": updates.length,
    "train/loss": meanOf(updates.map(({ loss }) => loss)),
    ...normMetric(updates),
    "ratio/clip_fraction": meanOf(updates.map(({ stats }) => stats.clipFraction)),
    "ratio/max": Math.max(0, ...updates.map(({ stats }) => stats.ratioMax)),
    "kl/trajectory": last?.trajectoryKl ?? 0,
    "kl/token": last?.klK3 ?? 0,
    ...(last?.referenceKl !== undefined && { "kl/reference": last.referenceKl }),
    ...(last?.entropy !== undefined && {
      "entropy/mean": meanOf(updates.map(({ stats }) => stats.entropy ?? 0)),
    }),
  };
}
