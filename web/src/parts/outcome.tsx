/** Shows in a word and a colour whether a rollout passed, and why it ended if the agent did not finish. */
import type { RolloutRow } from "../../../src/spec/studio/index.ts";

/** A rollout that ended as usual did not pass its checks. One whose outcome is `failed` has no end of its own. */
const ENDS: Partial<Readonly<Record<RolloutRow["outcome"], string>>> = {
  finished: "did not pass",
  failed: "crashed",
};

export function OutcomeBadge({
  row: { passed, outcome },
}: {
  readonly row: Pick<RolloutRow, "passed" | "outcome">;
}) {
  return (
    <span class={`badge ${passed ? "good" : "bad"}`}>
      {passed ? "passed" : (ENDS[outcome] ?? outcome)}
      {passed && outcome !== "finished" && `, ${outcome}`}
    </span>
  );
}
