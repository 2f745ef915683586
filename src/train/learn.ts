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
  type Graded,
  logprobGap,
  loopObjective,
  minibatches,
  type ObjectiveOptions,
  type ObjectiveStats,
  safetyStop,
} from "../algo/index.ts";
import { BowlineError, type Rng } from "../core/index.ts";
import type { Engine, OptimizerStep, TokenOutputs } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { meanOf } from "./metrics.ts";

/** What a rollout's tokens looked like when it was last learned from. */
export interface TokenRatios {
  readonly graded: Graded;
  /** Positions of the action tokens in the row. */
  readonly at: readonly number[];
  /** exp(current - old log-prob) at each. */
  readonly ratios: readonly number[];
}

export interface LearnResult {
  readonly metrics: Record<string, number>;
  readonly ratios: readonly TokenRatios[];
  /** Why the iteration ended before its last minibatch. */
  readonly stopped?: string;
}

interface Item {
  readonly graded: Graded;
  readonly row: ActionRow;
  readonly old: Float32Array;
  current: Float32Array;
}

/** The sampler and the learner compute the same log-probs along different paths; further apart, one of them is wrong. */
const MAX_SAMPLER_GAP = 1e-2;
const MAX_FIRST_RATIO_DEVIATION = 1e-4;

/** The optimizer of a 1-based iteration: its rate is a function of the iteration alone. */
export function stepOf(iteration: number, { optimizer, algo }: Config): OptimizerStep {
  const { finalRate, learningRate, ...rest } = optimizer;
  const progress = (iteration - 1) / Math.max(algo.iterations - 1, 1);
  return { ...rest, learningRate: learningRate * (1 + progress * (finalRate - 1)) };
}

/** Learns from the rollouts that the filter left. Without any, nothing is updated. */
export async function learn(
  engine: Engine,
  batch: readonly Graded[],
  config: Config,
  { rng, step }: { readonly rng: Rng; readonly step: OptimizerStep },
): Promise<LearnResult> {
  if (batch.length === 0) return { metrics: { "train/updates": 0 }, ratios: [] };
  const { items, gap } = await withOldLogprobs(engine, batch, config);
  const updates: Update[] = [];
  const finish = (stopped?: string): LearnResult => ({
    metrics: { ...updateMetrics(updates), "logprob/sampler_gap": gap },
    ratios: items.map(tokenRatios),
    ...(stopped !== undefined && { stopped }),
  });
  for (let epoch = 0; epoch < config.algo.epochs; epoch++) {
    for (const part of minibatches(items, config.algo.minibatch, rng.child(epoch))) {
      const result = await update(engine, part, config, { step, first: updates.length === 0 });
      if ("stopped" in result) return finish(result.stopped);
      updates.push(result);
    }
  }
  return finish();
}

/** What one optimizer step reports. */
interface Update {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
}

/** One minibatch: current log-probs, objective, guards, gradient, step. Stopped: nothing was accumulated. */
async function update(
  engine: Engine,
  part: readonly Item[],
  config: Config,
  { step, first }: { readonly step: OptimizerStep; readonly first: boolean },
): Promise<Update | { readonly stopped: string }> {
  const { temperature, maxTrajectoryKl } = config.algo;
  if (!first) await refresh(engine, part, temperature);
  const objective = loopObjective(part.map(objectiveRow), objectiveOptions(config));
  const { loss, cotangents, stats } = objective;
  if (!Number.isFinite(loss)) throw new BowlineError("tripwire", `the loss is ${loss}`);
  const stopped = safetyStop(objective, maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const rows = part.map(({ row }) => row);
  const outputs = await engine.accumulate(rows, cotangents, { temperature });
  if (first) await requireUnitRatio(engine, part, outputs);
  const { gradientNorm } = await engine.update(step);
  if (Number.isFinite(gradientNorm)) return { loss, gradientNorm, stats };
  throw new BowlineError("tripwire", `the gradient norm is ${gradientNorm}`);
}

function updateMetrics(updates: readonly Update[]): Record<string, number> {
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
  engine: Engine,
  batch: readonly Graded[],
  { algo }: Config,
): Promise<{ items: Item[]; gap: number }> {
  const rows = batch.map(({ rollout }) => actionRow(rollout));
  const outputs = await engine.evaluate(rows, { temperature: algo.temperature });
  const gap = logprobGap(rows.map((row, i) => [row.sampled, outputs[i]!.logprobs] as const)).max;
  if (!(gap <= MAX_SAMPLER_GAP)) {
    throw new BowlineError(
      "tripwire",
      `sampler and learner disagree: a log-prob differs by ${gap}, expected at most ${MAX_SAMPLER_GAP}`,
    );
  }
  const items = batch.map((graded, i) => {
    const old = outputs[i]!.logprobs;
    return { graded, row: rows[i]!, old, current: old };
  });
  return { items, gap };
}

async function refresh(engine: Engine, part: readonly Item[], temperature: number): Promise<void> {
  const outputs = await engine.evaluate(
    part.map(({ row }) => row),
    { temperature },
  );
  part.forEach((item, i) => {
    item.current = outputs[i]!.logprobs;
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

function objectiveRow({ graded, row, old, current }: Item) {
  const { advantage } = graded;
  return { advantage, logprobs: current, oldLogprobs: old, turnLengths: row.turnLengths };
}

function objectiveOptions({ algo }: Config): ObjectiveOptions {
  const { ratio, clip, lowerClip, minibatch } = algo;
  return { ratio, clip, lowerClip, minibatchSize: minibatch };
}

function tokenRatios({ graded, row, old, current }: Item): TokenRatios {
  const ratios = Array.from(current, (logprob, t) => Math.exp(logprob - old[t]!));
  return { graded, at: row.at, ratios };
}
