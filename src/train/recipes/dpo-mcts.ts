/**
 * Preference pairs of turns from tree search: a branch is chosen by its upper confidence bound, two candidate turns are
 * sampled there, one is rolled to the end in a fork of the episode and its return is backed up; sibling turns whose values
 * differ enough go into a buffer (arXiv 2502.01600, section 5.3, after arXiv 2408.07199).
 *
 * Deviations from the paper beside those of `starter` (1 to 6 there):
 *  7. Six rollouts a tree instead of up to thirty iterations, so that an iteration costs what LOOP's does. The candidate
 *     that is not rolled to the end costs one turn more, which is not counted.
 *  8. The reference of a pair is the policy that sampled it.
 *  9. Strength, threshold, minibatch and rate are ours, as in `dmpo`. A tree in which nothing is left to try ends early.
 */
import { onStarter, type Recipe } from "./recipe.ts";

export const dpoMcts: Recipe = {
  summary: "preference pairs of turns from tree search over forks",
  config: onStarter({
    algo: { collect: "tree", learner: "preference", epochs: 2, minibatch: 8 },
    preference: { beta: 0.1, minimumGap: 0.1, buffer: 1000 },
    tree: { exploration: 1 },
    optimizer: { learningRate: 1e-4 },
  }),
};
