/** Lowers the number of tasks of an iteration to the number that the world has to train on. */
import type { World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { withLimits } from "./apply-fitting.ts";
import type { FittedValue } from "./fit-limits.ts";

/** Returns the configuration, with a smaller batch if the world has too few training tasks and nobody set the batch. */
export function fitBatch(
  config: Config,
  world: World,
): { readonly config: Config; readonly values: readonly FittedValue[] } {
  const { difficulties, trainScenarios } = config.world;
  const limit = "algo.tasksPerIteration";
  const before = config.algo.tasksPerIteration;
  const tasks = world
    .tasks("train", trainScenarios)
    .filter(({ difficulty }) => difficulties.includes(difficulty)).length;
  const isKept = config.fitting.share === null || config.fitting.keep.includes(limit);
  if (isKept || tasks === 0 || tasks >= before) return { config, values: [] };
  const needs = { median: tasks, most: tasks, largest: tasks };
  const value = {
    limit,
    before,
    after: tasks,
    isKept: false,
    ...needs,
    lostBefore: 0,
    lostAfter: 0,
  } as const;
  return { config: withLimits(config, new Map([[limit, tasks]])), values: [value] };
}
