/**
 * Predicates of several papers that decide which graded rollouts are learned from, in addition to LOOP's own rule
 * (`dropNearZero` in `loop.ts`).
 *
 * A rollout that is dropped here was graded before, so its return still counts in the baseline of its group.
 */
import type { Rollout, Turn } from "../spec/index.ts";

/**
 * Returns whether a rollout went better than expected. Learning only from such rollouts never pushes the policy away
 * from one that went worse.
 */
export function hasPositiveAdvantage({ advantage }: { readonly advantage: number }): boolean {
  return advantage > 0;
}

/**
 * Returns whether some turn neither ran code nor ended the episode, which is a sign that a conversation has broken
 * down. Code that does not parse, such as in a turn that was cut off, counts as no code. Plans and notes do not count
 * as turns here.
 */
export function hasVoidTurn({ turns, outcome }: Rollout): boolean {
  const acts = turns.filter(({ part }) => part === undefined);
  const last = outcome === "finished" ? acts.length - 1 : acts.length;
  return acts.some((turn, j) => isVoidTurn(turn) && j < last);
}

function isVoidTurn({ code, status, observation }: Turn): boolean {
  return code.trim() === "" || (status === "error" && /^\s*SyntaxError\b/.test(observation));
}

/** Returns true if the limit on turns stopped a rollout. Its agent may have been on the right track. */
export function reachedTurnLimit({ outcome }: Rollout): boolean {
  return outcome === "turn-limit";
}

/** Returns whether a rollout was stopped by the limit on tokens. */
export function reachedTokenLimit({ outcome }: Rollout): boolean {
  return outcome === "token-limit";
}

/** Returns whether all returns of a group reach the threshold, so that there is nothing left to learn from it. */
export function isSaturatedGroup(returns_G: readonly number[], threshold = 1): boolean {
  return returns_G.length > 0 && returns_G.every((value) => value >= threshold);
}
