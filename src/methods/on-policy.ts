/**
 * The on-policy family: LOOP's clipped objective with whatever other papers add to it. With its defaults it is LOOP, number
 * for number; every mechanism is off until its field is set, so any half-way point between two methods can be written
 * down as values of these fields.
 *
 * What is beyond LOOP wraps it: rewards that are sums of terms and credit of turns (`grading.ts`), which rollouts and tokens
 * are learned from (`selection.ts`, `token-shaping.ts`), remembered rollouts (`buffer.ts`), imitation in the same steps.
 */

import {
  type EntropyBand,
  entropyBandAroundMean,
  type ObjectiveOptions,
  type ObjectiveRow,
  policyObjective,
} from "../algo/index.ts";
import { defineMethod, defineVariant } from "./define-method.ts";
import {
  type BatchItem,
  type ClippedOptions,
  type LearningPass,
  learnClipped,
} from "./learning/clipped.ts";
import { minibatchSize } from "./learning/epochs.ts";
import { clippedMetrics, computeTokenRatios, meanOrZero } from "./learning/metrics.ts";
import { ratioOptions } from "./learning/ratio-options.ts";
import { addMetrics, type Iteration, type Learned, NOTHING_LEARNED } from "./method.ts";
import { type OnPolicyConfig, onPolicySections } from "./on-policy/config.ts";
import { findOnPolicyConflict } from "./on-policy/conflicts.ts";
import { onPolicyNeeds } from "./on-policy/engine-needs.ts";
import { gradeWithTerms } from "./on-policy/grading.ts";
import { accumulateImitation, selectMixedRows } from "./on-policy/imitation-mix.ts";
import type { OnPolicyState } from "./on-policy/on-policy-state.ts";
import {
  injectRememberedSuccesses,
  selectReplayBatch,
  updateBuffer,
} from "./on-policy/rollout-buffer.ts";
import { selectRollouts } from "./on-policy/selection.ts";
import {
  addTokenWeights,
  computeKlWeights,
  computeShapedAdvantage,
  shareOfKeptTokens,
  usesEntropies,
} from "./on-policy/token-shaping.ts";
import { collectRollouts } from "./rollouts/collect-rollouts.ts";
import { addRolloutsOfCast } from "./rollouts/rollout-shaper.ts";
import { collectSolutions } from "./rollouts/solutions.ts";

type OnPolicyIteration = Iteration<OnPolicyConfig, OnPolicyState>;

const paysTerm = ({ rewards }: OnPolicyConfig, name: string) =>
  rewards.terms.some(({ term }) => term === name);
const usesSolutions = (config: OnPolicyConfig) =>
  config.imitation.mixWeight !== 0 ||
  config.buffer?.inject?.solutions === true ||
  paysTerm(config, "information-gain");

/** LOOP's iteration with every mechanism of `src/methods/on-policy`, all off; variants and systems switch some on. */
export const onPolicy = defineMethod<typeof onPolicySections, OnPolicyState>({
  name: "on-policy",
  summary: "LOOP with the mechanisms of other papers, all off by default",
  sections: onPolicySections,
  conflict: findOnPolicyConflict,
  needs: onPolicyNeeds,
  usesReference: (config) => config.algo.kl !== null || paysTerm(config, "kl"),
  usesSolutions,

  async collect(tasks, iteration) {
    const { rollouts } = await collectRollouts(tasks, iteration);
    if (!usesSolutions(iteration.config)) return { rollouts };
    return { rollouts, solutions: await collectSolutions(tasks, iteration) };
  },

  async grade({ rollouts, solutions }, iteration) {
    const { config, state } = iteration;
    const { baseline, scale } = config.algo;
    const decay = config.algo.baseline === "running" ? config.algo.baselineDecay : 0.95;
    const all = addRolloutsOfCast(rollouts);
    const batch = injectRememberedSuccesses(all, state, config, solutions);
    const { graded, metrics } = await gradeWithTerms(batch, iteration, {
      advantage: { baseline, scale, decay },
      credit: config.credit,
      solutions,
    });
    if (!config.buffer?.inject) return { graded, metrics };
    const own = new Set(all);
    const marked = graded.map((item) =>
      own.has(item.rollout) ? item : { ...item, stored: true as const },
    );
    const injected = marked.filter(({ stored }) => stored).length;
    return { graded: marked, metrics: { ...metrics, "buffer/injected": injected } };
  },

  async learn({ graded, solutions = [] }, iteration): Promise<Learned> {
    const { config, rng, state, number } = iteration;
    const { kept, metrics } = selectRollouts(graded, iteration);
    const mixed = selectMixedRows(solutions, config, number);
    const options = readObjectiveOptions(config, state.entropies);
    const objective = (rows: readonly ObjectiveRow[]) => policyObjective(rows, options);
    const main = await learnClipped(kept, iteration, objective, {
      ...clippedOptions(iteration),
      ...(mixed && { addToGradient: (done) => accumulateImitation(iteration.engine, mixed, done) }),
    });
    const stored = main.stopped === undefined ? selectReplayBatch(state, config, number) : [];
    const replay = { ...iteration, rng: rng.child("replay") };
    const again = await learnClipped(stored, replay, objective, clippedOptions(replay), 1);
    if (config.buffer) {
      updateBuffer(state, graded, config.buffer, number, config.buffer.replay?.groups);
    }
    const told = { kept: kept.length, metrics, replayed: stored.length, options };
    return buildReport([main, again], told, iteration);
  },
});

