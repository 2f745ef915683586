/**
 * LOOP, the method of the paper (arXiv 2502.01600, algorithm 1): leave-one-out PPO with no critic, no reference model
 * and one copy of the weights.
 *
 *   collect   runs K rollouts of each task with the current policy
 *   grade     A_k = R_k - mean of the other returns: one number per rollout, the same for each of its tokens
 *   learn     drops |A| < 0.01, computes old log-probs with the learner, then runs epochs of minibatches of the objective
 *             min(r A, A + eps |A|)
 *
 * Advantage, objective and derivative are in `src/algo/loop.ts`, on one page. `on-policy.ts` has the methods that
 * change one of these steps.
 */
import {
  computeLoopStats,
  dropNearZero,
  type GradedRollout,
  groupScoredRollouts,
  type LoopRow,
  leaveOneOut,
  loopObjective,
  loopRatioSlopes,
  rewardOf,
} from "../algo/index.ts";
import { section } from "../core/index.ts";
import { defineMethod } from "./define-method.ts";
import { applyFilters, computeExtraRewards } from "./extensions.ts";
import { type ClippedOptions, learnClipped, type Objective } from "./learning/clipped.ts";
import { minibatchSize } from "./learning/epochs.ts";
import { clippedMetrics, computeTokenRatios } from "./learning/metrics.ts";
import { addMetrics, type Learned, NOTHING_LEARNED } from "./method.ts";
import { collectGroups, stalenessNeeds } from "./rollouts/groups.ts";
import {
  CLIP,
  EVERY_METHOD,
  LIMIT,
  SAMPLING,
  STALENESS,
  STRAGGLERS,
  THRESHOLD,
} from "./sections/algo.ts";
import { taskPool } from "./sections/tasks.ts";

/** The method `loop` (arXiv 2502.01600, algorithm 1): leave-one-out advantages, token ratios, one clipped objective. */
export const loop = defineMethod({
  name: "loop",
  summary: "leave-one-out PPO without a critic: the paper's method",
  sections: {
    algo: section({
      ...EVERY_METHOD,
      ...SAMPLING,
      ...STRAGGLERS,
      ...THRESHOLD,
      ...CLIP,
      ...LIMIT,
      ...STALENESS,
    }),
    tasks: taskPool,
  },
  needs: stalenessNeeds,

  collect: (tasks, iteration) => collectGroups(tasks, iteration),

  async grade({ rollouts }, { config: { algo }, extensions }) {
    const extra = await computeExtraRewards(rollouts, extensions);
    const graded = groupScoredRollouts(rollouts).flatMap((group) => {
      const returns = group.map((rollout) => rewardOf(rollout, algo) + extra.rewardOf(rollout));
      return leaveOneOut(returns).map(
        (advantage, k): GradedRollout => ({ rollout: group[k]!, reward: returns[k]!, advantage }),
      );
    });
    return { graded, metrics: extra.metrics };
  },

  async learn({ graded }, iteration): Promise<Learned> {
    const { algo } = iteration.config;
    const { kept: filtered, metrics } = applyFilters(graded, iteration.extensions);
    const learnable = dropNearZero(filtered, algo.advantageThreshold);
    const sampler = algo.staleness > 0 ? "older" : "fresh";
    const sizes = { clip: algo.clip, minibatchSize: minibatchSize({ algo }) };
    const objective = createObjective(sizes.clip, sizes.minibatchSize);
    const ratioSlopes: ClippedOptions["ratioSlopes"] = (rows) =>
      loopRatioSlopes(rows as readonly LoopRow[], sizes);
    const pass = await learnClipped(learnable, iteration, objective, { sampler, ratioSlopes });
    const { items, updates, gap, stopped } = pass;
    if (updates.length === 0 && stopped === undefined) {
      return addMetrics(NOTHING_LEARNED, metrics);
    }
    return {
      kept: learnable.length,
      metrics: { ...clippedMetrics(updates), "logprob/sampler_gap": gap, ...metrics },
      ratios: items.map(computeTokenRatios),
      ...(stopped !== undefined && { stopped }),
    };
  },
});

/**
 * Creates LOOP's objective with the statistics that a run reports. `nominal` is the number of rollouts in a full
 * minibatch.
 */
function createObjective(clip: number, nominal: number): Objective {
  return (rows) => {
    // With LOOP's configuration, every row has one advantage for all of its tokens.
    const loopRows = rows as readonly LoopRow[];
    const result = loopObjective(loopRows, { clip, minibatchSize: nominal });
    return { ...result, stats: computeLoopStats(loopRows, result) };
  };
}
