/**
 * Credit for turns: rewards of turns -> returns of turns -> advantages of turns.
 *
 * Turns are compared by the key: with `task-turn` the j-th turn of a rollout with the j-th turns of its siblings, with
 * `task` all turns of a task together. A turn that has nothing to be compared with gets 0.
 */
import type { Rollout } from "../spec/index.ts";
import type { AdvantageOptions } from "./advantage.ts";
import { type Credit, creditAdvantages, creditOf } from "./credit.ts";
import type { Graded } from "./grade.ts";
import { type ReturnOptions, turnReturns } from "./returns.ts";
import type { RewardTerm } from "./reward-terms.ts";
import { isScored } from "./rewards.ts";
import { perToken } from "./row.ts";

/** How turns are paid, credited and compared. */
export interface TurnGrading {
  readonly term: RewardTerm;
  readonly returns: ReturnOptions;
  readonly advantage: AdvantageOptions;
  /** 0-based. */
  readonly iteration: number;
  /** Turns behind which the sum of returns to go restarts. */
  readonly breaks?: (rollout: Rollout) => readonly boolean[];
  /** The node of its task's tree before each turn of each scored rollout; needed for the key `task-branch`. */
  readonly nodes?: (scored: readonly Rollout[]) => readonly (readonly string[])[];
}

/**
 * Scored rollouts with an advantage for each turn. `reward` is the sum of their turn rewards; `advantage` is the turn
 * advantage of the largest size, so that a filter keeps a rollout of which one turn teaches.
 */
export function gradeTurns(rollouts: readonly Rollout[], grading: TurnGrading): Graded[] {
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

/** A of each turn of each rollout from its return. */
function turnAdvantages(
  rollouts: readonly Pick<Rollout, "task" | "role" | "chain">[],
  returns: readonly (readonly number[])[],
  options: AdvantageOptions,
  nodes?: readonly (readonly string[])[],
): number[][] {
  const credits = rollouts.flatMap((rollout, i) =>
    returns[i]!.map((value, turn): Credit => {
      const branch = nodes?.[i]?.[turn];
      return { ...creditOf(rollout, value), turn, ...(branch !== undefined && { branch }) };
    }),
  );
  const { advantages } = creditAdvantages(credits, options);
  let next = 0;
  return returns.map((list) => list.map(() => advantages[next++] ?? 0));
}

/** w_episode A_episode + w_turn A_turn (UI-S1, arXiv 2509.11543): the outcome's credit and the turn's own. */
export function mixedAdvantages(
  episode: number,
  turns: readonly number[],
  weights: { readonly episode: number; readonly turn: number },
): number[] {
  return turns.map((turn) => weights.episode * episode + weights.turn * turn);
}

/** The advantage that an objective's row takes: one for the rollout, or its turn's for each action token. */
export function rowAdvantage(
  { advantage, turnAdvantages: turns }: Graded,
  turnLengths: readonly number[],
): number | Float64Array {
  return turns ? perToken(turnLengths, (turn) => turns[turn]!) : advantage;
}