function buildReport(
  passes: readonly [LearningPass, LearningPass],
  told: {
    readonly kept: number;
    readonly metrics: Readonly<Record<string, number>>;
    readonly replayed: number;
    readonly options: ObjectiveOptions;
  },
  { config, state }: OnPolicyIteration,
): Learned {
  const [main] = passes;
  const updates = passes.flatMap((pass) => pass.updates);
  const stopped = passes.find((pass) => pass.stopped !== undefined)?.stopped;
  if (updates.length === 0 && stopped === undefined) {
    return addMetrics(NOTHING_LEARNED, told.metrics);
  }
  if (config.algo.entropyBand !== null) {
    const seen = meanOrZero(updates.map(({ stats }) => stats.entropy ?? 0));
    state.entropies = [...(state.entropies ?? []), seen];
  }
  const shares = updates.flatMap(({ rows }) => shareOfKeptTokens(rows) ?? []);
  const losses = updates.flatMap(({ addedLoss: beside }) => beside ?? []);
  return {
    kept: told.kept,
    metrics: {
      ...clippedMetrics(updates),
      "logprob/sampler_gap": main.gap,
      ...told.metrics,
      ...(shares.length > 0 && { "filter/tokens_kept": meanOrZero(shares) }),
      ...(losses.length > 0 && { "imitation/loss": meanOrZero(losses) }),
      ...(config.buffer?.replay && { "buffer/replayed": told.replayed }),
    },
    ratios: main.items.map(computeTokenRatios),
    record: { minibatches: updates.map(({ rows }) => rows), options: told.options },
    ...(stopped !== undefined && { stopped }),
  };
}

/** What the mechanisms that are on change about the plain objective's rows. */
function clippedOptions({ config, reference, rng, agent }: OnPolicyIteration): ClippedOptions {
  const { algo } = config;
  const staleness = algo.ratio === "none" ? 0 : algo.staleness;
  const ahead = algo.samplerCap === null ? "older" : "corrected";
  return {
    ...(usesEntropies(config) && { evaluateOptions: { entropies: true } }),
    sampler: staleness > 0 ? ahead : "fresh",
    ...(algo.kl !== null &&
      reference && { reference: (rows) => reference.evaluate(rows, algo.temperature) }),
    adjustRows: (plain, items, done) =>
      addTokenWeights(
        plain.map((row, i) => shapeRow(row, items[i]!, config)),
        items,
        { config, rng: rng.child(`tokens ${done}`), renderer: agent.renderer },
      ),
  };
}

/** A solution was sampled by nobody: nothing is to be corrected about it. */
function samplerLogprobsOrOld({ graded, row, start }: BatchItem): ArrayLike<number> {
  return graded.rollout.policyVersion < 0 ? start.logprobs : row.sampled;
}

function shapeRow(row: ObjectiveRow, item: BatchItem, config: OnPolicyConfig): ObjectiveRow {
  const klWeights = computeKlWeights(item, config);
  return {
    ...row,
    advantage: computeShapedAdvantage(item, config),
    ...(config.algo.samplerCap !== null && { samplerLogprobs: samplerLogprobsOrOld(item) }),
    ...(klWeights && { klWeights }),
  };
}

/** What the configuration says about the objective. `entropies`: their means in past iterations. */
function readObjectiveOptions(
  { algo }: OnPolicyConfig,
  entropies: readonly number[] = [],
): ObjectiveOptions {
  const { aggregate, samplerCap, kl, entropyCoefficient, entropyBand: band } = algo;
  return {
    ...ratioOptions(algo),
    aggregate,
    minibatchSize: minibatchSize({ algo }),
    ...(samplerCap !== null && { samplerCap }),
    ...(kl && { kl }),
    ...(entropyCoefficient > 0 && { entropy: { coefficient: entropyCoefficient } }),
    ...(band && { entropyBand: computeEntropyBand(band, entropies) }),
  };
}

