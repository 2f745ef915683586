/**
 * Tasks that are chains of k dependent steps, in the small language of `starter`. They show how well methods learn as
 * the horizon k grows. The setting itself has k = 2. This command trains with k = 4:
 *
 *   bowline train errands --world everyday/errands-4 --warm.hasty-share 0.9375 --warm.demonstrations 6000
 *
 * Each demonstrated step is hasty with probability 1/2, so a share of 1 - 2^-k of the demonstrations has a hasty step.
 * A policy that imitates them does a whole task right with probability 2^-k. The number of demonstrated steps is the
 * same for every k.
 *
 * Deviations from `starter`: rows of 1,024 tokens and 26 turns, which the longest errands need; 30 tasks of 8 rollouts,
 * so that the share of groups with a pass is pass@8; a constant learning rate, so that later iterations learn like
 * earlier ones.
 */
import type { Setting } from "./setting.ts";
import { starter } from "./starter.ts";

export const errands: Setting = {
  summary: "tasks of dependent steps (everyday/errands-1 to -6), to study the horizon",
  config: {
    ...starter.config,
    world: { name: "everyday/errands-2", trainScenarios: 4000 },
    model: { contextLength: 1024 },
    warm: { ...starter.config["warm"], demonstrations: 12_000, hastyShare: 0.75 },
    algo: { ...starter.config["algo"], tasksPerIteration: 30, groupSize: 8 },
    optimizer: { ...starter.config["optimizer"], finalRate: 1 },
    scaffold: {
      ...starter.config["scaffold"],
      maxTurns: 26,
      evaluationTurns: 26,
      maxTokens: 1024,
    },
  },
};
