/**
 * Ways to put reward terms together. Each returns a term again, so a reward is one expression:
 *
 *     sumOf(outcomeTerm(), behindGate(outcomeTerm(), 0.5, scaled(0.1, callSuccess)), scaled(-0.01, turnCost))
 */
import type { Rollout } from "../spec/index.ts";
import type { RewardTerm } from "./reward-terms.ts";
import { type Schedule, valueAt } from "./schedule.ts";

/** Term by term, turn by turn. */
export function sumOf(...terms: readonly RewardTerm[]): RewardTerm {
  return (rollout, iteration) => {
    const parts = terms.map((term) => term(rollout, iteration));
    return rollout.turns.map((_, j) => parts.reduce((sum, part) => sum + part[j]!, 0));
  };
}

/** Weighted; the weight may move over iterations. A negative weight makes a cost of a term. */
export function scaled(weight: Schedule, term: RewardTerm): RewardTerm {
  return mapped(term, (reward, _, iteration) => valueAt(weight, iteration) * reward);
}

/** Turn j pays gamma^j: what is earned early is worth more. */
export function decayed(gamma: number, term: RewardTerm): RewardTerm {
  return mapped(term, (reward, j) => gamma ** j * reward);
}

/**
 * 1[sum r_high >= tau] r_low: immediate rewards count only once the goal that they serve is reached, so they cannot be
 * collected in its place.
 */
export function behindGate(high: RewardTerm, threshold: number, low: RewardTerm): RewardTerm {
  return (rollout, iteration) =>
    total(high(rollout, iteration)) < threshold
      ? rollout.turns.map(() => 0)
      : low(rollout, iteration);
}

/**
 * A term less a penalty, with the rollout's sum floored: what is deducted beyond `floor` is given back at the last turn,
 * so that a broken format costs what was earned and no more.
 */
export function penalised(term: RewardTerm, penalty: RewardTerm, floor = 0): RewardTerm {
  return (rollout, iteration) => {
    const earned = term(rollout, iteration);
    const charged = penalty(rollout, iteration);
    const rewards = earned.map((reward, j) => reward - charged[j]!);
    const missing = Math.max(0, floor - total(rewards));
    return rewards.map((reward, j) => (j === rewards.length - 1 ? reward + missing : reward));
  };
}

/** A term times a factor of the whole rollout: penalties that multiply never pay for failing. */
export function multiplied(term: RewardTerm, factor: (rollout: Rollout) => number): RewardTerm {
  return mapped(term, (reward, _, __, rollout) => factor(rollout) * reward);
}

/** What a rollout earns under a term. */
export function totalReward(term: RewardTerm, rollout: Rollout, iteration: number): number {
  return total(term(rollout, iteration));
}

function mapped(
  term: RewardTerm,
  change: (reward: number, turn: number, iteration: number, rollout: Rollout) => number,
): RewardTerm {
  return (rollout, iteration) =>
    term(rollout, iteration).map((reward, j) => change(reward, j, iteration, rollout));
}

function total(rewards: readonly number[]): number {
  return rewards.reduce((sum, reward) => sum + reward, 0);
}
