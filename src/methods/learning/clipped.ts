/**
 * The learning half of an iteration (arXiv 2502.01600, algorithm 1): the learner computes old log-probs, then runs
 * epochs of shuffled minibatches of the clipped objective.
 *
 * `evaluate` gives the current log-probs, the objective gives the loss and its derivative, and `accumulate` turns the
 * derivative into a gradient. In the first minibatch no weight has changed yet, so the current log-probs are the old
 * ones and are not evaluated again. LOOP passes nothing but its objective; other methods pass what they change as
 * `options`.
 */
import {
  type ActionRow,
  buildActionRow,
  type GradedRollout,
  type ObjectiveResult,
  type ObjectiveRow,
  safetyStopReason,
} from "../../algo/index.ts";
import type { EvaluateOptions, TokenOutputs } from "../../spec/index.ts";
import type { BaseConfig, Iteration } from "../method.ts";
import { type EarlyStop, runEpochs, takeStep } from "./epochs.ts";
import { checkSamplerGap, measureSamplerGap } from "./guards.ts";
import { type ClippedUpdate, type ObjectiveTrace, traceObjective } from "./metrics.ts";

/** A rollout that is learned from, with the engine's outputs for its row. */
export interface BatchItem {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Outputs under the policy of the iteration's start, psi in the paper. */
  readonly start: TokenOutputs;
  /** Log-probs under the reference policy of a KL term, when the method has one. */
  readonly reference?: Float32Array;
  /** Outputs under the current policy. */
  current: TokenOutputs;
  /** What the objective used for the rollout's tokens in its last minibatch. Absent when it was in none. */
  trace?: ObjectiveTrace;
}

/** An objective: returns the loss of a minibatch and its derivative from what the engine computed. */
export type Objective = (rows: readonly ObjectiveRow[]) => ObjectiveResult;

/** What a method changes about the plain clipped objective. */
export interface ClippedOptions {
  /** What the engine must compute in addition to log-probs. */
  readonly evaluateOptions?: Pick<EvaluateOptions, "entropies">;
  /**
   * How the sampler's policy relates to the learner's. `fresh` (default): they are equal, which is checked. `older`:
   * rollouts were collected ahead, so the sampler's log-probs are the old ones. `corrected`: rollouts were collected
   * ahead, and token weights correct from the sampler to the learner.
   */
  readonly sampler?: "fresh" | "older" | "corrected";
  /** Computes log-probs of the rows under a frozen reference policy. */
  readonly reference?: (rows: readonly ActionRow[]) => Promise<readonly TokenOutputs[]>;
  /** Changes a minibatch's rows before the objective sees them. `done` is the number of updates before it. */
  readonly adjustRows?: (
    plain: readonly ObjectiveRow[],
    items: readonly BatchItem[],
    done: number,
  ) => readonly ObjectiveRow[];
  /** Adds to the gradient of an update. The loss that it returns is reported. */
  readonly addToGradient?: (done: number) => Promise<number | undefined>;
}

/** Results of one optimizer step on one minibatch. */
export interface MinibatchUpdate extends ClippedUpdate {
  readonly rows: readonly ObjectiveRow[];
  /** The loss that `addToGradient` returned. */
  readonly addedLoss?: number | undefined;
}

/** Results of epochs over a batch. */
export interface LearningPass {
  readonly items: readonly BatchItem[];
  readonly updates: readonly MinibatchUpdate[];
  /** Largest difference between the sampler's and the learner's log-probs, in nats. */
  readonly gap: number;
  readonly stopped?: string;
}

type ClippedConfig = BaseConfig & {
  readonly algo: { readonly temperature: number; readonly maxTrajectoryKl: number };
};

