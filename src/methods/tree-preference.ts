/**
 * The method `dpo-mcts`: preference pairs of turns from tree search (arXiv 2502.01600, section 5.3, after arXiv
 * 2408.07199).
 *
 * A node is chosen by its upper confidence bound, and two candidate turns are sampled there. One of them is played to
 * the end in a fork of the episode, and its return is added to all nodes before it. Sibling turns whose values differ
 * enough become pairs. The search itself is in `tree-search.ts`.
 *
 * Deviations from the paper: a tree has at most six rollouts instead of up to thirty iterations, so that an iteration
 * costs about as much as LOOP's (not counting the extra turn of the candidate that is not played to the end). The
 * reference of a pair is the policy that sampled it. The search of a tree ends early when nothing is left to try.
 */

import { gradeBatch, LOOP_ADVANTAGE } from "../algo/index.ts";
import { mapConcurrently, randomStreamId, section, withDescription } from "../core/index.ts";
import { defineMethod } from "./define-method.ts";
import { rewardOptions } from "./learning/metrics.ts";
import { learnFromPairs, PAIR_FIELDS, type PairState, pairLoss } from "./preference.ts";
import { throwIfTooManyFailed } from "./rollouts/failures.ts";
import { requireTrainable } from "./rollouts/groups.ts";
import { EVERY_METHOD, SAMPLING } from "./sections/algo.ts";
import { number } from "./sections/numbers.ts";
import { OVER_ITERATIONS } from "./sections/tasks.ts";
import { searchTree } from "./tree-search.ts";

const sections = {
  algo: section({ ...EVERY_METHOD, ...SAMPLING }),
  preference: withDescription("Pairs of turns that are compared", section(PAIR_FIELDS, pairLoss)),
  tree: withDescription(
    "How a tree is searched",
    section({
      exploration: number(0, 100)
        .default(1)
        .describe(
          "Weight of a node's uncertainty, relative to its mean return, in the choice of a branch",
        ),
    }),
  ),
  ...OVER_ITERATIONS,
};

export const dpoMcts = defineMethod<typeof sections, PairState>({
  name: "dpo-mcts",
  summary: "learn from preference pairs of turns, found by tree search over forks",
  sections,
  preset: {
    algo: { epochs: 2, minibatch: 8 },
    preference: { beta: 0.1, minimumGap: 0.1, buffer: 1000 },
  },
  conflict: ({ tasks }) =>
    tasks.minGroupSize === null
      ? undefined
      : "tasks.minGroupSize: set it to null, because dpo-mcts collects trees and no groups",

  async collect(tasks, { config, number: iteration, plan }) {
    requireTrainable(tasks);
    const { policy, ...rest } = plan;
    if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
    const { algo, run, tree, preference } = config;
    const { temperature, groupSize } = algo;
    // A tree has up to two open episodes for each of its rollouts.
    const trees = Math.max(1, Math.floor(plan.episodes / groupSize));
    const grown = await mapConcurrently(tasks, trees, (task, position) =>
      searchTree(
        { ...rest, temperature, policy },
        {
          task,
          id: `${iteration}/${position}`,
          rollouts: groupSize,
          exploration: tree.exploration,
          minimumGap: preference.minimumGap,
          reward: rewardOptions(config),
          stream: (n) => randomStreamId(run.seed, "tree", iteration, task.id, n),
        },
      ),
    );
    const rollouts = grown.flatMap((each) => each.rollouts);
    throwIfTooManyFailed(rollouts);
    return { rollouts, pairs: grown.flatMap(({ pairs }) => pairs) };
  },

  async grade({ rollouts }, { config }) {
    const reward = rewardOptions(config);
    return { graded: gradeBatch(rollouts, LOOP_ADVANTAGE, { reward }).graded, metrics: {} };
  },

  learn: ({ pairs = [] }, iteration) => learnFromPairs(pairs, iteration, {}),
});
