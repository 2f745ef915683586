/**
 * Imitation beside reinforcement: in each optimizer step, the weighted cross-entropy of some of the iteration's solutions
 * is added to the surrogate, in turn. Without a rollout to learn from there is no step to add to.
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

export interface MixedRows {
  readonly rows: readonly ActionRow[];
  readonly weight: number;
  /** Rows in a step. */
  readonly size: number;
}

/** Undefined: nothing is mixed in. 1-based iteration. */
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

/** Adds the gradient of the next rows, in turn; returns their loss, unweighted. */
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
