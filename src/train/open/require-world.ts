/** What a run asks of a world that is open: solutions to learn from, and enough training tasks. */
import { BowlineError } from "../../core/index.ts";
import type { World } from "../../spec/index.ts";
import { listPhases, type Phase } from "../config/stages.ts";

/** Throws a `config` error that names the world and the field. An agent of the user's brings its own warm start. */
export function requireSuitableWorld(world: World, run: Phase, hasAgent: boolean): void {
  const { warm, algo } = run.config;
  if (!world.hasSolutions && warm.demonstrations > 0 && !hasAgent) {
    throw new BowlineError(
      "config",
      `the tasks of ${run.config.world.name} bring no solutions, so there is nothing to warm up a policy of random weights with; ` +
        "give each task a `solution`, or train on a world that has them (everyday/starter, toy)",
    );
  }
  if (algo.iterations === 0) return;
  requireTrainingTasks(world, run);
  for (const phase of listPhases(run)) {
    requireSolutions(world, phase);
    requireTasksOfDifficulties(world, phase);
  }
}

function requireTrainingTasks(world: World, { config }: Phase): void {
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

function requireSolutions({ name, hasSolutions }: World, { method, config }: Phase): void {
  if (hasSolutions || !method.usesSolutions(config)) return;
  throw new BowlineError(
    "config",
    `the method ${method.name} needs the solutions of tasks here (to imitate: imitation.mixWeight; as the known answer: rewards.terms), and the tasks of ${name} bring none`,
  );
}

function requireTasksOfDifficulties(world: World, { config }: Phase): void {
  const { difficulties, trainScenarios } = config.world;
  const { tasksPerIteration } = config.algo;
  const { length } = world
    .tasks("train", trainScenarios)
    .filter(({ difficulty }) => difficulties.includes(difficulty));
  if (length >= tasksPerIteration) return;
  throw new BowlineError(
    "config",
    `${world.name} has ${length} training tasks of world.difficulties ${difficulties.join(", ")} in ${trainScenarios} scenarios, ` +
      `but algo.tasksPerIteration is ${tasksPerIteration}; allow more of them, raise world.trainScenarios or lower algo.tasksPerIteration`,
  );
}
