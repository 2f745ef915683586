/**
 * When to stop waiting for long rollouts (arXiv 2502.01600, appendix D): once every task has at least 3/4 of its
 * rollouts in and at least 90% of all are in, the rest is cancelled. Cancelled is not failed: such a rollout leaves the
 * batch, and its siblings' baseline is taken over what remains.
 *
 * Time is counted in decode steps of each rollout, not in seconds, so the result is a pure function of what was
 * sampled: the same on a slow and a fast machine. The rule is one number, the cutoff: the smallest step count t such
 * that the rollouts of at most t steps meet both quotas. Rollouts that end exactly at the cutoff are all kept.
 * The cutoff only falls when an unknown count turns out finite, so taking every rollout in flight as endless bounds it
 * from above: whoever has already passed that bound is certainly cancelled. This is what makes a live form possible.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { joinedTokens } from "./row.ts";

/** The two quotas; the paper's are K = 6, 3/4 and 0.9. */
export interface StragglerOptions {
  /** Nominal rollouts a task, K. */
  readonly groupSize: number;
  /** Share of K that every task needs; the count is rounded half to even, as Python does. */
  readonly perTaskFraction: number;
  /** Share of all rollouts that must be in. 1 together with perTaskFraction 1 cancels nothing. */
  readonly totalFraction: number;
}

/** Round half to even, as Python's `round`: 4.5 -> 4, 5.5 -> 6. (`Math.round(4.5)` is 5.) */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** One rollout as the rule sees it. A failed rollout can never be in; quotas shrink to what still can. */
export interface Progress {
  readonly task: string;
  /** Decode steps: the final count when finished, the count so far when in flight. */
  readonly steps: number;
  readonly state: "finished" | "in-flight" | "failed";
}

/** What is known of rollouts by their counts so far. */
export interface StragglerDecision {
  /** Decode steps; Infinity while the quotas are not met by finished rollouts. */
  readonly cutoff: number;
  /** Indices into the given progress, ascending. Finished ones at or below the cutoff; final once none is in flight. */
  readonly kept: readonly number[];
  /** Indices whose fate is certain: finished or in flight, but beyond the cutoff. */
  readonly cancelled: readonly number[];
}

/**
 * Applies the rule to counts so far. Called again and again as counts grow, `cancelled` only grows, and never holds a
 * rollout that the rule would keep once all counts are known. With nothing in flight it is the rule itself.
 */
export function stragglers(
  progress: readonly Progress[],
  options: StragglerOptions,
): StragglerDecision {
  const alive = progress.filter(({ state }) => state !== "failed");
  const perTask = roundHalfEven(options.perTaskFraction * options.groupSize);
  const total = Math.ceil(options.totalFraction * progress.length - 1e-9);
  const tasks = groupBy(alive, ({ task }) => task);
  const cutoff = Math.max(
    nthSteps(alive, total),
    ...[...tasks.values()].map((group) => nthSteps(group, perTask)),
  );
  const kept: number[] = [];
  const cancelled: number[] = [];
  progress.forEach(({ steps, state }, index) => {
    if (state === "failed") return;
    if (steps > cutoff) cancelled.push(index);
    else if (state === "finished") kept.push(index);
  });
  return { cutoff, kept, cancelled };
}

/** The count at which the n-th of these is in; the last one's when there are fewer. Unfinished: not within sight. */
function nthSteps(group: readonly Progress[], n: number): number {
  const steps = group.map(({ state, steps }) => (state === "finished" ? steps : Infinity));
  steps.sort((a, b) => a - b);
  const nth = Math.min(n, steps.length);
  return nth === 0 ? 0 : steps[nth - 1]!;
}

/** How long a rollout took: sampled tokens of all its rows, or turns where the policy has no tokens. */
export function decodeSteps(rollout: Rollout): number {
  const tokens = joinedTokens(rollout);
  if (!tokens) return rollout.turns.length;
  return tokens.mask.reduce<number>((sum, sampled) => sum + sampled, 0);
}

/**
 * A batch under the rule: kept rollouts as they are, the others as `cancelled` records. Their turns are left out,
 * because how far one got before it was stopped depends on the machine, and equal runs must write equal files.
 */
export function cancelStragglers(
  rollouts: readonly Rollout[],
  options: StragglerOptions,
): Rollout[] {
  const progress = rollouts.map((rollout) => ({
    task: rollout.task.id,
    steps: decodeSteps(rollout),
    state: stateOf(rollout),
  }));
  const kept = new Set(stragglers(progress, options).kept);
  return rollouts.map((rollout, index) =>
    kept.has(index) || rollout.outcome === "failed" ? rollout : cancelledRecord(rollout),
  );
}

function stateOf({ outcome }: Rollout): Progress["state"] {
  if (outcome === "failed") return "failed";
  return outcome === "cancelled" ? "in-flight" : "finished";
}

function cancelledRecord(rollout: Rollout): Rollout {
  const { id, task, index, stream, temperature } = rollout;
  const head = { version: 1, id, task, index, stream, temperature, policyVersion: -1 } as const;
  return { ...head, turns: [], outcome: "cancelled" };
}
