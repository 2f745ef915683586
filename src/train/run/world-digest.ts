/** The record of the world that a configuration names: what can be told before it is opened, and what its tasks are. */
import type { Split, TaskInfo, World } from "../../spec/index.ts";
import { type Config, readDials } from "../config/config.ts";
import type { WorldRecord } from "./run-record.ts";
import { shortDigest, worldModules } from "./world-modules.ts";

/** `url`: of the world's module; empty for a world that was handed over, of which no source is known. */
export function worldSources(config: Pick<Config, "world">, url: string): WorldRecord {
  return { modules: url === "" ? {} : worldModules(url), dials: readDials(config) };
}

/** A digest for each split that a run draws from, of the tasks that it draws: no more than are drawn anyway. */
export function drawnTasks(world: World, config: Config): Record<string, string> {
  const { scenarios } = config.evaluation;
  const drawn: readonly [Split, number][] = [
    ["train", config.world.trainScenarios],
    ["dev", scenarios],
    ["test-normal", scenarios],
  ];
  return Object.fromEntries(
    drawn.map(([split, count]) => [split, tasksDigest(world.tasks(split, count))]),
  );
}

/** Of all that anyone may see of tasks. */
export function tasksDigest(tasks: readonly TaskInfo[]): string {
  const lines = tasks.map(({ id, scenario, difficulty, signature, instruction }) =>
    JSON.stringify([id, scenario, difficulty, signature, instruction]),
  );
  return shortDigest(lines.join("\n"));
}
