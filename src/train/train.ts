/**
 * Training, top to bottom as in the paper's Algorithm 1 (arXiv 2502.01600):
 *
 *   world -> demonstrations -> tokenizer -> warm start -> evaluate
 *   for each iteration:
 *     sample tasks -> K rollouts each -> advantages -> filter -> old log-probs -> epochs of minibatches -> publish
 *   evaluate
 *
 * How an iteration collects, grades and learns is a value, the method (`methods/loop.ts` is LOOP). Everything random is a
 * stream named by (seed, phase, iteration, task, index), and every step ends in a checkpoint, so a killed run continues
 * with the numbers of an uninterrupted one. Time is only measured, never acted on, but for the `run.minutes` ceiling,
 * which is recorded when it ends a run.
 */
import type { Reference } from "../methods/index.ts";
import type { Summary } from "../spec/index.ts";
import { type Config, stalenessOf } from "./config/config.ts";
import { evaluateBefore } from "./evaluate/evaluations.ts";
import { finish } from "./finish.ts";
import { ceilingsOf } from "./iterate/ceilings.ts";
import { collectingOf } from "./iterate/collecting.ts";
import { endIteration } from "./iterate/end-iteration.ts";
import { firings, standing } from "./iterate/firings.ts";
import { rememberTasks } from "./iterate/task-sampling.ts";
import { type Makers, realMakers } from "./open/makers.ts";
import { openReference } from "./open/open-reference.ts";
import { openTraining } from "./open/open-training.ts";
import type { TrainOptions } from "./train-options.ts";
import { warmUp } from "./warm/warm-up.ts";

/**
 * Trains, or continues, or returns the summary of a finished run in `options.out`. Rejects with a BowlineError.
 * What `options` brings of one's own (method, scaffold, rewards, filters, sampler, engine, world) takes the place of what
 * the configuration names.
 */
export function train(config: Config, options: TrainOptions): Promise<Summary> {
  return trainWith(realMakers, config, options);
}

/** `train` with other makers of worlds and engines. */
export async function trainWith(
  makers: Makers,
  config: Config,
  options: TrainOptions,
): Promise<Summary> {
  const run = await openTraining(makers, config, options);
  if ("summary" in run) return run.summary;
  const { engine, state, progress } = run;
  const ceilings = ceilingsOf(run);
  let reference: Reference | undefined;
  const collecting = collectingOf(run, {
    reference: () => reference,
    sinceStart: () => ceilings.iterationSeconds(),
  });
  try {
    await warmUp(run);
    await evaluateBefore(run);
    reference = await openReference(run);
    // What is collected ahead names the policy that samples it.
    if (stalenessOf(config) > 0) collecting.published(await engine.publish());
    progress.start("loop", `${config.algo.iterations} iterations`, config.algo.iterations);
    while (state.iteration < config.algo.iterations && !ceilings.reached()) {
      const number = state.iteration + 1;
      const before = standing(run);
      const { phase, context, collected } = await collecting.take(number);
      const { method } = phase;
      const grading = await method.grade(collected, context);
      const learned = await method.learn({ ...collected, ...grading }, context);
      collecting.published(await engine.publish());
      const { rollouts } = collected;
      rememberTasks(state.tasks, grading.graded, rollouts, phase.config, run.extensions.sampler);
      await endIteration(run, {
        iteration: number,
        phase,
        rollouts,
        grading,
        learned,
        counters: firings(run, { before, phase, grading, learned, collected }),
        learnedBy: collecting.learnedBy,
        seconds: ceilings.iterationSeconds(),
        collectSeconds: collecting.seconds,
      });
    }
    await collecting.stop();
    return await finish(run, ceilings.reason);
  } finally {
    try {
      await collecting.stop();
      await reference?.close();
      await engine.close();
      await run.world.close();
    } finally {
      run.lock.release();
    }
  }
}
