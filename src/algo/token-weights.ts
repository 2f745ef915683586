/**
 * Weights of tokens in an objective, 0 to 1: what is not to be learned from, inside a rollout that is.
 *
 * Divisors stay those of the unfiltered rollout, so a filter makes a step smaller, never another token's share larger.
 */
import { assert, type Rng } from "../core/index.ts";
import type { ObjectiveRow } from "./objective-types.ts";
import { perToken } from "./row.ts";
import { entropyThreshold, tokenAdvantages } from "./token-arrays.ts";

/** The weights of several filters together. */
export function productOf(...weights: readonly ArrayLike<number>[]): Float64Array {
  const [first, ...rest] = weights;
  assert(first, "a product of weights needs at least one");
  return Float64Array.from(first, (w, t) =>
    rest.reduce((product, other) => product * other[t]!, w),
  );
}

/** 1 for tokens of the `share` of a rollout's turns with the highest mean entropy. */
export function highEntropyTurns(
  entropies: ArrayLike<number>,
  turnLengths: readonly number[],
  share: number,
): Float64Array {
  const means = turnMeans(entropies, turnLengths);
  const order = [...means.keys()].filter((j) => turnLengths[j]! > 0);
  order.sort((a, b) => means[b]! - means[a]! || a - b);
  const kept = new Set(order.slice(0, Math.ceil(share * order.length)));
  return perToken(turnLengths, (j) => Number(kept.has(j)));
}

/** 1 for the `share` of a minibatch's tokens with the highest entropy. */
export function highEntropyTokens(rows: readonly ObjectiveRow[], share: number): Float64Array[] {
  const threshold = entropyThreshold(rows, share);
  return rows.map(({ entropies }) =>
    Float64Array.from(entropies ?? [], (h) => Number(h >= threshold)),
  );
}

/** 1 for tokens of turns whose mean negative log-prob lies in the band: neither mastered nor noise. */
export function surpriseBand(
  logprobs: ArrayLike<number>,
  turnLengths: readonly number[],
  [low, high]: readonly [number, number],
): Float64Array {
  const means = turnMeans(logprobs, turnLengths);
  return perToken(turnLengths, (j) => Number(-means[j]! >= low && -means[j]! <= high));
}

/** Mean negative log-probs of the turns that were said, in ascending order. */
export function turnSurprises(
  rows: readonly {
    readonly logprobs: ArrayLike<number>;
    readonly turnLengths: readonly number[];
  }[],
): number[] {
  return rows
    .flatMap(({ logprobs, turnLengths }) =>
      turnMeans(logprobs, turnLengths).filter((_, j) => turnLengths[j]! > 0),
    )
    .map((mean) => -mean)
    .sort((a, b) => a - b);
}

/** The ends of a band that leaves out these shares of the turns, the least surprising and the most surprising ones. */
export function quantileBand(
  surprises: readonly number[],
  low: number,
  high: number,
): [number, number] {
  const last = surprises.length - 1;
  if (last < 0) return [0, Infinity];
  return [surprises[Math.ceil(low * last)]!, surprises[Math.floor(high * last)]!];
}

/** 0 for format tokens (those marked 1) of a rollout with a negative advantage, so that its form is not unlearned. */
export function protectedFormat(advantage: number, isFormat: ArrayLike<number>): Float64Array {
  return Float64Array.from(isFormat, (format) => (advantage < 0 && format ? 0 : 1));
}

/** Which tokens the covariance clip leaves out, and how many. */
export interface CovarianceClip {
  /** Tokens dropped, as a share of all action tokens of the minibatch. */
  readonly share: number;
  /** Candidates: tokens whose covariance lies in [low, high]. */
  readonly low: number;
  readonly high: number;
}

/**
 * Covariance clip: entropy falls fastest through tokens that are both likely and good, cov_t = (A_t - mean A)(log p_t -
 * mean log p) over the minibatch's tokens. A random share of them gets no gradient in this step.
 */
export function covarianceClip(
  rows: readonly ObjectiveRow[],
  { share, low, high }: CovarianceClip,
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

function turnMeans(values: ArrayLike<number>, turnLengths: readonly number[]): number[] {
  let t = 0;
  return turnLengths.map((length) => {
    let sum = 0;
    for (const end = t + length; t < end; t++) sum += values[t]!;
    return sum / Math.max(length, 1);
  });
}
