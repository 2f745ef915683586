/**
 * Changes a recipe so that it spends a given budget of rollouts. So methods are compared at the same number of
 * rollouts.
 */
import { BowlineError } from "../../core/index.ts";
import { readGroupSize } from "../config/config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { resolveConfig } from "../settings/resolve.ts";

/**
 * Returns the fields that make a recipe spend exactly `rollouts` rollouts. Throws a `config` error when no such fields
 * exist.
 */
export function fieldsToSpendBudget(
  { config, method }: ConfigAndMethod,
  rollouts: number,
): Record<string, number> {
  // A method without groups gets as many tasks as LOOP has rollouts on the same setting, where each task is tried K
  // times.
  const groupSize =
    "groupSize" in config.algo
      ? readGroupSize(config)
      : readGroupSize(resolveConfig({ recipe: config.setting }));
  const { tasksPerIteration } = config.algo;
  const { spends } = method;
  const unit = spends === "tasks" ? groupSize : groupSize * tasksPerIteration;
  if (rollouts % unit !== 0) {
    const each =
      spends === "tasks"
        ? `${groupSize} rollouts a task`
        : `${groupSize} x ${tasksPerIteration} = ${unit} rollouts an iteration`;
    throw new BowlineError(
      "config",
      `cannot spend exactly ${rollouts} rollouts: the recipe takes ${each}; choose a multiple of ${unit}`,
    );
  }
  return spends === "tasks"
    ? { "algo.iterations": 1, "algo.tasksPerIteration": rollouts / groupSize }
    : { "algo.iterations": rollouts / unit };
}
