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
  type PreferenceSide,
  preferenceObjective,
} from "../algo/index.ts";
import { samplerGap } from "./learn.ts";
import {
  type LearnContext,
  type Learner,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
} from "./learner.ts";
import { meanOf } from "./metrics.ts";
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
      "gradient/norm": meanOf(updates.map(({ gradientNorm }) => gradientNorm)),
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
  return pairs.map((_, i) => ({ chosen: side(2 * i), rejected: side(2 * i + 1) }));
}

async function update(part: readonly StoredPair[], context: LearnContext): Promise<Update> {
  const { engine, config, step } = context;
  const { temperature } = config.algo;
  const rows = part.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  const outputs = await engine.evaluate(rows, { temperature });
  const sides = rows.map((row, i) => preferenceSide(row, outputs[i]!.logprobs, context));
  const result = preferenceObjective(
    part.map((_, i) => ({ chosen: sides[2 * i]!, rejected: sides[2 * i + 1]! })),
    { beta: config.preference.beta, pairs: minibatchSize(config) },
  );
  requireFinite(result.loss, "loss");
  const cotangents = result.cotangents.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  await engine.accumulate(rows, cotangents, { temperature });
  const { gradientNorm } = await engine.update(step);
  requireFinite(gradientNorm, "gradient norm");
  return { ...result, gradientNorm };
}

/** Turns of a tree are compared as they are; rollouts by turns, discounted and normalised by their number. */
function preferenceSide(
  { turnLengths, reference }: StoredSide,
  logprobs: ArrayLike<number>,
  { config }: LearnContext,
): PreferenceSide {
  const side = { logprobs, referenceLogprobs: reference };
  if (config.algo.collect === "tree") return side;
  return { ...side, weights: discountedTurnWeights(turnLengths, config.preference.discount) };
}
