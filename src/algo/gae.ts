/**
 * Generalised advantage estimation (Schulman et al. 2016, arXiv 1506.02438, equation 16) over the steps of one episode.
 *
 *     delta_t = r_t + gamma V_{t+1} - V_t,    A_t = sum_k (gamma lambda)^k delta_{t+k},    R_t = A_t + V_t,
 *
 * with V = 0 after the last step. A step is an action token, or a turn if values are computed for turns. At gamma =
 * lambda = 1 (the paper's critic), A_t is the sum of the remaining rewards minus V_t.
 */
import { assert } from "../core/index.ts";
import { average, populationStd, STD_FLOOR } from "./mean-and-spread.ts";

/** Discounts per step, both in [0, 1]. The caller decides whether a step is a token or a turn. */
export interface GaeOptions {
  readonly gamma: number;
  readonly lambda: number;
}

/**
 * Returns the advantage A_t of each step, and the returns R_t that values are trained on. Expects one reward and one
 * value per step.
 */
export function generalisedAdvantages(
  rewards: ArrayLike<number>,
  values: ArrayLike<number>,
  { gamma, lambda }: GaeOptions,
): { readonly advantages: Float64Array; readonly returns: Float64Array } {
  assert(
    rewards.length === values.length,
    `expected one value per reward, got ${rewards.length} rewards and ${values.length} values`,
  );
  const advantages = new Float64Array(values.length);
  let after = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const delta = rewards[t]! + gamma * (values[t + 1] ?? 0) - values[t]!;
    after = delta + gamma * lambda * after;
    advantages[t] = after;
  }
  return { advantages, returns: advantages.map((a, t) => a + values[t]!) };
}

/**
 * Returns the lambda for an episode of this length, 1 - 1/(alpha n): the advantages of longer episodes look further
 * ahead. The returns that values are trained on use another lambda.
 */
export function lengthAdaptiveLambda(length: number, alpha: number): number {
  return Math.max(0, 1 - 1 / (alpha * Math.max(length, 1)));
}

/**
 * Returns rewards by action token: each turn's reward is paid at its last token and all other tokens get 0. A turn
 * without tokens pays at the last token before it.
 */
export function payAtLastTokenOfTurn(
  turnRewards: readonly number[],
  turnLengths: readonly number[],
): Float64Array {
  assert(turnRewards.length === turnLengths.length, "expected one reward for each turn");
  const rewards = new Float64Array(turnLengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  turnRewards.forEach((reward, j) => {
    end += turnLengths[j]!;
    if (rewards.length > 0) rewards[Math.max(end - 1, 0)]! += reward;
  });
  return rewards;
}

/** Returns the values limited to the range from `low` to `high`, the range of possible returns. */
export function clampValues(values: ArrayLike<number>, low: number, high: number): Float64Array {
  return Float64Array.from(values, (value) => Math.min(Math.max(value, low), high));
}

/**
 * Returns the advantages of all tokens of a batch, shifted and scaled to mean 0 and population standard deviation 1.
 */
export function whitenAdvantages(batch: readonly Float64Array[]): Float64Array[] {
  const all = batch.flatMap((advantages) => [...advantages]);
  if (all.length === 0) return [...batch];
  const mean = average(all);
  const std = Math.max(populationStd(all), STD_FLOOR);
  return batch.map((advantages) => advantages.map((a) => (a - mean) / std));
}
