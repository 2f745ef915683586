/** Groups of observed rollouts, and how the answers in them ended. */
import { groupBy } from "../../core/index.ts";
import type { ObservedAnswer, ObservedRollout } from "./observe-rollout.ts";

/** The rollouts of one task in one iteration. */
export interface ObservedGroup {
  readonly task: string;
  readonly rollouts: readonly ObservedRollout[];
}

/** Returns the scored rollouts of an iteration, by task. */
export function groupRollouts(rollouts: readonly ObservedRollout[]): ObservedGroup[] {
  const scored = rollouts.filter(({ isScored }) => isScored);
  return [...groupBy(scored, ({ task }) => task)].map(([task, group]) => ({
    task,
    rollouts: group,
  }));
}

/** Returns whether all values that `read` returns are equal. */
export function areAllAlike<T>(
  { rollouts }: ObservedGroup,
  read: (rollout: ObservedRollout) => T,
): boolean {
  return rollouts.every((rollout) => read(rollout) === read(rollouts[0]!));
}

/** Tells whether an answer was cut at the limit on tokens in a turn. */
export type IsCut = (answer: ObservedAnswer) => boolean;

/**
 * Finds out from the answers alone which of them were cut. Answers that end by themselves end with one of a few tokens,
 * at many lengths. Cut answers have the greatest length of all and end with any token.
 */
export function recogniseCutAnswers(rollouts: readonly ObservedRollout[]): IsCut {
  const answers = rollouts.flatMap((rollout) => rollout.answers);
  const greatest = answers.reduce((length, answer) => Math.max(length, answer.length), 0);
  // The last answer of a row may have been cut by the limit of the row, so it says nothing about how answers end.
  const inside = answers.filter(({ length, next }) => length < greatest && next !== undefined);
  const shorter = inside.length > 0 ? inside : answers.filter(({ length }) => length < greatest);
  const ends = new Set(shorter.map(({ last }) => last));
  const full = answers.filter(({ length }) => length === greatest);
  // Answers that are all equally long and end with the same token have ended by themselves.
  const endsVary = new Set(full.map(({ last }) => last)).size > 1;
  return ({ length, last }) => length === greatest && (ends.size > 0 ? !ends.has(last) : endsVary);
}
