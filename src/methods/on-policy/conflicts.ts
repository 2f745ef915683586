/**
 * Finds fields of an on-policy configuration that contradict each other. Each function returns a sentence that names
 * them, or undefined when there are none.
 */

import type { ShapedConfig } from "../rollouts/shape-config.ts";
import { findShapeConflict } from "../rollouts/shape-conflicts.ts";
import { findTasksConflict } from "../rollouts/tasks-conflict.ts";
import type { TermEntry } from "../sections/credit.ts";
import type { OnPolicyConfig } from "./config.ts";

/** Returns a sentence about the first contradiction in the configuration, or undefined. */
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

/** Returns a sentence about a reward term that lacks a setting which it needs; undefined when there is none. */
export function findTermsConflict(
  terms: readonly TermEntry[],
  { collect, participants }: TermSources,
): string | undefined {
  for (const [i, entry] of terms.entries()) {
    const conflict = findOptionConflict(entry, `rewards.terms.${i}`);
    if (conflict !== undefined) return conflict;
    const { term } = entry;
    const tries = collect.kind === "groups" || collect.kind === "chains" ? collect.attempts : null;
    if ((term === "attempt" || term === "improvement") && tries === null) {
      return `rewards.terms.${i}.term ${term} pays for attempts, but collect.attempts is off`;
    }
    if (entry.decayBy === "attempt" && tries === null) {
      return `rewards.terms.${i}.decayBy attempt counts attempts, but collect.attempts is off`;
    }
    if (term === "skill" && !(collect.kind === "chains" && collect.carry === "skills")) {
      return `rewards.terms.${i}.term skill pays for skills of a chain, but collect.carry is not skills`;
    }
    if (term === "judge" && participants.judge === "none") {
      return `rewards.terms.${i}.term judge pays for a judge's marks, but participants.judge is none`;
    }
  }
  if (terms.length > 0 && !terms.some(({ how }) => how === "add")) {
    return "rewards.terms: expected at least one term with how add, because penalties and factors only reduce what was added";
  }
  const outcome = terms.findIndex(({ term }) => term === "outcome");
  const spread = terms.findIndex(({ term }) => term === "contribution");
  if (outcome >= 0 && spread >= 0) {
    return `rewards.terms.${spread}.term contribution pays the outcome turn by turn, and rewards.terms.${outcome}.term outcome pays it a second time; keep only one of the two terms`;
  }
  return undefined;
}

/** Returns a sentence about an option that the reward term does not use; undefined when there is none. */
function findOptionConflict(
  { term, enough, estimator, rate }: TermEntry,
  at: string,
): string | undefined {
  if (enough !== undefined && term !== "tool-use") {
    return `${at}.enough is an option of the term tool-use, not of ${term}`;
  }
  if (estimator !== undefined && term !== "kl") {
    return `${at}.estimator is an option of the term kl, not of ${term}`;
  }
  if (rate !== undefined && term !== "contribution" && term !== "ranking") {
    return `${at}.rate is an option of the terms contribution and ranking, not of ${term}`;
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
    return `credit.branches ${credit.branches} distributes advantages among forked rollouts, but collect.kind is ${collect.kind}`;
  }
  if (credit.key === "task-branch" && !branches) {
    return `credit.key task-branch compares turns at forks, but collect.kind is ${collect.kind}`;
  }
  if (credit.key === "chain-position" && collect.kind !== "chains") {
    return `credit.key chain-position compares positions in chains, but collect.kind is ${collect.kind}`;
  }
  if ((credit.key === "role") !== (participants.trainedUser !== null)) {
    return credit.key === "role"
      ? "credit.key role compares returns by role, but participants.trainedUser is off, so there is only one role"
      : "participants.trainedUser needs credit.key role, so that returns of users and agents are not compared";
  }
  if (algo.baseline === "running" && credit.unit !== "rollout") {
    return `algo.baseline running needs credit.unit rollout, because it averages returns of whole rollouts, but credit.unit is ${credit.unit}`;
  }
  return undefined;
}

/** Returns a sentence about a band whose lower end lies above its upper end, or undefined. */
function findBandConflict({ algo, filter }: OnPolicyConfig): string | undefined {
  const bands: [string, { readonly low: number; readonly high: number | null } | null][] = [
    ["algo.entropyBand", algo.entropyBand],
    ["filter.covariance", filter.covariance],
    ["filter.surprise", filter.surprise],
  ];
  const reversed = bands.find(([, band]) => band !== null && band.low > (band.high ?? Infinity));
  if (reversed === undefined) return undefined;
  const [path, band] = reversed;
  return `${path}.low: expected at most ${path}.high (${band?.high}), got ${band?.low}`;
}

function findBufferConflict({ buffer }: OnPolicyConfig): string | undefined {
  if (buffer === null || buffer.inject || buffer.replay) return undefined;
  return "buffer remembers rollouts, but nothing uses them: set buffer.inject or buffer.replay";
}
