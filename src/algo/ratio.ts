/**
 * Importance ratios r = p_theta / p_psi over spans of a rollout's action tokens.
 *
 * The paper compares three granularities (arXiv 2502.01600, section 4.2): a ratio for every token (LOOP's choice,
 * equation 10), for every turn, or one for the whole trajectory (equation 9). They differ only in how action tokens are
 * cut into units: a unit's ratio is the product over its tokens, its weight in the objective their share of the row.
 * The paper gives no equation for turns. With n_j tokens in turn j this is the token-weighted mean over turns,
 *
 *     sum_j n_j/|a| min( r_j A, g(A) ),    r_j = product over turn j of r_t,
 *
 * the form between its two: with one token a turn it is equation 10, with one turn it is equation 9. Beyond the paper:
 *  1. `trajectory-mean` takes the geometric mean of a row's token ratios instead of their product, so its gradient at
 *     ratio 1 is the token form's; the trajectory form's is |a| times as long.
 *  2. `none` has no ratio and no clip: the score function A log p, for strictly on-policy steps.
 */
import { assert } from "../core/index.ts";

/** The tokens that share one ratio and one clip; `token` is LOOP's. */
export type RatioSpan = "token" | "turn" | "trajectory" | "trajectory-mean" | "none";

/** Lengths of the units that `count` action tokens are cut into; they sum to `count`. */
export function unitLengths(
  span: RatioSpan,
  count: number,
  turnLengths?: readonly number[],
): readonly number[] {
  if (span === "token" || span === "none") return new Array<number>(count).fill(1);
  if (span !== "turn") return count === 0 ? [] : [count];
  assert(turnLengths, "turn ratios need the length of every turn");
  const sum = turnLengths.reduce((total, length) => total + length, 0);
  assert(sum === count, `turns hold ${sum} action tokens, the row has ${count}`);
  return turnLengths.filter((length) => length > 0);
}

/** log r of each action token: current minus old log-prob. */
export function logRatios(
  logprobs: ArrayLike<number>,
  oldLogprobs: ArrayLike<number>,
): Float64Array {
  assert(
    logprobs.length === oldLogprobs.length,
    `${logprobs.length} current log-probs against ${oldLogprobs.length} old ones`,
  );
  return Float64Array.from(logprobs, (logprob, t) => logprob - oldLogprobs[t]!);
}

/**
 * The ratio of the unit [start, end) and what of d ratio / ratio one of its tokens moves: 1 in a product, 1/n in a
 * mean. Tokens of weight 0 have left the unit.
 */
export function unitRatio(
  span: RatioSpan,
  [logRatio, weights]: readonly [Float64Array, Float64Array],
  start: number,
  end: number,
): { readonly ratio: number; readonly spread: number } {
  let sum = 0;
  let count = 0;
  for (let t = start; t < end; t++) {
    if (!(weights[t]! > 0)) continue;
    sum += logRatio[t]!;
    count += 1;
  }
  const spread = span === "trajectory-mean" ? 1 / Math.max(count, 1) : 1;
  return { ratio: Math.exp(sum * spread), spread };
}
