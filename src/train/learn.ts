/**
 * The learning half of an iteration (arXiv 2502.01600, algorithm 1): old log-probs by the learner, then epochs of
 * shuffled minibatches of the clipped objective.
 *
 * `evaluate` gives the current log-probs, algo the loss and its derivative, `accumulate` turns that into a gradient.
 * The guards look before anything is accumulated. In the first minibatch nothing was updated yet, so the current
 * log-probs are the old ones and need no evaluation of their own; its ratios must be 1, and that is checked.
 *
 * What is beyond LOOP is off by default and lives in `mechanisms/`: which rollouts are learned from, what single tokens
 * weigh, a further pass over remembered rollouts, solutions that are imitated in the same steps.
 */
import {
  type ActionRow,
  actionRow,
  type EntropyBand,
  entropyBand,
  type Graded,
  logprobGap,
  minibatches,
  type ObjectiveOptions,
  type ObjectiveRow,
  type ObjectiveStats,
  policyObjective,
  safetyStop,
} from "../algo/index.ts";
import { BowlineError } from "../core/index.ts";
import type { Engine, EngineInfo, Row, TokenOutputs } from "../spec/index.ts";
import type { Config } from "./config.ts";
import {
  type LearnContext,
  type Learner,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
  requireNorm,
  type TokenRatios,
} from "./learner.ts";
import { accumulateMixed, type MixedRows, mixedRows } from "./mechanisms/imitation-mix.ts";
import { replayBatch } from "./mechanisms/memory.ts";
import { selectRollouts } from "./mechanisms/selection.ts";
import {
  keptTokens,
  klWeightsOf,
  type ShapedItem,
  shapedAdvantage,
  usesEntropies,
  withTokenWeights,
} from "./mechanisms/token-shaping.ts";
import { meanOf, normMetric } from "./metrics.ts";

interface Item extends ShapedItem {
  readonly reference?: Float32Array;
  current: TokenOutputs;
}

/** The sampler and the learner compute the same log-probs along different paths; further apart, one of them is wrong. */
const MAX_SAMPLER_GAP = 1e-2;
const MAX_FIRST_RATIO_DEVIATION = 1e-4;

/** Learns from the rollouts that the filters leave. Without any, nothing is updated. */
export const learnBySurrogate: Learner = async ({ graded, solutions = [] }, context) => {
  const { config, rng, state, iteration } = context;
  const { kept, metrics } = selectRollouts(graded, config);
  const mixed = mixedRows(solutions, config, iteration);
  const main = await learnFrom(kept, { ...context, mixed }, config.algo.epochs);
  const stored = main.stopped === undefined ? replayBatch(state, config, iteration) : [];
  const again = await learnFrom(stored, { ...context, rng: rng.child("replay") }, 1);
  const updates = [...main.updates, ...again.updates];
  if (updates.length === 0 && main.stopped === undefined) {
    return { ...NOTHING_LEARNED, metrics: { ...NOTHING_LEARNED.metrics, ...metrics } };
  }
  if (config.algo.entropyBandCoefficient > 0) {
    const seen = meanOf(updates.map(({ stats }) => stats.entropy ?? 0));
    state.entropies = [...(state.entropies ?? []), seen];
  }
  const stopped = main.stopped ?? again.stopped;
  return {
    kept: kept.length,
    metrics: {
      ...updateMetrics(updates),
      "logprob/sampler_gap": main.gap,
      ...metrics,
      ...extraMetrics(updates),
      ...(config.buffer.replayWeight !== 0 && { "buffer/replayed": stored.length }),
    },
    ratios: main.items.map(tokenRatios),
    ...(stopped !== undefined && { stopped }),
  };
};

interface Pass {
  readonly items: readonly Item[];
  readonly updates: readonly Update[];
  readonly gap: number;
  readonly stopped?: string;
}

interface PassContext extends LearnContext {
  readonly mixed?: MixedRows | undefined;
}

/** Epochs of minibatches over a batch, whose old log-probs are those of the policy as it stands. */
async function learnFrom(
  batch: readonly Graded[],
  context: PassContext,
  epochs: number,
): Promise<Pass> {
  const { config, rng } = context;
  if (batch.length === 0) return { items: [], updates: [], gap: 0 };
  const { items, gap } = await withOldLogprobs(batch, context);
  const updates: Update[] = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const part of minibatches(items, minibatchSize(config), rng.child(epoch))) {
      const result = await update(part, context, updates.length);
      if ("stopped" in result) return { items, updates, gap, stopped: result.stopped };
      updates.push(result);
    }
  }
  return { items, updates, gap };
}

/** What one optimizer step reports. */
interface Update {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
  /** Share of action tokens that token filters left; absent without one. */
  readonly keptTokens?: number | undefined;
  /** Cross-entropy of the solutions that were imitated in this step. */
  readonly imitationLoss?: number | undefined;
}

