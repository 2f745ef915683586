/**
 * Preference pairs: two rows of one task, or two turns after one prefix, of which the first earned more.
 *
 * A stored pair remembers the log-probs of the policy that it is held to, so no second copy of the weights is needed.
 */
import { type ActionRow, actionRow, type Graded } from "../algo/index.ts";

/** Rows whose asked tokens are compared; a turn's row holds its prefix too, but asks for the turn alone. */
export interface Pair {
  readonly chosen: ActionRow;
  readonly rejected: ActionRow;
}

export interface StoredSide {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
  readonly turnLengths: readonly number[];
  /** Log-probs at `at` under the reference. Nats. */
  readonly reference: readonly number[];
}

export interface StoredPair {
  readonly chosen: StoredSide;
  readonly rejected: StoredSide;
}

/** The best and the worst rollout of each task, the earlier one where returns tie, if they differ by more than the gap. */
export function groupPairs(graded: readonly Graded[], minimumGap: number): Pair[] {
  const byTask = new Map<string, Graded[]>();
  for (const item of graded) {
    const { id } = item.rollout.task;
    byTask.set(id, [...(byTask.get(id) ?? []), item]);
  }
  return [...byTask.values()].flatMap((group) => {
    const best = group.reduce((a, b) => (b.reward > a.reward ? b : a));
    const worst = group.reduce((a, b) => (b.reward < a.reward ? b : a));
    if (!(best.reward - worst.reward > minimumGap)) return [];
    return [{ chosen: actionRow(best.rollout), rejected: actionRow(worst.rollout) }];
  });
}

export function storedSide(
  { tokens, at, turnLengths }: ActionRow,
  logprobs: ArrayLike<number>,
): StoredSide {
  return { tokens, at, turnLengths, reference: Array.from(logprobs) };
}
