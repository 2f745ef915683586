/**
 * Groups: K rollouts of each task of an iteration (arXiv 2502.01600, algorithm 1). All run at once and share the engine's
 * decoding batches; a rollout is named by (iteration, task, index), and its random stream follows from its name.
 */
import { streamOf } from "../../core/index.ts";
import type { TaskInfo } from "../../spec/index.ts";
import type { BaseConfig, Collected, Iteration, Need } from "../method.ts";
import { type Assignment, collect, type RolloutPlan } from "./collect.ts";
import { requireTrainable } from "./require-trainable.ts";

export type GroupConfig = BaseConfig & {
  readonly algo: {
    readonly groupSize: number;
    readonly temperature: number;
    readonly lowestTemperature?: number | null;
    readonly stragglers?: { readonly share: number; readonly groupShare: number } | null;
  };
};

/** K rollouts of each task. */
export async function collectGroups(
  tasks: readonly TaskInfo[],
  iteration: Iteration<GroupConfig>,
): Promise<Collected> {
  return { rollouts: await collect(groupAssignments(tasks, iteration), groupPlan(iteration)) };
}

/** Rollout-major (every task's first, then every task's second), so groups fill evenly. */
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
            stream: streamOf(run.seed, "train", number, task.id, index),
            ...temperatureOf(index, algo),
          },
    ),
  ).flat();
}

/** Even steps over the group, from the lowest temperature to the configured one. */
function temperatureOf(
  index: number,
  { lowestTemperature, temperature, groupSize }: GroupConfig["algo"],
): { readonly temperature?: number } {
  const low = lowestTemperature ?? null;
  if (low === null) return {};
  return { temperature: low + ((temperature - low) * index) / (groupSize - 1) };
}

/** Undefined when all is well. */
export function temperatureConflict({ algo }: GroupConfig): string | undefined {
  const { lowestTemperature, temperature } = algo;
  if ((lowestTemperature ?? null) === null || lowestTemperature! <= temperature) return undefined;
  return `algo.lowestTemperature: expected at most algo.temperature (${temperature}), came ${lowestTemperature}`;
}

/** How the groups of an iteration run. */
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

/** Collecting ahead takes an engine that still samples by versions before the newest. */
export function stalenessNeeds({ algo }: { readonly algo: object }): Need[] {
  const staleness = "staleness" in algo ? Number(algo.staleness) : 0;
  if (staleness === 0) return [];
  const what = "to sample by earlier policies while it trains the newest";
  return [{ capability: "heldVersions", option: `algo.staleness ${staleness}`, what }];
}
