/**
 * Applies the section `tasks` of a method. Depending on how often tasks were passed, it decides which tasks may be
 * drawn and how many rollouts each task gets.
 */
import {
  classifyDifficulty,
  dropMasteredTasks,
  groupSizeByDifficulty,
  type TaskTable,
} from "../../algo/index.ts";
import { type FieldValue, parseSection, Rng, randomStreamId } from "../../core/index.ts";
import { tasksSection } from "../../methods/index.ts";
import type { TaskInfo } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

type TaskRules = FieldValue<typeof tasksSection>;

const NO_RULES = parseSection(tasksSection, {});

/**
 * Returns the values of the section `tasks`, with defaults for the fields that the method does not have; undefined if
 * the method has no such section.
 */
export function readTaskRules(config: object): TaskRules | undefined {
  return "tasks" in config ? { ...NO_RULES, ...(config.tasks as Partial<TaskRules>) } : undefined;
}

/** Returns the tasks that may be drawn. These are all tasks if the rules would leave too few for an iteration. */
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

/** Draws the pool of tasks. It is the same in every iteration and has at least as many tasks as an iteration needs. */
function drawTaskPool(
  declared: readonly TaskInfo[],
  pool: number,
  { algo, run }: Config,
): readonly TaskInfo[] {
  const size = Math.max(pool, algo.tasksPerIteration);
  return new Rng(randomStreamId(run.seed, "task-pool")).shuffle(declared).slice(0, size);
}

/**
 * Returns K, the number of rollouts, for a task. If `tasks.minGroupSize` is set, tasks that nearly always or never
 * succeed get fewer.
 */
export function chooseGroupSize(
  task: string,
  maxGroupSize: number,
  table: TaskTable | undefined,
  config: Config,
): number {
  const min = readTaskRules(config)?.minGroupSize ?? null;
  return min === null
    ? maxGroupSize
    : groupSizeByDifficulty(table?.[task], { min, max: maxGroupSize });
}
