/**
 * A judge of your own. It grades every turn of a training rollout from 0 to 1. The rollout's record keeps the grades
 * (`turns[].grades.judge`), so a reward term can read them.
 *
 *     bowline train starter --method on-policy --participants.judge examples/judge.ts \
 *       --rewards.terms '[{"term":"outcome"},{"term":"judge","weight":0.1}]'
 */
import type { Participant } from "bowline";

/** Gives 0.5 for code that ran without error, and 1 if it also changed something through an API. */
export default (): Participant => ({
  name: "judge",
  speak: async ({ turns }) => {
    const last = turns.at(-1);
    if (last?.status !== "ok") return "0";
    return last.calls.some(({ wrote }) => wrote) ? "1" : "0.5";
  },
});
