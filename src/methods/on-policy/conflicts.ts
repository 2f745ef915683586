/** Fields that are each right and contradict one another; both are named. Undefined: none. */

import type { ShapedConfig } from "../rollouts/shape-config.ts";
import { findShapeConflict } from "../rollouts/shape-conflicts.ts";
import { findTasksConflict } from "../rollouts/tasks-conflict.ts";
import type { TermEntry } from "../sections/credit.ts";
import type { OnPolicyConfig } from "./config.ts";

export function findOnPolicyConflict(config: OnPolicyConfig): string | undefined {
  return (
    findTermsConflict(config.rewards.terms, config) ??
    findCreditConflict(config) ??
    findTasksConflict(config) ??
    findBandConflict(config) ??
    findBufferConflict(config) ??
    findShapeConflict(config)
  );
}

type TermSources = Pick<ShapedConfig, "collect" | "participants">;

/** What a term needs that is not there. */
export function findTermsConflict(
  terms: readonly TermEntry[],
  { collect, participants }: TermSources,
): string | undefined {
  for (const [i, entry] of terms.entries()) {
    const says = findOptionConflict(entry, `rewards.terms.${i}`);
    if (says !== undefined) return says;
    const { term } = entry;
    const tries = collect.kind === "groups" || collect.kind === "chains" ? collect.attempts : null;
    if ((term === "attempt" || term === "improvement") && tries === null) {
      return `rewards.terms.${i}.term ${term} pays for attempts, but collect.attempts is off`;
    }
    if (term === "judge" && participants.judge === "none") {
      return `rewards.terms.${i}.term judge pays a judge's marks, but participants.judge is none`;
    }
  }
  if (terms.length > 0 && !terms.some(({ how }) => how === "add")) {
    return "rewards.terms: expected a term that is added, because penalties and factors only take away";
  }
  const outcome = terms.findIndex(({ term }) => term === "outcome");
  const spread = terms.findIndex(({ term }) => term === "contribution");
  if (outcome >= 0 && spread >= 0) {
    return `rewards.terms.${spread}.term contribution pays the outcome turn by turn, and rewards.terms.${outcome}.term pays it once more; keep one`;
  }
  return undefined;
}

/** Options that belong to one term. */
function findOptionConflict(
  { term, enough, estimator, rate }: TermEntry,
  at: string,
): string | undefined {
  if (enough !== undefined && term !== "tool-use") {
    return `${at}.enough is read by the term tool-use, not by ${term}`;
  }
  if (estimator !== undefined && term !== "kl") {
    return `${at}.estimator is read by the term kl, not by ${term}`;
  }
  if (rate !== undefined && term !== "contribution" && term !== "ranking") {
    return `${at}.rate is read by the terms contribution and ranking, not by ${term}`;
  }
  return undefined;
}

function findCreditConflict({
  algo,
  credit,
  collect,
  participants,
}: OnPolicyConfig): string | undefined {
  const branches = collect.kind === "branches";
  if (credit.unit === "rollout" && credit.branches !== "own" && !branches) {
    return `credit.branches ${credit.branches} shares out advantages of forked rollouts, but collect.kind is ${collect.kind}`;
  }
  if (credit.key === "task-branch" && !branches) {
    return `credit.key task-branch compares turns at forks, but collect.kind is ${collect.kind}`;
  }
  if (credit.key === "chain-position" && collect.kind !== "chains") {
    return `credit.key chain-position compares links of chains, but collect.kind is ${collect.kind}`;
  }
  if ((credit.key === "role") !== (participants.trainedUser !== null)) {
    return credit.key === "role"
      ? "credit.key role compares roles, but participants.trainedUser is off: there is one"
      : "participants.trainedUser needs credit.key role: a user's return says nothing about an agent's";
  }
  if (algo.baseline === "running" && credit.unit !== "rollout") {
    return `algo.baseline running is kept for rollouts, but credit.unit is ${credit.unit}`;
  }
  return undefined;
}

/** Ends of bands that lie the wrong way round. */
function findBandConflict({ algo, filter }: OnPolicyConfig): string | undefined {
  const bands: [string, { readonly low: number; readonly high: number | null } | null][] = [
    ["algo.entropyBand", algo.entropyBand],
    ["filter.covariance", filter.covariance],
    ["filter.surprise", filter.surprise],
  ];
  const wrong = bands.find(([, band]) => band !== null && band.low > (band.high ?? Infinity));
  if (wrong === undefined) return undefined;
  const [path, band] = wrong;
  return `${path}.low: expected at most ${path}.high (${band?.high}), came ${band?.low}`;
}

function findBufferConflict({ buffer }: OnPolicyConfig): string | undefined {
  if (buffer === null || buffer.inject || buffer.replay) return undefined;
  return "buffer remembers rollouts that nothing uses: set buffer.inject or buffer.replay";
}
