/**
 * The on-policy family: LOOP's clipped objective with the mechanisms of other papers. With default values it gives
 * exactly the numbers of LOOP. Each mechanism is off until its field is set, so values of these fields can express any
 * mixture of methods.
 *
 * The mechanisms are in `on-policy/`: sums of reward terms and credit of turns (`grading.ts`), the choice of rollouts
 * and tokens to learn from (`selection.ts`, `token-shaping.ts`), remembered rollouts (`rollout-buffer.ts`), and
 * imitation in the same optimizer steps (`imitation-mix.ts`).
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
  paysTerm(config, "information-gain") ||
  paysTerm(config, "decision");

/**
 * The method `on-policy`: LOOP's iteration with every mechanism of `on-policy/`, all off by default. The variants below
 * switch some of them on.
 */
export const onPolicy = defineMethod<typeof onPolicySections, OnPolicyState>({
  name: "on-policy",
  summary: "LOOP with the mechanisms of other papers, which are all off by default",
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
    const outcome = { kept: kept.length, metrics, replayed: stored.length, options };
    return buildReport([main, again], outcome, iteration);
  },
});

function buildReport(
  passes: readonly [LearningPass, LearningPass],
  outcome: {
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
    return addMetrics(NOTHING_LEARNED, outcome.metrics);
  }
  if (config.algo.entropyBand !== null) {
    const seen = meanOrZero(updates.map(({ stats }) => stats.entropy ?? 0));
    state.entropies = [...(state.entropies ?? []), seen];
  }
  const shares = updates.flatMap(({ rows }) => shareOfKeptTokens(rows) ?? []);
  const losses = updates.flatMap(({ addedLoss }) => addedLoss ?? []);
  return {
    kept: outcome.kept,
    metrics: {
      ...clippedMetrics(updates),
      "logprob/sampler_gap": main.gap,
      ...outcome.metrics,
      ...(shares.length > 0 && { "filter/tokens_kept": meanOrZero(shares) }),
      ...(losses.length > 0 && { "imitation/loss": meanOrZero(losses) }),
      ...(config.buffer?.replay && { "buffer/replayed": outcome.replayed }),
    },
    ratios: main.items.map(computeTokenRatios),
    record: { minibatches: updates.map(({ rows }) => rows), options: outcome.options },
    ...(stopped !== undefined && { stopped }),
  };
}

/** Returns how the enabled mechanisms change the plain clipped objective. */
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
        plain.map((row, i) => adjustRow(row, items[i]!, config)),
        items,
        { config, rng: rng.child(`tokens ${done}`), renderer: agent.renderer },
      ),
  };
}

/**
 * Returns the log-probs that the sampler reported. A solution was sampled by nobody, so for a solution this returns the
 * old log-probs, and nothing is corrected.
 */
function samplerLogprobsOrOld({ graded, row, old }: BatchItem): ArrayLike<number> {
  return graded.rollout.policyVersion < 0 ? old.logprobs : row.sampled;
}

function adjustRow(row: ObjectiveRow, item: BatchItem, config: OnPolicyConfig): ObjectiveRow {
  const klWeights = computeKlWeights(item, config);
  return {
    ...row,
    advantage: computeShapedAdvantage(item, config),
    ...(config.algo.samplerCap !== null && { samplerLogprobs: samplerLogprobsOrOld(item) }),
    ...(klWeights && { klWeights }),
  };
}

/**
 * Returns the options of the objective that the configuration selects. `entropies` are the mean entropies of past
 * iterations.
 */
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

/**
 * Returns the entropy band around the mean of past entropies. In the first iteration the band has no upper end, so
 * entropies are measured but nothing is charged.
 */
function computeEntropyBand(
  { coefficient, low, high }: NonNullable<OnPolicyConfig["algo"]["entropyBand"]>,
  entropies: readonly number[],
): EntropyBand {
  if (entropies.length === 0) return { coefficient, lower: 0, upper: Infinity };
  return entropyBandAroundMean(entropies, { coefficient, low, high });
}

