/**
 * Learning from pairs: what of two rollouts' log-ratios to a reference should be larger (DPO, arXiv 2305.18290).
 *
 *     loss = -mean over pairs of log sigma( beta ( sum_t c_t d_t (chosen) - sum_t c_t d_t (rejected) ) ),
 *
 * d_t = log p_theta - log p_ref of an action token, c_t its weight in the comparison. The weights are the method:
 *  1. 1 everywhere: whole rollouts.
 *  2. 1 in selected turns, 0 elsewhere: the segments in which two rollouts differ (`turnWeights`).
 *  3. phi(j, T) = gamma^j (1 - gamma^(T-j)) / (1 - gamma^T) for tokens of turn j of T, which discounts late turns by
 *     their place in the rollout, 1 at the first (arXiv 2406.14868); (T-j)/T at gamma = 1 (`discountedTurnWeights`).
 * The derivative for a token of the chosen one is -beta c_t sigma(-margin) / pairs, and the opposite for the rejected.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";
import { perToken } from "./row.ts";

/** One rollout of a pair. Arrays have one entry for each of its action tokens; log-probs in nats. */
export interface PreferenceSide {
  readonly logprobs: ArrayLike<number>;
  readonly referenceLogprobs: ArrayLike<number>;
  /** c of each action token; default 1. */
  readonly weights?: ArrayLike<number>;
}

/** Two rollouts, of which the first is to become likelier against the reference than the second. */
export interface PreferencePair {
  readonly chosen: PreferenceSide;
  readonly rejected: PreferenceSide;
}

/** How strongly the policy is held to the reference (larger: more), and the divisor. */
export interface PreferenceOptions {
  readonly beta: number;
  /** Pairs of a full minibatch, the divisor; default: the pairs given. */
  readonly pairs?: number;
}

/** d loss / d log-prob for the action tokens of both sides. */
export interface PairCotangents {
  readonly chosen: Cotangents;
  readonly rejected: Cotangents;
}

/** To descend, with how well the policy already tells the pairs apart. */
export interface PreferenceResult {
  readonly loss: number;
  readonly cotangents: readonly PairCotangents[];
  /** Share of pairs whose margin is positive. */
  readonly accuracy: number;
  /** Mean of beta times the difference of log-ratios. */
  readonly margin: number;
}

/** The loss above, and its derivative. Without a pair, and without `pairs`, there is nothing to divide by: a bug. */
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

/** 1 for the tokens of these turns, 0 for all others. */
export function turnWeights(turnLengths: readonly number[], turns: ReadonlySet<number>) {
  return perToken(turnLengths, (j) => Number(turns.has(j)));
}

/** phi(j, T) for the tokens of turn j. Turns without tokens are counted: T is the rollout's. */
export function discountedTurnWeights(turnLengths: readonly number[], gamma: number) {
  const T = turnLengths.length;
  const phi = (j: number) =>
    gamma === 1 ? (T - j) / T : (gamma ** j * (1 - gamma ** (T - j))) / (1 - gamma ** T);
  return perToken(turnLengths, phi);
}

/** sum_t c_t (log p_theta - log p_ref) of one side. */
export function weightedLogRatio(side: PreferenceSide): number {
  return sideWeights(side).reduce(
    (sum, c, t) => sum + c * (side.logprobs[t]! - side.referenceLogprobs[t]!),
    0,
  );
}

/** c of each action token of a side. Arrays of different lengths are a bug. */
export function sideWeights({ logprobs, referenceLogprobs, weights }: PreferenceSide) {
  assert(
    logprobs.length === referenceLogprobs.length &&
      logprobs.length === (weights ?? logprobs).length,
    "a side needs a reference log-prob and a weight for each of its tokens",
  );
  return weights ? Float64Array.from(weights) : new Float64Array(logprobs.length).fill(1);
}

function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
