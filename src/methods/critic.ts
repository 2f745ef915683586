/**
 * The method `ppo-critic`: the clipped objective with an advantage for every token. The advantages come from values,
 * which a head on the policy's last hidden state learns at the same time (PPO; arXiv 2502.01600, section 5.3 and
 * appendix C).
 *
 * The value head has its own optimizer and sends no gradient into the policy. In the first iterations only the value
 * head learns, because its values mean nothing yet and would change the policy wrongly. `critic/estimates.ts` computes
 * the advantages and the returns that values are trained on.
 */

import {
  buildActionRow,
  type GradedRollout,
  type ObjectiveRow,
  policyObjective,
  safetyStopReason,
  type ValueRow,
  valueObjective,
} from "../algo/index.ts";
import { assert } from "../core/index.ts";
import type { Cotangents, Engine, OptimizerStep, Row, TokenOutputs } from "../spec/index.ts";
import { type CriticConfig, criticSections } from "./critic/config.ts";
import {
  type CriticItem,
  estimateAdvantages,
  spreadValueSlopes,
  whitenItems,
} from "./critic/estimates.ts";
import { defineMethod } from "./define-method.ts";
import { applyFilters } from "./extensions.ts";
import { type EarlyStop, minibatchSize, runEpochs, takeStep } from "./learning/epochs.ts";
import { checkSamplerGap, requireFinite } from "./learning/guards.ts";
import {
  type ClippedUpdate,
  clippedMetrics,
  computeTokenRatios,
  meanOrZero,
  traceObjective,
} from "./learning/metrics.ts";
import { ratioOptions } from "./learning/ratio-options.ts";
import { addMetrics, type Iteration, type Learned, NOTHING_LEARNED } from "./method.ts";
import { findTermsConflict } from "./on-policy/conflicts.ts";
import { gradeWithTerms } from "./on-policy/grading.ts";
import type { HeadState } from "./on-policy/on-policy-state.ts";
import { collectRollouts, type ShapeState } from "./rollouts/collect-rollouts.ts";
import { findShapeConflict } from "./rollouts/shape-conflicts.ts";
import { findTasksConflict } from "./rollouts/tasks-conflict.ts";

type CriticState = HeadState & ShapeState;
type CriticIteration = Iteration<CriticConfig, CriticState>;
type ValueOutputs = TokenOutputs & { readonly values: Float32Array };

export const ppoCritic = defineMethod<typeof criticSections, CriticState>({
  name: "ppo-critic",
  summary: "PPO with a learned value of every token as the baseline",
  sections: criticSections,
  conflict: (config) =>
    findTermsConflict(config.rewards.terms, config) ??
    findTasksConflict(config) ??
    findShapeConflict(config),
  needs() {
    const what = "a value head with an optimizer of its own";
    return [{ capability: "value", option: "method ppo-critic", what }];
  },
  usesReference: ({ rewards }) => rewards.terms.some(({ term }) => term === "kl"),
  collect: (tasks, iteration) => collectRollouts(tasks, iteration),
  grade: ({ rollouts }, iteration) =>
    gradeWithTerms(rollouts, iteration, { advantage: { baseline: "value", scale: "none" } }),
  learn: ({ graded }, iteration) => learnWithCritic(graded, iteration),
});

interface CriticUpdate extends ClippedUpdate {
  readonly rows: readonly ObjectiveRow[];
  readonly valueLoss: number;
  readonly explainedVariance: number;
}

async function learnWithCritic(
  all: readonly GradedRollout[],
  iteration: CriticIteration,
): Promise<Learned> {
  const { kept: graded, metrics } = applyFilters(all, iteration.extensions);
  if (graded.length === 0) return addMetrics(NOTHING_LEARNED, metrics);
  const { items, gap } = await evaluateOldValues(graded, iteration);
  const { updates, stopped } = await runEpochs(items, iteration, (minibatch, done) =>
    updateOnMinibatch(minibatch, done, iteration),
  );
  return {
    kept: graded.length,
    metrics: {
      ...clippedMetrics(updates),
      "logprob/sampler_gap": gap,
      "value/loss": meanOrZero(updates.map(({ valueLoss }) => valueLoss)),
      "value/explained_variance": updates.at(-1)?.explainedVariance ?? 0,
      ...metrics,
    },
    ratios: items.map((item) => computeTokenRatios({ ...item, old: { logprobs: item.old } })),
    record: {
      minibatches: updates.map(({ rows }) => rows),
      options: readObjectiveOptions(iteration.config),
    },
    ...(stopped !== undefined && { stopped }),
  };
}

