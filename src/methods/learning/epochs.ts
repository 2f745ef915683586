/**
 * Epochs of shuffled minibatches and the optimizer step with its guards, written once for all methods.
 *
 * The first ratio is checked before the step. The norm of the gradient is checked after it; an engine refuses a
 * gradient that is not finite. In an iteration's first minibatch no weight has changed yet, so the gradient pass must
 * compute the log-probs that `evaluate` computed: all ratios must be 1, which is checked.
 */
import { shuffleIntoMinibatches } from "../../algo/index.ts";
import type {
  Cotangents,
  Engine,
  GroupSteps,
  OptimizerStep,
  Row,
  TokenOutputs,
} from "../../spec/index.ts";
import type { BaseConfig, Iteration } from "../method.ts";
import { requireFinite, requireUnitRatio } from "./guards.ts";

/** The result of an update that ends the iteration and changes no weights. */
export interface EarlyStop {
  /** The reason why the iteration ends here. No gradient was accumulated. */
  readonly stopped: string;
}

/** The results of the updates of all epochs. */
export interface EpochsResult<U> {
  /** Results of the updates, in order. */
  readonly updates: readonly U[];
  /** The reason why the epochs ended early; absent when they did not. */
  readonly stopped?: string;
}

/**
 * Calls `update` with each minibatch of each epoch and the number of updates so far. Stops early when an update returns
 * a reason to stop.
 */
export async function runEpochs<T, U extends object>(
  items: readonly T[],
  { config: { algo }, rng }: Pick<Iteration, "config" | "rng">,
  update: (minibatch: readonly T[], updatesBefore: number) => Promise<U | EarlyStop>,
  epochs: number = algo.epochs,
): Promise<EpochsResult<U>> {
  const updates: U[] = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const minibatch of shuffleIntoMinibatches(
      items,
      minibatchSize({ algo }),
      rng.child(epoch),
    )) {
      const result = await update(minibatch, updates.length);
      if ("stopped" in result) return { updates, stopped: result.stopped };
      updates.push(result);
    }
  }
  return { updates };
}

/** Options of one optimizer step. */
export interface StepOptions<T = void> {
  readonly step: OptimizerStep | GroupSteps;
  /** Temperature of the gradient pass; default 1. */
  readonly temperature?: number;
  /** Whether the engine has the gradient already. */
  readonly isAccumulated?: boolean;
  /** Log-probs that the gradient pass must reproduce, when no weight has changed since they were evaluated. */
  readonly expectedLogprobs?: readonly ArrayLike<number>[] | undefined;
  /**
   * Runs between gradient and step: reads the outputs, or adds to the gradient. `takeStep` returns its result as
   * `beforeUpdateResult`.
   */
  readonly beforeUpdate?: (outputs: readonly TokenOutputs[]) => Promise<T> | T;
}

/**
 * Accumulates the gradient, runs the checks and takes the step. Throws a `tripwire` error when a number is not finite
 * or the gradient pass disagrees with `evaluate`.
 */
export async function takeStep<T = void>(
  engine: Engine,
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
  { step, temperature, isAccumulated, expectedLogprobs, beforeUpdate }: StepOptions<T>,
): Promise<{ readonly gradientNorm: number; readonly beforeUpdateResult?: T | undefined }> {
  const options = temperature === undefined ? undefined : { temperature };
  const outputs = isAccumulated ? [] : await engine.accumulate(rows, cotangents, options);
  if (expectedLogprobs) await requireUnitRatio(engine, expectedLogprobs, outputs);
  const found = await beforeUpdate?.(outputs);
  const { gradientNorm } = await engine.update(step);
  const reportsNorm = engine.info.capabilities.gradientNorm !== false;
  if (reportsNorm) requireFinite(gradientNorm, "gradient norm");
  return { gradientNorm, ...(found !== undefined && { beforeUpdateResult: found }) };
}

/**
 * Returns the number of rollouts in a full minibatch; `algo.minibatch` 0 means all rollouts of an iteration. The
 * objective is divided by this number even when a minibatch has fewer rollouts.
 */
export function minibatchSize({
  algo,
}: {
  readonly algo: BaseConfig["algo"] & { readonly groupSize?: number };
}): number {
  return algo.minibatch || (algo.groupSize ?? 1) * algo.tasksPerIteration;
}
