/**
 * Epochs of shuffled minibatches, written once for every method, and the optimizer step with its guards.
 *
 * The guards look before anything is accumulated. In an iteration's first minibatch nothing was updated yet, so what the
 * gradient pass computes must be what `evaluate` said: the ratios are 1, and that is checked.
 */
import { type ActionRow, measureLogprobGap, shuffleIntoMinibatches } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import type {
  Cotangents,
  Engine,
  EngineInfo,
  GroupSteps,
  OptimizerStep,
  Row,
  TokenOutputs,
} from "../../spec/index.ts";
import type { BaseConfig, Iteration } from "../method.ts";

export interface EarlyStop {
  /** Why the iteration ends here; nothing was accumulated. */
  readonly stopped: string;
}

export interface EpochsResult<U> {
  /** In order. */
  readonly updates: readonly U[];
  readonly stopped?: string;
}

/** Calls `update` with each minibatch of each epoch and with the number of updates before it. */
export async function runEpochs<T, U extends object>(
  items: readonly T[],
  { config: { algo }, rng }: Pick<Iteration, "config" | "rng">,
  update: (minibatch: readonly T[], done: number) => Promise<U | EarlyStop>,
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

/** What an update is told about its own step. */
export interface StepOptions<T = void> {
  readonly step: OptimizerStep | GroupSteps;
  /** Default 1. */
  readonly temperature?: number;
  /** Log-probs that the gradient pass must give again, where nothing was updated since they were evaluated. */
  readonly expectedLogprobs?: readonly ArrayLike<number>[] | undefined;
  /** Between gradient and step: looks at the outputs, or adds to the gradient. What it returns is passed on. */
  readonly beforeUpdate?: (outputs: readonly TokenOutputs[]) => Promise<T> | T;
}

/** Gradient, guards, step. Throws a `tripwire` error when a number of it is not finite or the passes disagree. */
export async function takeStep<T = void>(
  engine: Engine,
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
  { step, temperature, expectedLogprobs: expected, beforeUpdate: beside }: StepOptions<T>,
): Promise<{ readonly gradientNorm: number; readonly beside?: T | undefined }> {
  const options = temperature === undefined ? undefined : { temperature };
  const outputs = await engine.accumulate(rows, cotangents, options);
  if (expected) await requireUnitRatio(engine, expected, outputs);
  const found = await beside?.(outputs);
  const { gradientNorm } = await engine.update(step);
  const knows = engine.info.capabilities.gradientNorm !== false;
  if (knows) requireFinite(gradientNorm, "gradient norm");
  return { gradientNorm, ...(found !== undefined && { beside: found }) };
}

/** Throws a `tripwire` error when a number of an update is not finite. */
export function requireFinite(value: number, what: string): void {
  if (!Number.isFinite(value)) throw new BowlineError("tripwire", `the ${what} is ${value}`);
}

const MAX_FIRST_RATIO_DEVIATION = 1e-4;

async function requireUnitRatio(
  engine: Engine,
  expected: readonly ArrayLike<number>[],
  outputs: readonly TokenOutputs[],
): Promise<void> {
  const { max } = measureLogprobGap(expected.map((old, i) => [old, outputs[i]!.logprobs] as const));
  const most = engine.info.tolerance?.firstRatio ?? MAX_FIRST_RATIO_DEVIATION;
  if (Math.expm1(max) <= most) return;
  await engine.discard();
  throw new BowlineError(
    "tripwire",
    `the first minibatch has a ratio ${Math.expm1(max)} away from 1, expected at most ${most}: evaluate and accumulate disagree`,
  );
}

/** The sampler and the learner compute the same log-probs along different paths; further apart, one of them is wrong. */
const MAX_SAMPLER_GAP = 1e-2;

type SampledRow = Pick<ActionRow, "sampled">;

/**
 * The largest difference between the sampler's and the learner's log-probs, nats. Throws a `tripwire` error when what was
 * sampled is not what the learner would sample. Services that round differently in sampling and in training are held to
 * the mean, because single tokens may be far off.
 */
export function checkSamplerGap(
  rows: readonly SampledRow[],
  outputs: readonly TokenOutputs[],
  { tolerance }: Pick<EngineInfo, "tolerance">,
): number {
  const { max, mean } = measureSamplerGap(rows, outputs);
  const [seen, most] = tolerance ? [mean, tolerance.samplerGap] : [max, MAX_SAMPLER_GAP];
  if (seen <= most) return max;
  throw new BowlineError(
    "tripwire",
    `sampler and learner disagree: ${tolerance ? "log-probs differ on average" : "a log-prob differs"} by ${seen}, expected at most ${most}`,
  );
}

/** The same, whatever it is. */
export function measureSamplerGap(rows: readonly SampledRow[], outputs: readonly TokenOutputs[]) {
  return measureLogprobGap(rows.map((row, i) => [row.sampled, outputs[i]!.logprobs] as const));
}

/** Rollouts of a full minibatch: the divisor of an objective also where fewer are left. */
export function minibatchSize({
  algo,
}: {
  readonly algo: BaseConfig["algo"] & { readonly groupSize?: number };
}): number {
  return algo.minibatch || (algo.groupSize ?? 1) * algo.tasksPerIteration;
}
