/**
 * The second rung averages over the tokens of each rollout first, so a long rollout weighs no more than a short one.
 */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-2-row-mean",
  summary: "the first rung, averaged over rollouts",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "none", aggregate: "row-mean" },
  },
});
