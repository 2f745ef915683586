/** What the section `tasks` cannot go together with; undefined when all is well. */
import type { FieldValue } from "../../core/index.ts";
import type { tasks } from "../sections/tasks.ts";
import type { GroupConfig } from "./groups.ts";

type TasksConfig = { readonly tasks: FieldValue<typeof tasks> };

/** Whether tasks are told apart by how often they were passed. */
export function usesTaskTable({
  tasks,
  algo,
}: {
  /** Undefined: of a method that has no such section. */
  readonly tasks: TasksConfig["tasks"] | undefined;
  readonly algo: { readonly taskSampling: string };
}): boolean {
  if (algo.taskSampling === "near-half" || algo.taskSampling === "variance") return true;
  if (tasks === undefined) return false;
  return tasks.prune !== null || tasks.minGroupSize !== null || tasks.classes.length < 4;
}

export function findTasksConflict({
  tasks,
  algo,
}: TasksConfig & Pick<GroupConfig, "algo">): string | undefined {
  const { minGroupSize } = tasks;
  if (minGroupSize === null) return undefined;
  if (minGroupSize > algo.groupSize) {
    return `tasks.minGroupSize: expected at most algo.groupSize (${algo.groupSize}), came ${minGroupSize}`;
  }
  if (!algo.stragglers) return undefined;
  return "tasks.minGroupSize needs algo.stragglers false: its quotas need one K";
}
