/**
 * Preference pairs. A pair is two rows of one task, or two turns after the same prefix, of which the first earned more.
 *
 * A stored pair contains the log-probs under its reference policy, so no second copy of the weights is needed.
 */
import { type ActionRow, buildActionRow, type GradedRollout } from "../algo/index.ts";
import type { Rollout } from "../spec/index.ts";

/**
 * Two rows whose action tokens are compared. When single turns are compared, a row also contains what came before the
 * turn, but only the turn's tokens are action tokens.
 */
export interface RowPair {
  readonly chosen: ActionRow;
  readonly rejected: ActionRow;
  /** How much more the chosen row earned than the rejected one. */
  readonly gap: number;
  /** Index of the first turn in which the two rollouts differ; 0 for pairs of single turns. */
  readonly differsAt: number;
}

/** One row of a stored pair. */
export interface StoredPairSide {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
  readonly turnLengths: readonly number[];
  /** Positions in `tokens` where the second and later rows begin, as in an action row. */
  readonly starts?: readonly number[];
  /** Log-probs of the tokens at the positions `at` under the reference policy, in nats. */
  readonly reference: readonly number[];
}

/** A pair as the checkpoint holds it, with the log-probs of its reference policy. */
export interface StoredPair {
  readonly chosen: StoredPairSide;
  readonly rejected: StoredPairSide;
  readonly gap: number;
  readonly differsAt: number;
}

/**
 * Pairs the best with the worst rollout of each task, if their returns differ by more than the gap. When several
 * rollouts have the same return, the earliest is taken.
 */
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
): StoredPairSide {
  return { tokens, at, turnLengths, ...(starts && { starts }), reference: Array.from(logprobs) };
}
