/**
 * Learning by imitation: cross-entropy on the tokens of those rollouts that passed (arXiv 2502.01600, section 5.3).
 *
 * Once an iteration on the policy's own rollouts it is expert iteration; once on many at several temperatures it is
 * rejection sampling; on the tasks' own solutions it is supervised fine-tuning.
 */
import {
  actionRow,
  imitationCotangents,
  imitationLoss,
  isPassed,
  minibatches,
} from "../algo/index.ts";
import { type Learner, minibatchSize, NOTHING_LEARNED, requireFinite } from "./learner.ts";
import { meanOf } from "./metrics.ts";

export const learnByImitation: Learner = async ({ rollouts }, { engine, config, rng, step }) => {
  const passed = rollouts.filter(isPassed);
  if (passed.length === 0) return NOTHING_LEARNED;
  const rows = passed.map(actionRow).filter(({ at }) => at.length > 0);
  const updates: { readonly loss: number; readonly gradientNorm: number }[] = [];
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(rows, minibatchSize(config), rng.child(epoch))) {
      const cotangents = imitationCotangents(part.map(({ at }) => at.length));
      const loss = imitationLoss(await engine.accumulate(part, cotangents));
      requireFinite(loss, "loss");
      const { gradientNorm } = await engine.update(step);
      requireFinite(gradientNorm, "gradient norm");
      updates.push({ loss, gradientNorm });
    }
  }
  return {
    kept: passed.length,
    metrics: {
      "train/updates": updates.length,
      "train/loss": meanOf(updates.map(({ loss }) => loss)),
      "gradient/norm": meanOf(updates.map(({ gradientNorm }) => gradientNorm)),
    },
    ratios: [],
  };
};
