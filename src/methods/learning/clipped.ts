/**
 * The learning half of an iteration (arXiv 2502.01600, algorithm 1): old log-probs by the learner, then epochs of
 * shuffled minibatches of the clipped objective.
 *
 * `evaluate` gives the current log-probs, algo the loss and its derivative, `accumulate` turns that into a gradient. In
 * the first minibatch nothing was updated yet, so the current log-probs are the old ones and need no evaluation of their
 * own. LOOP passes nothing beyond its objective; other methods pass what they change as `shape`.
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
import {
  checkSamplerGap,
  type EarlyStop,
  measureSamplerGap,
  runEpochs,
  takeStep,
} from "./epochs.ts";
import { type ClippedUpdate, type ObjectiveTrace, traceObjective } from "./metrics.ts";

/** A rollout that is learned from. */
export interface BatchItem {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Under the policy of the iteration's start: psi of the paper. */
  readonly start: TokenOutputs;
  /** Under the policy that rewards are held to, where there is one. */
  readonly reference?: Float32Array;
  /** Under the policy as it is now. */
  current: TokenOutputs;
  /** In its last minibatch; absent: it was in none. */
  trace?: ObjectiveTrace;
}

/** The loss of a minibatch and its derivative, as a function of what the engine computed. */
export type Objective = (rows: readonly ObjectiveRow[]) => ObjectiveResult;

/** What a method changes about the plain clipped objective. */
export interface ClippedOptions {
  /** What is asked of the engine beside log-probs. */
  readonly evaluateOptions?: Pick<EvaluateOptions, "entropies">;
  /**
   * Default `fresh`: what was sampled is what the learner would sample, and that is checked. `older`: collected ahead, so
   * what the sampler said is the old one. `corrected`: collected ahead, and a weight takes the way to the learner.
   */
  readonly sampler?: "fresh" | "older" | "corrected";
  /** Log-probs of the rows under a frozen policy. */
  readonly reference?: (rows: readonly ActionRow[]) => Promise<readonly TokenOutputs[]>;
  /** A minibatch's rows as the objective sees them; `done`: updates before it. */
  readonly adjustRows?: (
    plain: readonly ObjectiveRow[],
    items: readonly BatchItem[],
    done: number,
  ) => readonly ObjectiveRow[];
  /** Adds to the gradient of an update; what it returns is reported. */
  readonly addToGradient?: (done: number) => Promise<number | undefined>;
}

/** What one optimizer step reports. */
export interface MinibatchUpdate extends ClippedUpdate {
  readonly rows: readonly ObjectiveRow[];
  /** What `beside` returned. */
  readonly addedLoss?: number | undefined;
}

export interface LearningPass {
  readonly items: readonly BatchItem[];
  readonly updates: readonly MinibatchUpdate[];
  /** Largest difference between the sampler's and the learner's log-probs, nats. */
  readonly gap: number;
  readonly stopped?: string;
}

type ClippedConfig = BaseConfig & {
  readonly algo: { readonly temperature: number; readonly maxTrajectoryKl: number };
};

/** Epochs of minibatches over a batch. Without a rollout, nothing is updated. */
export async function learnClipped(
  batch: readonly GradedRollout[],
  iteration: Iteration<ClippedConfig>,
  objective: Objective,
  shape: ClippedOptions = {},
  epochs: number = iteration.config.algo.epochs,
): Promise<LearningPass> {
  if (batch.length === 0) return { items: [], updates: [], gap: 0 };
  const { items, gap } = await evaluateOldLogprobs(batch, iteration, shape);
  const update = (minibatch: readonly BatchItem[], done: number) =>
    updateOnMinibatch(minibatch, done, iteration, objective, shape);
  return { items, gap, ...(await runEpochs(items, iteration, update, epochs)) };
}

/** One minibatch: current log-probs, objective, guards, gradient, step. */
async function updateOnMinibatch(
  minibatch: readonly BatchItem[],
  done: number,
  { engine, config, step }: Iteration<ClippedConfig>,
  objective: Objective,
  shape: ClippedOptions,
): Promise<MinibatchUpdate | EarlyStop> {
  const { temperature, maxTrajectoryKl } = config.algo;
  const at = minibatch.map(({ row }) => row);
  if (done > 0) {
    const outputs = await engine.evaluate(at, { temperature, ...shape.evaluateOptions });
    for (const [i, item] of minibatch.entries()) item.current = outputs[i]!;
  }
  const plain = minibatch.map(buildObjectiveRow);
  const rows = shape.adjustRows?.(plain, minibatch, done) ?? plain;
  const result = objective(rows);
  for (const [i, item] of minibatch.entries()) item.trace = traceObjective(rows, result, i);
  const { loss, cotangents, stats } = result;
  const stopped = safetyStopReason(result, maxTrajectoryKl);
  if (stopped !== undefined) return { stopped };
  const taken = await takeStep(engine, at, cotangents, {
    step,
    temperature,
    expectedLogprobs: done === 0 ? minibatch.map(({ current }) => current.logprobs) : undefined,
    beforeUpdate: () => shape.addToGradient?.(done),
  });
  return { loss, stats, rows, ...taken };
}

/** psi = theta: the old policy is the learner as it stands, not what the sampler said (it must agree, though). */
async function evaluateOldLogprobs(
  batch: readonly GradedRollout[],
  { engine, config }: Iteration<ClippedConfig>,
  shape: ClippedOptions,
): Promise<{ readonly items: BatchItem[]; readonly gap: number }> {
  const rows = batch.map(({ rollout }) => buildActionRow(rollout));
  const { temperature } = config.algo;
  const outputs = await engine.evaluate(rows, { temperature, ...shape.evaluateOptions });
  // Of those that the present policy sampled; of ones that were collected ahead the gap is only reported.
  const fresh = [...batch.keys()].filter((i) => !batch[i]!.stored);
  const [sampled, learned] = [fresh.map((i) => rows[i]!), fresh.map((i) => outputs[i]!)];
  const { sampler = "fresh" } = shape;
  const gap =
    sampler === "fresh"
      ? checkSamplerGap(sampled, learned, engine.info)
      : measureSamplerGap(sampled, learned).max;
  const held = await shape.reference?.(rows);
  const items = batch.map((graded, i): BatchItem => {
    const [row, current] = [rows[i]!, outputs[i]!];
    const isOlder = sampler === "older" && !graded.stored;
    const start = isOlder ? { ...current, logprobs: Float32Array.from(row.sampled) } : current;
    return { graded, row, start, current, ...(held && { reference: held[i]!.logprobs }) };
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
