/** Changes of advantages after they were estimated. */
import { average, populationStd, quantile, STD_FLOOR } from "./moments.ts";

/**
 * Batch gain: the factor groups / groups that teach. Advantages times this, a batch of which few groups are mixed still
 * takes a full step. 1 where no group teaches.
 */
export function batchGain(groups: readonly (readonly number[])[]): number {
  const informative = groups.filter((group) => group.some((a) => a !== 0)).length;
  return informative === 0 ? 1 : groups.length / informative;
}

/**
 * Entropy-aware factor: A_t = A (1 + alpha h_t), h_t the token's entropy less the mean, in standard deviations of the
 * rollout: decisions count more than routine. Constants for the objective: no gradient runs through h.
 */
export function entropyScaled(
  advantage: number,
  entropies: ArrayLike<number>,
  alpha: number,
): Float64Array {
  const list = Array.from(entropies);
  const mean = average(list);
  const std = Math.max(populationStd(list), STD_FLOOR);
  return Float64Array.from(list, (h) => advantage * (1 + (alpha * (h - mean)) / std));
}

/**
 * Recalibration of stored rollouts: what was above its group once is measured again against what groups earn now,
 * A = R - quantile of recent group means (its median unless told otherwise), divided by the median of their spreads
 * where these are given. Keep what is still >= 0.
 */
export function recalibrated(
  returns: readonly number[],
  recent: { readonly means: readonly number[]; readonly stds?: readonly number[] },
  share = 0.5,
): number[] {
  const baseline = recent.means.length === 0 ? 0 : quantile(recent.means, share);
  const spread = recent.stds?.length ? Math.max(quantile(recent.stds, 0.5), STD_FLOOR) : 1;
  return returns.map((value) => (value - baseline) / spread);
}