/** Evaluates old log-probs, then runs epochs of minibatches. Without a rollout, nothing is updated. */
export async function learnClipped(
  batch: readonly GradedRollout[],
  iteration: Iteration<ClippedConfig>,
  objective: Objective,
  options: ClippedOptions = {},
  epochs: number = iteration.config.algo.epochs,
): Promise<LearningPass> {
  if (batch.length === 0) return { items: [], updates: [], gap: 0 };
  const { items, gap } = await evaluateOldLogprobs(batch, iteration, options);
  const update = (minibatch: readonly BatchItem[], done: number) =>
    updateOnMinibatch(minibatch, done, iteration, objective, options);
  return { items, gap, ...(await runEpochs(items, iteration, update, epochs)) };
}

/**
 * Updates the weights on one minibatch: evaluates current log-probs, computes the objective, checks the guards,
 * accumulates the gradient and takes the step.
 */
async function updateOnMinibatch(
  minibatch: readonly BatchItem[],
  done: number,
  { engine, config, step }: Iteration<ClippedConfig>,
  objective: Objective,
  options: ClippedOptions,
): Promise<MinibatchUpdate | EarlyStop> {
  const { temperature, maxTrajectoryKl } = config.algo;
  const at = minibatch.map(({ row }) => row);
  if (done > 0) {
    const outputs = await engine.evaluate(at, { temperature, ...options.evaluateOptions });
    for (const [i, item] of minibatch.entries()) item.current = outputs[i]!;
  }
  const plain = minibatch.map(buildObjectiveRow);
  const rows = options.adjustRows?.(plain, minibatch, done) ?? plain;
  const result = objective(rows);
  for (const [i, item] of minibatch.entries()) item.trace = traceObjective(rows, result, i);
  const { loss, cotangents, stats } = result;
  const stopped = safetyStopReason(result, maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const { gradientNorm, beforeUpdate: addedLoss } = await takeStep(engine, at, cotangents, {
    step,
    temperature,
    expectedLogprobs: done === 0 ? minibatch.map(({ current }) => current.logprobs) : undefined,
    beforeUpdate: () => options.addToGradient?.(done),
  });
  return { loss, stats, rows, gradientNorm, ...(addedLoss !== undefined && { addedLoss }) };
}

/**
 * Evaluates the log-probs of the iteration's start with the learner. Checks that they agree with the sampler's unless
 * the rollouts were collected ahead.
 */
async function evaluateOldLogprobs(
  batch: readonly GradedRollout[],
  { engine, config }: Iteration<ClippedConfig>,
  options: ClippedOptions,
): Promise<{ readonly items: BatchItem[]; readonly gap: number }> {
  const rows = batch.map(({ rollout }) => buildActionRow(rollout));
  const { temperature } = config.algo;
  const outputs = await engine.evaluate(rows, { temperature, ...options.evaluateOptions });
  // Only rollouts that the current policy sampled are compared. When they were collected ahead, the gap is reported,
  // not checked.
  const fresh = [...batch.keys()].filter((i) => !batch[i]!.stored);
  const [sampled, learned] = [fresh.map((i) => rows[i]!), fresh.map((i) => outputs[i]!)];
  const { sampler = "fresh" } = options;
  const gap =
    sampler === "fresh"
      ? checkSamplerGap(sampled, learned, engine.info)
      : measureSamplerGap(sampled, learned).max;
  const referenceOutputs = await options.reference?.(rows);
  const items = batch.map((graded, i): BatchItem => {
    const [row, current] = [rows[i]!, outputs[i]!];
    const isOlder = sampler === "older" && !graded.stored;
    const start = isOlder ? { ...current, logprobs: Float32Array.from(row.sampled) } : current;
    return {
      graded,
      row,
      start,
      current,
      ...(referenceOutputs && { reference: referenceOutputs[i]!.logprobs }),
    };
  });
  return { items, gap };
}

function buildObjectiveRow({ graded, row, start, current, reference }: BatchItem): ObjectiveRow {
  const { logprobs, entropies } = current;
  return {
    advantage: graded.advantage,
    logprobs,
    oldLogprobs: start.logprobs,
    turnLengths: row.turnLengths,
    ...(reference && { referenceLogprobs: reference }),
    ...(entropies && { entropies }),
  };
}
