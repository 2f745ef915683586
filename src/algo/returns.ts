/**
 * Turns the rewards of turns into the return that each turn is credited with.
 *
 *     broadcast     R_j = sum_k r_k                      one outcome for all turns (LOOP)
 *     to-go         G_j = r_j + gamma G_{j+1}            only what came after the turn
 */
import { assert } from "../core/index.ts";

/**
 * How returns are computed: one outcome for all turns, or the discounted sum of later rewards. `gamma` in [0, 1]
 * discounts by turns, not by tokens.
 */
export type ReturnOptions =
  | { readonly type: "broadcast" }
  | { readonly type: "to-go"; readonly gamma: number };

/**
 * Returns the return of each turn. If `breaks[j]` is true, rewards after turn j are credited neither to turn j nor to
 * earlier turns.
 */
export function turnReturns(
  rewards: readonly number[],
  options: ReturnOptions,
  breaks?: readonly boolean[],
): number[] {
  assert(!breaks || breaks.length === rewards.length, "expected one entry of breaks for each turn");
  if (options.type === "broadcast") {
    assert(!breaks, "broadcast returns take no breaks");
    const total = rewards.reduce((sum, reward) => sum + reward, 0);
    return rewards.map(() => total);
  }
  let after = 0;
  const returns = rewards.map((_, i) => {
    const j = rewards.length - 1 - i;
    after = rewards[j]! + (breaks?.[j] ? 0 : options.gamma * after);
    return after;
  });
  return returns.reverse();
}
