/** Opens a world, proves its tasks on all workers, closes it. */
import type { Split } from "../../spec/index.ts";
import { checkTasks, type TaskReport, type WorldReport } from "../check/index.ts";
import { openWorld } from "./open-world.ts";

export interface CheckWorldOptions {
  readonly seed: number;
  readonly split: Split;
  /** Default: as many as the world lists. */
  readonly scenarios?: number;
  readonly workers?: number;
  /** Called after each task with its report and how many are done. */
  readonly onTask?: (report: TaskReport, done: number, tasks: number) => void;
}

export async function checkWorld(
  moduleUrl: string,
  options: CheckWorldOptions,
): Promise<WorldReport> {
  const { seed, split, scenarios, workers = 1, onTask } = options;
  const world = await openWorld(moduleUrl, { seed, workers });
  try {
    const ids = world.tasks(split, scenarios).map(({ id }) => id);
    return await checkTasks(world, split, ids, 2 * workers, (report, done) =>
      onTask?.(report, done, ids.length),
    );
  } finally {
    await world.close();
  }
}
