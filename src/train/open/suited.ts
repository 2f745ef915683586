/** What mechanisms ask of a world, so that one that cannot serve them is refused before anything is opened for a run. */
import { BowlineError } from "../../core/index.ts";
import type { World } from "../../spec/index.ts";
import type { Config } from "../config.ts";
import { usesSolutions } from "../mechanism-rules.ts";
import { stageConfigs } from "./stages.ts";

/** Throws a `config` error that names the world and the field. */
export function requireSuitedWorld(world: World, config: Config): void {
  if (config.algo.iterations === 0) return;
  for (const stage of stageConfigs(config)) {
    requireSolutions(world, stage);
    requireTasks(world, stage);
  }
}

function requireSolutions({ name, hasSolutions }: World, config: Config): void {
  if (hasSolutions || !usesSolutions(config)) return;
  const field = config.imitation.mixWeight === 0 ? "rewards.terms" : "imitation.mixWeight";
  throw new BowlineError(
    "config",
    `${field} needs the solutions of tasks (to imitate, or as the known answer), and the tasks of ${name} bring none`,
  );
}

function requireTasks(world: World, { tasks, algo, world: { trainScenarios } }: Config): void {
  const { minDifficulty: low, maxDifficulty: high } = tasks;
  const drawn = world
    .tasks("train", trainScenarios)
    .filter(({ difficulty }) => difficulty >= low && difficulty <= high);
  if (drawn.length >= algo.tasksPerIteration) return;
  throw new BowlineError(
    "config",
    `${world.name} has ${drawn.length} training tasks from tasks.minDifficulty ${low} to tasks.maxDifficulty ${high} in ${trainScenarios} scenarios, ` +
      `but algo.tasksPerIteration is ${algo.tasksPerIteration}; widen the range, raise world.trainScenarios or lower algo.tasksPerIteration`,
  );
}
