/**
 * Expert iteration: LOOP's rollouts, of which only the passed ones are kept and imitated (arXiv 2502.01600, section 5.3:
 * same K, tasks, iterations and hyper-parameters as LOOP, cross-entropy instead of the clipped objective).
 * Deviations from the paper: those of `starter` (1 to 6 there).
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const ei: Recipe = {
  summary: "expert iteration: imitate what passed, again and again",
  config: onStarter({ algo: { learner: "imitation" } }),
};
