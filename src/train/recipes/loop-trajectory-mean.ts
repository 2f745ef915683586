/**
 * LOOP with one length-normalised importance ratio a rollout: the geometric mean of its tokens' ratios. Not in the paper.
 *
 * At ratio 1 the product form's gradient is |a| times that of the token form; this one's is equal to it. It tells the
 * coarseness of the ratio from the length of the gradient.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const loopTrajectoryMean: Recipe = {
  summary: "LOOP with one length-normalised ratio of the whole rollout",
  config: onStarter({ algo: { ratio: "trajectory-mean" } }),
};
