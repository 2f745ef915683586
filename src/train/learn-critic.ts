/**
 * Learning with a critic: the clipped objective with an advantage of every token, from values that a head on the
 * policy's last hidden state learns at the same time (PPO; arXiv 2502.01600, section 5.3 and appendix C).
 *
 * The head has an optimizer of its own and sends no gradient into the policy. In the first iterations it learns alone,
 * so that the policy is not pushed by values that mean nothing yet.
 */
import {
  type ActionRow,
  actionRow,
  clampValues,
  type Graded,
  generalisedAdvantages,
  minibatches,
  type ObjectiveStats,
  policyObjective,
  safetyStop,
  valueObjective,
} from "../algo/index.ts";
import { assert } from "../core/index.ts";
import type { Cotangents, Engine, OptimizerStep, Row, TokenOutputs } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { objectiveOptions, samplerGap, updateMetrics } from "./learn.ts";
import {
  type LearnContext,
  type Learner,
  type LearnResult,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
} from "./learner.ts";
import { meanOf } from "./metrics.ts";

interface Item {
  readonly graded: Graded;
  readonly row: ActionRow;
  readonly old: Float32Array;
  readonly advantages: Float64Array;
  readonly returns: Float64Array;
  current: ValueOutputs;
}

type ValueOutputs = TokenOutputs & { readonly values: Float32Array };

interface Update {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
  readonly valueLoss: number;
  readonly explainedVariance: number;
}

export const learnWithCritic: Learner = async ({ graded }, context) => {
  const { config, rng } = context;
  if (graded.length === 0) return NOTHING_LEARNED;
  const { items, gap } = await withOldValues(graded, context);
  const updates: Update[] = [];
  const finish = (stopped?: string): LearnResult => ({
    kept: graded.length,
    metrics: {
      ...updateMetrics(updates),
      "logprob/sampler_gap": gap,
      "value/loss": meanOf(updates.map(({ valueLoss }) => valueLoss)),
      "value/explained_variance": updates.at(-1)?.explainedVariance ?? 0,
    },
    ratios: [],
    ...(stopped !== undefined && { stopped }),
  });
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(items, minibatchSize(config), rng.child(epoch))) {
      if (updates.length > 0) await refresh(part, context);
      const result = await update(part, context);
      if ("stopped" in result) return finish(result.stopped);
      updates.push(result);
    }
  }
  return finish();
};

async function update(
  part: readonly Item[],
  { engine, config, iteration, step }: LearnContext,
): Promise<Update | { readonly stopped: string }> {
  const policy = policyObjective(part.map(objectiveRow), objectiveOptions(config));
  const value = valueObjective(
    part.map(({ current, returns }) => ({ values: current.values, returns })),
  );
  requireFinite(policy.loss, "loss");
  requireFinite(value.loss, "loss of the values");
  const stopped = safetyStop(policy, config.algo.maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const warming = iteration <= config.critic.warmIterations;
  const cotangents = part.map(({ row }, i): Cotangents => {
    const { values } = value.cotangents[i]!;
    return warming
      ? { logprobs: new Float64Array(row.at.length), values }
      : { ...policy.cotangents[i]!, values };
  });
  const { temperature } = config.algo;
  await engine.accumulate(
    part.map(({ row }) => row),
    cotangents,
    { temperature },
  );
  const { gradientNorm } = await engine.update({
    ...(!warming && { policy: step }),
    value: valueStep(iteration, step, config),
  });
  requireFinite(gradientNorm, "gradient norm");
  const { loss, stats } = policy;
  return {
    loss,
    gradientNorm,
    stats,
    valueLoss: value.loss,
    explainedVariance: value.explainedVariance,
  };
}

function objectiveRow({ advantages, row, old, current }: Item) {
  const { turnLengths } = row;
  return { advantage: advantages, logprobs: current.logprobs, oldLogprobs: old, turnLengths };
}

/** The optimizer of the value head: its own rate, and a decay that falls over the run. */
function valueStep(
  iteration: number,
  step: OptimizerStep,
  { critic, algo }: Config,
): OptimizerStep {
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  const weightDecay =
    critic.weightDecay + progress * (critic.finalWeightDecay - critic.weightDecay);
  return { ...step, learningRate: critic.learningRate, weightDecay };
}

/** Returns lie in [0, 1], so values are read as clamped to it; the whole reward comes with the last token. */
async function withOldValues(
  batch: readonly Graded[],
  { engine, config }: LearnContext,
): Promise<{ items: Item[]; gap: number }> {
  const rows = batch.map(({ rollout }) => actionRow(rollout));
  const { temperature } = config.algo;
  const outputs = await evaluateRows(engine, rows, temperature);
  const { discount: gamma, lambda } = config.critic;
  const items = batch.map((graded, i): Item => {
    const row = rows[i]!;
    const current = outputs[i]!;
    const rewards = new Float64Array(row.at.length);
    if (rewards.length > 0) rewards[rewards.length - 1] = graded.reward;
    const values = clampValues(current.values, 0, 1);
    const estimates = generalisedAdvantages(rewards, values, { gamma, lambda });
    return { graded, row, old: current.logprobs, current, ...estimates };
  });
  return { items, gap: samplerGap(rows, outputs) };
}

async function refresh(part: readonly Item[], { engine, config }: LearnContext): Promise<void> {
  const rows = part.map(({ row }) => row);
  const outputs = await evaluateRows(engine, rows, config.algo.temperature);
  part.forEach((item, i) => {
    item.current = outputs[i]!;
  });
}

async function evaluateRows(
  engine: Engine,
  rows: readonly Row[],
  temperature: number,
): Promise<ValueOutputs[]> {
  const outputs = await engine.evaluate(rows, { temperature, values: true });
  return outputs.map((output) => {
    const { values } = output;
    assert(values, `the ${engine.info.name} engine left out the values that it offers`);
    return { ...output, values };
  });
}
