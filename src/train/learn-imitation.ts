/**
 * Learning by imitation: cross-entropy on the tokens of those rollouts that passed (arXiv 2502.01600, section 5.3).
 *
 * Once an iteration on the policy's own rollouts it is expert iteration; once on many at several temperatures it is
 * rejection sampling; on the tasks' own solutions it is supervised fine-tuning. Off by default: a weight by the return
 * instead of the choice of passed ones (`imitation.temperature`), and what passed in earlier iterations (`buffer.imitate`).
 */
import {
  actionRow,
  imitationCotangents,
  imitationLoss,
  isPassed,
  minibatches,
  returnWeights,
} from "../algo/index.ts";
import type { Rollout } from "../spec/index.ts";
import {
  type Experience,
  type LearnContext,
  type Learner,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
  requireNorm,
} from "./learner.ts";
import { observationRow, surpriseWeights } from "./mechanisms/imitated-tokens.ts";
import { rememberedRollouts } from "./mechanisms/memory.ts";
import { meanOf, normMetric } from "./metrics.ts";

export const learnByImitation: Learner = async (experience, context) => {
  const { engine, config, rng, step } = context;
  const chosen = imitated(experience, context);
  const rowOf = config.imitation.target === "observations" ? observationRow : actionRow;
  if (chosen.length === 0) return NOTHING_LEARNED;
  const rows = chosen
    .map(({ rollout, weight }) => ({ ...rowOf(rollout), weight }))
    .filter(({ at }) => at.length > 0);
  const updates: { readonly loss: number; readonly gradientNorm: number }[] = [];
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(rows, minibatchSize(config), rng.child(epoch))) {
      const counts = part.map(({ at }) => at.length);
      const weights = part.map(({ weight }) => weight);
      const plain = imitationCotangents(counts, undefined, weights);
      const cotangents = await surpriseWeights(engine, part, plain, config);
      const outputs = await engine.accumulate(part, cotangents);
      const loss = imitationLoss(
        outputs.map(({ logprobs }, i) => ({ logprobs, weight: weights[i]! })),
      );
      requireFinite(loss, "loss");
      const { gradientNorm } = await engine.update(step);
      requireNorm(gradientNorm, engine);
      updates.push({ loss, gradientNorm });
    }
  }
  return {
    kept: chosen.length,
    metrics: {
      "train/updates": updates.length,
      "train/loss": meanOf(updates.map(({ loss }) => loss)),
      ...normMetric(updates),
    },
    ratios: [],
  };
};

interface Imitated {
  readonly rollout: Rollout;
  readonly weight: number;
}

/** What passed, now or lately, each by the same weight; or everything that was graded, by what it earned. */
function imitated({ rollouts, graded }: Experience, { config, state }: LearnContext): Imitated[] {
  const { temperature } = config.imitation;
  const before = rememberedRollouts(state, config);
  if (config.imitation.target === "observations") {
    return graded.map(({ rollout }) => ({ rollout, weight: 1 }));
  }
  if (temperature === null) {
    return [...rollouts.filter(isPassed), ...before].map((rollout) => ({ rollout, weight: 1 }));
  }
  const weights = returnWeights(
    graded.map(({ reward }) => reward),
    temperature,
  );
  return graded.map(({ rollout }, i) => ({ rollout, weight: weights[i]! }));
}
