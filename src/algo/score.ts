/**
 * Computes the score of an evaluation: task and scenario goal completion.
 *
 * TGC is the share of tasks whose checks all pass. SGC is the share of scenarios whose tasks all pass, so it measures
 * consistency. A task passes when the agent finished it and every check passed. A failed rollout counts as not
 * passed, because an evaluation must not improve by crashing. A cancelled rollout was not evaluated and is left out.
 * The confidence interval treats scenarios as clusters, because their tasks tend to pass and fail together.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout, Score } from "../spec/index.ts";
import { measureBehaviour } from "./behaviour.ts";
import { isPassed } from "./group-statistics.ts";
import { type Cluster, clusteredInterval } from "./intervals.ts";
import { isScored, rewardOf } from "./rewards.ts";

/**
 * Scores rollouts of any number of tasks. A task may have several rollouts (repetitions), which differ in `index`.
 * Shares are then means over the repetitions.
 */
export function scoreRollouts(rollouts: readonly Rollout[]): Score {
  const counted = rollouts.filter(({ outcome }) => outcome !== "cancelled");
  const total = computeGoalCompletion(counted);
  const byDifficulty: Score["byDifficulty"] = {};
  for (const difficulty of [1, 2, 3]) {
    const part = computeGoalCompletion(
      counted.filter(({ task }) => task.difficulty === difficulty),
    );
    if (part.tasks === 0) continue;
    const { tgc, sgc, tasks } = part;
    byDifficulty[difficulty] = { tgc, sgc, tasks, share: tasks / total.tasks };
  }
  const rewards = counted.map((rollout) => (isScored(rollout) ? rewardOf(rollout) : 0));
  return {
    ...total,
    tgcInterval: clusteredInterval(countPassedByScenario(counted)),
    byDifficulty,
    reward: mean(rewards),
    behaviour: measureBehaviour(counted),
  };
}

function computeGoalCompletion(rollouts: readonly Rollout[]) {
  const tasks = groupBy(rollouts, ({ task }) => task.id);
  const scenarios = groupBy(rollouts, ({ task }) => task.scenario);
  const taskShares = [...tasks.values()].map((group) =>
    mean(group.map((r) => Number(isPassed(r)))),
  );
  return {
    tgc: mean(taskShares),
    sgc: mean([...scenarios.values()].map(scenarioPassShare)),
    tasks: tasks.size,
    scenarios: scenarios.size,
  };
}

/** Returns the number of passed tasks of each scenario. A task with several rollouts counts as the mean over them. */
function countPassedByScenario(rollouts: readonly Rollout[]): Cluster[] {
  return [...groupBy(rollouts, ({ task }) => task.scenario).values()].map((group) => {
    const { tgc, tasks } = computeGoalCompletion(group);
    return { passed: tgc * tasks, of: tasks };
  });
}

/** Returns the share of repetitions in which every evaluated task of a scenario passes. */
function scenarioPassShare(rollouts: readonly Rollout[]): number {
  const repetitions = groupBy(rollouts, ({ index }) => index);
  return mean([...repetitions.values()].map((group) => Number(group.every(isPassed))));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
