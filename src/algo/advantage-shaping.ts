/**
 * Functions that change advantages after they were estimated: batch gain, scaling by entropy, recalibration of old
 * rollouts.
 */
import { average, populationStd, quantile, STD_FLOOR } from "./mean-and-spread.ts";

/**
 * Returns the batch gain: the number of groups divided by the number of groups whose advantages are not all zero.
 * Multiplying advantages by it gives a full step even in a batch with few mixed groups (groups with different returns).
 * Returns 1 when every advantage is zero.
 */
export function batchGainFactor(groups: readonly (readonly number[])[]): number {
  const informative = groups.filter((group) => group.some((a) => a !== 0)).length;
  return informative === 0 ? 1 : groups.length / informative;
}

/**
 * Returns an advantage for each token: A_t = A (1 + alpha h_t). h_t is the token's entropy minus the rollout's mean
 * entropy, in standard deviations, so uncertain decisions count more than routine tokens. The objective takes A_t as
 * a constant: no gradient flows through h_t.
 */
export function scaleAdvantageByEntropy(
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
 * Returns new advantages for stored rollouts, measured against what groups earn now: A = R - quantile of the recent
 * group means (the median by default). If `stds` are given, A is divided by their median. A rollout is worth keeping
 * while its A is at least 0.
 */
export function recalibrateAdvantages(
  returns: readonly number[],
  recent: { readonly means: readonly number[]; readonly stds?: readonly number[] },
  share = 0.5,
): number[] {
  const baseline = recent.means.length === 0 ? 0 : quantile(recent.means, share);
  const spread = recent.stds?.length ? Math.max(quantile(recent.stds, 0.5), STD_FLOOR) : 1;
  return returns.map((value) => (value - baseline) / spread);
}
