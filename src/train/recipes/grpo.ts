/**
 * `grpo-no-kl` held to the policy that it started from by a KL term (arXiv 2502.01600, table 1 "GRPO";
 * arXiv 2402.03300, equation 4: estimator r - 1 - log r, coefficient 0.04).
 * Groups in which all earned the same stay: they teach nothing, but the KL term holds on them too.
 * Deviations: those of `grpo-no-kl`. Needs an engine that keeps a frozen copy of the weights.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const grpo: Recipe = {
  summary: "group-normalised advantages, strictly on-policy, KL to the start",
  config: onStarter({
    algo: {
      baseline: "mean",
      scale: "group",
      epochs: 1,
      minibatch: 0,
      klCoefficient: 0.04,
      advantageThreshold: 0,
    },
    optimizer: { learningRate: 6e-4 },
  }),
};
