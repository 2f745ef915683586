/**
 * The learning half of an iteration (arXiv 2502.01600, algorithm 1): old log-probs by the learner, then epochs of
 * shuffled minibatches of the clipped objective.
 *
 * `evaluate` gives the current log-probs, algo the loss and its derivative, `accumulate` turns that into a gradient.
 * The guards look before anything is accumulated. In the first minibatch nothing was updated yet, so the current
 * log-probs are the old ones and need no evaluation of their own; its ratios must be 1, and that is checked.
 */
import {
  type ActionRow,
  actionRow,
  dropNearZero,
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
import type { Engine, Row, TokenOutputs } from "../spec/index.ts";
import type { Config } from "./config.ts";
import {
  type LearnContext,
  type Learner,
  type LearnResult,
  minibatchSize,
  NOTHING_LEARNED,
  requireFinite,
  type TokenRatios,
} from "./learner.ts";
import { meanOf } from "./metrics.ts";

interface Item {
  readonly graded: Graded;
  readonly row: ActionRow;
  readonly old: Float32Array;
  readonly reference?: Float32Array;
  current: TokenOutputs;
}

/** The sampler and the learner compute the same log-probs along different paths; further apart, one of them is wrong. */
const MAX_SAMPLER_GAP = 1e-2;
const MAX_FIRST_RATIO_DEVIATION = 1e-4;

/** Learns from the rollouts that the filter leaves. Without any, nothing is updated. */
export const learnBySurrogate: Learner = async ({ graded }, context) => {
  const { config, rng } = context;
  const batch = dropNearZero(graded, config.algo.advantageThreshold);
  if (batch.length === 0) return NOTHING_LEARNED;
  const { items, gap } = await withOldLogprobs(batch, context);
  const updates: Update[] = [];
  const finish = (stopped?: string): LearnResult => ({
    kept: batch.length,
    metrics: { ...updateMetrics(updates), "logprob/sampler_gap": gap },
    ratios: items.map(tokenRatios),
    ...(stopped !== undefined && { stopped }),
  });
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(items, minibatchSize(config), rng.child(epoch))) {
      const result = await update(part, context, updates.length === 0);
      if ("stopped" in result) return finish(result.stopped);
      updates.push(result);
    }
  }
  return finish();
};

/** What one optimizer step reports. */
interface Update {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
}

/** One minibatch: current log-probs, objective, guards, gradient, step. Stopped: nothing was accumulated. */
async function update(
  part: readonly Item[],
  { engine, config, step }: LearnContext,
  first: boolean,
): Promise<Update | { readonly stopped: string }> {
  const { temperature, maxTrajectoryKl } = config.algo;
  if (!first) await refresh(engine, part, config);
  const objective = policyObjective(part.map(objectiveRow), objectiveOptions(config));
  const { loss, cotangents, stats } = objective;
  requireFinite(loss, "loss");
  const stopped = safetyStop(objective, maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const rows = part.map(({ row }) => row);
  const outputs = await engine.accumulate(rows, cotangents, { temperature });
  if (first) await requireUnitRatio(engine, part, outputs);
  const { gradientNorm } = await engine.update(step);
  requireFinite(gradientNorm, "gradient norm");
  return { loss, gradientNorm, stats };
}

export function updateMetrics(
  updates: readonly Pick<Update, "loss" | "gradientNorm" | "stats">[],
): Record<string, number> {
  const last = updates.at(-1)?.stats;
  return {
    "train/updates": updates.length,
    "train/loss": meanOf(updates.map(({ loss }) => loss)),
    "gradient/norm": meanOf(updates.map(({ gradientNorm }) => gradientNorm)),
    "ratio/clip_fraction": meanOf(updates.map(({ stats }) => stats.clipFraction)),
    "ratio/max": Math.max(0, ...updates.map(({ stats }) => stats.ratioMax)),
    "kl/trajectory": last?.trajectoryKl ?? 0,
    "kl/token": last?.klK3 ?? 0,
  };
}

/** psi = theta: the old policy is the learner as it stands, not what the sampler said (it must agree, though). */
async function withOldLogprobs(
  batch: readonly Graded[],
  { engine, config, reference }: LearnContext,
): Promise<{ items: Item[]; gap: number }> {
  const rows = batch.map(({ rollout }) => actionRow(rollout));
  const outputs = await evaluateRows(engine, rows, config);
  const gap = samplerGap(rows, outputs);
  const frozen = await reference?.evaluate(rows, config.algo.temperature);
  const items = batch.map((graded, i): Item => {
    const current = outputs[i]!;
    const item = { graded, row: rows[i]!, old: current.logprobs, current };
    return frozen ? { ...item, reference: frozen[i]!.logprobs } : item;
  });
  return { items, gap };
}

/** Throws a `tripwire` error when what was sampled is not what the learner would sample. */
export function samplerGap(rows: readonly ActionRow[], outputs: readonly TokenOutputs[]): number {
  const gap = logprobGap(rows.map((row, i) => [row.sampled, outputs[i]!.logprobs] as const)).max;
  if (gap <= MAX_SAMPLER_GAP) return gap;
  throw new BowlineError(
    "tripwire",
    `sampler and learner disagree: a log-prob differs by ${gap}, expected at most ${MAX_SAMPLER_GAP}`,
  );
}

/** Entropies are asked for only where a term needs them. */
function evaluateRows(
  engine: Engine,
  rows: readonly Row[],
  { algo: { temperature, entropyCoefficient } }: Config,
): Promise<readonly TokenOutputs[]> {
  return engine.evaluate(rows, { temperature, ...(entropyCoefficient > 0 && { entropies: true }) });
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
  const { max } = logprobGap(part.map(({ old }, i) => [old, outputs[i]!.logprobs] as const));
  if (Math.expm1(max) <= MAX_FIRST_RATIO_DEVIATION) return;
  await engine.discard();
  throw new BowlineError(
    "tripwire",
    `the first minibatch has a ratio ${Math.expm1(max)} away from 1, expected at most ${MAX_FIRST_RATIO_DEVIATION}: evaluate and accumulate disagree`,
  );
}

function objectiveRow({ graded, row, old, current, reference }: Item): ObjectiveRow {
  const { advantage } = graded;
  const { logprobs, entropies } = current;
  return {
    advantage,
    logprobs,
    oldLogprobs: old,
    turnLengths: row.turnLengths,
    ...(reference && { referenceLogprobs: reference }),
    ...(entropies && { entropies }),
  };
}

/** What the configuration says about the objective. */
export function objectiveOptions(config: Config): ObjectiveOptions {
  const { algo } = config;
  const { ratio, clip, lowerClip, aggregate } = algo;
  return {
    ratio,
    clip,
    lowerClip,
    aggregate,
    minibatchSize: minibatchSize(config),
    ...(algo.klCoefficient > 0 && {
      kl: { coefficient: algo.klCoefficient, estimator: algo.klEstimator },
    }),
    ...(algo.entropyCoefficient > 0 && { entropy: { coefficient: algo.entropyCoefficient } }),
  };
}

function tokenRatios({ graded, row, old, current }: Item): TokenRatios {
  const ratios = Array.from(current.logprobs, (logprob, t) => Math.exp(logprob - old[t]!));
  const { advantage, rollout } = graded;
  return { id: rollout.id, advantage, at: row.at, ratios };
}
