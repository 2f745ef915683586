/**
 * Cross-entropy on given action tokens: the loss of the warm start and of expert iteration.
 *
 *     loss = -1/N sum_rows w sum_{t in a(x)} log p(x_t | x_<t),    N = action tokens of all rows together.
 *
 * Its derivative is the constant -w/N, so gradients can be accumulated before any log-prob is known. The weight w of a
 * row is 1 unless rows are weighted by their returns (`weightsFromReturns`). N does not depend on the weights.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";

/** Log-probs of a row's action tokens in nats, and the weight w of the row in the imitation loss. */
export interface ImitationRow {
  readonly logprobs: ArrayLike<number>;
  /** Weight w of the row; default 1. */
  readonly weight?: number;
}

/**
 * Returns d loss / d log-prob for rows with these numbers of action tokens. `total` is N of the whole batch, when the
 * rows are only a part of it.
 */
export function imitationCotangents(
  counts: readonly number[],
  total: number = counts.reduce((sum, count) => sum + count, 0),
  weights?: readonly number[],
): Cotangents[] {
  assert(total > 0, "imitation needs at least one action token");
  assert(!weights || weights.length === counts.length, "expected one weight for each row");
  return counts.map((count, i) => {
    const slope = weights ? -weights[i]! / total : -1 / total;
    return { logprobs: new Float64Array(count).fill(slope) };
  });
}

/** Returns the imitation loss: the mean negative log-prob over the action tokens of all rows, in nats per token. */
export function imitationLoss(rows: readonly ImitationRow[]): number {
  let sum = 0;
  let count = 0;
  for (const { logprobs, weight = 1 } of rows) {
    for (let t = 0; t < logprobs.length; t++) sum -= weight * logprobs[t]!;
    count += logprobs.length;
  }
  assert(count > 0, "imitation needs at least one action token");
  return sum / count;
}

/**
 * Returns the row weights exp(R / temperature) of reward-weighted imitation, scaled to a mean of 1, so that the
 * learning rate keeps its meaning at every temperature.
 */
export function weightsFromReturns(returns: readonly number[], temperature: number): number[] {
  const top = Math.max(...returns);
  const raw = returns.map((value) => Math.exp((value - top) / temperature));
  const mean = raw.reduce((sum, value) => sum + value, 0) / Math.max(raw.length, 1);
  return raw.map((value) => value / mean);
}
