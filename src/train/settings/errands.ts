/**
 * Chains of k dependent steps in the small language of `starter`, for the question how methods fare as the horizon
 * grows:
 *
 *   bowline train errands --world everyday/errands-4 --warm.hasty-share 0.9375 --warm.demonstrations 6000
 *
 * is k = 4; the setting itself is k = 2. Of the demonstrations a share of 1 - 2^-k is hasty in one step or more, each
 * step by a coin of its own, so that a policy which imitates them does all of an errand right with probability 2^-k.
 * The number of demonstrated steps is the same for every k.
 *
 * Deviations from `starter`: rows of 1,024 tokens and 26 turns, which the longest errands need; 30 tasks of 8 rollouts,
 * so that the share of groups with a pass is pass@8; the learning rate stays where it is, so that more iterations are
 * more of the same.
 */
import type { Setting } from "./setting.ts";
import { starter } from "./starter.ts";

export const errands: Setting = {
  summary: "tasks of dependent steps, for studies of the horizon; --world everyday/errands-1 to -6",
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
