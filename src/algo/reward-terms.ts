/**
 * What can be paid beside the outcome. A term gives one number for each turn of a rollout; `reward-combinators.ts` puts
 * terms together, `returns.ts` turns their sum into credit.
 *
 * Rewards can be gamed, and every term here but the outcome has been: log each one's mean by itself.
 */
import { assert } from "../core/index.ts";
import type { Rollout, Turn } from "../spec/index.ts";
import { type KlEstimator, klEstimate } from "./kl.ts";
import { isScored, PAPER_REWARD, type RewardOptions, rewardOf } from "./rewards.ts";

/** One number for each turn. `iteration` is 0-based; only scheduled terms look at it. */
export type RewardTerm = (rollout: Rollout, iteration: number) => readonly number[];

/** R at the last turn. A rollout without a return, or without a turn, earns nothing here. */
export function outcomeTerm(options: RewardOptions = PAPER_REWARD): RewardTerm {
  return (rollout) => atLastTurn(rollout, isScored(rollout) ? rewardOf(rollout, options) : 0);
}

/** 1 for every turn of which this holds. */
export function turnTerm(holds: (turn: Turn) => boolean): RewardTerm {
  return ({ turns }) => turns.map((turn) => Number(holds(turn)));
}

/** Format: a turn holds code to run. */
export const hasCode: RewardTerm = turnTerm(({ code }) => code.trim() !== "");

/** Executability: a turn ran without an error. */
export const ranWithoutError: RewardTerm = turnTerm(({ status }) => status === "ok");

/** Tool success: the share of a turn's API calls that were not refused; 0 where it made none. */
export const callSuccess: RewardTerm = ({ turns }) =>
  turns.map(({ calls }) => {
    const accepted = calls.filter(({ status }) => status < 400).length;
    return calls.length === 0 ? 0 : accepted / calls.length;
  });

/**
 * Adherence: the share of a turn's API calls that the newest plan names, as `app.api` or by the API's own name; 0 where
 * there is no plan or the turn made no call.
 */
export const adherence: RewardTerm = ({ turns }) => {
  let named = new Set<string>();
  return turns.map(({ part, message, calls }) => {
    if (part === "plan") named = new Set(message.match(/[A-Za-z_]\w*/g));
    const kept = calls.filter(({ api }) => named.has(api)).length;
    return calls.length === 0 ? 0 : kept / calls.length;
  });
};

/** Tool use: 1/`enough` for each of the first `enough` turns that made a call. */
export function toolUseTerm(enough: number): RewardTerm {
  return ({ turns }) => {
    let used = 0;
    return turns.map(({ calls }) => (calls.length > 0 && used++ < enough ? 1 / enough : 0));
  };
}

/** Repetition: the share of turns whose code was already run in the rollout, at the last turn. */
export const repetition: RewardTerm = (rollout) => {
  const codes = rollout.turns.map(({ code }) => code.replace(/\s+/g, " ").trim());
  return atLastTurn(rollout, 1 - new Set(codes).size / Math.max(codes.length, 1));
};

/** Cost: 1 a turn. */
export const turnCost: RewardTerm = turnTerm(() => true);

/** Cost: the tokens sampled in a turn. */
export const tokenCost: RewardTerm = ({ turns }) =>
  turns.map(({ span }) => (span ? span[1] - span[0] : 0));

/** Numbers from elsewhere: a judge's labels, a model's scores, flags of used skills. */
export function givenTerm(scoresOf: (rollout: Rollout) => readonly number[]): RewardTerm {
  return (rollout) => {
    const scores = scoresOf(rollout);
    assert(
      scores.length === rollout.turns.length,
      `${scores.length} scores for the turns of ${rollout.id}`,
    );
    return scores;
  };
}

/**
 * Improvement: how much better each attempt is than the one before, s_j - s_{j-1}, and 0 for the first. Where turns are
 * attempts at one task, alpha times this pays for correcting oneself rather than for a good start.
 */
export function improvements(scores: readonly number[]): number[] {
  return scores.map((score, j) => (j === 0 ? 0 : score - scores[j - 1]!));
}

/**
 * Information gain: how much a turn moved the policy's belief in the right answer, p_j - p_{j-1}, from its mean log-prob
 * of the answer's tokens at the start and after each turn (one entry more than turns). p = exp(mean log-prob).
 */
export function informationGain(answerLogprobs: readonly number[]): number[] {
  return improvements(answerLogprobs.map(Math.exp)).slice(1);
}

/**
 * KL as a reward: minus the estimated KL of each turn's tokens to the reference. Here k1 is allowed, because a reward
 * multiplies the score and needs no gradient of its own.
 */
export function klRewards(
  [logprobs, reference]: readonly [ArrayLike<number>, ArrayLike<number>],
  turnLengths: readonly number[],
  estimator: KlEstimator,
): number[] {
  let t = 0;
  return turnLengths.map((length) => {
    let sum = 0;
    for (const end = t + length; t < end; t++) {
      sum -= klEstimate(estimator, logprobs[t]! - reference[t]!);
    }
    return sum;
  });
}

function atLastTurn({ turns }: Rollout, value: number): number[] {
  return turns.map((_, j) => (j === turns.length - 1 ? value : 0));
}
