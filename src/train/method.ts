/**
 * What an iteration does, chosen once from the configuration: how it collects and how it learns. LOOP is `groups` and
 * `surrogate`; a method of the field is another pair.
 */
import { mapPool } from "../core/index.ts";
import type { TaskInfo } from "../spec/index.ts";
import { streamOf } from "./agent.ts";
import { collect, refuseManyFailures, trainingAssignments } from "./collect.ts";
import type { Config } from "./config.ts";
import { learnBySurrogate } from "./learn.ts";
import { learnWithCritic } from "./learn-critic.ts";
import { learnByImitation } from "./learn-imitation.ts";
import { learnByPreference } from "./learn-preference.ts";
import type { Experience, Learner } from "./learner.ts";
import { usesSolutions } from "./mechanism-rules.ts";
import { configAt } from "./mechanisms/stages.ts";
import { rewardOptions } from "./metrics.ts";
import { requireTrainable } from "./require-trainable.ts";
import { collectShaped, isLinear } from "./shapes/index.ts";
import { collectSolutions } from "./solutions.ts";
import { sampleTasks } from "./task-sampling.ts";
import type { Training } from "./training.ts";
import { searchTree } from "./tree-search.ts";

type Collected = Omit<Experience, "graded">;

export interface Method {
  /** Everything that the tasks of a 1-based iteration are tried on. */
  readonly collect: (
    tasks: readonly TaskInfo[],
    iteration: number,
    training: Training,
  ) => Promise<Collected>;
  readonly learn: Learner;
}

/** The tasks of a 1-based iteration and all that they are tried on. */
export async function collectIteration(iteration: number, training: Training): Promise<Collected> {
  const config = configAt(training.config, iteration);
  const { mixedShares, taskTable } = training.state;
  const tasks = sampleTasks(training.tasks, iteration, mixedShares, config, taskTable);
  const collected = await methodOf(config).collect(tasks, iteration, training);
  if (!usesSolutions(config)) return collected;
  const solutions = await collectSolutions(tasks, iteration, training.parts);
  return { ...collected, solutions };
}

export function methodOf(config: Config): Method {
  const { algo } = config;
  const learners = {
    surrogate: algo.baseline === "value" ? learnWithCritic : learnBySurrogate,
    imitation: learnByImitation,
    preference: learnByPreference,
  };
  const groups = isLinear(config) ? collectGroups : collectShaped;
  const collectors = { groups, tree: collectTrees, solutions: solve };
  return { collect: collectors[algo.collect], learn: learners[algo.learner] };
}

const collectGroups: Method["collect"] = async (tasks, iteration, training) => {
  const config = configAt(training.config, iteration);
  const assignments = trainingAssignments(tasks, iteration, config, training.state.taskTable);
  return { rollouts: await collect(assignments, training.rolloutPlan(iteration)) };
};

const solve: Method["collect"] = async (tasks, iteration, training) => {
  training.rolloutPlan(iteration);
  return { rollouts: await collectSolutions(tasks, iteration, training.parts) };
};

const collectTrees: Method["collect"] = async (tasks, iteration, training) => {
  requireTrainable(tasks);
  const config = configAt(training.config, iteration);
  const { policy, ...plan } = training.rolloutPlan(iteration);
  if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
  // A tree holds two live episodes for each of its rollouts.
  const trees = Math.max(1, Math.floor(config.world.episodes / config.algo.groupSize));
  const grown = await mapPool(tasks, trees, (task, position) =>
    searchTree(
      { ...plan, policy },
      {
        task,
        id: `${iteration}/${position}`,
        rollouts: config.algo.groupSize,
        exploration: config.tree.exploration,
        minimumGap: config.preference.minimumGap,
        reward: rewardOptions(config),
        stream: (n) => streamOf(config.run.seed, "tree", iteration, task.id, n),
      },
    ),
  );
  const rollouts = grown.flatMap((tree) => tree.rollouts);
  refuseManyFailures(rollouts);
  return { rollouts, pairs: grown.flatMap(({ pairs }) => pairs) };
};
