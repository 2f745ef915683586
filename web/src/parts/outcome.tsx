/** Shows in a word and a colour whether a rollout passed, and why it ended if the agent did not finish. */
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
