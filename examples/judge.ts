/**
 * A judge of one's own: it marks every turn of a training rollout from 0 to 1, and the marks are in the record
 * (`turns[].grades.judge`), where a reward term can read them.
 *
 *     bowline train starter --method on-policy --participants.judge examples/judge.ts --rewards.terms '[{"term":"outcome"},{"term":"judge","weight":0.1}]'
 */
import type { Participant } from "bowline";

/** Half a mark for code that ran, a full one when it changed something through an API. */
export default (): Participant => ({
  name: "judge",
  speak: async ({ turns }) => {
    const last = turns.at(-1);
    if (last?.status !== "ok") return "0";
    return last.calls.some(({ wrote }) => wrote) ? "1" : "0.5";
  },
});
