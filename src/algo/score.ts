/**
 * Task and scenario goal completion of an evaluation.
 *
 * TGC is the share of tasks whose checks all pass; SGC the share of scenarios whose tasks all pass, so it asks for
 * consistency. A task passes when the agent finished it and every check passed. A failed rollout counts as not passed
 * (an evaluation must not get better by crashing); a cancelled one was not evaluated and is left out.
 */
import type { Rollout, Score } from "../spec/index.ts";
import { behaviour } from "./behaviour.ts";
import { groupBy } from "./group-by.ts";
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
    tgcInterval: wilsonInterval(total.tgc, total.tasks),
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

/** The share of repetitions in which every evaluated task of the scenario passes. */
function scenarioShare(rollouts: readonly Rollout[]): number {
  const repetitions = groupBy(rollouts, ({ index }) => index);
  return mean([...repetitions.values()].map((group) => Number(group.every(isPassed))));
}

/**
 * Wilson's 95% score interval for a share of `count` trials (Wilson 1927): unlike the normal one it stays within [0, 1]
 * and has width at shares of 0 and 1. Without trials it is [0, 1].
 */
export function wilsonInterval(share: number, count: number): [number, number] {
  if (count === 0) return [0, 1];
  const z = 1.959963984540054;
  const spread = 1 + z ** 2 / count;
  const center = (share + z ** 2 / (2 * count)) / spread;
  const half = (z / spread) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [Math.max(0, center - half), Math.min(1, center + half)];
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
