/**
 * Training, top to bottom as in the paper's Algorithm 1 (arXiv 2502.01600):
 *
 *   world -> demonstrations -> tokenizer -> warm start -> evaluate
 *   for each iteration:
 *     sample tasks -> K rollouts each -> advantages -> filter -> old log-probs -> epochs of minibatches -> publish
 *   evaluate
 *
 * How an iteration collects and learns is a value (`method.ts`); LOOP's is the default. Everything random is a stream
 * named by (seed, phase, iteration, task, index), and every step ends in a checkpoint, so a killed run continues with the
 * numbers of an uninterrupted one. Time is only measured, never acted on, but for the `run.minutes` ceiling, which is
 * recorded when it ends a run.
 */
import { Rng } from "../core/index.ts";
import type { Summary } from "../spec/index.ts";
import { streamOf } from "./agent.ts";
import { collectAhead } from "./collect-ahead.ts";
import type { Config } from "./config.ts";
import { stepOf } from "./learner.ts";
import { gradeIteration } from "./mechanisms/grading.ts";
import { rememberIteration } from "./mechanisms/remember.ts";
import { configAt } from "./mechanisms/stages.ts";
import { collectIteration, methodOf } from "./method.ts";
import { openTraining } from "./open-training.ts";
import { type Parts, realParts } from "./parts.ts";
import { withCast } from "./shapes/index.ts";
import type { TrainOptions } from "./training.ts";

/** Trains, or continues, or returns the summary of a finished run in `options.out`. Rejects with a BowlineError. */
export function train(config: Config, options: TrainOptions): Promise<Summary> {
  return trainWith(realParts, config, options);
}

/** `train` with other makers of worlds and engines. */
export async function trainWith(
  parts: Parts,
  config: Config,
  options: TrainOptions,
): Promise<Summary> {
  const training = await openTraining(parts, config, options);
  if ("summary" in training) return training.summary;
  const { engine, state } = training;
  const ahead = collectAhead(
    config,
    (iteration) => collectIteration(iteration, training),
    () => training.cancelCollecting(),
  );
  try {
    await training.warmUp();
    await training.evaluateBefore();
    const reference = await training.openReference();
    await training.openCollecting();
    while (state.iteration < config.algo.iterations && !training.mustStop()) {
      const iteration = state.iteration + 1;
      const now = configAt(config, iteration);
      const collected = await ahead.take(iteration);
      const context = {
        engine,
        config: now,
        iteration,
        rng: new Rng(streamOf(config.run.seed, "minibatches", iteration)),
        step: stepOf(iteration, now),
        reference,
        renderer: training.parts.agent.renderer,
        state,
      };
      const { graded, metrics } = await gradeIteration(
        { ...collected, rollouts: withCast(collected.rollouts) },
        context,
      );
      const learned = await methodOf(now).learn({ ...collected, graded }, context);
      training.published(await engine.publish());
      rememberIteration(graded, collected.rollouts, context);
      await training.endIteration({ iteration, rollouts: collected.rollouts, learned, metrics });
    }
    await ahead.stop();
    return await training.finish();
  } finally {
    await ahead.stop();
    await training.close();
  }
}
