/**
 * Which graded rollouts are learned from, beside LOOP's rule (`dropNearZero` of `loop.ts`): predicates of other papers.
 *
 * A rollout that one of them drops has been graded: its return stays in its siblings' baseline.
 */
import type { Rollout, Turn } from "../spec/index.ts";

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
