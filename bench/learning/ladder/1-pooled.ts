/**
 * The first rung from expert iteration to LOOP writes the loss of expert iteration as a policy-gradient objective.
 * Passed rollouts have the advantage 1, and all others are left out. There is no ratio, and the mean is over all tokens
 * of a minibatch.
 */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-1-pooled",
  summary: "what passed is imitated, written as a policy gradient",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "none", aggregate: "token-mean" },
  },
});
