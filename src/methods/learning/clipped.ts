/**
 * The learning half of an iteration (arXiv 2502.01600, algorithm 1): the learner computes old log-probs, then runs
 * epochs of shuffled minibatches of the clipped objective.
 *
 * `evaluate` gives the current log-probs, the objective gives the loss and its derivative, and `accumulate` turns the
 * derivative into a gradient. In the first minibatch no weight has changed yet, so the current log-probs are the old
 * ones and are not evaluated again. LOOP passes its objective and where its rollouts come from (`sampler`);
 * other methods pass what they change as `options`.
 */
import {
  type ActionRow,
  buildActionRow,
  type GradedRollout,
  type ObjectiveResult,
  type ObjectiveRow,
  safetyStopReason,
} from "../../algo/index.ts";
import type { Cotangents, EvaluateOptions, TokenOutputs } from "../../spec/index.ts";
import type { BaseConfig, Iteration } from "../method.ts";
import { type EarlyStop, runEpochs, takeStep } from "./epochs.ts";
import { checkSamplerGap, measureSamplerGap } from "./guards.ts";
import { type ClippedUpdate, type ObjectiveTrace, traceObjective } from "./metrics.ts";

/** A rollout that is learned from, with the engine's outputs for its row. */
export interface BatchItem {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /**
   * The old outputs, which the ratio divides by: those of psi, or the sampler's where rollouts were collected ahead.
   */
  readonly old: TokenOutputs;
  /** Log-probs under the reference policy of a KL term, when the method has one. */
  readonly reference?: Float32Array;
  /** The engine's outputs under the current policy. */
  current: TokenOutputs;
  /** What the objective used for the rollout's tokens in its last minibatch. Absent when it was in none. */
  trace?: ObjectiveTrace;
}

/** An objective: returns the loss of a minibatch and its derivative from what the engine computed. */
export type Objective = (rows: readonly ObjectiveRow[]) => ObjectiveResult;

/** What a method changes about the plain clipped objective. */
export interface ClippedOptions {
  /**
   * Returns the derivatives as multiples of ratios, without reading log-probs. This saves a pass where the engine
   * supports it.
   */
  readonly ratioSlopes?: (rows: readonly ObjectiveRow[]) => readonly Cotangents[];
  /** What the engine must compute in addition to log-probs. */
  readonly evaluateOptions?: Pick<EvaluateOptions, "entropies">;
  /**
   * How the sampler's policy relates to the learner's. `fresh` (default): they are equal, which is checked. `older`:
   * rollouts were collected ahead, and the sampler's log-probs are used as the old ones. `corrected`: rollouts were
   * collected ahead, and token weights correct for the difference between sampler and learner.
   */
  readonly sampler?: "fresh" | "older" | "corrected";
  /** Computes log-probs of the rows under a frozen reference policy. */
  readonly reference?: (rows: readonly ActionRow[]) => Promise<readonly TokenOutputs[]>;
  /** Changes a minibatch's rows before the objective sees them. `updatesBefore` counts the earlier updates. */
  readonly adjustRows?: (
    plain: readonly ObjectiveRow[],
    items: readonly BatchItem[],
    updatesBefore: number,
  ) => readonly ObjectiveRow[];
  /** Adds to the gradient of an update. The loss that it returns is reported in the metrics. */
  readonly addToGradient?: (updatesBefore: number) => Promise<number | undefined>;
}

/** The results of the optimizer step on one minibatch. */
export interface MinibatchUpdate extends ClippedUpdate {
  readonly rows: readonly ObjectiveRow[];
  /** The loss that `addToGradient` returned. */
  readonly addedLoss?: number | undefined;
}

/** The results of all epochs over a batch. */
export interface LearningPass {
  readonly items: readonly BatchItem[];
  readonly updates: readonly MinibatchUpdate[];
  /** The largest difference between the sampler's and the learner's log-probs, in nats. */
  readonly gap: number;
  readonly stopped?: string;
}

type ClippedConfig = BaseConfig & {
  readonly algo: { readonly temperature: number; readonly maxTrajectoryKl: number };
};

/** Evaluates old log-probs, then runs epochs of minibatches. When there is no rollout, nothing is updated. */
export async function learnClipped(
  batch: readonly GradedRollout[],
  iteration: Iteration<ClippedConfig>,
  objective: Objective,
  options: ClippedOptions = {},
  epochs: number = iteration.config.algo.epochs,
): Promise<LearningPass> {
  if (batch.length === 0) return { items: [], updates: [], gap: 0 };
  const { items, gap } = await evaluateOldLogprobs(batch, iteration, options);
  const update = (minibatch: readonly BatchItem[], updatesBefore: number) =>
    updateOnMinibatch(minibatch, updatesBefore, iteration, objective, options);
  return { items, gap, ...(await runEpochs(items, iteration, update, epochs)) };
}

