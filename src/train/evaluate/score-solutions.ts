/** Runs the tasks' own solutions, either to score them or for the policy that copies the solution of a similar task. */
import { demonstrateWithScaffold } from "../../agent/index.ts";
import { scoreRollouts } from "../../algo/index.ts";
import { BowlineError, mapConcurrently, randomStreamId } from "../../core/index.ts";
import { rolloutOfDemonstration } from "../../methods/index.ts";
import type { World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { createScaffold } from "../parts/agent.ts";
import { createFirstExceptionWarning } from "../run/handler-exceptions.ts";
import { createProgressReporter, type EvaluationWork } from "./evaluation-work.ts";

/** Runs the tasks' own solutions and scores them. This is the score of a perfect policy. */
export async function scoreSolutions(work: EvaluationWork) {
  const { world, split, scenarios, subject, signal, onEvent } = work;
  requireSolutions(world);
  const scaffold = createScaffold(subject.config, undefined, subject.scaffold);
  const onDone = createProgressReporter(work);
  const warn = onEvent && createFirstExceptionWarning(onEvent);
  let done = 0;
  const rollouts = await mapConcurrently(
    world.tasks(split, scenarios),
    subject.config.world.workers * 8,
    async (task, i) => {
      signal?.throwIfAborted();
      const stream = randomStreamId(world.seed, "solution", task.id);
      const demonstration = await demonstrateWithScaffold(
        world,
        scaffold,
        task.id,
        "careful",
        stream,
      );
      const id = `solution-${split}/${i}/0`;
      warn?.(demonstration);
      onDone(++done);
      return rolloutOfDemonstration(demonstration, { id, scaffold });
    },
  );
  return { score: scoreRollouts(rollouts), rollouts };
}

/** Runs careful solutions of all training tasks and returns them as demonstrations. */
export function demonstrateTrainingTasks(
  world: World,
  config: Config,
  signal: AbortSignal | undefined,
) {
  requireSolutions(world);
  return mapConcurrently(world.tasks("train"), config.world.workers * 8, (task) => {
    signal?.throwIfAborted();
    return world.demonstrate(task.id, "careful", randomStreamId(world.seed, "solution", task.id));
  });
}

function requireSolutions(world: World): void {
  if (world.hasSolutions) return;
  throw new BowlineError("config", `the tasks of ${world.name} have no solutions`);
}
