/**
 * Learning from preference pairs: makes the better of two rollouts or turns more likely than the worse one, relative to
 * a reference (`src/algo/preference.ts`; arXiv 2502.01600, section 5.3).
 *
 * Pairs of whole rollouts are the best and the worst of a group, with later turns discounted. Pairs of turns come from
 * a tree (`tree-preference.ts`). The reference of a pair is the policy of the iteration that found the pair. Its
 * log-probs are evaluated only once.
 */

import {
  discountedTurnWeights,
  LOOP_ADVANTAGE,
  type PairCotangents,
  type PreferenceSide,
  pairRegressionObjective,
  preferenceObjective,
  selectedTurnWeights,
} from "../algo/index.ts";
import { choice, type FieldValue, section, withDescription } from "../core/index.ts";
import { defineMethod } from "./define-method.ts";
import { applyFilters } from "./extensions.ts";
import { minibatchSize, runEpochs, takeStep } from "./learning/epochs.ts";
import { checkSamplerGap, requireFinite } from "./learning/guards.ts";
import { gradientNormMetric, meanOrZero } from "./learning/metrics.ts";
import {
  addMetrics,
  type BaseConfig,
  type Iteration,
  type Learned,
  NOTHING_LEARNED,
} from "./method.ts";
import { findTermsConflict } from "./on-policy/conflicts.ts";
import { gradeWithTerms } from "./on-policy/grading.ts";
import type { HeadState } from "./on-policy/on-policy-state.ts";
import {
  makeStoredSide,
  pairBestWithWorst,
  type RowPair,
  type StoredPair,
  type StoredPairSide,
} from "./pairs.ts";
import { isRecorded } from "./recorded-rollouts.ts";
import { collectRollouts, type ShapeState } from "./rollouts/collect-rollouts.ts";
import { findShapeConflict } from "./rollouts/shape-conflicts.ts";
import { findTasksConflict } from "./rollouts/tasks-conflict.ts";
import { findTemperatureConflict } from "./rollouts/temperatures.ts";
import { EVERY_METHOD, SAMPLING, STRAGGLERS, TEMPERATURES } from "./sections/algo.ts";
import { rewards } from "./sections/credit.ts";
import { integer, number } from "./sections/numbers.ts";
import { ROLLOUTS } from "./sections/rollouts.ts";
import { OVER_ITERATIONS } from "./sections/tasks.ts";

/** Configuration fields of all methods that learn from pairs. */
export const PAIR_FIELDS = {
  minimumGap: number(0, 1)
    .default(0.5)
    .describe(
      "Difference of returns above which two rollouts of a task, or two turns of a tree, form a pair",
    ),
  buffer: integer(0, 1_000_000)
    .default(0)
    .describe("Number of pairs that are kept and learned from again in later iterations; 0: none"),
};

export const pairLoss = choice(
  "loss",
  "Loss of a pair: logistic, which separates the better side from the worse one (DPO); squared, which fits differences of log-ratios to differences of returns",
  {
    logistic: section({
      beta: number(1e-6, 100)
        .default(0.1)
        .describe(
          "Beta, the factor of log-ratios. The larger it is, the closer the policy stays to the reference",
        ),
    }),
    squared: section({
      eta: number(1e-3, 1000)
        .default(1)
        .describe(
          "Difference of log-ratios, in nats, that corresponds to a difference of 1 between returns",
        ),
    }),
  },
);

const turns = choice(
  "turns",
  "Which turns of two rollouts are compared: all, every turn, with a discount; segment, some turns from the first one that differs",
  {
    all: section({
      discount: number(0.01, 1)
        .default(0.95)
        .describe("Weight of a turn's log-ratio, relative to the weight of the previous turn"),
    }),
    segment: section({
      segmentTurns: integer(1, 1000)
        .default(1)
        .describe("Number of turns that are compared, beginning with the first turn that differs"),
    }),
  },
);

const preference = withDescription(
  "Which pairs of rollouts are compared, and how",
  section(PAIR_FIELDS, pairLoss, turns),
);
const sections = {
  algo: section({ ...EVERY_METHOD, ...SAMPLING, ...STRAGGLERS, ...TEMPERATURES }),
  preference,
  rewards,
  ...OVER_ITERATIONS,
  ...ROLLOUTS,
};

