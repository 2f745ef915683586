/**
 * Imitation in the same steps as reinforcement: each optimizer step adds the weighted cross-entropy of some of the
 * iteration's solutions to the objective. The steps use the solutions one after another. When there is no rollout to
 * learn from, no step is taken, so nothing is imitated.
 */
import {
  type ActionRow,
  buildActionRow,
  imitationCotangents,
  imitationLoss,
  scheduledValue,
} from "../../algo/index.ts";
import type { Engine, Rollout } from "../../spec/index.ts";
import type { OnPolicyConfig } from "./config.ts";

/** The rows of solutions that are imitated in an iteration, with their weight. */
export interface MixedRows {
  readonly rows: readonly ActionRow[];
  readonly weight: number;
  /** Number of rows in one optimizer step. */
  readonly size: number;
}

/**
 * Returns the solutions' rows to imitate, or undefined when there are none or their weight is 0. `iteration` counts
 * from 1.
 */
export function selectMixedRows(
  solutions: readonly Rollout[],
  config: OnPolicyConfig,
  iteration: number,
): MixedRows | undefined {
  const weight = scheduledValue(config.imitation.mixWeight, iteration - 1);
  const rows = solutions.map(buildActionRow).filter(({ at }) => at.length > 0);
  if (weight === 0 || rows.length === 0) return undefined;
  return { rows, weight, size: Math.min(rows.length, config.algo.minibatch || rows.length) };
}

/**
 * Adds the gradient of one step's rows. Steps use all solutions one after another. Returns the rows' loss, not
 * multiplied by the weight.
 */
export async function accumulateImitation(
  engine: Engine,
  { rows, weight, size }: MixedRows,
  step: number,
): Promise<number> {
  const minibatch = Array.from({ length: size }, (_, i) => rows[(step * size + i) % rows.length]!);
  const plain = imitationCotangents(minibatch.map(({ at }) => at.length));
  const cotangents = plain.map(({ logprobs }) => ({
    logprobs: Array.from(logprobs, (slope) => weight * slope),
  }));
  return imitationLoss(await engine.accumulate(minibatch, cotangents));
}
