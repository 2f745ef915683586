/**
 * Weights of tokens in an objective, from 0 to 1: they exclude parts of a rollout from learning.
 *
 * Means are still divided by the number of all tokens. So a filter makes a step smaller, and never increases the share
 * of another token.
 */
import { assert, type Rng } from "../core/index.ts";
import { repeatPerToken } from "./action-row.ts";
import type { ObjectiveRow } from "./objective-types.ts";
import { entropyThreshold, tokenAdvantages } from "./token-arrays.ts";

/** Returns the product of the weights of several filters, token by token. */
export function multiplyWeights(...weights: readonly ArrayLike<number>[]): Float64Array {
  const [first, ...rest] = weights;
  assert(first, "a product of weights needs at least one array of weights");
  return Float64Array.from(first, (w, t) =>
    rest.reduce((product, other) => product * other[t]!, w),
  );
}

/**
 * Returns 1 for the tokens of the turns with the highest mean entropy, and 0 for all others. `share` is the share of
 * the rollout's turns that are kept.
 */
export function highEntropyTurnMask(
  entropies: ArrayLike<number>,
  turnLengths: readonly number[],
  share: number,
): Float64Array {
  const means = meanPerTurn(entropies, turnLengths);
  const order = [...means.keys()].filter((j) => turnLengths[j]! > 0);
  order.sort((a, b) => means[b]! - means[a]! || a - b);
  const kept = new Set(order.slice(0, Math.ceil(share * order.length)));
  return repeatPerToken(turnLengths, (j) => Number(kept.has(j)));
}

/**
 * Returns, for each row, 1 for tokens of high entropy and 0 for all others. `share` is the share of the minibatch's
 * tokens that are kept.
 */
export function highEntropyTokenMasks(
  rows: readonly ObjectiveRow[],
  share: number,
): Float64Array[] {
  const threshold = entropyThreshold(rows, share);
  return rows.map(({ entropies }) =>
    Float64Array.from(entropies ?? [], (h) => Number(h >= threshold)),
  );
}

/**
 * Returns 1 for the tokens of turns whose mean negative log-prob lies in the band, and 0 for all others. Turns below
 * the band are mastered, and turns above it are noise.
 */
export function surpriseBandMask(
  logprobs: ArrayLike<number>,
  turnLengths: readonly number[],
  [low, high]: readonly [number, number],
): Float64Array {
  const means = meanPerTurn(logprobs, turnLengths);
  return repeatPerToken(turnLengths, (j) => Number(-means[j]! >= low && -means[j]! <= high));
}

/** Returns the mean negative log-prob of every turn that has tokens, in ascending order. */
export function turnSurprises(
  rows: readonly {
    readonly logprobs: ArrayLike<number>;
    readonly turnLengths: readonly number[];
  }[],
): number[] {
  return rows
    .flatMap(({ logprobs, turnLengths }) =>
      meanPerTurn(logprobs, turnLengths).filter((_, j) => turnLengths[j]! > 0),
    )
    .map((mean) => -mean)
    .sort((a, b) => a - b);
}

/**
 * Returns the two ends of a band that leaves out the least and the most surprising turns: those below the quantile
 * `low` and above the quantile `high`.
 */
export function surpriseQuantileBand(
  surprises: readonly number[],
  low: number,
  high: number,
): [number, number] {
  const last = surprises.length - 1;
  if (last < 0) return [0, Infinity];
  return [surprises[Math.ceil(low * last)]!, surprises[Math.floor(high * last)]!];
}

/**
 * Returns 0 for the format tokens (marked 1) of a rollout with a negative advantage, and 1 for all other tokens, so
 * that a failed rollout does not teach the policy to give up the format.
 */
export function formatProtectionMask(advantage: number, isFormat: ArrayLike<number>): Float64Array {
  return Float64Array.from(isFormat, (format) => (advantage < 0 && format ? 0 : 1));
}

/** Says which tokens the covariance clip may leave out, and how many. */
export interface CovarianceClipOptions {
  /** The number of tokens to drop, as a share of all action tokens of the minibatch. */
  readonly share: number;
  /** Lower bound of the covariance of tokens that may be dropped. */
  readonly low: number;
  /** Upper bound of the covariance of tokens that may be dropped. */
  readonly high: number;
}

/**
 * Returns a mask for each row that drops random tokens of high covariance from this step's gradient. The covariance
 * of a token is (A_t - mean A)(log p_t - mean log p) over the minibatch: entropy falls fastest through tokens that
 * are both likely and good.
 */
export function covarianceClipMasks(
  rows: readonly ObjectiveRow[],
  { share, low, high }: CovarianceClipOptions,
  rng: Rng,
): Float64Array[] {
  const weights = rows.map(({ logprobs }) => new Float64Array(logprobs.length).fill(1));
  const tokens = rows.flatMap((row, i) => {
    const advantages = tokenAdvantages(row);
    return Array.from(row.logprobs, (logprob, t) => ({ i, t, logprob, advantage: advantages[t]! }));
  });
  const count = Math.max(tokens.length, 1);
  const meanA = tokens.reduce((sum, { advantage }) => sum + advantage, 0) / count;
  const meanP = tokens.reduce((sum, { logprob }) => sum + logprob, 0) / count;
  const candidates = tokens.filter(({ advantage, logprob }) => {
    const covariance = (advantage - meanA) * (logprob - meanP);
    return covariance >= low && covariance <= high;
  });
  const dropped = Math.min(Math.round(share * tokens.length), candidates.length);
  for (const { i, t } of rng.sample(candidates, dropped)) weights[i]![t] = 0;
  return weights;
}

function meanPerTurn(values: ArrayLike<number>, turnLengths: readonly number[]): number[] {
  let t = 0;
  return turnLengths.map((length) => {
    let sum = 0;
    for (const end = t + length; t < end; t++) sum += values[t]!;
    return sum / Math.max(length, 1);
  });
}
