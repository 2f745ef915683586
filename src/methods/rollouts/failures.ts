/**
 * Which failures of rollouts end a run. A single one is data (`agent/failure.ts`): its rollout is left out of its
 * group, and its siblings live on. Many of them say that something is broken that no training will mend.
 */
import type { Player } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { refuseIfNoneJudged } from "./judging.ts";

/**
 * An engine that fails, or a world or a judge that keeps failing, is not something to train on; nor is an agent of its
 * owner's own that fails in more than the stated share of its rollouts.
 */
export function refuseManyFailures(rollouts: readonly Rollout[], player?: Player): void {
  refuseIfNoneJudged(rollouts);
  const owners = rollouts.filter(({ failure }) => failure?.boundary === "agent");
  const isTolerated = player !== undefined && owners.length <= player.maxFailed * rollouts.length;
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
    `${failed.length} of ${rollouts.length} rollouts failed; ${first.id} (${first.task.id}) at the ${first.failure?.boundary}: ${first.failure?.message}`,
  );
}
