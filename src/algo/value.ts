/**
 * Regression of a critic on returns: the mean over tokens of (V_t - R_t)^2, 2 (V_t - R_t) / n its derivative.
 *
 * With `clip` (PPO, arXiv 1707.06347, as released), a value may not profit from leaving the range +-clip around what it
 * was when the rollouts were collected: max( (V - R)^2, (clamp(V, V_old - c, V_old + c) - R)^2 ). Where the second is
 * the larger, V is outside the range and the slope is 0.
 */
import { assert } from "../core/index.ts";

/** One rollout as the critic sees it. Arrays have one entry for each of its steps (action tokens, or turns). */
export interface ValueRow {
  readonly values: ArrayLike<number>;
  readonly returns: ArrayLike<number>;
  /** At the iteration's start; needed for `clip`. */
  readonly oldValues?: ArrayLike<number>;
  /** 0 to 1 a token, default 1. */
  readonly weights?: ArrayLike<number>;
}

/** Left out: no clip, and the mean over the tokens of these rows. */
export interface ValueOptions {
  readonly clip?: number;
  /** Tokens of the whole batch when the rows are a part of it. */
  readonly total?: number;
}

/** What an engine's value head is given, and how well it fits. */
export interface ValueResult {
  readonly loss: number;
  /** d loss / d value of each row. */
  readonly cotangents: readonly { readonly values: Float64Array }[];
  readonly clipFraction: number;
  /** 1 - variance of the errors / variance of the returns; 0 when returns do not vary. */
  readonly explainedVariance: number;
}

/** The loss above, its derivative and its health. Without a single step it is a bug. */
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
      const bounded = clippedValue(row, t, options.clip);
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

function clippedValue({ values, oldValues }: ValueRow, t: number, clip: number | undefined) {
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
