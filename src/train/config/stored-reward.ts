/** Reads the rule of reward from a stored configuration. */
import { z } from "zod";
import { PAPER_REWARD, type RewardOptions } from "../../algo/index.ts";

const configSchema = z.looseObject({
  algo: z.object({
    reward: z.enum(["fraction", "strict", "progress"]).default(PAPER_REWARD.reward),
    unfinished: z.enum(["fail", "score"]).default(PAPER_REWARD.unfinished),
  }),
});

/**
 * Returns what the rollouts of a run earn, also when the run needs a method that is not here. A configuration that has
 * no rule, or none that can be read, has the paper's.
 */
export function rewardOfConfig(config: unknown): RewardOptions {
  const parsed = configSchema.safeParse(config);
  return parsed.success ? parsed.data.algo : PAPER_REWARD;
}
