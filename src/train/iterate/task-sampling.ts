/**
 * Draws the tasks of an iteration. The paper draws uniformly without replacement.
 *
 * `mixed-outcomes` is a deviation from the paper that small recipes list. When all rollouts of a group earn the same,
 * their advantages are 0, so collecting the group was wasted. Therefore three times as many tasks as needed are drawn
 * uniformly. Among these, tasks whose signature recently had groups with different returns are preferred (weighted
 * sampling without replacement, Efraimidis and Spirakis 2006). `near-half` and `variance` weight each task by the
 * results of its own earlier groups instead.
 */
import { drawTasksOfIteration, taskSamplingWeight } from "../../algo/index.ts";
import { Rng, randomStreamId } from "../../core/index.ts";
import type { TaskSampler } from "../../methods/index.ts";
import type { TaskInfo } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { TaskHistory } from "../run/trainer-state.ts";
import { drawWithOwnSampler } from "./own-sampler.ts";
import { selectTasks } from "./task-rules.ts";

const CANDIDATES_PER_TASK = 3;
/**
 * The weight of a signature whose returns never differ. It is above 0, so that such tasks are tried again now and then.
 */
const MIN_WEIGHT = 0.1;

/** Returns the tasks of an iteration, counted from 1. They depend only on the seed, the iteration and the history. */
export function sampleTasks(
  all: readonly TaskInfo[],
  iteration: number,
  { mixedShares: shares, table = {} }: TaskHistory,
  config: Config,
  sampler?: TaskSampler,
): readonly TaskInfo[] {
  const { algo, run, world } = config;
  const count = algo.tasksPerIteration;
  const declared = all.filter(({ difficulty }) => world.difficulties.includes(difficulty));
  const tasks = "tasks" in config ? selectTasks(declared, table, config) : declared;
  if (sampler) return drawWithOwnSampler(sampler, { tasks, count, iteration }, table, run.seed);
  const order = new Rng(randomStreamId(run.seed, "tasks"));
  if (algo.taskSampling === "uniform")
    return drawTasksOfIteration(tasks, count, iteration - 1, order);
  const wide = Math.max(count, Math.min(count * CANDIDATES_PER_TASK, tasks.length));
  const candidates = drawTasksOfIteration(tasks, wide, iteration - 1, order);
  const rng = new Rng(randomStreamId(run.seed, "task-weights", iteration));
  const weightOfTask = ({ id, signature }: TaskInfo) => {
    if (algo.taskSampling === "near-half") return taskSamplingWeight(table[id], "half", MIN_WEIGHT);
    if (algo.taskSampling === "variance")
      return taskSamplingWeight(table[id], "variance", MIN_WEIGHT);
    return MIN_WEIGHT + (1 - MIN_WEIGHT) * (shares[signature] ?? 1);
  };
  return candidates
    .map((task) => ({ task, key: rng.uniform() ** (1 / weightOfTask(task)) }))
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ task }) => task);
}
