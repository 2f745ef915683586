/**
 * Training, top to bottom as in the paper's Algorithm 1 (arXiv 2502.01600):
 *
 *   world -> demonstrations -> tokenizer -> warm start -> evaluate
 *   for each iteration:
 *     sample tasks -> K rollouts each -> advantages -> filter -> old log-probs -> epochs of minibatches -> publish
 *   evaluate
 *
 * How an iteration collects, grades and learns is a value, the method (`methods/loop.ts` is LOOP). Everything random is
 * a stream named by (seed, phase, iteration, task, index), and every step ends in a checkpoint, so a killed run
 * continues with the numbers of an uninterrupted one. Time is only measured, never acted on, but for the `run.minutes`
 * ceiling, which is recorded when it ends a run.
 */
import type { Summary } from "../spec/index.ts";
import type { Config } from "./config/config.ts";
import { evaluateBeforeTraining } from "./evaluate/evaluations.ts";
import { finish } from "./finish.ts";
import { createRunLimits } from "./iterate/run-limits.ts";
import { createCollecting } from "./iterate/collect-iterations.ts";
import { endIteration } from "./iterate/end-iteration.ts";
import { createFiringCounter } from "./iterate/mechanism-firings.ts";
import { acquireRun } from "./open/acquire-run.ts";
import { checkRequest, type TrainOptions } from "./open/check-request.ts";
import { openReference } from "./open/open-reference.ts";
import { planRun } from "./open/plan-run.ts";
import { type Makers, realMakers } from "./parts/makers.ts";

import type { TrainingRun } from "./run/training-run.ts";
import { runWarmStart } from "./warm/warm-up.ts";

/**
 * Trains, or continues, or returns the summary of a finished run in `options.out`. Rejects with a BowlineError. What
 * `options` brings of one's own (method, scaffold, rewards, filters, sampler, engine, world) takes the place of what
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
  const plan = await planRun(makers, await checkRequest(config, options));
  if ("summary" in plan) return plan.summary;
  const run = await acquireRun(plan);
  try {
    await runWarmStart(run);
    await evaluateBeforeTraining(run);
    const reason = await runIterations(run);
    return await finish(run, reason);
  } finally {
    await run.close();
  }
}

/** The loop. Returns the ceiling that ended it early, in words. */
async function runIterations(run: TrainingRun): Promise<string | undefined> {
  const { config, engine, state, progress } = run;
  const reference = await openReference(run);
  const collecting = createCollecting(run, reference);
  const ceilings = createRunLimits(run);
  const firings = createFiringCounter(run);
  try {
    progress.startPhase("loop", `${config.algo.iterations} iterations`, config.algo.iterations);
    while (state.iteration < config.algo.iterations && !ceilings.reached()) {
      const iteration = state.iteration + 1;
      const count = firings?.();
      const { phase, context, collected } = await collecting.take(iteration);
      const collectSeconds = ceilings.iterationSeconds();
      const grading = await phase.method.grade(collected, context);
      const learned = await phase.method.learn({ ...collected, ...grading }, context);
      collecting.published(await engine.publish());
      const done = { phase, collected, grading, learned };
      await endIteration(run, {
        ...done,
        iteration,
        counters: count?.(done),
        learnedBy: collecting.learnedBy,
        seconds: ceilings.iterationSeconds(),
        collectSeconds,
      });
    }
    return ceilings.reason;
  } finally {
    await collecting.stop();
    await reference?.close();
  }
}