/** One minibatch: current log-probs, objective, guards, gradient, step. Stopped: nothing was accumulated. */
async function update(
  part: readonly Item[],
  context: PassContext,
  done: number,
): Promise<Update | { readonly stopped: string }> {
  const { engine, config, state, step, rng, renderer, mixed } = context;
  const { temperature, maxTrajectoryKl } = config.algo;
  if (done > 0) await refresh(engine, part, config);
  const plain = part.map((item) => objectiveRow(item, config));
  const shaping = { config, rng: rng.child(`tokens ${done}`), renderer };
  const shaped = withTokenWeights(plain, part, shaping);
  const objective = policyObjective(shaped, objectiveOptions(config, state.entropies));
  const { loss, cotangents, stats } = objective;
  requireFinite(loss, "loss");
  const stopped = safetyStop(objective, maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const rows = part.map(({ row }) => row);
  const outputs = await engine.accumulate(rows, cotangents, { temperature });
  if (done === 0) await requireUnitRatio(engine, part, outputs);
  const imitationLoss = mixed && (await accumulateMixed(engine, mixed, done));
  const { gradientNorm } = await engine.update(step);
  requireNorm(gradientNorm, engine);
  return { loss, gradientNorm, stats, keptTokens: keptTokens(shaped), imitationLoss };
}

export function updateMetrics(
  updates: readonly Pick<Update, "loss" | "gradientNorm" | "stats">[],
): Record<string, number> {
  const last = updates.at(-1)?.stats;
  return {
    "train/updates": updates.length,
    "train/loss": meanOf(updates.map(({ loss }) => loss)),
    ...normMetric(updates),
    "ratio/clip_fraction": meanOf(updates.map(({ stats }) => stats.clipFraction)),
    "ratio/max": Math.max(0, ...updates.map(({ stats }) => stats.ratioMax)),
    "kl/trajectory": last?.trajectoryKl ?? 0,
    "kl/token": last?.klK3 ?? 0,
    ...(last?.referenceKl !== undefined && { "kl/reference": last.referenceKl }),
    ...(last?.entropy !== undefined && {
      "entropy/mean": meanOf(updates.map(({ stats }) => stats.entropy ?? 0)),
    }),
  };
}

/** What mechanisms beyond the objective did; empty for LOOP. */
function extraMetrics(updates: readonly Update[]): Record<string, number> {
  const kept = updates.flatMap((update) => update.keptTokens ?? []);
  const losses = updates.flatMap(({ imitationLoss }) => imitationLoss ?? []);
  return {
    ...(kept.length > 0 && { "filter/tokens_kept": meanOf(kept) }),
    ...(losses.length > 0 && { "imitation/loss": meanOf(losses) }),
  };
}

/** psi = theta: the old policy is the learner as it stands, not what the sampler said (it must agree, though). */
async function withOldLogprobs(
  batch: readonly Graded[],
  { engine, config, reference }: LearnContext,
): Promise<{ items: Item[]; gap: number }> {
  const rows = batch.map(({ rollout }) => actionRow(rollout));
  const outputs = await evaluateRows(engine, rows, config);
  const gap = freshGap(batch, rows, outputs, engine.info, config);
  const frozen = config.algo.klCoefficient > 0 ? reference : undefined;
  const held = await frozen?.evaluate(rows, config.algo.temperature);
  const items = batch.map((graded, i): Item => {
    const current = outputs[i]!;
    const item = {
      graded,
      row: rows[i]!,
      start: startOf(graded, rows[i]!, current, config),
      current,
    };
    return held ? { ...item, reference: held[i]!.logprobs } : item;
  });
  return { items, gap };
}

/**
 * Rollouts that were collected ahead are of an earlier policy; there what the sampler said is the old one. With
 * `samplerCap` the old one stays the learner's, and the way from the sampler to it is a weight.
 */
function startOf(
  { stored }: Graded,
  row: ActionRow,
  current: TokenOutputs,
  { algo }: Config,
): TokenOutputs {
  if (algo.staleness === 0 || algo.samplerCap !== null || stored) return current;
  return { ...current, logprobs: Float32Array.from(row.sampled) };
}

/** Of those rollouts that the present policy sampled; of ones that were collected ahead it is only reported. */
function freshGap(
  batch: readonly Graded[],
  rows: readonly ActionRow[],
  outputs: readonly TokenOutputs[],
  info: Pick<EngineInfo, "tolerance">,
  { algo }: Config,
): number {
  const isFresh = (_: unknown, i: number) => !batch[i]!.stored;
  const fresh = [rows.filter(isFresh), outputs.filter(isFresh)] as const;
  return algo.staleness > 0 ? gapOf(...fresh).max : samplerGap(...fresh, info);
}

/**
 * Throws a `tripwire` error when what was sampled is not what the learner would sample. Services that round differently
 * in sampling and in training are held to the mean, because single tokens may be far off.
 */
export function samplerGap(
  rows: readonly ActionRow[],
  outputs: readonly TokenOutputs[],
  { tolerance }: Pick<EngineInfo, "tolerance"> = {},
): number {
  const { max, mean } = gapOf(rows, outputs);
  const [seen, most] = tolerance ? [mean, tolerance.samplerGap] : [max, MAX_SAMPLER_GAP];
  if (seen <= most) return max;
  throw new BowlineError(
    "tripwire",
    `sampler and learner disagree: ${tolerance ? "log-probs differ on average" : "a log-prob differs"} by ${seen}, expected at most ${most}`,
  );
}

function gapOf(rows: readonly ActionRow[], outputs: readonly TokenOutputs[]) {
  return logprobGap(rows.map((row, i) => [row.sampled, outputs[i]!.logprobs] as const));
}

/** Entropies are asked for only where a term needs them. */
function evaluateRows(
  engine: Engine,
  rows: readonly Row[],
  config: Config,
): Promise<readonly TokenOutputs[]> {
  const { temperature } = config.algo;
  return engine.evaluate(rows, { temperature, ...(usesEntropies(config) && { entropies: true }) });
}

async function refresh(engine: Engine, part: readonly Item[], config: Config): Promise<void> {
  const rows = part.map(({ row }) => row);
  const outputs = await evaluateRows(engine, rows, config);
  part.forEach((item, i) => {
    item.current = outputs[i]!;
  });
}

async function requireUnitRatio(
  engine: Engine,
  part: readonly Item[],
  outputs: readonly TokenOutputs[],
): Promise<void> {
  const { max } = logprobGap(
    part.map(({ current }, i) => [current.logprobs, outputs[i]!.logprobs] as const),
  );
  const most = engine.info.tolerance?.firstRatio ?? MAX_FIRST_RATIO_DEVIATION;
  if (Math.expm1(max) <= most) return;
  await engine.discard();
  throw new BowlineError(
    "tripwire",
    `the first minibatch has a ratio ${Math.expm1(max)} away from 1, expected at most ${most}: evaluate and accumulate disagree`,
  );
}

function objectiveRow(item: Item, config: Config): ObjectiveRow {
  const { row, start, current, reference } = item;
  const { logprobs, entropies } = current;
  const klWeights = klWeightsOf(item, config);
  return {
    advantage: shapedAdvantage(item, config),
    logprobs,
    oldLogprobs: start.logprobs,
    turnLengths: row.turnLengths,
    ...(reference && { referenceLogprobs: reference }),
    ...(entropies && { entropies }),
    ...(config.algo.samplerCap !== null && { samplerLogprobs: row.sampled }),
    ...(klWeights && { klWeights }),
  };
}

/** What the configuration says about the objective. `entropies`: their means in past iterations. */
export function objectiveOptions(
  config: Config,
  entropies: readonly number[] = [],
): ObjectiveOptions {
  const { algo } = config;
  const { ratio, clip, lowerClip, aggregate, upperClip, keptShare, samplerCap } = algo;
  return {
    ratio,
    clip,
    lowerClip,
    aggregate,
    minibatchSize: minibatchSize(config),
    ...(upperClip !== null && { upperClip }),
    ...(keptShare !== null && { keptShare }),
    ...(samplerCap !== null && { samplerCap }),
    ...(algo.klCoefficient > 0 && {
      kl: { coefficient: algo.klCoefficient, estimator: algo.klEstimator },
    }),
    ...(algo.entropyCoefficient > 0 && { entropy: { coefficient: algo.entropyCoefficient } }),
    ...(algo.entropyBandCoefficient > 0 && { entropyBand: bandOf(config, entropies) }),
  };
}

/** Before anything was seen the band is all there is: entropies are measured and nothing is charged. */
function bandOf({ algo }: Config, entropies: readonly number[]): EntropyBand {
  const { entropyBandCoefficient: coefficient } = algo;
  if (entropies.length === 0) return { coefficient, lower: 0, upper: Infinity };
  return entropyBand(entropies, {
    coefficient,
    low: algo.entropyBandLow,
    high: algo.entropyBandHigh,
  });
}

function tokenRatios({ graded, row, start, current }: Item): TokenRatios {
  const old = start.logprobs;
  const ratios = Array.from(current.logprobs, (logprob, t) => Math.exp(logprob - old[t]!));
  const { advantage, rollout } = graded;
  return { id: rollout.id, advantage, at: row.at, ratios };
}
