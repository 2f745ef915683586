/**
 * What the section `tasks` says of an iteration, for the methods that have it: which tasks may be drawn, by how often
 * they were passed, and how many rollouts each gets.
 */
import {
  classifyDifficulty,
  dropMasteredTasks,
  groupSizeByDifficulty,
  type TaskTable,
} from "../../algo/index.ts";
import { type FieldValue, Rng, randomStreamId } from "../../core/index.ts";
import type { tasksSection } from "../../methods/index.ts";
import type { TaskInfo } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** Undefined: the method has no such section. */
export function readTaskRules(config: object): FieldValue<typeof tasksSection> | undefined {
  return "tasks" in config ? (config.tasks as FieldValue<typeof tasksSection>) : undefined;
}

/**
 * Those of the tasks that may be drawn. Where too few are left for an iteration, they are all taken in again: nothing
 * is learned from a batch that is nearly empty.
 */
export function selectTasks(
  tasks: readonly TaskInfo[],
  table: TaskTable,
  config: Config,
): readonly TaskInfo[] {
  const rules = readTaskRules(config);
  if (rules === undefined) return tasks;
  const { classes, prune, pool } = rules;
  const known = pool === null ? tasks : drawTaskPool(tasks, pool, config);
  const open =
    prune === null
      ? known
      : dropMasteredTasks(known, table, { threshold: prune.above, minGroups: prune.after });
  const chosen = open.filter(({ id }) => classes.includes(classifyDifficulty(table[id])));
  return chosen.length >= config.algo.tasksPerIteration ? chosen : known;
}

/** A random choice, the same in every iteration; never fewer than an iteration needs. */
function drawTaskPool(
  declared: readonly TaskInfo[],
  pool: number,
  { algo, run }: Config,
): readonly TaskInfo[] {
  const size = Math.max(pool, algo.tasksPerIteration);
  return new Rng(randomStreamId(run.seed, "task-pool")).shuffle(declared).slice(0, size);
}

/** K for a task: fewer rollouts where it nearly always or never succeeds, if the configuration asks for that. */
export function chooseGroupSize(
  task: string,
  most: number,
  table: TaskTable | undefined,
  config: Config,
): number {
  const min = readTaskRules(config)?.minGroupSize ?? null;
  return min === null ? most : groupSizeByDifficulty(table?.[task], { min, max: most });
}
