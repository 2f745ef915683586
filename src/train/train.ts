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
import { gradeRollouts } from "../algo/index.ts";
import { Rng } from "../core/index.ts";
import type { Summary } from "../spec/index.ts";
import { streamOf } from "./agent.ts";
import type { Config } from "./config.ts";
import { stepOf } from "./learner.ts";
import { methodOf } from "./method.ts";
import { rewardOptions } from "./metrics.ts";
import { openTraining } from "./open-training.ts";
import { type Parts, realParts } from "./parts.ts";
import { sampleTasks, updateShares } from "./task-sampling.ts";
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
  const { engine, state, tasks } = training;
  const method = methodOf(config);
  try {
    await training.warmUp();
    await training.evaluateBefore();
    const reference = await training.openReference();
    while (state.iteration < config.algo.iterations && !training.outOfTime()) {
      const iteration = state.iteration + 1;
      const chosen = sampleTasks(tasks, iteration, state.mixedShares, config);
      const collected = await method.collect(chosen, iteration, training);
      const graded = gradeRollouts(collected.rollouts, config.algo, rewardOptions(config));
      const learned = await method.learn(
        { ...collected, graded },
        {
          engine,
          config,
          iteration,
          rng: new Rng(streamOf(config.run.seed, "minibatches", iteration)),
          step: stepOf(iteration, config),
          reference,
          state,
        },
      );
      await engine.publish();
      state.mixedShares = updateShares(state.mixedShares, graded);
      await training.endIteration({ iteration, rollouts: collected.rollouts, learned });
    }
    return await training.finish();
  } finally {
    await training.close();
  }
}
