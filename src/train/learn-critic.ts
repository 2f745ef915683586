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
  lengthAdaptiveLambda,
  minibatches,
  type ObjectiveRow,
  type ObjectiveStats,
  perToken,
  policyObjective,
  safetyStop,
  tokenRewards,
  type ValueRow,
  valueObjective,
  whitened,
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
  requireNorm,
} from "./learner.ts";
import { meanOf } from "./metrics.ts";

interface Item {
  readonly graded: Graded;
  readonly row: ActionRow;
  readonly old: Float32Array;
  /** Of each action token. */
  readonly advantages: Float64Array;
  /** What values are fitted to, and at which action tokens; absent: at all. */
  readonly returns: Float64Array;
  readonly valued?: readonly number[];
  readonly oldValues: Float32Array;
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
  const rows = part.map((item) => objectiveRow(item, config));
  const policy = policyObjective(rows, objectiveOptions(config));
  const { valueClip } = config.critic;
  const value = valueObjective(part.map(valueRow), valueClip === null ? {} : { clip: valueClip });
  requireFinite(policy.loss, "loss");
  requireFinite(value.loss, "loss of the values");
  const stopped = safetyStop(policy, config.algo.maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const warming = iteration <= config.critic.warmIterations;
  const cotangents = part.map((item, i): Cotangents => {
    const values = valueSlopes(item, value.cotangents[i]!.values);
    return warming
      ? { logprobs: new Float64Array(item.row.at.length), values }
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
  requireNorm(gradientNorm, engine);
  const { loss, stats } = policy;
  return {
    loss,
    gradientNorm,
    stats,
    valueLoss: value.loss,
    explainedVariance: value.explainedVariance,
  };
}

function objectiveRow({ advantages, row, old, current }: Item, { algo }: Config): ObjectiveRow {
  const { turnLengths } = row;
  const samplerLogprobs = algo.samplerCap === null ? {} : { samplerLogprobs: row.sampled };
  const now = { logprobs: current.logprobs, oldLogprobs: old, turnLengths };
  return { advantage: advantages, ...now, ...samplerLogprobs };
}

function valueRow({ current, returns, valued, oldValues }: Item): ValueRow {
  const at = (values: Float32Array) => (valued ? valued.map((t) => values[t]!) : values);
  return { values: at(current.values), returns, oldValues: at(oldValues) };
}

/** The slopes of a row's values, back at the action tokens that they belong to. */
function valueSlopes({ row, valued }: Item, slopes: Float64Array): Float64Array {
  if (valued === undefined) return slopes;
  const all = new Float64Array(row.at.length);
  valued.forEach((t, k) => {
    all[t] = slopes[k]!;
  });
  return all;
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

async function withOldValues(
  batch: readonly Graded[],
  { engine, config }: LearnContext,
): Promise<{ items: Item[]; gap: number }> {
  const rows = batch.map(({ rollout }) => actionRow(rollout));
  const { temperature } = config.algo;
  const outputs = await evaluateRows(engine, rows, temperature);
  const items = batch.map((graded, i): Item => {
    const row = rows[i]!;
    const current = outputs[i]!;
    const { values: oldValues, logprobs: old } = current;
    const estimates = (config.critic.unit === "turn" ? turnEstimates : tokenEstimates)(
      graded,
      row,
      readValues(oldValues, config),
      config,
    );
    return { graded, row, old, oldValues, current, ...estimates };
  });
  return {
    items: config.critic.whiten ? whitenedItems(items) : items,
    gap: samplerGap(rows, outputs),
  };
}

/** Outcomes lie in [0, 1], so values of them are read as clamped to it; sums of terms may be anything. */
function readValues(values: Float32Array, { rewards }: Config): Float64Array {
  return rewards.terms.length === 0 ? clampValues(values, 0, 1) : Float64Array.from(values);
}

type Estimates = Pick<Item, "advantages" | "returns" | "valued">;

/** Steps are action tokens. Without terms the whole reward comes with the last one. */
function tokenEstimates(
  { reward, turnRewards }: Graded,
  { at, turnLengths }: ActionRow,
  values: Float64Array,
  config: Config,
): Estimates {
  if (turnRewards) return estimated(tokenRewards(turnRewards, turnLengths), values, config);
  const rewards = new Float64Array(at.length);
  if (rewards.length > 0) rewards[rewards.length - 1] = reward;
  return estimated(rewards, values, config);
}

/** Steps are turns, each valued before its first token; all tokens of a turn share its advantage. */
function turnEstimates(
  { reward, turnRewards }: Graded,
  { turnLengths }: ActionRow,
  values: Float64Array,
  config: Config,
): Estimates {
  let next = 0;
  const firsts = turnLengths.map((length) => {
    const first = next;
    next += length;
    return first;
  });
  const earned =
    turnRewards ?? turnLengths.map((_, j) => (j === turnLengths.length - 1 ? reward : 0));
  // A turn without tokens has no state of its own to value.
  const spoken = [...turnLengths.keys()].filter((j) => turnLengths[j]! > 0);
  const paid = spoken.map((j, k) => sumBetween(earned, j, spoken[k + 1] ?? earned.length));
  const before = spoken.map((j) => values[firsts[j]!]!);
  const { advantages, returns } = estimated(paid, before, config);
  return {
    advantages: perToken(turnLengths, (j) => advantages[spoken.indexOf(j)]!),
    returns,
    valued: spoken.map((j) => firsts[j]!),
  };
}

/** With a lambda by length, values are still fitted to whole returns (lambda 1): only the policy's estimate is cut. */
function estimated(
  rewards: ArrayLike<number>,
  values: ArrayLike<number>,
  { critic }: Config,
): { readonly advantages: Float64Array; readonly returns: Float64Array } {
  const { discount: gamma, lambda, adaptiveLambda } = critic;
  if (adaptiveLambda === 0) return generalisedAdvantages(rewards, values, { gamma, lambda });
  const byLength = lengthAdaptiveLambda(values.length, adaptiveLambda);
  const { advantages } = generalisedAdvantages(rewards, values, { gamma, lambda: byLength });
  const { returns } = generalisedAdvantages(rewards, values, { gamma, lambda: 1 });
  return { advantages, returns };
}

function whitenedItems(items: readonly Item[]): Item[] {
  const advantages = whitened(items.map((item) => item.advantages));
  return items.map((item, i) => ({ ...item, advantages: advantages[i]! }));
}

function sumBetween(values: readonly number[], start: number, end: number): number {
  return values.slice(start, end).reduce((sum, value) => sum + value, 0);
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
