/**
 * Squared regression of relative future returns on log-ratios (REFUEL, arXiv 2410.04612).
 *
 * Two continuations y, y' of the same prefix are played to the end, with returns R, R'. With d the log-ratio of the
 * tokens of the turn that differs, between the current policy and the one that sampled,
 *
 *     loss = mean over pairs of ( sum_t c_t d_t - sum_t c'_t d'_t - eta (R - R') )^2.
 *
 * There is no clip and no critic: the square itself bounds how far the policy moves. The derivative for a token of y is
 * 2 c_t times the error / pairs; for y' it has the opposite sign. `referenceLogprobs` are those of the sampling policy.
 */
import { assert } from "../core/index.ts";
import {
  type PairCotangents,
  type PreferenceSide,
  sideWeights,
  weightedLogRatio,
} from "./preference.ts";

/** One of two continuations of the same prefix, with its return. The weights c say which of its tokens are compared. */
export interface RegressionSide extends PreferenceSide {
  /** Return of the continuation: what was earned after the shared prefix. */
  readonly return: number;
}

/** Two continuations of the same prefix, in any order. */
export interface RegressionPair {
  readonly first: RegressionSide;
  readonly second: RegressionSide;
}

/** Options of the pair regression. `eta` converts returns to nats of log-ratio. */
export interface RegressionOptions {
  readonly eta: number;
  /** Number of pairs in a full minibatch, by which the sum is divided; default: the number of given pairs. */
  readonly pairs?: number;
}

/**
 * Returns the regression loss and its derivative for each log-prob. In a cotangent, `chosen` belongs to the first
 * continuation of a pair and `rejected` to the second.
 */
export function pairRegressionObjective(
  pairs: readonly RegressionPair[],
  { eta, pairs: nominal = pairs.length }: RegressionOptions,
): { readonly loss: number; readonly cotangents: readonly PairCotangents[] } {
  assert(nominal > 0, "a pair regression needs at least one pair");
  let loss = 0;
  const cotangents = pairs.map(({ first, second }) => {
    const error =
      weightedLogRatio(first) - weightedLogRatio(second) - eta * (first.return - second.return);
    loss += error ** 2 / nominal;
    const slope = (2 * error) / nominal;
    return {
      chosen: { logprobs: sideWeights(first).map((c) => slope * c) },
      rejected: { logprobs: sideWeights(second).map((c) => -slope * c) },
    };
  });
  return { loss, cotangents };
}
