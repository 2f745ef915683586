/**
 * Preference pairs of turns from tree search: a branch is chosen by its upper confidence bound, two candidate turns are
 * sampled there, one is rolled to the end in a fork of the episode and its return is backed up; sibling turns whose values
 * differ enough are pairs (arXiv 2502.01600, section 5.3, after arXiv 2408.07199). The search itself is `tree-search.ts`.
 *
 * Deviations: at most six rollouts a tree instead of up to thirty iterations, so that an iteration costs about what LOOP's
 * does (the candidate that is not rolled to the end costs one turn more, which is not counted); the reference of a pair is
 * the policy that sampled it; a tree in which nothing is left to try ends early.
 */

import { gradeBatch, LOOP_ADVANTAGE } from "../algo/index.ts";
import { mapConcurrently, randomStreamId, section, withDescription } from "../core/index.ts";
import { defineMethod } from "./define-method.ts";
import { rewardOptions } from "./learning/metrics.ts";
import { learnFromPairs, PAIR_FIELDS, type PairState, pairLoss } from "./preference.ts";
import { refuseManyFailures } from "./rollouts/failures.ts";
import { requireTrainable } from "./rollouts/groups.ts";
import { EVERY_METHOD, SAMPLING } from "./sections/algo.ts";
import { number } from "./sections/numbers.ts";
import { OVER_ITERATIONS } from "./sections/tasks.ts";
import { searchTree } from "./tree-search.ts";

const sections = {
  algo: section({ ...EVERY_METHOD, ...SAMPLING }),
  preference: withDescription("Pairs of turns", section(PAIR_FIELDS, pairLoss)),
  tree: withDescription(
    "How a tree is searched",
    section({
      exploration: number(0, 100)
        .default(1)
        .describe("Weight of a node's uncertainty against its mean return when a branch is chosen"),
    }),
  ),
  ...OVER_ITERATIONS,
};

export const dpoMcts = defineMethod<typeof sections, PairState>({
  name: "dpo-mcts",
  summary: "preference pairs of turns from tree search over forks",
  sections,
  preset: {
    algo: { epochs: 2, minibatch: 8 },
    preference: { beta: 0.1, minimumGap: 0.1, buffer: 1000 },
  },
  conflict: ({ tasks }) =>
    tasks.minGroupSize === null
      ? undefined
      : "tasks.minGroupSize: a tree has no group whose size could fall; set it to null",

  async collect(tasks, { config, number: iteration, plan }) {
    requireTrainable(tasks);
    const { policy, ...rest } = plan;
    if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
    const { algo, run, world, tree, preference } = config;
    const { temperature, groupSize } = algo;
    // A tree holds two live episodes for each of its rollouts.
    const trees = Math.max(1, Math.floor(world.episodes / groupSize));
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
    refuseManyFailures(rollouts);
    return { rollouts, pairs: grown.flatMap(({ pairs }) => pairs) };
  },

  async grade({ rollouts }, { config }) {
    const reward = rewardOptions(config);
    return { graded: gradeBatch(rollouts, LOOP_ADVANTAGE, { reward }).graded, metrics: {} };
  },

  learn: ({ pairs = [] }, iteration) => learnFromPairs(pairs, iteration, {}),
});
