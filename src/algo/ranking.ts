/**
 * Trains a scalar head that ranks rollouts (a reward model, for tasks without checks): the better rollout of a pair
 * gets the larger score s (Bradley and Terry 1952).
 *
 *     loss = -mean over pairs of log sigma( s+ - s- ),    d loss / d s+ = -sigma( s- - s+ ) / pairs = - d loss / d s-.
 */
import { assert } from "../core/index.ts";

/** The scores of two rollouts, or the derivatives of the loss for these scores. */
export interface RankedPair {
  readonly better: number;
  readonly worse: number;
}

/**
 * Returns the ranking loss and its derivative for both scores of each pair. `nominal` is the number of pairs in a
 * full minibatch.
 */
export function rankingObjective(
  pairs: readonly RankedPair[],
  nominal: number = pairs.length,
): { readonly loss: number; readonly cotangents: readonly RankedPair[] } {
  assert(nominal > 0, "a ranking objective needs at least one pair");
  let loss = 0;
  const cotangents = pairs.map(({ better, worse }) => {
    const gap = better - worse;
    loss += (Math.max(-gap, 0) + Math.log1p(Math.exp(-Math.abs(gap)))) / nominal;
    const pull = 1 / (1 + Math.exp(gap)) / nominal;
    return { better: -pull, worse: pull };
  });
  return { loss, cotangents };
}
