/**
 * Cross-entropy on given action tokens: the warm start, and expert iteration's loss.
 *
 *     loss = -1/N sum_rows sum_{t in a(x)} log p(x_t | x_<t),    N = action tokens of all rows together.
 *
 * Its derivative is the constant -1/N, so no log-prob has to be known before gradients are accumulated.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";

/** d loss / d logprob for rows of these numbers of action tokens. `total`: N when the rows are a part of a batch. */
export function imitationCotangents(
  counts: readonly number[],
  total: number = counts.reduce((sum, count) => sum + count, 0),
): Cotangents[] {
  assert(total > 0, "imitation needs at least one action token");
  return counts.map((count) => ({ logprobs: new Float64Array(count).fill(-1 / total) }));
}

/** Mean negative log-prob over the action tokens of all rows. Nats a token. */
export function imitationLoss(rows: readonly { readonly logprobs: ArrayLike<number> }[]): number {
  let sum = 0;
  let count = 0;
  for (const { logprobs } of rows) {
    for (let t = 0; t < logprobs.length; t++) sum -= logprobs[t]!;
    count += logprobs.length;
  }
  assert(count > 0, "imitation needs at least one action token");
  return sum / count;
}
