/**
 * The clipped objective of every method except `loop`. It is that of `loop.ts`, with the paper's other ratios (arXiv
 * 2502.01600, equations 4, 5, 9 and 10), the options of other methods, statistics, and the derivative in closed form.
 *
 * For a rollout x with advantage A and action tokens a(x), cut into units u (see `ratio.ts`), the paper maximises
 *
 *     1/|a(x)| sum_u |u| min( r_u A, g(A) ),    g(A) = A + eps |A|,
 *
 * as a mean over a rollout's own action tokens, and then over rollouts. d min(r A, g) / d logprob is r A for every
 * token of u while r A <= g, and 0 once clipped. This derivative, the cotangent, is all that the engine needs. Details:
 *  1. The divisor over rollouts is the nominal minibatch size, also for a short last minibatch: a few rollouts have a
 *     small gradient, as in the released code.
 *  2. `lowerClip: "code"` bounds the ratio from below by 1/(1+eps), as the released code does. The paper's bound is
 *     1-eps.
 * Options beyond LOOP are off by default: other ratios and averages, an advantage and a weight for each token (then |u|
 * becomes a sum over the unit's tokens), and the terms of `regularisers.ts`.
 */
import { assert } from "../core/index.ts";
import { LOOP } from "./loop.ts";
import { ObjectiveStatsAccumulator } from "./objective-stats.ts";
import {
  type ObjectiveOptions,
  type ObjectiveResult,
  type ObjectiveRow,
  requireConsistentObjective,
} from "./objective-types.ts";
import { logRatios, ratioUnitLengths, unitRatio } from "./ratio.ts";
import { computeRegularisers } from "./regularisers.ts";
import {
  entropyThreshold,
  keepsGradientAboveClip,
  surrogateWeights,
  tokenAdvantages,
} from "./token-arrays.ts";

/** The options that make `policyObjective` equal the objective of `loop.ts`. */
export const LOOP_OBJECTIVE: ObjectiveOptions = { ...LOOP, ratio: "token", lowerClip: "paper" };

/**
 * Returns g(A) of the paper, the upper bound of min(r A, g(A)). With `lowerClip: "code"`, A < 0 is bounded by a ratio
 * of 1/(1+eps).
 */
export function clipBound(
  advantage: number,
  { clip, lowerClip, upperClip = clip }: Pick<ObjectiveOptions, "clip" | "lowerClip" | "upperClip">,
): number {
  if (advantage < 0 && lowerClip === "code") return advantage / (1 + clip);
  return advantage + (advantage < 0 ? clip : upperClip) * Math.abs(advantage);
}

/**
 * Returns the loss, cotangents and statistics of one minibatch. A row without action tokens adds nothing to the loss
 * but keeps its position in the result. Throws a `config` error when options contradict each other; an assertion
 * fails when a row lacks an array that an option needs.
 */
export function policyObjective(
  rows: readonly ObjectiveRow[],
  options: ObjectiveOptions = LOOP_OBJECTIVE,
): ObjectiveResult {
  const { minibatchSize, aggregate = "row-mean" } = options;
  requireConsistentObjective(options);
  assert(rows.length <= minibatchSize, `${rows.length} rows exceed the nominal minibatch`);
  const tokens = rows.reduce((sum, { logprobs }) => sum + logprobs.length, 0);
  const divisor = aggregate === "token-mean" ? Math.max(tokens, 1) : minibatchSize;
  const leastKeptEntropy = entropyThreshold(rows, options.keptShare);
  const stats = new ObjectiveStatsAccumulator();
  const hasClip = options.ratio !== "none";
  const clipped = rows.map((row) => new Uint8Array(hasClip ? row.logprobs.length : 0));
  let objective = 0;
  const cotangents = rows.map((row, k) => {
    const share = aggregate === "row-mean" ? 1 / row.logprobs.length : 1;
    const score = hasClip ? clippedSurrogate : scoreFunctionSurrogate;
    const context = { stats, leastKeptEntropy, clipped: clipped[k]! };
    const { value, gradient } = score(row, share, options, context);
    const terms = computeRegularisers(row, share, options);
    terms.logprobs?.forEach((slope, t) => {
      gradient[t]! += slope;
    });
    objective += value + terms.value;
    stats.addRegulariserSums(terms);
    const entropies = terms.entropies?.map((slope) => -slope / divisor);
    return { logprobs: gradient.map((g) => -g / divisor), ...(entropies && { entropies }) };
  });
  const loss = -objective / divisor;
  return { loss, cotangents, stats: stats.result(), ...(hasClip && { clipped }) };
}

/** What the computation of one row's objective reads and updates, besides its result. */
interface RowContext {
  readonly stats: ObjectiveStatsAccumulator;
  /** The least entropy with which a token keeps its gradient above the upper clip. */
  readonly leastKeptEntropy: number;
  /** Contains 1 for each token whose gradient the clip removes. */
  readonly clipped: Uint8Array;
}

/**
 * Returns share * sum_u sum_{t in u} w_t min( r_u A_t, g(A_t) ) of a rollout, and its derivative for each token's
 * log-prob.
 */
function clippedSurrogate(
  row: ObjectiveRow,
  share: number,
  options: ObjectiveOptions,
  context: RowContext,
) {
  const advantages = tokenAdvantages(row);
  const weights = surrogateWeights(row, options);
  const logRatio = logRatios(row.logprobs, row.oldLogprobs);
  const gradient = new Float64Array(logRatio.length);
  let value = 0;
  let start = 0;
  for (const length of ratioUnitLengths(options.ratio, logRatio.length, row.turnLengths)) {
    const end = start + length;
    const { ratio, spread } = unitRatio(options.ratio, [logRatio, weights], start, end);
    let slope = 0;
    let clippedTokens = 0;
    for (let t = start; t < end; t++) {
      const advantage = advantages[t]!;
      const weight = share * weights[t]!;
      const bound = clipBound(advantage, options);
      const clipped = ratio * advantage > bound;
      value += weight * (clipped ? bound : ratio * advantage);
      if (!clipped) slope += weight * ratio * advantage;
      else if (keepsGradientAboveClip(row, t, advantage, context.leastKeptEntropy))
        slope += weight * bound;
      else context.clipped[t] = Number(weight > 0);
      if (clipped && weight > 0) clippedTokens += 1;
    }
    for (let t = start; t < end; t++) if (weights[t]! > 0) gradient[t] = slope * spread;
    context.stats.addUnit(ratio, length, clippedTokens);
    start = end;
  }
  context.stats.addRollout(logRatio);
  return { value, gradient };
}

/**
 * Returns share * sum_t w_t A_t log p_t of a rollout, which has no ratio and no clip, and its derivative. The
 * derivative is that of the clipped surrogate at ratio 1.
 */
function scoreFunctionSurrogate(
  row: ObjectiveRow,
  share: number,
  options: ObjectiveOptions,
  { stats }: RowContext,
) {
  const advantages = tokenAdvantages(row);
  const weights = surrogateWeights(row, options);
  const logRatio = logRatios(row.logprobs, row.oldLogprobs);
  const gradient = advantages.map((advantage, t) => share * weights[t]! * advantage);
  for (const x of logRatio) stats.addUnit(Math.exp(x), 1, 0);
  stats.addRollout(logRatio);
  return { value: gradient.reduce((sum, g, t) => sum + g * row.logprobs[t]!, 0), gradient };
}
