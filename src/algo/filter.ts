/**
 * Which graded rollouts are worth a gradient: those whose advantage is not close to zero (arXiv 2502.01600, appendix D).
 *
 * Numbered deviation from the released code:
 *  1. It rounds the kept count up to a multiple of its workers, so a few rollouts below the threshold stay in. There
 *     is one learner here, so the rule is exactly |A| >= threshold.
 * The caller removes rollouts before minibatching; the objective's divisor stays the nominal minibatch size.
 */
export const LOOP_ADVANTAGE_THRESHOLD = 0.01;

/** The items with |advantage| >= threshold, in order. */
export function dropNearZero<T extends { readonly advantage: number }>(
  graded: readonly T[],
  threshold: number = LOOP_ADVANTAGE_THRESHOLD,
): T[] {
  return graded.filter(({ advantage }) => Math.abs(advantage) >= threshold);
}
