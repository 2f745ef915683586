/**
 * Training, top to bottom as in the paper's Algorithm 1 (arXiv 2502.01600):
 *
 *   world -> demonstrations -> tokenizer -> warm start -> evaluate
 *   for each iteration:
 *     sample tasks -> K rollouts each -> advantages -> filter -> old log-probs -> epochs of minibatches -> publish
 *   evaluate
 *
 * Everything random is a stream named by (seed, phase, iteration, task, index), and every step ends in a checkpoint, so
 * a killed run continues with the numbers of an uninterrupted one. Time is only measured, never acted on, but for the
 * `run.minutes` ceiling, which is recorded when it ends a run.
 */
import { dropNearZero, gradeRollouts } from "../algo/index.ts";
import { Rng } from "../core/index.ts";
import type { Summary } from "../spec/index.ts";
import { streamOf } from "./agent.ts";
import { collect, trainingAssignments } from "./collect.ts";
import type { Config } from "./config.ts";
import { learn, stepOf } from "./learn.ts";
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
  try {
    await training.warmUp();
    await training.evaluateBefore();
    while (state.iteration < config.algo.iterations && !training.outOfTime()) {
      const iteration = state.iteration + 1;
      const chosen = sampleTasks(tasks, iteration, state.mixedShares, config);
      const rollouts = await collect(
        trainingAssignments(chosen, iteration, config),
        training.rolloutPlan(iteration),
      );
      const graded = gradeRollouts(rollouts, config.algo, rewardOptions(config));
      const batch = dropNearZero(graded, config.algo.advantageThreshold);
      const learned = await learn(engine, batch, config, {
        rng: new Rng(streamOf(config.run.seed, "minibatches", iteration)),
        step: stepOf(iteration, config),
      });
      await engine.publish();
      state.mixedShares = updateShares(state.mixedShares, graded);
      await training.endIteration({ iteration, rollouts, batch, learned });
    }
    return await training.finish();
  } finally {
    await training.close();
  }
}
