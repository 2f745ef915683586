/**
 * Which tasks an iteration works on. Uniform, without replacement, is the paper's.
 *
 * `mixed-outcomes` is a numbered deviation of small recipes: a group whose rollouts all earn the same has no advantage,
 * so collecting it is wasted. Three times as many tasks are drawn uniformly, and of these the ones are kept whose
 * signature lately had groups with different returns (weighted, without replacement; Efraimidis and Spirakis 2006).
 * `near-half` and `variance` weigh single tasks instead, by what their own past groups were. Section `tasks` says which
 * tasks are drawn at all: by declared difficulty, by how often they were passed.
 */
import {
  difficultyClass,
  type Graded,
  type TaskTable,
  tasksOfIteration,
  taskWeight,
  unsaturated,
} from "../algo/index.ts";
import { Rng } from "../core/index.ts";
import type { TaskInfo } from "../spec/index.ts";
import { streamOf } from "./agent.ts";
import type { Config } from "./config.ts";

/** Share of groups with different returns, by signature: an exponential average over iterations, 1 when never seen. */
export type MixedShares = { readonly [signature: string]: number };

const CANDIDATES = 3;
/** A signature that never differs keeps this weight, so it is looked at again now and then. */
const FLOOR = 0.1;
const MEMORY = 0.7;

/** The tasks of a 1-based iteration. A function of (seed, iteration, shares, table). */
export function sampleTasks(
  all: readonly TaskInfo[],
  iteration: number,
  shares: MixedShares,
  config: Config,
  table: TaskTable = {},
): TaskInfo[] {
  const { algo, run } = config;
  const count = algo.tasksPerIteration;
  const order = new Rng(streamOf(run.seed, "tasks"));
  const tasks = drawnTasks(all, table, config);
  if (algo.taskSampling === "uniform") return tasksOfIteration(tasks, count, iteration - 1, order);
  const wide = Math.max(count, Math.min(count * CANDIDATES, tasks.length));
  const candidates = tasksOfIteration(tasks, wide, iteration - 1, order);
  const rng = new Rng(streamOf(run.seed, "task-weights", iteration));
  const weightOf = ({ id, signature }: TaskInfo) => {
    if (algo.taskSampling === "near-half") return taskWeight(table[id], "half", FLOOR);
    if (algo.taskSampling === "variance") return taskWeight(table[id], "variance", FLOOR);
    return FLOOR + (1 - FLOOR) * (shares[signature] ?? 1);
  };
  const keyed = candidates.map((task) => {
    const weight = weightOf(task);
    return { task, key: rng.uniform() ** (1 / weight) };
  });
  return keyed
    .sort((a, b) => b.key - a.key)
    .slice(0, count)
    .map(({ task }) => task);
}

/**
 * The tasks that may be drawn. Where too few are left for an iteration, those of the right declared difficulty are all
 * taken in again: nothing is learned from a batch that is nearly empty.
 */
function drawnTasks(
  all: readonly TaskInfo[],
  table: TaskTable,
  { algo, tasks }: Config,
): readonly TaskInfo[] {
  const { minDifficulty, maxDifficulty, classes, pruneAbove, pruneAfter } = tasks;
  const declared = all.filter(
    ({ difficulty }) => difficulty >= minDifficulty && difficulty <= maxDifficulty,
  );
  const open =
    pruneAbove === null
      ? declared
      : unsaturated(declared, table, { threshold: pruneAbove, minGroups: pruneAfter });
  const chosen = open.filter(({ id }) => classes.includes(difficultyClass(table[id])));
  return chosen.length >= algo.tasksPerIteration ? chosen : declared;
}

/** The averages after an iteration's rollouts. */
export function updateShares(shares: MixedShares, graded: readonly Graded[]): MixedShares {
  const groups = new Map<string, Graded[]>();
  for (const item of graded) {
    const id = item.rollout.task.id;
    groups.set(id, [...(groups.get(id) ?? []), item]);
  }
  const seen = new Map<string, number[]>();
  for (const group of groups.values()) {
    const { signature } = group[0]!.rollout.task;
    const differs = group.some(({ reward }) => reward !== group[0]!.reward);
    seen.set(signature, [...(seen.get(signature) ?? []), Number(differs)]);
  }
  const next: Record<string, number> = { ...shares };
  for (const [signature, outcomes] of seen) {
    const now = outcomes.reduce((sum, value) => sum + value, 0) / outcomes.length;
    next[signature] = MEMORY * (shares[signature] ?? 1) + (1 - MEMORY) * now;
  }
  return next;
}
