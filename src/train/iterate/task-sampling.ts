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
  groupsOf,
  isPassed,
  rewardOf,
  type TaskTable,
  tasksOfIteration,
  taskWeight,
  unsaturated,
  updatedTasks,
} from "../../algo/index.ts";
import { BowlineError, messageOf, Rng, streamOf, type ValueOf } from "../../core/index.ts";
import {
  rewardOptions,
  type TaskSampler,
  type tasksSection,
  usesTaskTable,
} from "../../methods/index.ts";
import type { Rollout, TaskInfo } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** Share of groups with different returns, by signature: an exponential average over iterations, 1 when never seen. */
export type MixedShares = { readonly [signature: string]: number };

const CANDIDATES = 3;
/** A signature that never differs keeps this weight, so it is looked at again now and then. */
const FLOOR = 0.1;
const MEMORY = 0.7;

/** What is known of tasks from the iterations so far; plain data in the checkpoint. */
export interface TaskHistory {
  mixedShares: MixedShares;
  /** Averages of single tasks; absent where nothing asks for them. */
  table?: TaskTable;
}

/** The tasks of a 1-based iteration. A function of (seed, iteration, history), unless a sampler of the user's is not. */
export function sampleTasks(
  all: readonly TaskInfo[],
  iteration: number,
  { mixedShares: shares, table = {} }: TaskHistory,
  config: Config,
  sampler?: TaskSampler,
): readonly TaskInfo[] {
  const { algo, run } = config;
  const count = algo.tasksPerIteration;
  const order = new Rng(streamOf(run.seed, "tasks"));
  const tasks = drawnTasks(all, table, config);
  if (sampler !== undefined) {
    const rng = new Rng(streamOf(run.seed, "task-sampler", iteration));
    const passRate = Object.fromEntries(
      Object.entries(table).map(([id, { success }]) => [id, success]),
    );
    return checkedTasks(() => sampler({ tasks, count, iteration, rng, passRate }), tasks, count);
  }
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
  config: Config,
): readonly TaskInfo[] {
  const { algo, world } = config;
  const declared = all.filter(({ difficulty }) => world.difficulties.includes(difficulty));
  const narrowed = tasksOf(config);
  if (narrowed === undefined) return declared;
  const { classes, prune, pool } = narrowed;
  const known = pool === null ? declared : pooled(declared, pool, config);
  const open =
    prune === null
      ? known
      : unsaturated(known, table, { threshold: prune.above, minGroups: prune.after });
  const chosen = open.filter(({ id }) => classes.includes(difficultyClass(table[id])));
  return chosen.length >= algo.tasksPerIteration ? chosen : known;
}

/** A random choice, the same in every iteration; never fewer than an iteration needs. */
function pooled(
  declared: readonly TaskInfo[],
  pool: number,
  { algo, run }: Config,
): readonly TaskInfo[] {
  const size = Math.max(pool, algo.tasksPerIteration);
  return new Rng(streamOf(run.seed, "task-pool")).shuffle(declared).slice(0, size);
}

/** The section `tasks`, of methods that have it. */
export function tasksOf(config: object): ValueOf<typeof tasksSection> | undefined {
  return "tasks" in config ? (config.tasks as ValueOf<typeof tasksSection>) : undefined;
}

/** A sampler that is the user's is held to what the trainer counts on. */
function checkedTasks(
  draw: () => readonly TaskInfo[],
  tasks: readonly TaskInfo[],
  count: number,
): readonly TaskInfo[] {
  let drawn: readonly TaskInfo[];
  try {
    drawn = draw();
  } catch (cause) {
    const problem = `algo.taskSampling: the sampler failed: ${messageOf(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  const known = new Set(tasks);
  const list: readonly (TaskInfo | undefined)[] | undefined = Array.isArray(drawn)
    ? drawn
    : undefined;
  const at = list?.findIndex((task) => task === undefined || !known.has(task)) ?? -1;
  const different = new Set(list).size;
  if (list && at < 0 && different === count) return drawn;
  const some =
    at < 0
      ? `${different} different ones`
      : `${list?.[at]?.id ?? String(list?.[at])}, which was not among them`;
  const came = list ? some : "no list";
  throw new BowlineError(
    "config",
    `algo.taskSampling: expected the sampler to draw ${count} different tasks of those it was given, came ${came}`,
  );
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

/** What an iteration leaves for drawing later ones: of signatures, and where something asks for it of single tasks. */
export function rememberTasks(
  history: TaskHistory,
  graded: readonly Graded[],
  rollouts: readonly Rollout[],
  config: Config,
  sampler?: TaskSampler,
): void {
  history.mixedShares = updateShares(history.mixedShares, graded);
  const tasks = tasksOf(config);
  const isAsked = sampler !== undefined || usesTaskTable({ algo: config.algo, tasks });
  if (!isAsked) return;
  const reward = rewardOptions(config);
  const groups = groupsOf(rollouts).map((group) => ({
    task: group[0]!.task.id,
    returns: group.map((rollout) => rewardOf(rollout, reward)),
    passed: group.map(isPassed),
  }));
  history.table = updatedTasks(history.table ?? {}, groups, tasks?.memory);
}
