/** The tasks' own solutions: what a perfect policy would score, and what a yardstick looks its code up in. */
import { demonstrationBy } from "../../agent/index.ts";
import { score } from "../../algo/index.ts";
import { BowlineError, mapPool, streamOf } from "../../core/index.ts";
import { demonstrationRollout } from "../../methods/index.ts";
import type { World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { scaffoldOf } from "../open/agent.ts";
import { warnOnce } from "../run/handler-exceptions.ts";
import { counting, type EvaluationWork } from "./evaluation-work.ts";

/** Runs the tasks' own solutions: what a perfect policy would score. */
export async function scoreSolutions(work: EvaluationWork) {
  const { world, split, scenarios, subject, signal, onEvent } = work;
  refuseUnsolved(world);
  const scaffold = scaffoldOf(subject.config, undefined, subject.scaffold);
  const onDone = counting(work);
  const warn = onEvent && warnOnce(onEvent);
  let done = 0;
  const rollouts = await mapPool(
    world.tasks(split, scenarios),
    subject.config.world.workers * 8,
    async (task, i) => {
      signal?.throwIfAborted();
      const stream = streamOf(world.seed, "solution", task.id);
      const demonstration = await demonstrationBy(world, scaffold, task.id, "careful", stream);
      const id = `solution-${split}/${i}/0`;
      warn?.(demonstration);
      onDone(++done);
      return demonstrationRollout(demonstration, { id, scaffold });
    },
  );
  return { score: score(rollouts), rollouts };
}

/** Careful solutions of the training tasks that the world lists. */
export function trainingSolutions(world: World, config: Config, signal: AbortSignal | undefined) {
  refuseUnsolved(world);
  return mapPool(world.tasks("train"), config.world.workers * 8, (task) => {
    signal?.throwIfAborted();
    return world.demonstrate(task.id, "careful", streamOf(world.seed, "solution", task.id));
  });
}

function refuseUnsolved(world: World): void {
  if (world.hasSolutions) return;
  throw new BowlineError("config", `the tasks of ${world.name} bring no solutions`);
}
