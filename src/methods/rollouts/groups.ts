/**
 * Collects groups: K rollouts of each task of an iteration (arXiv 2502.01600, algorithm 1). They run
 * concurrently and share the engine's decoding batches. A rollout's id is `iteration/position of the task/index`. Its
 * random stream follows from the run's seed, the iteration, the task's id and the index.
 */
import { BowlineError, randomStreamId } from "../../core/index.ts";
import type { Split, TaskInfo } from "../../spec/index.ts";
import type { BaseConfig, Collected, EngineNeed, Iteration } from "../method.ts";
import { type Assignment, type RolloutPlan, runAssignments } from "./run-assignments.ts";
import { temperatureAtIndex } from "./temperatures.ts";

/** The configuration that collecting groups reads. */
export type GroupConfig = BaseConfig & {
  readonly algo: {
    readonly groupSize: number;
    readonly temperature: number;
    readonly lowestTemperature?: number | null;
    readonly stragglers?: { readonly share: number; readonly groupShare: number } | null;
  };
};

/** Runs K rollouts of each task and returns them. */
export async function collectGroups(
  tasks: readonly TaskInfo[],
  iteration: Iteration<GroupConfig>,
): Promise<Collected> {
  const assignments = groupAssignments(tasks, iteration);
  return { rollouts: await runAssignments(assignments, groupPlan(iteration)) };
}

/**
 * Lists the rollouts to run: first one rollout of every task, then a second one of every task, and so on, so that
 * groups fill evenly.
 */
export function groupAssignments(
  tasks: readonly TaskInfo[],
  { config, number, groupSize }: Pick<Iteration<GroupConfig>, "config" | "number" | "groupSize">,
): Assignment[] {
  requireTrainable(tasks);
  const { algo, run } = config;
  return Array.from({ length: algo.groupSize }, (_, index) =>
    tasks.flatMap((task, position) =>
      index >= groupSize(task, algo.groupSize)
        ? []
        : {
            task,
            index,
            id: `${number}/${position}/${index}`,
            stream: randomStreamId(run.seed, "train", number, task.id, index),
            ...(algo.lowestTemperature != null && { temperature: temperatureAtIndex(index, algo) }),
          },
    ),
  ).flat();
}

/** Splits whose tasks may be learned from. Tasks of other splits are for scoring only and never reach a gradient. */
const TRAINABLE_SPLITS: readonly Split[] = ["train", "dev"];

/** Throws a `config` error that names the first task whose split is for scoring only. */
export function requireTrainable(tasks: readonly TaskInfo[]): void {
  const notTrainable = tasks.find(({ split }) => !TRAINABLE_SPLITS.includes(split));
  if (notTrainable === undefined) return;
  throw new BowlineError(
    "config",
    `task ${notTrainable.id} belongs to the split ${notTrainable.split}, which is for scoring only; training takes tasks of ${TRAINABLE_SPLITS.join(" or ")}`,
  );
}

/** Returns the plan of an iteration's groups: the given plan with the temperature and the straggler rule. */
export function groupPlan({
  plan,
  config,
}: Pick<Iteration<GroupConfig>, "plan" | "config">): RolloutPlan {
  const { stragglers, groupSize, temperature } = config.algo;
  if (!stragglers) return { ...plan, temperature };
  const { share, groupShare } = stragglers;
  const rule = { groupSize, perTaskFraction: groupShare, totalFraction: share };
  return { ...plan, temperature, stragglers: rule };
}

/**
 * Returns what an engine needs when iterations are collected ahead: it must still be able to sample with versions
 * before the newest.
 */
export function stalenessNeeds({ algo }: { readonly algo: object }): EngineNeed[] {
  const staleness = "staleness" in algo ? Number(algo.staleness) : 0;
  if (staleness === 0) return [];
  const what = "to sample with earlier policies while it trains the newest";
  return [{ capability: "heldVersions", option: `algo.staleness ${staleness}`, what }];
}
