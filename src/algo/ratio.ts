/**
 * Importance ratios r = p_theta / p_psi over spans of a rollout's action tokens.
 *
 * The paper compares three granularities (arXiv 2502.01600, section 4.2): a ratio for every token (LOOP's choice,
 * equation 10), for every turn, or one for the whole trajectory (equation 9). They differ only in how action tokens are
 * cut into units. The ratio of a unit is the product over its tokens; its weight in the objective is its share of the
 * row's tokens. The paper gives no equation for turns. With n_j tokens in turn j, this is the token-weighted mean over
 * turns,
 *
 *     sum_j n_j/|a| min( r_j A, g(A) ),    r_j = product over turn j of r_t.
 *
 * With one token per turn it is equation 10; with a single turn it is equation 9. Two options go beyond the paper:
 *  1. `trajectory-mean` takes the geometric mean of a row's token ratios instead of their product. At ratio 1 its
 *     gradient equals that of the token form; the gradient of the trajectory form is |a| times as long.
 *  2. `none` has no ratio and no clip: it is the score function A log p, for strictly on-policy steps.
 */
import { assert } from "../core/index.ts";

/** Which tokens share one ratio and one clip. LOOP uses `token`. */
export type RatioSpan = "token" | "turn" | "trajectory" | "trajectory-mean" | "none";

/** Returns the lengths of the units that `count` action tokens are cut into. They sum to `count`. */
export function ratioUnitLengths(
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

/** Returns log r of each action token: its current log-prob minus its old one. */
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
 * Returns the ratio of the unit of tokens from `start` to `end` (exclusive), and `spread`, the derivative of log
 * ratio for the log-prob of one of its tokens: 1 for a product, 1/n for a geometric mean of n. Tokens of weight 0 do
 * not count as part of the unit.
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
