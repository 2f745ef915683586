/**
 * Which graded rollouts are worth a gradient: those whose advantage is not close to zero (arXiv 2502.01600, appendix D).
 *
 * Numbered deviation from the released code:
 *  1. It rounds the kept count up to a multiple of its workers, so a few rollouts below the threshold stay in. There
 *     is one learner here, so the rule is exactly |A| >= threshold.
 * The caller removes rollouts before minibatching; the objective's divisor stays the nominal minibatch size. The other
 * predicates are not the paper's. A rollout that one of them drops has been graded: its return stays in its siblings'
 * baseline.
 */
import type { Rollout, Turn } from "../spec/index.ts";

/** The paper's, in units of return. */
export const LOOP_ADVANTAGE_THRESHOLD = 0.01;

/** The items with |advantage| >= threshold, in order. */
export function dropNearZero<T extends { readonly advantage: number }>(
  graded: readonly T[],
  threshold: number = LOOP_ADVANTAGE_THRESHOLD,
): T[] {
  return graded.filter(({ advantage }) => Math.abs(advantage) >= threshold);
}

/** Learn from what went better than expected, never against what went worse. */
export function isPositive({ advantage }: { readonly advantage: number }): boolean {
  return advantage > 0;
}

/**
 * A turn that neither ran code nor ended the episode: the sign of a conversation that has come apart. Code that does not
 * parse, such as a turn that was cut in the middle, ran as little as none. Plans and notes are no such turns.
 */
export function hasVoidTurn({ turns, outcome }: Rollout): boolean {
  const acts = turns.filter(({ part }) => part === undefined);
  const last = outcome === "finished" ? acts.length - 1 : acts.length;
  return acts.some((turn, j) => isVoid(turn) && j < last);
}

function isVoid({ code, status, observation }: Turn): boolean {
  return code.trim() === "" || (status === "error" && /^\s*SyntaxError\b/.test(observation));
}

/** Stopped by the budget of turns: not finished is not the same as wrong. */
export function isOverTurn({ outcome }: Rollout): boolean {
  return outcome === "turn-limit";
}

/** Stopped by the budget of tokens. */
export function isOverLong({ outcome }: Rollout): boolean {
  return outcome === "token-limit";
}

/** A group that says nothing any more: everything in it is at least this good. */
export function isSaturated(returns_G: readonly number[], threshold = 1): boolean {
  return returns_G.length > 0 && returns_G.every((value) => value >= threshold);
}
