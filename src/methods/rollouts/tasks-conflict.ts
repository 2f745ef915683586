/** Finds contradictions between the section `tasks` and other fields. */
import type { FieldValue } from "../../core/index.ts";
import type { tasks } from "../sections/tasks.ts";
import type { GroupConfig } from "./groups.ts";

type TasksConfig = { readonly tasks: FieldValue<typeof tasks> };

/** Returns true if the configuration uses statistics on how often each task was passed. */
export function usesTaskTable({
  tasks,
  algo,
}: {
  /** The section `tasks`, or undefined for a method without it. */
  readonly tasks: TasksConfig["tasks"] | undefined;
  readonly algo: { readonly taskSampling: string };
}): boolean {
  if (algo.taskSampling === "near-half" || algo.taskSampling === "variance") return true;
  if (tasks === undefined) return false;
  return tasks.prune !== null || tasks.minGroupSize !== null || tasks.classes.length < 4;
}

/** Returns a sentence when `tasks.minGroupSize` contradicts another field, else undefined. */
export function findTasksConflict({
  tasks,
  algo,
}: TasksConfig & Pick<GroupConfig, "algo">): string | undefined {
  const { minGroupSize } = tasks;
  if (minGroupSize === null) return undefined;
  if (minGroupSize > algo.groupSize) {
    return `tasks.minGroupSize: expected at most algo.groupSize (${algo.groupSize}), got ${minGroupSize}`;
  }
  if (!algo.stragglers) return undefined;
  return "tasks.minGroupSize needs algo.stragglers false, because the quotas of stragglers need the same K for all tasks";
}
