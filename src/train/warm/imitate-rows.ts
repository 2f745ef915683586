/**
 * Trains the model to imitate demonstrations, by cross-entropy on their code.
 *
 * Every step depends only on the seed and its number, so a continued run computes the same as one that never stopped.
 */
import type { ImitationRow } from "../../agent/index.ts";
import { imitationCotangents, imitationLoss } from "../../algo/index.ts";
import { BowlineError, Rng, randomStreamId } from "../../core/index.ts";
import { gradientNormMetric } from "../../methods/index.ts";
import type { Engine, Row } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { optimizerStep } from "../iterate/optimizer-step.ts";

/** A finished optimizer step of the warm start. */
export interface WarmStep {
  /** The number of the step, counted from 1. */
  readonly step: number;
  readonly steps: number;
  readonly metrics: { readonly [name: string]: number };
  /** The number of tokens in the step's rows, from which rates are computed. */
  readonly tokens: number;
}

export function countWarmStartSteps(rows: number, { warm }: Config): number {
  return Math.ceil(rows / warm.rows) * warm.epochs;
}

/** Where the warm start stands: the steps that were done, and the stages (see `extend-warm-start.ts`) that are finished. */
interface ImitationProgress {
  readonly done: number;
  readonly finishedStages: number;
  readonly onStep: (step: WarmStep) => Promise<void>;
}

/**
 * Runs the steps of a stage after the first `done` steps, and awaits `onStep` after each. Throws a `tripwire` error if the loss is
 * not finite.
 */
export async function imitateRows(
  engine: Engine,
  rows: readonly ImitationRow[],
  config: Config,
  { done, finishedStages, onStep }: ImitationProgress,
): Promise<void> {
  const stageSteps = countWarmStartSteps(rows.length, config);
  const before = finishedStages * stageSteps;
  const steps = before + stageSteps;
  for (let step = done + 1; step <= steps; step++) {
    const chosen = batchAtStep(rows, step - 1, config);
    const batch = chosen.map(toTrainingRow);
    const weights = chosen.map(({ weight = 1 }) => weight);
    const learningRate = learningRateAt((step - before) / stageSteps, config);
    const counts = batch.map(({ at }) => at.length);
    const cotangents = imitationCotangents(counts, undefined, weights);
    const outputs = await engine.accumulate(batch, cotangents);
    const loss = imitationLoss(
      outputs.map(({ logprobs }, i) => ({ logprobs, weight: weights[i]! })),
    );
    if (!Number.isFinite(loss)) {
      throw new BowlineError(
        "tripwire",
        `the loss of warm-start step ${step} is ${loss}; try a lower warm.learningRate (${config.warm.learningRate})`,
      );
    }
    const { gradientNorm } = await engine.update({ ...optimizerStep(1, config), learningRate });
    const tokens = batch.reduce((sum, row) => sum + row.tokens.length, 0);
    const metrics = {
      "warm/loss": loss,
      "warm/learning_rate": learningRate,
      ...gradientNormMetric([{ gradientNorm }]),
    };
    await onStep({ step, steps, metrics, tokens });
  }
}

/**
 * Returns the rows of a step, counted from 0. Each epoch has its own random order, and its last batch may be smaller.
 */
function batchAtStep(
  rows: readonly ImitationRow[],
  step: number,
  { run, warm }: Config,
): ImitationRow[] {
  const perEpoch = Math.ceil(rows.length / warm.rows);
  const epoch = Math.floor(step / perEpoch);
  const start = (step % perEpoch) * warm.rows;
  const order = shuffleIndices(rows.length, randomStreamId(run.seed, "warm", epoch));
  return order.slice(start, start + warm.rows).map((index) => rows[index]!);
}

function shuffleIndices(count: number, stream: number): number[] {
  return new Rng(stream).shuffle([...Array(count).keys()]);
}

/**
 * The share of steps in which the learning rate rises, and the final learning rate as a share of its peak. Both are
 * usual values.
 */
const WARMUP_SHARE = 0.05;
const FINAL_RATE_SHARE = 0.1;

/**
 * Returns the learning rate at `progress` in (0, 1]. It rises linearly and then falls along a cosine to a share of the
 * peak.
 */
function learningRateAt(progress: number, { warm }: Config): number {
  const { learningRate } = warm;
  if (progress < WARMUP_SHARE) return (learningRate * progress) / WARMUP_SHARE;
  const fall = (progress - WARMUP_SHARE) / (1 - WARMUP_SHARE);
  return (
    learningRate *
    (FINAL_RATE_SHARE + (1 - FINAL_RATE_SHARE) * 0.5 * (1 + Math.cos(Math.PI * fall)))
  );
}

/** Returns a row with the positions of the tokens that imitation trains on. */
export function toTrainingRow({
  ids,
  mask,
}: ImitationRow): Row & { readonly at: readonly number[] } {
  const at = ids.map((_, position) => position).filter((position) => mask[position] === 1);
  return { tokens: ids, at };
}
