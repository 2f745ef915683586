/**
 * The clipped surrogate of LOOP (arXiv 2502.01600, equations 4, 5, 9 and 10) and its derivative in closed form.
 *
 * For a rollout x with advantage A and action tokens a(x), cut into units u (see `ratio.ts`), the paper ascends
 *
 *     1/|a(x)| sum_u |u| min( r_u A, g(A) ),    g(A) = A + eps |A|,
 *
 * the mean over a rollout's own action tokens, then the mean over rollouts. There is no KL term, no entropy bonus, no
 * critic. d min(r A, g) / d logprob = r A while r A <= g and 0 once clipped, and this cotangent is all that the
 * engine needs. Numbered details:
 *  1. The divisor over rollouts is the nominal minibatch size, also for a short last minibatch: a few rollouts take a
 *     small step, as in the released code.
 *  2. `lowerClip: "code"` bounds the ratio from below by 1/(1+eps), as the released code does; the paper's is 1-eps.
 */
import { assert } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";
import { type ObjectiveStats, StatsAccumulator } from "./objective-stats.ts";
import { logRatios, type RatioSpan, unitLengths } from "./ratio.ts";

export interface ObjectiveOptions {
  readonly ratio: RatioSpan;
  /** eps of g(A). */
  readonly clip: number;
  readonly lowerClip: "paper" | "code";
  /** Rollouts in a full minibatch. */
  readonly minibatchSize: number;
}

export const LOOP_OBJECTIVE: ObjectiveOptions = {
  ratio: "token",
  clip: 0.1,
  lowerClip: "paper",
  minibatchSize: 32,
};

/** One rollout of a minibatch. Arrays have one entry per action token. Nats. */
export interface ObjectiveRow {
  readonly advantage: number;
  /** Under the present weights. */
  readonly logprobs: ArrayLike<number>;
  /** Under the weights of the iteration's start, by the learner. */
  readonly oldLogprobs: ArrayLike<number>;
  /** Action tokens in each turn; needed for turn ratios. */
  readonly turnLengths?: readonly number[];
}

export interface ObjectiveResult {
  /** To descend: minus the paper's objective. */
  readonly loss: number;
  /** d loss / d logprob of each row, aligned with its `logprobs`. */
  readonly cotangents: readonly Cotangents[];
  readonly stats: ObjectiveStats;
}

/** g of the paper: what min(r A, .) cannot exceed. With `code`, A < 0 is bounded by a ratio of 1/(1+eps). */
export function clipBound(
  advantage: number,
  { clip, lowerClip }: Pick<ObjectiveOptions, "clip" | "lowerClip">,
): number {
  if (advantage < 0 && lowerClip === "code") return advantage / (1 + clip);
  return advantage + clip * Math.abs(advantage);
}

/** Loss, cotangents and statistics of one minibatch. A row without action tokens adds nothing but keeps its place. */
export function loopObjective(
  rows: readonly ObjectiveRow[],
  options: ObjectiveOptions = LOOP_OBJECTIVE,
): ObjectiveResult {
  assert(rows.length <= options.minibatchSize, `${rows.length} rows exceed the nominal minibatch`);
  const stats = new StatsAccumulator();
  let objective = 0;
  const cotangents = rows.map((row) => {
    const result = rolloutObjective(row, options, stats);
    objective += result.value;
    return { logprobs: result.gradient.map((g) => -g / options.minibatchSize) };
  });
  return { loss: -objective / options.minibatchSize, cotangents, stats: stats.result() };
}

/** The objective of one rollout and its derivative with respect to each action token's log-prob. */
function rolloutObjective(row: ObjectiveRow, options: ObjectiveOptions, stats: StatsAccumulator) {
  const { advantage, logprobs, turnLengths } = row;
  const logRatio = logRatios(logprobs, row.oldLogprobs);
  const count = logRatio.length;
  const bound = clipBound(advantage, options);
  const gradient = new Float64Array(count);
  let value = 0;
  let start = 0;
  for (const length of unitLengths(options.ratio, count, turnLengths)) {
    const end = start + length;
    const ratio = Math.exp(logRatio.subarray(start, end).reduce((sum, x) => sum + x, 0));
    const clipped = ratio * advantage > bound;
    value += (length / count) * (clipped ? bound : ratio * advantage);
    if (!clipped) gradient.fill((length / count) * ratio * advantage, start, end);
    stats.unit(ratio, length, clipped);
    start = end;
  }
  stats.rollout(logRatio);
  return { value, gradient };
}
