/**
 * Learns from pairs of rollouts: makes the chosen rollout's log-ratio to a reference larger than the rejected rollout's
 * (DPO, arXiv 2305.18290).
 *
 *     loss = -mean over pairs of log sigma( beta ( sum_t c_t d_t (chosen) - sum_t c_t d_t (rejected) ) ),
 *
 * d_t = log p_theta - log p_ref of an action token, c_t is its weight in the comparison. The weights define the method:
 *  1. 1 everywhere compares whole rollouts.
 *  2. 1 in selected turns and 0 elsewhere compares the segments in which two rollouts differ (`selectedTurnWeights`).
 *  3. phi(j, T) = gamma^j (1 - gamma^(T-j)) / (1 - gamma^T) for tokens of turn j of T, or (T-j)/T at gamma = 1,
 *     discounts late turns, starting from 1 at the first turn (arXiv 2406.14868; `discountedTurnWeights`).
 * The derivative for a token of the chosen rollout is -beta c_t sigma(-margin) / pairs; for a token of the rejected
 * rollout it has the opposite sign.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";
import { repeatPerToken } from "./action-row.ts";

/** One rollout of a pair. Arrays have one entry for each of its action tokens. Log-probs are in nats. */
export interface PreferenceSide {
  readonly logprobs: ArrayLike<number>;
  readonly referenceLogprobs: ArrayLike<number>;
  /** Weight c of each action token in the comparison; default 1. */
  readonly weights?: ArrayLike<number>;
}

/** Two rollouts: training makes the chosen one more likely, relative to the reference, than the rejected one. */
export interface PreferencePair {
  readonly chosen: PreferenceSide;
  readonly rejected: PreferenceSide;
}

/** Options of the preference loss. With a larger `beta` the policy stays closer to the reference. */
export interface PreferenceOptions {
  readonly beta: number;
  /** Number of pairs in a full minibatch, by which the sum is divided; default: the number of given pairs. */
  readonly pairs?: number;
}

/** d loss / d log-prob for the action tokens of both rollouts of a pair. */
export interface PairCotangents {
  readonly chosen: Cotangents;
  readonly rejected: Cotangents;
}

/** The preference loss with its derivatives, and how well the policy already distinguishes the pairs. */
export interface PreferenceResult {
  readonly loss: number;
  readonly cotangents: readonly PairCotangents[];
  /** Share of pairs whose margin is positive, 0 to 1. */
  readonly accuracy: number;
  /** Mean over pairs of beta times the difference of log-ratios. */
  readonly margin: number;
}

/**
 * Returns the preference loss, its derivatives and statistics. An assertion fails when there is neither a pair nor
 * `pairs`, because there is nothing to divide by.
 */
export function preferenceObjective(
  pairs: readonly PreferencePair[],
  { beta, pairs: nominal = pairs.length }: PreferenceOptions,
): PreferenceResult {
  assert(nominal > 0, "a preference objective needs at least one pair");
  const margins = pairs.map(
    ({ chosen, rejected }) => beta * (weightedLogRatio(chosen) - weightedLogRatio(rejected)),
  );
  const cotangents = pairs.map(({ chosen, rejected }, i) => {
    const pull = (beta * sigmoid(-margins[i]!)) / nominal;
    return {
      chosen: { logprobs: sideWeights(chosen).map((c) => -pull * c) },
      rejected: { logprobs: sideWeights(rejected).map((c) => pull * c) },
    };
  });
  const count = Math.max(pairs.length, 1);
  return {
    loss: margins.reduce((sum, margin) => sum + softplus(-margin), 0) / nominal,
    cotangents,
    accuracy: margins.filter((margin) => margin > 0).length / count,
    margin: margins.reduce((sum, margin) => sum + margin, 0) / count,
  };
}

/** Returns the weight 1 for the tokens of these turns and 0 for all others. */
export function selectedTurnWeights(turnLengths: readonly number[], turns: ReadonlySet<number>) {
  return repeatPerToken(turnLengths, (j) => Number(turns.has(j)));
}

/** Returns phi(j, T) for the tokens of turn j. Turns without tokens count in the rollout's number of turns T. */
export function discountedTurnWeights(turnLengths: readonly number[], gamma: number) {
  const T = turnLengths.length;
  const phi = (j: number) =>
    gamma === 1 ? (T - j) / T : (gamma ** j * (1 - gamma ** (T - j))) / (1 - gamma ** T);
  return repeatPerToken(turnLengths, phi);
}

/** Returns sum_t c_t (log p_theta - log p_ref) over the action tokens of one rollout of a pair. */
export function weightedLogRatio(side: PreferenceSide): number {
  return sideWeights(side).reduce(
    (sum, c, t) => sum + c * (side.logprobs[t]! - side.referenceLogprobs[t]!),
    0,
  );
}

/**
 * Returns the weight c of each action token of one rollout of a pair. An assertion fails when the arrays have different
 * lengths.
 */
export function sideWeights({ logprobs, referenceLogprobs, weights }: PreferenceSide) {
  assert(
    logprobs.length === referenceLogprobs.length &&
      logprobs.length === (weights ?? logprobs).length,
    "each rollout of a pair needs a reference log-prob and a weight for each of its tokens",
  );
  return weights ? Float64Array.from(weights) : new Float64Array(logprobs.length).fill(1);
}

function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** Returns log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
