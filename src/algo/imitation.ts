/**
 * Cross-entropy on given action tokens: the warm start, and expert iteration's loss.
 *
 *     loss = -1/N sum_rows w sum_{t in a(x)} log p(x_t | x_<t),    N = action tokens of all rows together.
 *
 * Its derivative is the constant -w/N, so no log-prob has to be known before gradients are accumulated. The weight w of
 * a row is 1 unless rows are weighted by what they earned (`returnWeights`); N does not change with it.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";

/** Log-probs of a row's action tokens in nats, and the weight w of the row. */
export interface ImitationRow {
  readonly logprobs: ArrayLike<number>;
  /** Default 1. */
  readonly weight?: number;
}

/** d loss / d logprob for rows of these numbers of action tokens. `total`: N when the rows are a part of a batch. */
export function imitationCotangents(
  counts: readonly number[],
  total: number = counts.reduce((sum, count) => sum + count, 0),
  weights?: readonly number[],
): Cotangents[] {
  assert(total > 0, "imitation needs at least one action token");
  assert(!weights || weights.length === counts.length, "one weight a row");
  return counts.map((count, i) => {
    const slope = weights ? -weights[i]! / total : -1 / total;
    return { logprobs: new Float64Array(count).fill(slope) };
  });
}

/** Mean negative log-prob over the action tokens of all rows. Nats a token. */
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
 * Weights exp(R / temperature) of reward-weighted imitation, scaled to a mean of 1 so that the learning rate keeps its
 * meaning whatever the temperature.
 */
export function returnWeights(returns: readonly number[], temperature: number): number[] {
  const top = Math.max(...returns);
  const raw = returns.map((value) => Math.exp((value - top) / temperature));
  const mean = raw.reduce((sum, value) => sum + value, 0) / Math.max(raw.length, 1);
  return raw.map((value) => value / mean);
}
