/**
 * Rejection-sampling fine-tuning: rollouts of the warm policy at several temperatures, the passed ones imitated for
 * several epochs, once (arXiv 2502.01600, section 5.3).
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. Eight temperatures from 0.3 to 1 and one rollout at each, instead of twenty from 0.05 and as many as it takes: the
 *     budget of rollouts is that of the other methods.
 *  8. The number of epochs is fixed; the paper picks the best of 100 on dev.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const rft: Recipe = {
  summary: "imitate once what the warm policy passed at several temperatures",
  config: onStarter({
    algo: {
      learner: "imitation",
      iterations: 1,
      tasksPerIteration: 420,
      groupSize: 8,
      lowestTemperature: 0.3,
      taskSampling: "uniform",
      epochs: 6,
    },
  }),
  spends: "tasks",
};
