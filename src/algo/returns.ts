/**
 * How what is earned in turns becomes what each turn is credited with.
 *
 *     broadcast     R_j = sum_k r_k                      one outcome for all turns (LOOP)
 *     to go         G_j = r_j + gamma G_{j+1}            only what came after
 */
import { assert } from "../core/index.ts";

/** The two forms above; `gamma` in [0, 1] discounts turns, not tokens. */
export type ReturnOptions =
  | { readonly type: "broadcast" }
  | { readonly type: "to-go"; readonly gamma: number };

/** The credit of each turn. `breaks[j]`: what comes after turn j is not its doing, so the sum restarts behind it. */
export function turnReturns(
  rewards: readonly number[],
  options: ReturnOptions,
  breaks?: readonly boolean[],
): number[] {
  assert(!breaks || breaks.length === rewards.length, "one break a turn");
  if (options.type === "broadcast") {
    assert(!breaks, "an outcome that is broadcast cannot be broken off");
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
