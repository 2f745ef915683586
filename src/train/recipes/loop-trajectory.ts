/**
 * LOOP with one importance ratio a rollout (arXiv 2502.01600, equations 4 and 9, table 1 "LOOP (bandit)").
 * Deviations from the paper: those of `starter` (1 to 6 there).
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const loopTrajectory: Recipe = {
  summary: "LOOP with one importance ratio of the whole rollout",
  config: onStarter({ algo: { ratio: "trajectory" } }),
};
