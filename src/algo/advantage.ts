/**
 * One advantage a rollout, from the returns of its group: the K rollouts of one start state (s0, c).
 *
 * LOOP (arXiv 2502.01600, equation 3) subtracts the mean of the *other* returns, A_k = R_k - 1/(K-1) sum_{i != k} R_i,
 * which equals K/(K-1) (R_k - mean R); it is unbiased and needs no critic. The same scalar goes to every action token.
 * K is the number of rollouts that are in, never the nominal group size. Options away from LOOP:
 *  1. `baseline: "mean"` subtracts the mean of all, the rollout's own return included (GRPO).
 *  2. `scale: "group"` divides by the group's population standard deviation. With leave-one-out this is the paper's
 *     RwNorm as in the released code; with the mean baseline it is GRPO's. LOOP leaves it out: it overweights groups
 *     that are nearly always or nearly never solved. `scale: "batch"` divides by that of all returns of the batch,
 *     which changes no group's weight against another's.
 *  3. `baseline: "running"` subtracts an exponential average of past returns with the same key, read before the return
 *     enters it; `value` leaves the return as it is, for values are subtracted token by token (see `gae.ts`); so does
 *     `none`. These need no group, so a single rollout is kept.
 *  4. Groups may be other than a task's rollouts: see `credit.ts`.
 */
import { average, populationStd, STD_FLOOR } from "./moments.ts";

/** What is subtracted from a return: equation 3, or numbered options 1 and 3 above. */
export type Baseline = "leave-one-out" | "mean" | "running" | "value" | "none";

/** What returns are compared with each other: see `credit.ts`. */
export type AdvantageKey = "task" | "task-turn" | "task-branch" | "role" | "chain-position";

/** How returns become advantages; `LOOP_ADVANTAGE` is the paper's. */
export interface AdvantageOptions {
  readonly baseline: Baseline;
  readonly scale: "none" | "group" | "batch";
  /** Default `task`. */
  readonly key?: AdvantageKey;
  /** Of the running baseline: its share that stays at each return; default 0.95. */
  readonly decay?: number;
}

/** Equation 3, as it stands. */
export const LOOP_ADVANTAGE = {
  baseline: "leave-one-out",
  scale: "none",
} as const satisfies AdvantageOptions;

/**
 * A_k for each return of one group, in order. A group of one (or none) has no baseline to compare with: it returns
 * an empty array, so its rollout is dropped rather than given a made-up advantage.
 */
export function groupAdvantages(
  rewards_G: readonly number[],
  { baseline, scale }: GroupOptions = LOOP_ADVANTAGE,
): number[] {
  const size = rewards_G.length;
  if (size < 2) return [];
  const mean = average(rewards_G);
  const own = baseline === "leave-one-out" ? size / (size - 1) : 1;
  const divisor = scale === "group" ? Math.max(populationStd(rewards_G), STD_FLOOR) : 1;
  return rewards_G.map((reward) => (own * (reward - mean)) / divisor);
}

/** What a group decides by itself. */
export interface GroupOptions {
  readonly baseline: "leave-one-out" | "mean";
  readonly scale: "none" | "group";
}
