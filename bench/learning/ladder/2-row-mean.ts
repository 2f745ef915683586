/** Second rung: each rollout counts by the mean over its own tokens, so a long one weighs no more than a short one. */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-2-row-mean",
  summary: "the first rung, averaged over rollouts",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "none", aggregate: "row-mean" },
  },
});
