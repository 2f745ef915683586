/**
 * Decides which failed rollouts end a run. A single failure is normal (`src/agent/failure.ts`): the rollout is left out
 * of its group, and the others are used. Many failures mean that something is broken that training cannot repair.
 */
import type { Player } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { refuseIfNoneJudged } from "./judging.ts";

/** Tells whether an external agent did not end in time, which says nothing about the policy. */
export function hasTimedOut({ outcome, failure }: Rollout): boolean {
  return outcome === "failed" && failure?.boundary === "agent" && failure.code === "time";
}

/**
 * Returns the stored rollouts that stand, for those of a collection. That an agent took too long stands, unless so many
 * did that they ended the run: then they run again.
 */
export function keepStandingRollouts(
  stored: readonly (Rollout | undefined)[],
  player?: Player,
): readonly (Rollout | undefined)[] {
  const late = stored.filter((rollout) => rollout !== undefined && hasTimedOut(rollout));
  if (late.length <= (player?.maxFailed ?? 0) * stored.length) return stored;
  return stored.map((rollout) => (late.includes(rollout) ? undefined : rollout));
}

/**
 * Throws a `tripwire` error when no rollout could be judged, when a rollout failed in the engine, when more than a
 * tenth failed in the world, or when an external agent failed in more than its allowed share of rollouts.
 */
export function throwIfTooManyFailed(rollouts: readonly Rollout[], player?: Player): void {
  refuseIfNoneJudged(rollouts);
  const agentFailures = rollouts.filter(({ failure }) => failure?.boundary === "agent");
  const isTolerated =
    player !== undefined && agentFailures.length <= player.maxFailed * rollouts.length;
  const failed = rollouts.filter(
    ({ outcome, failure }) =>
      outcome === "failed" &&
      failure?.boundary !== "judge" &&
      !(isTolerated && failure?.boundary === "agent"),
  );
  const first = failed.find(({ failure }) => failure?.boundary !== "world") ?? failed[0];
  if (first === undefined) return;
  if (first.failure?.boundary === "world" && failed.length * 10 <= rollouts.length) return;
  throw new BowlineError(
    "tripwire",
    `${failed.length} of ${rollouts.length} rollouts failed; rollout ${first.id} (task ${first.task.id}) failed at the ${first.failure?.boundary}: ${first.failure?.message}`,
  );
}