/** What methods that learn from pairs remember between iterations. */
export interface PairState {
  /** Pairs that are learned from again, from newest to oldest; absent when none are kept. */
  pairs?: readonly StoredPair[];
}

/** The method `dmpo`: learns from the best and the worst rollout of each task, when their returns differ enough. */
export const dmpo = defineMethod<typeof sections, PairState & HeadState & ShapeState>({
  name: "dmpo",
  summary: "learn from a preference pair per task; each iteration has a new reference",
  sections,
  preset: { algo: { epochs: 2, minibatch: 8 }, preference: { beta: 0.1, minimumGap: 0.1 } },
  conflict: (config) =>
    findTemperatureConflict(config) ??
    findTermsConflict(config.rewards.terms, config) ??
    findTrainedUserConflict(config.participants) ??
    findTasksConflict(config) ??
    findShapeConflict(config),
  usesReference: ({ rewards: { terms } }) => terms.some(({ term }) => term === "kl"),
  collect: (tasks, iteration) => collectRollouts(tasks, iteration),
  grade: ({ rollouts }, iteration) =>
    gradeWithTerms(rollouts, iteration, { advantage: LOOP_ADVANTAGE }),
  async learn({ graded }, iteration) {
    const { preference: section, algo } = iteration.config;
    const { kept, metrics } = applyFilters(graded, iteration.extensions);
    const pairs = pairBestWithWorst(kept, section.minimumGap);
    const learned = await learnFromPairs(pairs, iteration, {
      knowsSampler:
        algo.lowestTemperature === null && !kept.some(({ rollout }) => isRecorded(rollout)),
      weighTokens: (lengths, differsAt) => weighComparedTurns(lengths, differsAt, section),
    });
    return addMetrics(learned, metrics);
  },
});

function findTrainedUserConflict({ trainedUser }: { readonly trainedUser: object | null }) {
  if (trainedUser === null) return undefined;
  return "participants.trainedUser: set it to null, because pairs compare only what the agent wrote";
}

/**
 * Returns the weight of each token in the comparison. Either weights are discounted by turn, or they are 1 in the
 * segment that begins at the first differing turn and 0 elsewhere.
 */
function weighComparedTurns(
  turnLengths: readonly number[],
  differsAt: number,
  compared: FieldValue<typeof preference>,
): Float64Array {
  if (compared.turns === "all") return discountedTurnWeights(turnLengths, compared.discount);
  const { segmentTurns } = compared;
  const segment = Array.from({ length: segmentTurns }, (_, k) => differsAt + k);
  return selectedTurnWeights(turnLengths, new Set(segment));
}

type PairConfig = BaseConfig & {
  readonly algo: { readonly temperature: number; readonly groupSize: number };
  readonly preference: {
    readonly buffer: number;
  } & (
    | { readonly loss: "logistic"; readonly beta: number }
    | { readonly loss: "squared"; readonly eta: number }
  );
};
type PairIteration = Iteration<PairConfig, PairState>;

/** How a method compares its pairs. */
interface PairOptions {
  /**
   * False when the rows do not have this policy's log-probs: rollouts at several temperatures, and recordings. They are
   * then not compared with the learner's. True by default.
   */
  readonly knowsSampler?: boolean;
  /** Returns the weight of each token in the comparison; default: all tokens have weight 1. */
  readonly weighTokens?: (turnLengths: readonly number[], differsAt: number) => Float64Array;
}

interface PairUpdate {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly accuracy: number;
  readonly margin: number;
}

/** Runs epochs over the pairs of this iteration and the remembered ones. */
export async function learnFromPairs(
  found: readonly RowPair[],
  iteration: PairIteration,
  options: PairOptions,
): Promise<Learned> {
  const { state, config } = iteration;
  const { buffer } = config.preference;
  const fresh = await evaluateReference(found, iteration, options);
  const known = [...fresh, ...(state.pairs ?? [])].slice(0, Math.max(buffer, fresh.length));
  state.pairs = known.slice(0, buffer);
  if (known.length === 0) return NOTHING_LEARNED;
  const { updates } = await runEpochs(known, iteration, (minibatch) =>
    updateOnPairs(minibatch, iteration, options),
  );
  return {
    kept: 2 * found.length,
    metrics: {
      "train/updates": updates.length,
      "train/loss": meanOrZero(updates.map(({ loss }) => loss)),
      ...gradientNormMetric(updates),
      "preference/pairs": found.length,
      "preference/accuracy": updates.at(-1)?.accuracy ?? 0,
      "preference/margin": updates.at(-1)?.margin ?? 0,
    },
    ratios: [],
    record: { pairs: known.map((pair) => describeComparison(pair, config, options)) },
  };
}

