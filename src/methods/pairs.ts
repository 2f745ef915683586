/**
 * Preference pairs: two rows of one task, or two turns after one prefix, of which the first earned more.
 *
 * A stored pair remembers the log-probs of the policy that it is held to, so no second copy of the weights is needed.
 */
import { type ActionRow, buildActionRow, type GradedRollout } from "../algo/index.ts";
import type { Rollout } from "../spec/index.ts";

/** Rows whose asked tokens are compared; a turn's row holds its prefix too, but asks for the turn alone. */
export interface RowPair {
  readonly chosen: ActionRow;
  readonly rejected: ActionRow;
  /** What the chosen one earned more. */
  readonly gap: number;
  /** The first turn in which two rollouts differ; 0 for single turns. */
  readonly differsAt: number;
}

export interface StoredSide {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
  readonly turnLengths: readonly number[];
  /** Where further segments begin, as in an action row. */
  readonly starts?: readonly number[];
  /** Log-probs at `at` under the reference. Nats. */
  readonly reference: readonly number[];
}

export interface StoredPair {
  readonly chosen: StoredSide;
  readonly rejected: StoredSide;
  readonly gap: number;
  readonly differsAt: number;
}

/** The best and the worst rollout of each task, the earlier one where returns tie, if they differ by more than the gap. */
export function pairBestWithWorst(graded: readonly GradedRollout[], minimumGap: number): RowPair[] {
  const byTask = new Map<string, GradedRollout[]>();
  for (const item of graded) {
    const { id } = item.rollout.task;
    byTask.set(id, [...(byTask.get(id) ?? []), item]);
  }
  return [...byTask.values()].flatMap((group) => {
    const best = group.reduce((a, b) => (b.reward > a.reward ? b : a));
    const worst = group.reduce((a, b) => (b.reward < a.reward ? b : a));
    const gap = best.reward - worst.reward;
    if (!(gap > minimumGap)) return [];
    const [chosen, rejected] = [buildActionRow(best.rollout), buildActionRow(worst.rollout)];
    return [
      { chosen, rejected, gap, differsAt: findFirstDifferentTurn(best.rollout, worst.rollout) },
    ];
  });
}

function findFirstDifferentTurn(a: Rollout, b: Rollout): number {
  const j = a.turns.findIndex(({ message }, i) => message !== b.turns[i]?.message);
  return j < 0 ? a.turns.length : j;
}

export function makeStoredSide(
  { tokens, at, turnLengths, starts }: ActionRow,
  logprobs: ArrayLike<number>,
): StoredSide {
  return { tokens, at, turnLengths, ...(starts && { starts }), reference: Array.from(logprobs) };
}
