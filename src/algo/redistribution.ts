/**
 * An outcome spread over the turns that brought it about (stepwise progress attribution, arXiv 2505.20732).
 *
 * A scalar head gives each turn a contribution c_j and is fitted so that they sum to the return,
 *
 *     loss = mean over rollouts of ( sum_j c_j - R )^2,    d loss / d c_j = 2 ( sum c - R ) / rollouts.
 *
 * Paid out, contributions are shifted by the same amount so that they sum to R exactly: an imperfect head then changes
 * where the reward arrives and never how much.
 */
import { assert } from "../core/index.ts";

/** A rollout as the head sees it. */
export interface ContributionRow {
  /** c of each turn. */
  readonly contributions: ArrayLike<number>;
  readonly outcome: number;
}

/** The loss above and its derivative for each contribution. `rollouts`: of the whole batch when rows are a part of it. */
export function redistributionObjective(
  rows: readonly ContributionRow[],
  rollouts: number = rows.length,
): { readonly loss: number; readonly cotangents: readonly { readonly values: Float64Array }[] } {
  assert(rollouts > 0, "a redistribution objective needs at least one rollout");
  let loss = 0;
  const cotangents = rows.map(({ contributions, outcome }) => {
    const error = sum(contributions) - outcome;
    loss += error ** 2 / rollouts;
    return { values: new Float64Array(contributions.length).fill((2 * error) / rollouts) };
  });
  return { loss, cotangents };
}

/** Turn rewards that sum to the outcome. */
export function redistributed(contributions: readonly number[], outcome: number): number[] {
  const missing = (outcome - sum(contributions)) / contributions.length;
  return contributions.map((c) => c + missing);
}

function sum(values: ArrayLike<number>): number {
  return Array.from(values).reduce((total, value) => total + value, 0);
}
