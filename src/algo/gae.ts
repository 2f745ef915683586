/**
 * Generalised advantage estimation (Schulman et al. 2016, arXiv 1506.02438, equation 16) over one episode's steps.
 *
 *     delta_t = r_t + gamma V_{t+1} - V_t,    A_t = sum_k (gamma lambda)^k delta_{t+k},    R_t = A_t + V_t,
 *
 * with V = 0 after the last step. A step is an action token, or a turn where values are asked for at turns. At
 * gamma = lambda = 1 (the paper's critic) A_t is what is still earned minus V_t.
 */
import { assert } from "../core/index.ts";
import { average, populationStd, STD_FLOOR } from "./moments.ts";

/** Both in [0, 1], for a step as the caller cuts them: a token or a turn. */
export interface GaeOptions {
  readonly gamma: number;
  readonly lambda: number;
}

/** A_t of each step, and the returns R_t that the values are fitted to; one reward and one value a step. */
export function generalisedAdvantages(
  rewards: ArrayLike<number>,
  values: ArrayLike<number>,
  { gamma, lambda }: GaeOptions,
): { readonly advantages: Float64Array; readonly returns: Float64Array } {
  assert(rewards.length === values.length, `${rewards.length} rewards, ${values.length} values`);
  const advantages = new Float64Array(values.length);
  let after = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const delta = rewards[t]! + gamma * (values[t + 1] ?? 0) - values[t]!;
    after = delta + gamma * lambda * after;
    advantages[t] = after;
  }
  return { advantages, returns: advantages.map((a, t) => a + values[t]!) };
}

/** Lambda by length, 1 - 1/(alpha n): longer episodes look further ahead (decoupled from the lambda of values). */
export function lengthAdaptiveLambda(length: number, alpha: number): number {
  return Math.max(0, 1 - 1 / (alpha * Math.max(length, 1)));
}

/** Each turn's reward at its last action token, 0 elsewhere. A turn without tokens pays at the last token before it. */
export function tokenRewards(
  turnRewards: readonly number[],
  turnLengths: readonly number[],
): Float64Array {
  assert(turnRewards.length === turnLengths.length, "one reward a turn");
  const rewards = new Float64Array(turnLengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  turnRewards.forEach((reward, j) => {
    end += turnLengths[j]!;
    if (rewards.length > 0) rewards[Math.max(end - 1, 0)]! += reward;
  });
  return rewards;
}

/** Values as a critic of returns in this range reports them. */
export function clampValues(values: ArrayLike<number>, low: number, high: number): Float64Array {
  return Float64Array.from(values, (value) => Math.min(Math.max(value, low), high));
}

/** Advantages of all tokens of a batch with mean 0 and population standard deviation 1. */
export function whitened(batch: readonly Float64Array[]): Float64Array[] {
  const all = batch.flatMap((advantages) => [...advantages]);
  if (all.length === 0) return [...batch];
  const mean = average(all);
  const std = Math.max(populationStd(all), STD_FLOOR);
  return batch.map((advantages) => advantages.map((a) => (a - mean) / std));
}
