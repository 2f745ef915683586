/** Makes the record of a run's world: its sources before it is opened, and digests of its tasks when it is open. */
import type { Split, TaskInfo, World } from "../../spec/index.ts";
import { type Config, readDials } from "../config/config.ts";
import type { WorldRecord } from "./run-record.ts";
import { digestWorldModules, shortDigest } from "./world-modules.ts";

/** Returns the record of the world module at `url`. For a world object that was passed to `train()`, `url` is "". */
export function recordWorldSources(config: Pick<Config, "world">, url: string): WorldRecord {
  return { modules: url === "" ? {} : digestWorldModules(url), dials: readDials(config) };
}

/** Returns, for each split, a digest of the tasks that a run draws from it. No further tasks are generated. */
export function digestDrawnTasks(world: World, config: Config): Record<string, string> {
  const { scenarios } = config.evaluation;
  const drawn: readonly [Split, number][] = [
    ["train", config.world.trainScenarios],
    ["dev", scenarios],
    ["test-normal", scenarios],
  ];
  return Object.fromEntries(
    drawn.map(([split, count]) => [split, digestTasks(world.tasks(split, count))]),
  );
}

/** Returns a digest of everything that a policy may see of these tasks. */
export function digestTasks(tasks: readonly TaskInfo[]): string {
  const lines = tasks.map(({ id, scenario, difficulty, signature, instruction }) =>
    JSON.stringify([id, scenario, difficulty, signature, instruction]),
  );
  return shortDigest(lines.join("\n"));
}
