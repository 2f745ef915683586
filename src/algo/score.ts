/**
 * Task and scenario goal completion of an evaluation.
 *
 * TGC is the share of tasks whose checks all pass; SGC the share of scenarios whose tasks all pass, so it asks for
 * consistency. A task passes when the agent finished it and every check passed. A failed rollout counts as not passed
 * (an evaluation must not get better by crashing); a cancelled one was not evaluated and is left out. The interval takes
 * scenarios as clusters, because their tasks pass and fail together.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout, Score } from "../spec/index.ts";
import { behaviour } from "./behaviour.ts";
import { type Cluster, clusteredInterval } from "./intervals.ts";
import { isScored, rewardOf } from "./rewards.ts";
import { isPassed } from "./statistics.ts";

/** Scores rollouts of any number of tasks; with several a task, shares are means over repetitions (by `index`). */
export function score(rollouts: readonly Rollout[]): Score {
  const counted = rollouts.filter(({ outcome }) => outcome !== "cancelled");
  const total = completion(counted);
  const byDifficulty: Score["byDifficulty"] = {};
  for (const difficulty of [1, 2, 3]) {
    const part = completion(counted.filter(({ task }) => task.difficulty === difficulty));
    if (part.tasks === 0) continue;
    const { tgc, sgc, tasks } = part;
    byDifficulty[difficulty] = { tgc, sgc, tasks, share: tasks / total.tasks };
  }
  const rewards = counted.map((rollout) => (isScored(rollout) ? rewardOf(rollout) : 0));
  return {
    ...total,
    tgcInterval: clusteredInterval(scenarioClusters(counted)),
    byDifficulty,
    reward: mean(rewards),
    behaviour: behaviour(counted),
  };
}

function completion(rollouts: readonly Rollout[]) {
  const tasks = groupBy(rollouts, ({ task }) => task.id);
  const scenarios = groupBy(rollouts, ({ task }) => task.scenario);
  const taskShares = [...tasks.values()].map((group) =>
    mean(group.map((r) => Number(isPassed(r)))),
  );
  return {
    tgc: mean(taskShares),
    sgc: mean([...scenarios.values()].map(scenarioShare)),
    tasks: tasks.size,
    scenarios: scenarios.size,
  };
}

/** Passed tasks of each scenario; a task with several rollouts counts by its mean. */
function scenarioClusters(rollouts: readonly Rollout[]): Cluster[] {
  return [...groupBy(rollouts, ({ task }) => task.scenario).values()].map((group) => {
    const { tgc, tasks } = completion(group);
    return { passed: tgc * tasks, of: tasks };
  });
}

/** The share of repetitions in which every evaluated task of the scenario passes. */
function scenarioShare(rollouts: readonly Rollout[]): number {
  const repetitions = groupBy(rollouts, ({ index }) => index);
  return mean([...repetitions.values()].map((group) => Number(group.every(isPassed))));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
