/**
 * Groups: K rollouts of each task of an iteration (arXiv 2502.01600, algorithm 1). All run at once and share the
 * engine's decoding batches; a rollout is named by (iteration, task, index), and its random stream follows from its
 * name.
 */
import { BowlineError, randomStreamId } from "../../core/index.ts";
import type { Split, TaskInfo } from "../../spec/index.ts";
import type { BaseConfig, Collected, EngineNeed, Iteration } from "../method.ts";
import { type Assignment, type RolloutPlan, runAssignments } from "./run-assignments.ts";
import { temperatureOfIndex } from "./temperatures.ts";

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
  return {
    rollouts: await runAssignments(groupAssignments(tasks, iteration), groupPlan(iteration)),
  };
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
            stream: randomStreamId(run.seed, "train", number, task.id, index),
            ...(algo.lowestTemperature != null && { temperature: temperatureOfIndex(index, algo) }),
          },
    ),
  ).flat();
}

/** Weights learn from `train` (and may from `dev`); what is only to be scored never gets into a gradient. */
const TRAINABLE_SPLITS: readonly Split[] = ["train", "dev"];

/** Throws a `config` error that names the first task of a split that is for scoring only. */
export function requireTrainable(tasks: readonly TaskInfo[]): void {
  const wrong = tasks.find(({ split }) => !TRAINABLE_SPLITS.includes(split));
  if (wrong === undefined) return;
  throw new BowlineError(
    "config",
    `task ${wrong.id} is of the split ${wrong.split}, which is for scoring only; training takes tasks of ${TRAINABLE_SPLITS.join(" or ")}`,
  );
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
export function stalenessNeeds({ algo }: { readonly algo: object }): EngineNeed[] {
  const staleness = "staleness" in algo ? Number(algo.staleness) : 0;
  if (staleness === 0) return [];
  const what = "to sample by earlier policies while it trains the newest";
  return [{ capability: "heldVersions", option: `algo.staleness ${staleness}`, what }];
}
