/** How a rollout ended, in a word and a colour: whether it passed, and why it ended where the agent did not say so. */
import type { RolloutRow } from "../../../src/spec/studio/index.ts";

export function OutcomeBadge({
  row: { passed, outcome },
}: {
  readonly row: Pick<RolloutRow, "passed" | "outcome">;
}) {
  return (
    <span class={`badge ${passed ? "good" : "bad"}`}>
      {passed ? "passed" : outcome === "finished" ? "failed" : outcome}
      {passed && outcome !== "finished" && `, ${outcome}`}
    </span>
  );
}
