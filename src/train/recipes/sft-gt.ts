/**
 * Imitation of the ground-truth solutions of the training tasks, one of each, and nothing else (arXiv 2502.01600,
 * section 5.3): as many tasks as the other methods see, and none of the policy's own rollouts.
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. Our solutions read what they need in turns and see true observations; the paper's are programs cut into turns whose
 *     observation always is that execution was successful.
 *  8. It starts from the warm-started policy, as every method here does.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const sftGt: Recipe = {
  summary: "imitate the solutions of the training tasks, no rollouts",
  config: onStarter({
    algo: {
      collect: "solutions",
      learner: "imitation",
      iterations: 1,
      tasksPerIteration: 560,
      taskSampling: "uniform",
      epochs: 10,
    },
  }),
  spends: "tasks",
};