/** Before anything was seen the band is all there is: entropies are measured and nothing is charged. */
function computeEntropyBand(
  { coefficient, low, high }: NonNullable<OnPolicyConfig["algo"]["entropyBand"]>,
  entropies: readonly number[],
): EntropyBand {
  if (entropies.length === 0) return { coefficient, lower: 0, upper: Infinity };
  return entropyBandAroundMean(entropies, { coefficient, low, high });
}

/** LOOP with one importance ratio a turn. The paper gives no equation for it; ours is in `algo/ratio.ts`. */
export const loopTurn = defineVariant(onPolicy, {
  name: "loop-turn",
  summary: "LOOP with an importance ratio of every turn",
  preset: { algo: { ratio: "turn" } },
});

/** One importance ratio a rollout (arXiv 2502.01600, equations 4 and 9, table 1 "LOOP (bandit)"). */
export const loopTrajectory = defineVariant(onPolicy, {
  name: "loop-trajectory",
  summary: "LOOP with one importance ratio of the whole rollout",
  preset: { algo: { ratio: "trajectory" } },
});

/**
 * One length-normalised ratio a rollout; not in the paper. At ratio 1 the product form's gradient is |a| times that of the
 * token form and this one's is equal to it: it tells the coarseness of the ratio from the length of the gradient.
 */
export const loopTrajectoryMean = defineVariant(onPolicy, {
  name: "loop-trajectory-mean",
  summary: "LOOP with one length-normalised ratio of the whole rollout",
  preset: { algo: { ratio: "trajectory-mean" } },
});

/** Table 1 "LOOP RwNorm". As in the released code, the divisor is the population standard deviation. */
export const loopRwnorm = defineVariant(onPolicy, {
  name: "loop-rwnorm",
  summary: "LOOP with advantages divided by the spread of their group",
  preset: { algo: { scale: "group" } },
});

/**
 * Leave-one-out REINFORCE: strictly on-policy LOOP with the trajectory ratio (section 5.3). The paper's released code
 * averages over tokens, its text sums: at ratio 1 both point the same way for one rollout and weigh long rollouts
 * differently. This is the text's form.
 */
export const rloo = defineVariant(onPolicy, {
  name: "rloo",
  summary: "leave-one-out, strictly on-policy: one update an iteration",
  preset: { algo: { ratio: "trajectory", epochs: 1, minibatch: 0 } },
});

/**
 * Group-relative advantages, strictly on-policy, without a KL term (arXiv 2502.01600, table 1 "GRPO no KL"): the baseline is
 * the mean of the group, its own return included, and the divisor its standard deviation; one update on the whole batch,
 * so every ratio is 1 and nothing is clipped (arXiv 2402.03300, section 4.2).
 */
export const grpoNoKl = defineVariant(onPolicy, {
  name: "grpo-no-kl",
  summary: "group-normalised advantages, strictly on-policy, no KL",
  preset: { algo: { baseline: "mean", scale: "group", epochs: 1, minibatch: 0 } },
});

/**
 * The same held to the policy that it started from by a KL term (arXiv 2502.01600, table 1 "GRPO"; arXiv 2402.03300,
 * equation 4: estimator r - 1 - log r, coefficient 0.04). Groups in which all earned the same stay: they teach nothing,
 * but the KL term holds on them too.
 */
export const grpo = defineVariant(grpoNoKl, {
  name: "grpo",
  summary: "group-normalised advantages, strictly on-policy, KL to the start",
  preset: { algo: { kl: { coefficient: 0.04 }, advantageThreshold: 0 } },
});

/**
 * Many rollouts of fewer tasks, all or nothing as the reward, one on-policy update, tokens pooled, a very small KL term: the
 * strongest later recipe on the paper's benchmark (arXiv 2609.01245).
 *
 * Deviations: 24 rollouts a task instead of 32; temperature 1 instead of 0.9; the others are numbered in
 * `docs/algorithms/many-rollouts.md`.
 */
export const manyStrict = defineVariant(onPolicy, {
  name: "many-strict",
  summary: "many rollouts a task, 0/1 reward, one update, tokens pooled",
  preset: {
    algo: {
      groupSize: 24,
      reward: "strict",
      baseline: "mean",
      scale: "group",
      aggregate: "token-mean",
      epochs: 1,
      minibatch: 0,
      advantageThreshold: 0,
      kl: { coefficient: 1e-4 },
    },
  },
});
