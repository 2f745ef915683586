/**
 * First rung from expert iteration to LOOP: the same loss as an objective. What passed has the advantage 1, all else 0 and
 * is left out; no ratio, the tokens of a minibatch pooled.
 */
import { defineVariant, onPolicy } from "bowline/methods";

export default defineVariant(onPolicy, {
  name: "ladder-1-pooled",
  summary: "what passed is imitated, written as a policy gradient",
  preset: {
    algo: { reward: "strict", baseline: "none", ratio: "none", aggregate: "token-mean" },
  },
});
