/**
 * Leave-one-out REINFORCE: strictly on-policy LOOP with the trajectory ratio (arXiv 2502.01600, section 5.3).
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. One update an iteration is a fifteenth of LOOP's steps, so the rate of a step is higher; chosen on dev, seed 1.
 * The paper's released code averages over tokens, its text sums: at ratio 1 both point the same way for one rollout and
 * weigh long rollouts differently. This is the text's form.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const rloo: Recipe = {
  summary: "leave-one-out, strictly on-policy: one update an iteration",
  config: onStarter({
    algo: { ratio: "trajectory", epochs: 1, minibatch: 0 },
    optimizer: { learningRate: 3e-4 },
  }),
};
