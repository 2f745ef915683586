/**
 * Computes one advantage for each rollout from the returns of its group: the K rollouts of one start state (s0, c).
 *
 * LOOP (arXiv 2502.01600, equation 3) subtracts the mean of the *other* returns, A_k = R_k - 1/(K-1) sum_{i != k} R_i,
 * which equals K/(K-1) (R_k - mean R). It is unbiased and needs no critic. All action tokens of the rollout get the
 * same A. K is the number of rollouts that have a return, never the configured group size. Other methods have these
 * options:
 *  1. `baseline: "mean"` subtracts the mean of all returns, the rollout's own included (GRPO).
 *  2. `scale: "group"` divides by the group's population standard deviation. With leave-one-out this is the paper's
 *     RwNorm as in the released code; with the mean baseline it is GRPO's. LOOP does not divide, because that
 *     overweights groups that are nearly always or nearly never solved. `scale: "batch"` divides by the deviation of
 *     all returns of the batch, so groups keep their weights relative to each other.
 *  3. `baseline: "running"` subtracts an exponential average of past returns with the same key, which is read before
 *     the return enters it. `value` and `none` subtract nothing here: values are subtracted token by token (see
 *     `gae.ts`). These three need no group, so a single rollout is kept.
 *  4. Groups may be formed by something other than the task: see `credit.ts`.
 */
import { average, populationStd, STD_FLOOR } from "./mean-and-spread.ts";

/** What is subtracted from a return: equation 3, or options 1 and 3 at the top of this file. */
export type Baseline = "leave-one-out" | "mean" | "running" | "value" | "none";

/** The field by which returns are grouped before they are compared; `credit.ts` explains each. */
export type AdvantageKey = "task" | "task-turn" | "task-branch" | "role" | "chain-position";

/** How returns become advantages. `LOOP_ADVANTAGE` holds the paper's choice. */
export interface AdvantageOptions {
  readonly baseline: Baseline;
  readonly scale: "none" | "group" | "batch";
  /** The field that forms groups; default `task`. */
  readonly key?: AdvantageKey;
  /** Share of the running baseline that stays when a new return is added to it; default 0.95. */
  readonly decay?: number;
}

/** The paper's advantage (equation 3): leave-one-out, not scaled. */
export const LOOP_ADVANTAGE = {
  baseline: "leave-one-out",
  scale: "none",
} as const satisfies AdvantageOptions;

/**
 * Returns the advantage of each return of one group, in order. A group of fewer than two returns has no baseline, so
 * the result is empty and its rollout is dropped.
 */
export function groupAdvantages(
  rewards_G: readonly number[],
  { baseline, scale }: GroupAdvantageOptions = LOOP_ADVANTAGE,
): number[] {
  const size = rewards_G.length;
  if (size < 2) return [];
  const mean = average(rewards_G);
  const own = baseline === "leave-one-out" ? size / (size - 1) : 1;
  const divisor = scale === "group" ? Math.max(populationStd(rewards_G), STD_FLOOR) : 1;
  return rewards_G.map((reward) => (own * (reward - mean)) / divisor);
}

/** Options of advantages that need no other data than one group's returns. */
export interface GroupAdvantageOptions {
  readonly baseline: "leave-one-out" | "mean";
  readonly scale: "none" | "group";
}