/** Returns the number of turns of a pair's longer rollout, and how many of them are compared. */
function describeComparison(
  { chosen, rejected, differsAt }: StoredPair,
  { preference: { loss } }: PairConfig,
  { weighTokens }: PairOptions,
) {
  const [long] = [chosen, rejected].sort((a, b) => b.turnLengths.length - a.turnLengths.length);
  const { turnLengths } = long!;
  const weights = weighTokens?.(turnLengths, differsAt);
  let next = 0;
  const compared = turnLengths.filter((length) => {
    const weight = weights === undefined ? 1 : weights[next];
    next += length;
    return length > 0 && weight !== 0;
  }).length;
  return { turns: turnLengths.length, compared, squared: loss === "squared" };
}

async function evaluateReference(
  pairs: readonly RowPair[],
  { engine, config }: PairIteration,
  { knowsSampler = true }: PairOptions,
): Promise<StoredPair[]> {
  const rows = pairs.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  if (rows.length === 0) return [];
  const outputs = await engine.evaluate(rows, { temperature: config.algo.temperature });
  if (knowsSampler) checkSamplerGap(rows, outputs, engine.info);
  const makeStoredSideAt = (index: number) =>
    makeStoredSide(rows[index]!, outputs[index]!.logprobs);
  return pairs.map(({ gap, differsAt }, i) => {
    return {
      chosen: makeStoredSideAt(2 * i),
      rejected: makeStoredSideAt(2 * i + 1),
      gap,
      differsAt,
    };
  });
}

async function updateOnPairs(
  minibatch: readonly StoredPair[],
  { engine, config, step }: PairIteration,
  { weighTokens }: PairOptions,
): Promise<PairUpdate> {
  const { temperature } = config.algo;
  const rows = minibatch.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  const outputs = await engine.evaluate(rows, { temperature });
  const makePreferenceSide = (
    stored: StoredPairSide,
    index: number,
    differsAt: number,
  ): PreferenceSide => ({
    logprobs: outputs[index]!.logprobs,
    referenceLogprobs: stored.reference,
    ...(weighTokens && { weights: weighTokens(stored.turnLengths, differsAt) }),
  });
  const compared = minibatch.map(({ chosen, rejected, gap, differsAt }, i) => ({
    chosen: makePreferenceSide(chosen, 2 * i, differsAt),
    rejected: makePreferenceSide(rejected, 2 * i + 1, differsAt),
    gap,
  }));
  const result = pairObjective(compared, config);
  requireFinite(result.loss, "loss");
  const cotangents = result.cotangents.flatMap(({ chosen, rejected }) => [chosen, rejected]);
  return { ...result, ...(await takeStep(engine, rows, cotangents, { step, temperature })) };
}

interface ComparedPair {
  readonly chosen: PreferenceSide;
  readonly rejected: PreferenceSide;
  readonly gap: number;
}

interface PairObjectiveResult {
  readonly loss: number;
  readonly cotangents: readonly PairCotangents[];
  readonly accuracy: number;
  readonly margin: number;
}

/**
 * Computes the configured loss of a pair. It separates the two rows (logistic), or fits the difference of their returns
 * (squared).
 */
function pairObjective(
  compared: readonly ComparedPair[],
  { algo, preference: settings }: PairConfig,
): PairObjectiveResult {
  const pairs = minibatchSize({ algo });
  const beta = settings.loss === "logistic" ? settings.beta : 1;
  const logistic = preferenceObjective(compared, { beta, pairs });
  if (settings.loss === "logistic") return logistic;
  const sides = compared.map(({ chosen, rejected, gap }) => ({
    first: { ...chosen, return: gap },
    second: { ...rejected, return: 0 },
  }));
  return { ...logistic, ...pairRegressionObjective(sides, { eta: settings.eta, pairs }) };
}
