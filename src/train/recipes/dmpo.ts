/**
 * Preference pairs of whole rollouts: the best and the worst of each task when their returns differ enough, discounted and
 * length-normalised by turns; the reference is the policy of the iteration's start (arXiv 2502.01600, section 5.3).
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. Strength, threshold, discount, minibatch and rate are not in the paper; these are ours. Five times the rate over four
 *     epochs pushed both sides of a pair down until no task was solved.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const dmpo: Recipe = {
  summary: "a preference pair of rollouts a task, reference refreshed",
  config: onStarter({
    algo: { learner: "preference", epochs: 2, minibatch: 8 },
    preference: { beta: 0.1, minimumGap: 0.1 },
    optimizer: { learningRate: 1e-4 },
  }),
};
