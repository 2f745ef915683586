/**
 * LOOP, the method of the paper (arXiv 2502.01600, algorithm 1): leave-one-out PPO with no critic, no reference model and
 * one copy of the weights.
 *
 *   collect   K rollouts of each task, by the policy as it stands
 *   grade     A_k = R_k - mean of the others: one number a rollout, the same for each of its tokens
 *   learn     drop |A| < 0.01; old log-probs by the learner; epochs of minibatches of min(r A, A + eps |A|)
 *
 * `algo/loop.ts` is the objective and its derivative on a page; what runs is `policyObjective`, of which that page is the
 * oracle. Methods that are LOOP with another span of the ratio, another baseline or another divisor are variants, below.
 */
import { dropNearZero, gradeBatch, type ObjectiveOptions, rewardOf } from "../algo/index.ts";
import { choice, same, section } from "../core/index.ts";
import type { Rollout } from "../spec/index.ts";
import { extraRewards, keptByFilters } from "./extensions.ts";
import { learnClipped, tokenRatios } from "./learning/clipped.ts";
import { minibatchSize } from "./learning/epochs.ts";
import { clippedMetrics, rewardOptions } from "./learning/metrics.ts";
import { type ConfigOf, defineMethod, type Learned, NOTHING_LEARNED, variant } from "./method.ts";
import { collectGroups, stalenessNeeds } from "./rollouts/groups.ts";
import {
  ADVANTAGE,
  AVERAGING,
  CLIP,
  EVERY_METHOD,
  RATIO,
  SAMPLING,
  STALENESS,
  STRAGGLERS,
} from "./sections/algo.ts";

const sections = {
  algo: section(
    { ...EVERY_METHOD, ...SAMPLING, ...STRAGGLERS, ...STALENESS, ...ADVANTAGE, ...AVERAGING },
    choice("ratio", RATIO, same(["token", "turn", "trajectory", "trajectory-mean"], section(CLIP))),
    choice(
      "baseline",
      "What is subtracted from a return: the mean of the others of its group (paper), or of all",
      same(["leave-one-out", "mean"], section({})),
    ),
  ),
};

export type LoopConfig = ConfigOf<typeof sections>;

export const loop = defineMethod({
  name: "loop",
  summary: "leave-one-out PPO without a critic: the paper's method",
  sections,
  needs: stalenessNeeds,

  collect: (tasks, iteration) => collectGroups(tasks, iteration),

  async grade({ rollouts }, iteration) {
    const { baseline, scale } = iteration.config.algo;
    const extra = await extraRewards(rollouts, iteration.extensions);
    const reward = rewardOptions(iteration.config);
    const returnOf = (rollout: Rollout) => rewardOf(rollout, reward) + extra.of(rollout);
    const { graded } = gradeBatch(rollouts, { baseline, scale }, { returnOf });
    return { graded, metrics: extra.metrics };
  },

  async learn({ graded }, iteration): Promise<Learned> {
    const { algo } = iteration.config;
    const { kept, metrics } = keptByFilters(graded, iteration.extensions);
    const worth = dropNearZero(kept, algo.advantageThreshold);
    const sampler = algo.staleness > 0 ? "older" : "fresh";
    const pass = await learnClipped(worth, iteration, objectiveOf(iteration.config), { sampler });
    const { items, updates, gap, stopped } = pass;
    if (updates.length === 0 && stopped === undefined) {
      return { ...NOTHING_LEARNED, metrics: { ...NOTHING_LEARNED.metrics, ...metrics } };
    }
    return {
      kept: worth.length,
      metrics: { ...clippedMetrics(updates), "logprob/sampler_gap": gap, ...metrics },
      ratios: items.map(tokenRatios),
      ...(stopped !== undefined && { stopped }),
    };
  },
});

function objectiveOf({ algo }: LoopConfig): ObjectiveOptions {
  const { ratio, clip, lowerClip, aggregate } = algo;
  return { ratio, clip, lowerClip, aggregate, minibatchSize: minibatchSize({ algo }) };
}

/** One importance ratio a turn. The paper gives no equation for it; ours is in `algo/ratio.ts`. */
export const loopTurn = variant(loop, {
  name: "loop-turn",
  summary: "LOOP with an importance ratio of every turn",
  preset: { algo: { ratio: "turn" } },
});

/** One importance ratio a rollout (equations 4 and 9, table 1 "LOOP (bandit)"). */
export const loopTrajectory = variant(loop, {
  name: "loop-trajectory",
  summary: "LOOP with one importance ratio of the whole rollout",
  preset: { algo: { ratio: "trajectory" } },
});

/**
 * One length-normalised ratio a rollout; not in the paper. At ratio 1 the product form's gradient is |a| times that of the
 * token form and this one's is equal to it: it tells the coarseness of the ratio from the length of the gradient.
 */
export const loopTrajectoryMean = variant(loop, {
  name: "loop-trajectory-mean",
  summary: "LOOP with one length-normalised ratio of the whole rollout",
  preset: { algo: { ratio: "trajectory-mean" } },
});

/** Table 1 "LOOP RwNorm". As in the released code, the divisor is the population standard deviation. */
export const loopRwnorm = variant(loop, {
  name: "loop-rwnorm",
  summary: "LOOP with advantages divided by the spread of their group",
  preset: { algo: { scale: "group" } },
});

/**
 * Leave-one-out REINFORCE: strictly on-policy LOOP with the trajectory ratio (section 5.3). The paper's released code
 * averages over tokens, its text sums: at ratio 1 both point the same way for one rollout and weigh long rollouts
 * differently. This is the text's form.
 */
export const rloo = variant(loop, {
  name: "rloo",
  summary: "leave-one-out, strictly on-policy: one update an iteration",
  preset: { algo: { ratio: "trajectory", epochs: 1, minibatch: 0 } },
});