/**
 * Updates the weights on one minibatch: evaluates current log-probs, computes the objective, checks the guards,
 * accumulates the gradient and takes the step.
 */
async function updateOnMinibatch(
  minibatch: readonly BatchItem[],
  updatesBefore: number,
  { engine, config, step }: Iteration<ClippedConfig>,
  objective: Objective,
  options: ClippedOptions,
): Promise<MinibatchUpdate | EarlyStop> {
  const { temperature, maxTrajectoryKl } = config.algo;
  const rows = minibatch.map(({ row }) => row);
  const canMultiply = updatesBefore > 0 && engine.info.capabilities.ratioCotangents === true;
  const slopes = canMultiply && options.ratioSlopes?.(minibatch.map(buildObjectiveRow));
  if (updatesBefore > 0) {
    const outputs = slopes
      ? await engine.accumulate(rows, slopes, { temperature })
      : await engine.evaluate(rows, { temperature, ...options.evaluateOptions });
    for (const [i, item] of minibatch.entries()) item.current = outputs[i]!;
  }
  const plain = minibatch.map(buildObjectiveRow);
  const objectiveRows = options.adjustRows?.(plain, minibatch, updatesBefore) ?? plain;
  const result = objective(objectiveRows);
  for (const [i, item] of minibatch.entries())
    item.trace = traceObjective(objectiveRows, result, i);
  const { loss, cotangents, stats } = result;
  const stopped = safetyStopReason(result, maxTrajectoryKl);
  if (stopped !== undefined) {
    if (slopes) await engine.discard();
    return { stopped };
  }
  const { gradientNorm, beforeUpdateResult: addedLoss } = await takeStep(engine, rows, cotangents, {
    step,
    temperature,
    isAccumulated: Boolean(slopes),
    expectedLogprobs:
      updatesBefore === 0 ? minibatch.map(({ current }) => current.logprobs) : undefined,
    beforeUpdate: () => options.addToGradient?.(updatesBefore),
  });
  return {
    loss,
    stats,
    rows: objectiveRows,
    gradientNorm,
    ...(addedLoss !== undefined && { addedLoss }),
  };
}

/**
 * Evaluates log-probs with the learner at the start of the iteration. Unless the rollouts were collected ahead, checks
 * that they agree with the sampler's.
 */
async function evaluateOldLogprobs(
  batch: readonly GradedRollout[],
  { engine, config }: Iteration<ClippedConfig>,
  options: ClippedOptions,
): Promise<{ readonly items: BatchItem[]; readonly gap: number }> {
  const rows = batch.map(({ rollout }) => buildActionRow(rollout));
  const { temperature } = config.algo;
  const outputs = await engine.evaluate(rows, { temperature, ...options.evaluateOptions });
  // Rollouts from a buffer (`stored`) were sampled by earlier policies, so they are not compared. When rollouts were
  // collected ahead, the gap is reported, not checked.
  const compared = [...batch.keys()].filter((i) => !batch[i]!.stored);
  const comparedRows = compared.map((i) => rows[i]!);
  const comparedOutputs = compared.map((i) => outputs[i]!);
  const { sampler = "fresh" } = options;
  const gap =
    sampler === "fresh"
      ? checkSamplerGap(comparedRows, comparedOutputs, engine.info)
      : measureSamplerGap(comparedRows, comparedOutputs).max;
  const referenceOutputs = await options.reference?.(rows);
  const items = batch.map((graded, i): BatchItem => {
    const [row, current] = [rows[i]!, outputs[i]!];
    const usesSampled = sampler === "older" && !graded.stored;
    const old = usesSampled ? { ...current, logprobs: Float32Array.from(row.sampled) } : current;
    return {
      graded,
      row,
      old,
      current,
      ...(referenceOutputs && { reference: referenceOutputs[i]!.logprobs }),
    };
  });
  return { items, gap };
}

function buildObjectiveRow({ graded, row, old, current, reference }: BatchItem): ObjectiveRow {
  const { logprobs, entropies } = current;
  return {
    advantage: graded.advantage,
    logprobs,
    oldLogprobs: old.logprobs,
    turnLengths: row.turnLengths,
    ...(reference && { referenceLogprobs: reference }),
    ...(entropies && { entropies }),
  };
}