/**
 * The method `loop-turn`: LOOP with one importance ratio per turn. The paper gives no equation for it; ours is in
 * `src/algo/ratio.ts`.
 */
export const loopTurn = defineVariant(onPolicy, {
  name: "loop-turn",
  summary: "LOOP with one importance ratio per turn",
  preset: { algo: { ratio: "turn" } },
});

/**
 * The method `loop-trajectory`: one importance ratio per rollout (arXiv 2502.01600, equations 4 and 9, table 1 "LOOP
 * (bandit)").
 */
export const loopTrajectory = defineVariant(onPolicy, {
  name: "loop-trajectory",
  summary: "LOOP with one importance ratio per rollout",
  preset: { algo: { ratio: "trajectory" } },
});

/**
 * The method `loop-trajectory-mean`: one length-normalised ratio per rollout, which is not in the paper. At ratio 1 its
 * gradient equals that with token ratios, whereas the gradient with the product as ratio is |a| times as long. So it
 * separates the effect of a coarser ratio from the effect of a longer gradient.
 */
export const loopTrajectoryMean = defineVariant(onPolicy, {
  name: "loop-trajectory-mean",
  summary: "LOOP with one length-normalised importance ratio per rollout",
  preset: { algo: { ratio: "trajectory-mean" } },
});

/**
 * The method `loop-rwnorm` (table 1, "LOOP RwNorm"). As in the released code, the divisor is the population standard
 * deviation.
 */
export const loopRwnorm = defineVariant(onPolicy, {
  name: "loop-rwnorm",
  summary: "LOOP with advantages divided by the standard deviation of their group",
  preset: { algo: { scale: "group" } },
});

/**
 * The method `rloo`: leave-one-out REINFORCE, which is strictly on-policy LOOP with the trajectory ratio (section 5.3).
 * The paper's text sums over tokens, whereas its released code averages. At ratio 1 the gradients of a rollout have the
 * same direction in both forms, but long rollouts get different weights. This method follows the text.
 */
export const rloo = defineVariant(onPolicy, {
  name: "rloo",
  summary: "leave-one-out, strictly on-policy: one update per iteration",
  preset: { algo: { ratio: "trajectory", epochs: 1, minibatch: 0 } },
});

/**
 * The method `grpo-no-kl`: group-relative advantages, strictly on-policy, without a KL term (arXiv 2502.01600, table 1
 * "GRPO no KL"). The baseline is the mean of the group, including the rollout's own return, and the divisor is the
 * group's standard deviation. There is one update on the whole batch, so every ratio is 1 and nothing is clipped (arXiv
 * 2402.03300, section 4.2).
 */
export const grpoNoKl = defineVariant(onPolicy, {
  name: "grpo-no-kl",
  summary: "group-normalised advantages, strictly on-policy, no KL term",
  preset: { algo: { baseline: "mean", scale: "group", epochs: 1, minibatch: 0 } },
});

/**
 * The method `grpo`: `grpo-no-kl` with a KL term to the policy that the run started from (arXiv 2502.01600, table 1
 * "GRPO"; arXiv 2402.03300, equation 4: estimator r - 1 - log r, coefficient 0.04). Groups with equal returns are kept:
 * their advantages are 0, but the KL term applies to them, too.
 */
export const grpo = defineVariant(grpoNoKl, {
  name: "grpo",
  summary: "group-normalised advantages, strictly on-policy, KL term to the start policy",
  preset: { algo: { kl: { coefficient: 0.04 }, advantageThreshold: 0 } },
});

/**
 * The method `many-strict`: many rollouts of fewer tasks, a reward of 0 or 1, one on-policy update, pooled tokens and a
 * very small KL term. It is the strongest later recipe on the paper's benchmark (arXiv 2609.01245).
 *
 * Deviations: 24 rollouts per task instead of 32, and temperature 1 instead of 0.9. `docs/algorithms/many-rollouts.md`
 * lists the others.
 */
export const manyStrict = defineVariant(onPolicy, {
  name: "many-strict",
  summary: "many rollouts per task, reward 0 or 1, one update, pooled tokens",
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
