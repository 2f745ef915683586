/**
 * Trains a critic on returns: the loss is the mean over tokens of (V_t - R_t)^2, its derivative 2 (V_t - R_t) / n.
 *
 * With `clip` (PPO, arXiv 1707.06347, as released), a value gains nothing by moving further than `clip` from the value
 * that it had when the rollout was collected. The loss is max( (V - R)^2, (clamp(V, V_old - c, V_old + c) - R)^2 ).
 * Where the second term is larger, V is outside of the range and the slope is 0.
 */
import { assert } from "../core/index.ts";

/** One rollout for the critic. Each array has one entry for each step of the rollout (an action token, or a turn). */
export interface ValueRow {
  readonly values: ArrayLike<number>;
  readonly returns: ArrayLike<number>;
  /** The critic's values at the start of the iteration; `clip` needs them. */
  readonly oldValues?: ArrayLike<number>;
  /** Weight of each step in the loss, from 0 to 1; default 1. */
  readonly weights?: ArrayLike<number>;
}

/** Options of the value loss. By default nothing is clipped, and the mean is over the steps of the given rows. */
export interface ValueOptions {
  readonly clip?: number;
  /** The number of steps in the whole batch, when the given rows are only a part of it. */
  readonly total?: number;
}

/** The value loss, its derivatives for an engine's value head, and statistics of the fit. */
export interface ValueResult {
  readonly loss: number;
  /** d loss / d value for each step of each row. */
  readonly cotangents: readonly { readonly values: Float64Array }[];
  readonly clipFraction: number;
  /** 1 - variance of the errors / variance of the returns. It is 0 when the returns do not vary. */
  readonly explainedVariance: number;
}

/** Returns the value loss, its derivatives and statistics. An assertion fails when there are no steps. */
export function valueObjective(rows: readonly ValueRow[], options: ValueOptions = {}): ValueResult {
  const count = rows.reduce((sum, { values }) => sum + values.length, 0);
  const total = options.total ?? count;
  assert(total > 0, "a value objective needs at least one action token");
  let loss = 0;
  let clipped = 0;
  const cotangents = rows.map((row) => {
    const values = Float64Array.from(row.values, (value, t) => {
      const target = row.returns[t]!;
      const scale = (row.weights?.[t] ?? 1) / total;
      const bounded = clipValueToOldRange(row, t, options.clip);
      const isClipped = (bounded - target) ** 2 > (value - target) ** 2;
      if (isClipped) clipped += 1;
      loss += scale * ((isClipped ? bounded : value) - target) ** 2;
      return isClipped ? 0 : 2 * scale * (value - target);
    });
    return { values };
  });
  const clipFraction = clipped / Math.max(count, 1);
  return { loss, cotangents, clipFraction, explainedVariance: explainedVariance(rows) };
}

function clipValueToOldRange({ values, oldValues }: ValueRow, t: number, clip: number | undefined) {
  if (clip === undefined) return values[t]!;
  assert(oldValues, "a clipped value objective needs the old values");
  return Math.min(Math.max(values[t]!, oldValues[t]! - clip), oldValues[t]! + clip);
}

function explainedVariance(rows: readonly ValueRow[]): number {
  const returns = rows.flatMap((row) => Array.from(row.returns));
  const errors = rows.flatMap((row) => Array.from(row.returns, (r, t) => r - row.values[t]!));
  const spread = variance(returns);
  return spread === 0 ? 0 : 1 - variance(errors) / spread;
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length, 1);
}
