/**
 * Learning from preference pairs: raise what earned more above what earned less, relative to a reference
 * (`src/algo/preference.ts`).
 *
 * Pairs of whole rollouts come from groups, best against worst, with turns discounted and lengths normalised; pairs of
 * turns come from a tree. The reference of a pair is the policy of the iteration that found it, evaluated once.
 */
import {
  discountedTurnWeights,
  minibatches,
  type PairCotangents,
  type PreferenceSide,
  pairRegressionObjective,
  preferenceObjective,
  turnWeights,
} from "../algo/index.ts";
import { samplerGap } from "./learn.ts";
import {
  type LearnContext,
  type Learner,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
  requireNorm,
} from "./learner.ts";
import { meanOf, normMetric } from "./metrics.ts";
import { groupPairs, type Pair, type StoredPair, type StoredSide, storedSide } from "./pairs.ts";

interface Update {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly accuracy: number;
  readonly margin: number;
}

export const learnByPreference: Learner = async ({ graded, pairs }, context) => {
  const { config, rng, state } = context;
  const { minimumGap, buffer } = config.preference;
  const found = pairs ?? groupPairs(graded, minimumGap);
  const fresh = await withReference(found, context);
  const known = [...fresh, ...(state.pairs ?? [])].slice(0, Math.max(buffer, fresh.length));
  state.pairs = known.slice(0, buffer);
  if (known.length === 0) return NOTHING_LEARNED;
  const updates: Update[] = [];
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(known, minibatchSize(config), rng.child(epoch))) {
      updates.push(await update(part, context));
    }
  }
  return {
    kept: 2 * found.length,
    metrics: {
      "train/updates": updates.length,
      "train/loss": meanOf(updates.map(({ loss }) => loss)),
      ...normMetric(updates),
      "preference/pairs": found.length,
      "preference/accuracy": updates.at(-1)?.accuracy ?? 0,
      "preference/margin": updates.at(-1)?.margin ?? 0,
    },
    ratios: [],
  };
};

async function withReference(
  pairs: readonly Pair[],
  { engine, config }: LearnContext,
): Promise<StoredPair[]> {
  const rows = pairs.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  if (rows.length === 0) return [];
  const outputs = await engine.evaluate(rows, { temperature: config.algo.temperature });
  if (config.algo.lowestTemperature === null) samplerGap(rows, outputs);
  const side = (index: number) => storedSide(rows[index]!, outputs[index]!.logprobs);
  return pairs.map(({ gap, differsAt }, i) => {
    return { chosen: side(2 * i), rejected: side(2 * i + 1), gap, differsAt };
  });
}

async function update(part: readonly StoredPair[], context: LearnContext): Promise<Update> {
  const { engine, config, step } = context;
  const { temperature } = config.algo;
  const rows = part.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  const outputs = await engine.evaluate(rows, { temperature });
  const compared = part.map(({ chosen, rejected, gap, differsAt }, i) => ({
    chosen: preferenceSide(chosen, outputs[2 * i]!.logprobs, differsAt, context),
    rejected: preferenceSide(rejected, outputs[2 * i + 1]!.logprobs, differsAt, context),
    gap,
  }));
  const result = pairObjective(compared, context);
  requireFinite(result.loss, "loss");
  const cotangents = result.cotangents.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  await engine.accumulate(rows, cotangents, { temperature });
  const { gradientNorm } = await engine.update(step);
  requireNorm(gradientNorm, engine);
  return { ...result, gradientNorm };
}

interface ComparedPair {
  readonly chosen: PreferenceSide;
  readonly rejected: PreferenceSide;
  readonly gap: number;
}

interface PairResult {
  readonly loss: number;
  readonly cotangents: readonly PairCotangents[];
  readonly accuracy: number;
  readonly margin: number;
}

/** Told apart, or fitted to what the chosen side earned more. */
function pairObjective(pairs: readonly ComparedPair[], { config }: LearnContext): PairResult {
  const { loss, beta, eta } = config.preference;
  const nominal = minibatchSize(config);
  const logistic = preferenceObjective(pairs, {
    beta: loss === "logistic" ? beta : 1,
    pairs: nominal,
  });
  if (loss === "logistic") return logistic;
  const sides = pairs.map(({ chosen, rejected, gap }) => ({
    first: { ...chosen, return: gap },
    second: { ...rejected, return: 0 },
  }));
  return { ...logistic, ...pairRegressionObjective(sides, { eta, pairs: nominal }) };
}

/**
 * Turns of a tree are compared as they are; rollouts by turns, discounted and normalised by their number, or by the few
 * turns from the first that differs.
 */
function preferenceSide(
  { turnLengths, reference }: StoredSide,
  logprobs: ArrayLike<number>,
  differsAt: number,
  { config }: LearnContext,
): PreferenceSide {
  const side = { logprobs, referenceLogprobs: reference };
  const { segmentTurns, discount } = config.preference;
  if (config.algo.collect === "tree") return side;
  if (segmentTurns === null) {
    return { ...side, weights: discountedTurnWeights(turnLengths, discount) };
  }
  const segment = Array.from({ length: segmentTurns }, (_, k) => differsAt + k);
  return { ...side, weights: turnWeights(turnLengths, new Set(segment)) };
}
