/**
 * Computes credit for turns: rewards of turns -> returns of turns -> advantages of turns.
 *
 * A key decides which turns are compared. `task-turn` compares the j-th turn of a rollout with the j-th turns of its
 * siblings; `task` compares all turns of a task. A turn with nothing to compare it with gets the advantage 0.
 */
import type { Rollout } from "../spec/index.ts";
import { repeatPerToken } from "./action-row.ts";
import type { AdvantageOptions } from "./advantage.ts";
import { type Credit, computeCreditAdvantages, creditForRollout } from "./credit.ts";
import type { GradedRollout } from "./grade.ts";
import { type ReturnOptions, turnReturns } from "./returns.ts";
import type { RewardTerm } from "./reward-terms.ts";
import { isScored } from "./rewards.ts";

/** How turns are paid, credited and compared with each other. */
export interface TurnGrading {
  readonly term: RewardTerm;
  readonly returns: ReturnOptions;
  readonly advantage: AdvantageOptions;
  /** The number of the iteration, counted from 0. */
  readonly iteration: number;
  /** Returns, for each turn, whether the sum of later rewards restarts after it. */
  readonly breaks?: (rollout: Rollout) => readonly boolean[];
  /** Returns the node of the task's tree before each turn of each rollout; the key `task-branch` needs it. */
  readonly nodes?: (scored: readonly Rollout[]) => readonly (readonly string[])[];
}

/**
 * Returns the evaluated rollouts with an advantage for each turn. `reward` is the sum of the turn rewards. `advantage`
 * is the turn advantage of the largest absolute size, so that a filter on advantages keeps a rollout if at least one of
 * its turns teaches something.
 */
export function gradeTurns(rollouts: readonly Rollout[], grading: TurnGrading): GradedRollout[] {
  const scored = rollouts.filter(isScored);
  const rewards = scored.map((rollout) => grading.term(rollout, grading.iteration));
  const returns = rewards.map((list, i) =>
    turnReturns(list, grading.returns, grading.breaks?.(scored[i]!)),
  );
  const advantages = turnAdvantages(scored, returns, grading.advantage, grading.nodes?.(scored));
  return scored.map((rollout, i) => ({
    rollout,
    reward: rewards[i]!.reduce((sum, reward) => sum + reward, 0),
    advantage: advantages[i]!.reduce((most, a) => (Math.abs(a) > Math.abs(most) ? a : most), 0),
    turnAdvantages: advantages[i]!,
    turnRewards: rewards[i]!,
  }));
}

/** Returns the advantage of each turn of each rollout from the turns' returns. */
function turnAdvantages(
  rollouts: readonly Pick<Rollout, "task" | "role" | "chain">[],
  returns: readonly (readonly number[])[],
  options: AdvantageOptions,
  nodes?: readonly (readonly string[])[],
): number[][] {
  const credits = rollouts.flatMap((rollout, i) =>
    returns[i]!.map((value, turn): Credit => {
      const branch = nodes?.[i]?.[turn];
      return { ...creditForRollout(rollout, value), turn, ...(branch !== undefined && { branch }) };
    }),
  );
  const { advantages } = computeCreditAdvantages(credits, options);
  let next = 0;
  return returns.map((list) => list.map(() => advantages[next++] ?? 0));
}

/**
 * Returns w_episode A_episode + w_turn A_turn for each turn: a weighted sum of the rollout's advantage and the turn's
 * own (UI-S1, arXiv 2509.11543).
 */
export function mixAdvantages(
  episode: number,
  turns: readonly number[],
  weights: { readonly episode: number; readonly turn: number },
): number[] {
  return turns.map((turn) => weights.episode * episode + weights.turn * turn);
}

/**
 * Returns the advantage for an objective's row: one number for the rollout, or an array with the advantage of each
 * action token's turn.
 */
export function rowAdvantage(
  { advantage, turnAdvantages: turns }: GradedRollout,
  turnLengths: readonly number[],
): number | Float64Array {
  return turns ? repeatPerToken(turnLengths, (turn) => turns[turn]!) : advantage;
}
