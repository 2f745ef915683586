/**
 * Distributes an outcome among the turns that led to it (stepwise progress attribution, arXiv 2505.20732).
 *
 * A scalar head gives each turn a contribution c_j. It is trained so that the contributions sum to the return R:
 *
 *     loss = mean over rollouts of ( sum_j c_j - R )^2,    d loss / d c_j = 2 ( sum c - R ) / rollouts.
 *
 * When contributions are paid as rewards, all are shifted by the same amount so that they sum to R exactly. So an
 * imperfect head changes when the reward arrives, but never how much.
 */
import { assert } from "../core/index.ts";

/** One rollout with its predicted contributions and its actual outcome. */
export interface ContributionRow {
  /** The predicted contribution c_j of each turn. */
  readonly contributions: ArrayLike<number>;
  readonly outcome: number;
}

/**
 * Returns the squared-error loss and its derivative for each contribution. `rollouts` is the size of the whole batch
 * when `rows` are a part of it.
 */
export function redistributionObjective(
  rows: readonly ContributionRow[],
  rollouts: number = rows.length,
): { readonly loss: number; readonly cotangents: readonly { readonly values: Float64Array }[] } {
  assert(rollouts > 0, "a redistribution objective needs at least one rollout");
  let loss = 0;
  const cotangents = rows.map(({ contributions, outcome }) => {
    const error = sumOfArray(contributions) - outcome;
    loss += error ** 2 / rollouts;
    return { values: new Float64Array(contributions.length).fill((2 * error) / rollouts) };
  });
  return { loss, cotangents };
}

/** Returns turn rewards that sum to the outcome: the contributions, all shifted by the same amount. */
export function redistributeOutcome(contributions: readonly number[], outcome: number): number[] {
  const missing = (outcome - sumOfArray(contributions)) / contributions.length;
  return contributions.map((c) => c + missing);
}

function sumOfArray(values: ArrayLike<number>): number {
  return Array.from(values).reduce((total, value) => total + value, 0);
}
