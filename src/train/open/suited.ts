/** What a method asks of a world, so that one that cannot serve it is refused before anything is opened for a run. */
import { BowlineError } from "../../core/index.ts";
import type { World } from "../../spec/index.ts";
import { type Phase, phasesOf } from "../config/stages.ts";

/** Throws a `config` error that names the world and the field. */
export function requireSuitedWorld(world: World, run: Phase): void {
  if (run.config.algo.iterations === 0) return;
  for (const phase of phasesOf(run)) {
    requireSolutions(world, phase);
    requireTasks(world, phase);
  }
}

function requireSolutions({ name, hasSolutions }: World, { method, config }: Phase): void {
  if (hasSolutions || !method.usesSolutions(config)) return;
  throw new BowlineError(
    "config",
    `the method ${method.name} needs the solutions of tasks here (to imitate: imitation.mixWeight; as the known answer: rewards.terms), and the tasks of ${name} bring none`,
  );
}

function requireTasks(world: World, { config: { algo, world: of } }: Phase): void {
  const { difficulties, trainScenarios } = of;
  const drawn = world
    .tasks("train", trainScenarios)
    .filter(({ difficulty }) => difficulties.includes(difficulty));
  if (drawn.length >= algo.tasksPerIteration) return;
  throw new BowlineError(
    "config",
    `${world.name} has ${drawn.length} training tasks of world.difficulties ${difficulties.join(", ")} in ${trainScenarios} scenarios, ` +
      `but algo.tasksPerIteration is ${algo.tasksPerIteration}; allow more of them, raise world.trainScenarios or lower algo.tasksPerIteration`,
  );
}
