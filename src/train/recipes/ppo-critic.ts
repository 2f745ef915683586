/**
 * Proximal policy optimisation with a learned critic: advantages of every token from a value head on the policy's last
 * hidden state, by generalised advantage estimation (arXiv 2502.01600, section 5.3, appendix C).
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. One iteration warms the critic up instead of ten of two hundred: the budget is a twentieth.
 * Needs an engine with a value head.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const ppoCritic: Recipe = {
  summary: "a learned value of every token as the baseline",
  config: onStarter({ algo: { baseline: "value" }, critic: { warmIterations: 1 } }),
};