async function updateOnMinibatch(
  minibatch: readonly CriticItem[],
  done: number,
  { engine, config, number, step }: CriticIteration,
): Promise<CriticUpdate | EarlyStop> {
  const { critic, algo } = config;
  const at = minibatch.map(({ row }) => row);
  if (done > 0) {
    const outputs = await evaluateWithValues(engine, at, algo.temperature);
    minibatch.forEach((item, i) => {
      item.current = outputs[i]!;
    });
  }
  const rows = minibatch.map((item) => buildObjectiveRow(item, config));
  const policy = policyObjective(rows, readObjectiveOptions(config));
  minibatch.forEach((item, i) => {
    item.trace = traceObjective(rows, policy, i);
  });
  const { valueClip } = critic;
  const value = valueObjective(
    minibatch.map(buildValueRow),
    valueClip === null ? {} : { clip: valueClip },
  );
  requireFinite(value.loss, "loss of the values");
  const stopped = safetyStopReason(policy, algo.maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const isWarmingUp = number <= critic.warmIterations;
  const cotangents = minibatch.map((item, i): Cotangents => {
    const values = spreadValueSlopes(item, value.cotangents[i]!.values);
    return isWarmingUp
      ? { logprobs: new Float64Array(item.row.at.length), values }
      : { ...policy.cotangents[i]!, values };
  });
  const { gradientNorm } = await takeStep(engine, at, cotangents, {
    step: { ...(!isWarmingUp && { policy: step }), value: makeValueStep(number, step, config) },
    temperature: algo.temperature,
    expectedLogprobs: done === 0 ? minibatch.map(({ current }) => current.logprobs) : undefined,
  });
  const { loss, stats } = policy;
  const { explainedVariance } = value;
  return { loss, gradientNorm, stats, rows, valueLoss: value.loss, explainedVariance };
}

function readObjectiveOptions({ algo }: CriticConfig) {
  const { aggregate, samplerCap } = algo;
  return {
    ...ratioOptions(algo),
    aggregate,
    minibatchSize: minibatchSize({ algo }),
    ...(samplerCap !== null && { samplerCap }),
  };
}

function buildObjectiveRow(
  { advantages, row, old, current }: CriticItem,
  { algo }: CriticConfig,
): ObjectiveRow {
  const { turnLengths } = row;
  const samplerLogprobs = algo.samplerCap === null ? {} : { samplerLogprobs: row.sampled };
  const now = { logprobs: current.logprobs, oldLogprobs: old, turnLengths };
  return { advantage: advantages, ...now, ...samplerLogprobs };
}

function buildValueRow({ current, returns, valuedTokens, oldValues }: CriticItem): ValueRow {
  const valuesAtSteps = (values: Float32Array) =>
    valuedTokens ? valuedTokens.map((t) => values[t]!) : values;
  return { values: valuesAtSteps(current.values), returns, oldValues: valuesAtSteps(oldValues) };
}

/**
 * Returns the optimizer settings of the value head. It has its own learning rate, and a weight decay that changes
 * linearly over the run.
 */
function makeValueStep(
  number: number,
  step: OptimizerStep,
  { critic, algo }: CriticConfig,
): OptimizerStep {
  const progress = (number - 1) / Math.max(algo.iterations - 1, 1);
  const weightDecay =
    critic.weightDecay + progress * (critic.finalWeightDecay - critic.weightDecay);
  return { ...step, learningRate: critic.learningRate, weightDecay };
}

async function evaluateOldValues(
  batch: readonly GradedRollout[],
  { engine, config }: CriticIteration,
): Promise<{ readonly items: readonly CriticItem[]; readonly gap: number }> {
  const rows = batch.map(({ rollout }) => buildActionRow(rollout));
  const outputs = await evaluateWithValues(engine, rows, config.algo.temperature);
  const items = batch.map((graded, i): CriticItem => {
    const [row, current] = [rows[i]!, outputs[i]!];
    const { values: oldValues, logprobs: old } = current;
    return {
      graded,
      row,
      old,
      oldValues,
      current,
      ...estimateAdvantages(graded, row, oldValues, config),
    };
  });
  const gap = checkSamplerGap(rows, outputs, engine.info);
  return { items: config.critic.whiten ? whitenItems(items) : items, gap };
}

async function evaluateWithValues(
  engine: Engine,
  rows: readonly Row[],
  temperature: number,
): Promise<ValueOutputs[]> {
  const outputs = await engine.evaluate(rows, { temperature, values: true });
  return outputs.map((output) => {
    const { values } = output;
    assert(
      values,
      `the ${engine.info.name} engine returned no values, although it says that it supports them`,
    );
    return { ...output, values };
  });
}
