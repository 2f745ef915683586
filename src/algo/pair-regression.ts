/**
 * Squared regression of relative future returns on log-ratios (REFUEL, arXiv 2410.04612).
 *
 * From the same prefix two continuations y, y' are played to the end, with returns R, R'. With d the log-ratio of the
 * tokens of the turn that differs, present policy against the one that sampled,
 *
 *     loss = mean over pairs of ( sum_t c_t d_t - sum_t c'_t d'_t - eta (R - R') )^2.
 *
 * There is no clip and no critic: the square itself bounds how far the policy moves. The derivative for a token of y is
 * 2 c_t times the error / pairs, and the opposite for y'. `referenceLogprobs` of a side are the sampling policy's.
 */
import { assert } from "../core/index.ts";
import {
  type PairCotangents,
  type PreferenceSide,
  sideWeights,
  weightedLogRatio,
} from "./preference.ts";

/** One of two continuations of the same prefix, and what it earned; c says which of its tokens are compared. */
export interface RegressionSide extends PreferenceSide {
  /** What was earned from the shared prefix on. */
  readonly return: number;
}

/** Two continuations of the same prefix, in any order. */
export interface RegressionPair {
  readonly first: RegressionSide;
  readonly second: RegressionSide;
}

/** The scale of returns in nats of log-ratio, and the divisor. */
export interface RegressionOptions {
  readonly eta: number;
  /** Pairs of a full minibatch, the divisor; default: the pairs given. */
  readonly pairs?: number;
}

/** The loss above and its derivative for each log-prob; `chosen` is the first of a pair, `rejected` the second. */
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
