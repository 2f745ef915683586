/**
 * Builds one reward from `rewards.terms`: the sum of added terms, minus penalties, times factors. Terms that need a
 * model or an engine cannot be pure functions. `turn-scores.ts` computes their scores first, and this file reads them.
 */
import {
  callSuccessShare,
  codePresence,
  decayByAttemptTerm,
  decayTerm,
  errorFreeTurns,
  externalScoreTerm,
  gateTerm,
  multiplyTerm,
  outcomeTerm,
  penaliseTerm,
  planAdherence,
  type RewardTerm,
  scaleTerm,
  scoreImprovements,
  sumTerms,
  tokenCost,
  toolUseTerm,
  totalReward,
  turnCost,
  turnRepetition,
} from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { rewardOptions } from "../learning/metrics.ts";
import type { TermEntry } from "../sections/credit.ts";
import type { RewardTermsConfig } from "./config.ts";

/** The reward terms whose scores `turn-scores.ts` computes before anything is paid. */
export const SCORED_TERMS = [
  "information-gain",
  "kl",
  "contribution",
  "ranking",
  "skill",
  "decision",
] as const;
export type ScoredTerm = (typeof SCORED_TERMS)[number];

/** The score of every turn of a rollout, by reward term and rollout id. */
export type TurnScores = { readonly [T in ScoredTerm]?: ReadonlyMap<string, readonly number[]> };

const DEFAULT_PAID_TURNS = 3;

/** Builds the reward of the configured terms, turn by turn. Without terms it is the outcome, paid at the last turn. */
export function buildRewardTerm(config: RewardTermsConfig, scores: TurnScores = {}): RewardTerm {
  const { terms } = config.rewards;
  if (terms.length === 0) return outcomeTerm(rewardOptions(config));
  const termsWithOperation = (operation: TermEntry["how"]) =>
    terms
      .filter((entry) => entry.how === operation)
      .map((entry) => buildWeightedTerm(entry, config, scores));
  const added = sumTerms(...termsWithOperation("add"));
  const charged = termsWithOperation("penalty").reduce(
    (term, penalty) => penaliseTerm(term, penalty),
    added,
  );
  return (rollout, iteration) =>
    termsWithOperation("factor").reduce(
      (term, factor) => multiplyTerm(term, () => remainingShare(factor, rollout, iteration)),
      charged,
    )(rollout, iteration);
}

/**
 * Builds one configured term. It is multiplied by its decay over turns or attempts and by its weight in this iteration,
 * and is paid only when the outcome reaches its gate.
 */
export function buildWeightedTerm(
  entry: TermEntry,
  config: RewardTermsConfig,
  scores: TurnScores,
): RewardTerm {
  const { weight, gate, decay, decayBy } = entry;
  const plain = buildPlainTerm(entry, config, scores);
  const decayed = decayBy === "attempt" ? decayByAttemptTerm : decayTerm;
  const term = scaleTerm(weight, decay === 1 ? plain : decayed(decay, plain));
  return gate === null ? term : gateTerm(outcomeTerm(rewardOptions(config)), gate, term);
}

function remainingShare(factor: RewardTerm, rollout: Rollout, iteration: number): number {
  return Math.max(0, 1 - totalReward(factor, rollout, iteration));
}

const PLAIN_TERMS: { readonly [term in TermEntry["term"]]?: RewardTerm } = {
  format: codePresence,
  executability: errorFreeTurns,
  "call-success": callSuccessShare,
  adherence: planAdherence,
  repetition: turnRepetition,
  turns: turnCost,
  tokens: tokenCost,
  judge: ({ turns }) => turns.map(({ grades }) => grades?.judge ?? 0),
  attempt: ({ turns }) => turns.map(({ grades }) => grades?.attempt ?? 0),
  improvement: attemptImprovements,
};

function buildPlainTerm(
  { term, enough = DEFAULT_PAID_TURNS }: TermEntry,
  config: RewardTermsConfig,
  scores: TurnScores,
): RewardTerm {
  if (term === "outcome") return outcomeTerm(rewardOptions(config));
  if (term === "tool-use") return toolUseTerm(enough);
  const plain = PLAIN_TERMS[term];
  if (plain !== undefined) return plain;
  const known = scores[term as ScoredTerm];
  // A rollout has no score if its task has no known answer. Then this term pays nothing.
  return externalScoreTerm(({ id, turns }) => known?.get(id) ?? turns.map(() => 0));
}

/** Returns by how much each attempt is better than the previous one, at the turn that ended the attempt. */
function attemptImprovements({ turns }: Rollout): number[] {
  const ends = turns.flatMap(({ grades }, j) => (grades?.attempt === undefined ? [] : [j]));
  const gains = scoreImprovements(ends.map((j) => turns[j]!.grades!.attempt!));
  return turns.map((_, j) => gains[ends.indexOf(j)] ?? 0);
}
