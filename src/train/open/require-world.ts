/** Checks that an open world has the solutions and training tasks that a run needs. */
import { BowlineError } from "../../core/index.ts";
import type { World } from "../../spec/index.ts";
import { type ConfigAndMethod, listConfigsAndMethods } from "../config/stages.ts";

/**
 * Throws a `config` error that names the world and the field. A user's own agent brings its own warm start, so it needs
 * no solutions.
 */
export function requireSuitableWorld(world: World, run: ConfigAndMethod, hasAgent: boolean): void {
  const { warm, algo } = run.config;
  if (!world.hasSolutions && warm.demonstrations > 0 && !hasAgent) {
    throw new BowlineError(
      "config",
      `the tasks of ${run.config.world.name} have no solutions, so a policy with random weights has nothing to imitate; ` +
        "give each task a `solution`, or train on a world whose tasks have one (everyday/starter, toy)",
    );
  }
  if (algo.iterations === 0) return;
  requireTrainingTasks(world, run);
  for (const phase of listConfigsAndMethods(run)) {
    requireSolutions(world, phase);
    requireTasksOfDifficulties(world, phase);
  }
}

function requireTrainingTasks(world: World, { config }: ConfigAndMethod): void {
  const { name, trainScenarios } = config.world;
  const { tasksPerIteration } = config.algo;
  const { length } = world.tasks("train", trainScenarios);
  if (length >= tasksPerIteration) return;
  throw new BowlineError(
    "config",
    `${name} has ${length} training tasks in ${trainScenarios} scenarios, but algo.tasksPerIteration is ${tasksPerIteration}; ` +
      "raise world.trainScenarios or lower algo.tasksPerIteration",
  );
}

function requireSolutions(
  { name, hasSolutions }: World,
  { method, config }: ConfigAndMethod,
): void {
  if (hasSolutions || !method.usesSolutions(config)) return;
  throw new BowlineError(
    "config",
    `the method ${method.name} needs solutions as it is configured (imitation.mixWeight imitates them, rewards.terms compares with them), but the tasks of ${name} have none`,
  );
}

function requireTasksOfDifficulties(world: World, { config }: ConfigAndMethod): void {
  const { difficulties, trainScenarios } = config.world;
  const { tasksPerIteration } = config.algo;
  const { length } = world
    .tasks("train", trainScenarios)
    .filter(({ difficulty }) => difficulties.includes(difficulty));
  if (length >= tasksPerIteration) return;
  throw new BowlineError(
    "config",
    `${world.name} has ${length} training tasks of world.difficulties ${difficulties.join(", ")} in ${trainScenarios} scenarios, ` +
      `but algo.tasksPerIteration is ${tasksPerIteration}; allow more difficulties, raise world.trainScenarios or lower algo.tasksPerIteration`,
  );
}
