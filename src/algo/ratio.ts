/**
 * Importance ratios r = p_theta / p_psi over spans of a rollout's action tokens.
 *
 * The paper compares three granularities (arXiv 2502.01600, section 4.2): a ratio for every token (LOOP's choice,
 * equation 10), for every turn, or one for the whole trajectory (equation 9). They differ only in how action tokens are
 * cut into units: a unit's ratio is the product over its tokens, its weight in the objective their share of the row.
 * The paper gives no equation for turns; this is the form between its two: with one token a turn it is equation 10,
 * with one turn it is equation 9.
 */
import { assert } from "../core/index.ts";

export type RatioSpan = "token" | "turn" | "trajectory";

/** Lengths of the units that `count` action tokens are cut into; they sum to `count`. */
export function unitLengths(
  span: RatioSpan,
  count: number,
  turnLengths?: readonly number[],
): readonly number[] {
  if (span === "token") return new Array<number>(count).fill(1);
  if (span === "trajectory") return count === 0 ? [] : [count];
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
