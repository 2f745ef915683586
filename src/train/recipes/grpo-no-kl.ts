/**
 * Group-relative advantages, strictly on-policy, without a KL term (arXiv 2502.01600, table 1 "GRPO no KL").
 *
 * The baseline is the mean of the group, its own return included, and the divisor its standard deviation; one update on
 * the whole batch, so every ratio is 1 and nothing is clipped (arXiv 2402.03300, section 4.2).
 * Deviations beside those of `starter` (1 to 6 there):
 *  7. One update an iteration is a fifteenth of LOOP's steps, so the rate of a step is higher; chosen on dev, seed 1.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const grpoNoKl: Recipe = {
  summary: "group-normalised advantages, strictly on-policy, no KL",
  config: onStarter({
    algo: { baseline: "mean", scale: "group", epochs: 1, minibatch: 0 },
    optimizer: { learningRate: 6e-4 },
  }),
};
