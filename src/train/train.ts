/**
 * Training, top to bottom as in the paper's Algorithm 1 (arXiv 2502.01600):
 *
 *   world -> demonstrations -> tokenizer -> warm start -> evaluate
 *   for each iteration:
 *     sample tasks -> K rollouts each -> advantages -> filter -> old log-probs -> epochs of minibatches -> publish
 *   evaluate
 *
 * The method is a value that says how an iteration collects, grades and learns (`methods/loop.ts` is LOOP). All
 * randomness comes from streams named by (seed, phase, iteration, task, index), and every step ends in a checkpoint, so
 * a killed run continues with the numbers of an uninterrupted one. Wall-clock time has one effect: the limit
 * `run.minutes` may end a run, and the run records that.
 */
import type { Summary } from "../spec/index.ts";
import type { Config } from "./config/config.ts";
import { passGates } from "./diagnosis/index.ts";
import { evaluateBeforeTraining } from "./evaluate/evaluations-of-run.ts";
import { finishRun } from "./finish-run.ts";
import { createCollector } from "./iterate/collect-iterations.ts";
import { endIteration } from "./iterate/end-iteration.ts";
import { createFiringCounter } from "./iterate/mechanism-firings.ts";
import { createRunLimits } from "./iterate/run-limits.ts";
import { createStartKlMeter } from "./iterate/start-kl.ts";
import { acquireRun } from "./open/acquire-run.ts";
import type { TrainOptions } from "./open/check-request.ts";
import { openReference } from "./open/open-reference.ts";
import { planRun } from "./open/plan-run.ts";
import { requirePossibleRequest } from "./open/require-possible-request.ts";
import { type Makers, realMakers } from "./parts/makers.ts";
import { tidyFinishedRun } from "./run/finished-run.ts";
import type { TrainingRun } from "./run/training-run.ts";
import { runWarmStart } from "./warm/run-warm-start.ts";

/**
 * Starts a training run in the folder `options.out`, or continues the run in it. For a finished run, returns its
 * summary. Parts of your own in `options` (method, scaffold, rewards, filters, sampler, engine, world) replace those
 * that the configuration names. Rejects with a BowlineError.
 */
export function train(config: Config, options: TrainOptions): Promise<Summary> {
  return trainWith(realMakers, config, options);
}

/** Works like `train`, but the caller supplies the functions that make worlds and engines. */
export async function trainWith(
  makers: Makers,
  config: Config,
  options: TrainOptions,
): Promise<Summary> {
  const plan = await planRun(makers, await requirePossibleRequest(makers, config, options));
  if ("summary" in plan) {
    tidyFinishedRun(options.out);
    return plan.summary;
  }
  const run = await acquireRun(plan);
  try {
    await runWarmStart(run);
    await evaluateBeforeTraining(run);
    passGates(run);
    const reason = await runIterations(run);
    return await finishRun(run, reason);
  } finally {
    await run.close();
  }
}

/** Runs the iterations. Returns the limit that ended them early; undefined if none did. */
async function runIterations(run: TrainingRun): Promise<string | undefined> {
  const { config, engine, state, progress } = run;
  const reference = await openReference(run);
  const collector = createCollector(run, reference);
  const limits = createRunLimits(run);
  const measureStartKl = createStartKlMeter(run);
  const startCounting = createFiringCounter(run);
  try {
    progress.startPhase("loop", `${config.algo.iterations} iterations`, config.algo.iterations);
    while (state.iteration < config.algo.iterations && !limits.isReached()) {
      const number = state.iteration + 1;
      // Before the iteration, because a method changes its state in place.
      const countFirings = startCounting?.();
      const { stage, iteration, collected, timings } = await collector.take(number);
      const collectSeconds = limits.iterationSeconds();
      const grading = await stage.method.grade(collected, iteration);
      const learned = await stage.method.learn({ ...collected, ...grading }, iteration);
      collector.onPublished(await engine.publish());
      const done = { stage, collected, grading, learned };
      await endIteration(run, {
        ...{ ...done, measureStartKl },
        iteration: number,
        counters: countFirings?.(done),
        learnerVersion: collector.learnerVersion,
        seconds: limits.iterationSeconds(),
        collectSeconds,
        timings,
      });
    }
    return limits.reason;
  } finally {
    await collector.stop();
    await reference?.close();
  }
}
