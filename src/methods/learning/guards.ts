/**
 * Checks that stop a run before its weights change on wrong numbers: a number that is not finite, a first ratio that is
 * not 1, log-probs of sampler and learner that differ.
 */
import { type ActionRow, measureLogprobGap } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Engine, EngineInfo, TokenOutputs } from "../../spec/index.ts";

/** Throws a `tripwire` error when the value is not finite. `what` names the value in the error. */
export function requireFinite(value: number, what: string): void {
  if (!Number.isFinite(value)) throw new BowlineError("tripwire", `the ${what} is ${value}`);
}

/** The largest |ratio - 1| that is allowed in the first minibatch when the engine states no tolerance. */
const MAX_FIRST_RATIO_DEVIATION = 1e-4;

export async function requireUnitRatio(
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
    `a ratio in the first minibatch differs from 1 by ${Math.expm1(max)}, expected at most ${most}: evaluate and accumulate disagree`,
  );
}

/**
 * The largest difference that is allowed between log-probs of the sampler and the learner, in nats. Both compute the
 * same numbers in different ways, so a larger difference means that one of them is wrong.
 */
const MAX_SAMPLER_GAP = 1e-2;

type SampledRow = Pick<ActionRow, "sampled">;

/**
 * Returns the largest difference between the sampler's and the learner's log-probs, in nats. Throws a `tripwire` error
 * when it is too large. If the engine states a tolerance, the mean difference is checked instead, because such services
 * round differently in sampling and in training, and single tokens may differ by a lot.
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

/**
 * Returns the mean and the largest difference between the sampler's and the learner's log-probs, in nats. Nothing is
 * checked.
 */
export function measureSamplerGap(rows: readonly SampledRow[], outputs: readonly TokenOutputs[]) {
  return measureLogprobGap(rows.map((row, i) => [row.sampled, outputs[i]!.logprobs] as const));
}
