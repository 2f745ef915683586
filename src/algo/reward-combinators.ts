/**
 * Functions that combine reward terms. Each returns a term again, so a reward is one expression:
 *
 *     const gated = gateTerm(outcomeTerm(), 0.5, scaleTerm(0.1, callSuccessShare));
 *     const reward = sumTerms(outcomeTerm(), gated, scaleTerm(-0.01, turnCost));
 */
import type { Rollout } from "../spec/index.ts";
import type { RewardTerm } from "./reward-terms.ts";
import { type Schedule, scheduledValue } from "./schedule.ts";

/** Returns the sum of several terms at each turn. */
export function sumTerms(...terms: readonly RewardTerm[]): RewardTerm {
  return (rollout, iteration) => {
    const parts = terms.map((term) => term(rollout, iteration));
    return rollout.turns.map((_, j) => parts.reduce((sum, part) => sum + part[j]!, 0));
  };
}

/**
 * Returns a term multiplied by a weight, which may change over iterations. A negative weight turns a term into a
 * cost.
 */
export function scaleTerm(weight: Schedule, term: RewardTerm): RewardTerm {
  return mapTerm(term, (reward, _, iteration) => scheduledValue(weight, iteration) * reward);
}

/** Returns a term that is multiplied by gamma^j at turn j, so that early rewards are worth more. */
export function decayTerm(gamma: number, term: RewardTerm): RewardTerm {
  return mapTerm(term, (reward, j) => gamma ** j * reward);
}

/**
 * Returns a term that is multiplied by gamma^n at a turn of the attempt n, counted from 0. An attempt ends with the
 * turn that has its grade.
 */
export function decayByAttemptTerm(gamma: number, term: RewardTerm): RewardTerm {
  return (rollout, iteration) => {
    let factor = 1;
    return term(rollout, iteration).map((reward, j) => {
      const paid = factor * reward;
      if (rollout.turns[j]!.grades?.attempt !== undefined) factor *= gamma;
      return paid;
    });
  };
}

/**
 * Returns the term `low`, which pays only when the rollout earns at least `threshold` under `high`: 1[sum r_high >=
 * tau] r_low. So a policy cannot collect an immediate reward without reaching the goal that this reward serves.
 */
export function gateTerm(high: RewardTerm, threshold: number, low: RewardTerm): RewardTerm {
  return (rollout, iteration) =>
    sumRewards(high(rollout, iteration)) < threshold
      ? rollout.turns.map(() => 0)
      : low(rollout, iteration);
}

/**
 * Returns a term minus a penalty, where a rollout's sum never falls below `floor`: the last turn gives back what was
 * deducted below it. So a broken format costs at most what was earned.
 */
export function penaliseTerm(term: RewardTerm, penalty: RewardTerm, floor = 0): RewardTerm {
  return (rollout, iteration) => {
    const earned = term(rollout, iteration);
    const charged = penalty(rollout, iteration);
    const rewards = earned.map((reward, j) => reward - charged[j]!);
    const missing = Math.max(0, floor - sumRewards(rewards));
    return rewards.map((reward, j) => (j === rewards.length - 1 ? reward + missing : reward));
  };
}

/**
 * Returns a term multiplied by a factor that depends on the whole rollout. A penalty that multiplies never rewards
 * failure.
 */
export function multiplyTerm(term: RewardTerm, factor: (rollout: Rollout) => number): RewardTerm {
  return mapTerm(term, (reward, _, __, rollout) => factor(rollout) * reward);
}

/** Returns what a rollout earns under a term in all of its turns. */
export function totalReward(term: RewardTerm, rollout: Rollout, iteration: number): number {
  return sumRewards(term(rollout, iteration));
}

function mapTerm(
  term: RewardTerm,
  change: (reward: number, turn: number, iteration: number, rollout: Rollout) => number,
): RewardTerm {
  return (rollout, iteration) =>
    term(rollout, iteration).map((reward, j) => change(reward, j, iteration, rollout));
}

function sumRewards(rewards: readonly number[]): number {
  return rewards.reduce((sum, reward) => sum + reward, 0);
}
