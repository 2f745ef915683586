/** LOOP's derivative as multiples of ratios, for engines that compute the ratios themselves (`RatioFactor`). */
import type { Cotangents } from "../spec/index.ts";
import { LOOP, type LoopRow } from "./loop.ts";

/**
 * Returns the derivative of `loopObjective` as a function of log-probs that are not computed yet: each slope times the
 * ratio r where r is within the bounds, and 0 outside. r A > g(A) is r > 1 + eps where A > 0, and r < 1 - eps where
 * A < 0. Only old log-probs are read, so an engine needs no pass before that of the gradient.
 */
export function loopRatioSlopes(
  rows: readonly Omit<LoopRow, "logprobs">[],
  { clip: eps, minibatchSize }: { readonly clip: number; readonly minibatchSize: number } = LOOP,
): Cotangents[] {
  return rows.map(({ advantage: A, oldLogprobs }) => ({
    logprobs: new Float64Array(oldLogprobs.length).fill(-A / oldLogprobs.length / minibatchSize),
    ratio: {
      oldLogprobs,
      lowest: A < 0 ? 1 - eps : 0,
      highest: A > 0 ? 1 + eps : Number.POSITIVE_INFINITY,
    },
  }));
}
