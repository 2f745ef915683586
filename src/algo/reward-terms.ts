/**
 * Reward terms that can be paid in addition to the outcome. A term gives one number for each turn of a rollout.
 * `reward-combinators.ts` combines terms; `returns.ts` turns their sum into the credit of each turn.
 *
 * Policies have learned to exploit every term in this file except the outcome. So the mean of each term should be
 * reported separately.
 */
import { assert } from "../core/index.ts";
import type { Rollout, Turn } from "../spec/index.ts";
import { estimateKl, type KlEstimator } from "./kl.ts";
import { isScored, PAPER_REWARD, type RewardOptions, rewardOf } from "./rewards.ts";

/** Returns one number for each turn of a rollout. `iteration` counts from 0; only scheduled terms use it. */
export type RewardTerm = (rollout: Rollout, iteration: number) => readonly number[];

/** Returns a term that pays the rollout's reward at its last turn. A rollout without an evaluation earns 0. */
export function outcomeTerm(options: RewardOptions = PAPER_REWARD): RewardTerm {
  return (rollout) => payAtLastTurn(rollout, isScored(rollout) ? rewardOf(rollout, options) : 0);
}

/** Returns a term that pays 1 for every turn that meets the condition. */
export function turnConditionTerm(isRewarded: (turn: Turn) => boolean): RewardTerm {
  return ({ turns }) => turns.map((turn) => Number(isRewarded(turn)));
}

/** Format reward: pays 1 for a turn that contains code to run. */
export const codePresence: RewardTerm = turnConditionTerm(({ code }) => code.trim() !== "");

/** Executability reward: pays 1 for a turn that ran without an error. */
export const errorFreeTurns: RewardTerm = turnConditionTerm(({ status }) => status === "ok");

/** Tool-success reward: pays the share of a turn's API calls that were not refused, or 0 for a turn without calls. */
export const callSuccessShare: RewardTerm = ({ turns }) =>
  turns.map(({ calls }) => {
    const accepted = calls.filter(({ status }) => status < 400).length;
    return calls.length === 0 ? 0 : accepted / calls.length;
  });

/**
 * Plan-adherence reward: pays the share of a turn's API calls that the newest plan names, as `app.api` or by the
 * API's own name. Pays 0 when there is no plan or the turn made no call.
 */
export const planAdherence: RewardTerm = ({ turns }) => {
  let named = new Set<string>();
  return turns.map(({ part, message, calls }) => {
    if (part === "plan") named = new Set(message.match(/[A-Za-z_]\w*/g));
    const kept = calls.filter(({ api }) => named.has(api)).length;
    return calls.length === 0 ? 0 : kept / calls.length;
  });
};

/** Tool-use reward: pays 1/`paidTurns` for each of the first `paidTurns` turns that made an API call. */
export function toolUseTerm(paidTurns: number): RewardTerm {
  return ({ turns }) => {
    let used = 0;
    return turns.map(({ calls }) => (calls.length > 0 && used++ < paidTurns ? 1 / paidTurns : 0));
  };
}

/** Repetition: gives, at the last turn, the share of turns whose code had already been run in the rollout. */
export const turnRepetition: RewardTerm = (rollout) => {
  const codes = rollout.turns.map(({ code }) => code.replace(/\s+/g, " ").trim());
  return payAtLastTurn(rollout, 1 - new Set(codes).size / Math.max(codes.length, 1));
};

/** Turn cost: counts 1 for each turn. */
export const turnCost: RewardTerm = turnConditionTerm(() => true);

/** Token cost: counts the tokens sampled in a turn. */
export const tokenCost: RewardTerm = ({ turns }) =>
  turns.map(({ span }) => (span ? span[1] - span[0] : 0));

/** Returns a term whose numbers come from elsewhere: labels of a judge, scores of a model, flags of used skills. */
export function externalScoreTerm(scoreTurns: (rollout: Rollout) => readonly number[]): RewardTerm {
  return (rollout) => {
    const scores = scoreTurns(rollout);
    assert(
      scores.length === rollout.turns.length,
      `got ${scores.length} scores for the ${rollout.turns.length} turns of rollout ${rollout.id}`,
    );
    return scores;
  };
}

/**
 * Returns how much better each attempt is than the one before, s_j - s_{j-1}, and 0 for the first. If each turn is a
 * new attempt at the same task, alpha times this number rewards corrections instead of a good start.
 */
export function scoreImprovements(scores: readonly number[]): number[] {
  return scores.map((score, j) => (j === 0 ? 0 : score - scores[j - 1]!));
}

/**
 * Returns the information gain of each turn: how much it changed the policy's belief in the right answer, p_j -
 * p_{j-1} with p = exp(mean log-prob of the answer's tokens). `answerLogprobs` holds the mean log-prob at the start
 * and after each turn, so it has one entry more than there are turns.
 */
export function informationGain(answerLogprobs: readonly number[]): number[] {
  return scoreImprovements(answerLogprobs.map(Math.exp)).slice(1);
}

/**
 * Returns, for each turn, minus the estimated KL of its tokens to the reference. k1 is allowed here, because a reward
 * multiplies the score and needs no gradient of its own.
 */
export function klRewardPerTurn(
  [logprobs, reference]: readonly [ArrayLike<number>, ArrayLike<number>],
  turnLengths: readonly number[],
  estimator: KlEstimator,
): number[] {
  let t = 0;
  return turnLengths.map((length) => {
    let sum = 0;
    for (const end = t + length; t < end; t++) {
      sum -= estimateKl(estimator, logprobs[t]! - reference[t]!);
    }
    return sum;
  });
}

function payAtLastTurn({ turns }: Rollout, value: number): number[] {
  return turns.map((_, j) => (j === turns.length - 1 ? value : 0));
}
