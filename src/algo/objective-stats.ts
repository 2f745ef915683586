/**
 * Statistics of a minibatch: how far the policy has moved away from the one that sampled the rollouts.
 *
 * KL(old || new) is estimated on the old policy's own tokens: k1 = -log r (unbiased, may be negative) and
 * k3 = r - 1 - log r (unbiased, never negative). The safety stop of the paper's released code watches k1, summed over a
 * trajectory.
 */
import { assert } from "../core/index.ts";
import type { LoopResult, LoopRow } from "./loop.ts";

/**
 * Statistics of one evaluation of a clipped objective: how far the policy has moved, and how much was clipped. A unit
 * is a set of tokens that share one ratio (see `ratio.ts`).
 */
export interface ObjectiveStats {
  /** Number of rollouts in the minibatch. */
  readonly rollouts: number;
  /** Number of action tokens in the minibatch. */
  readonly tokens: number;
  /** Share of action tokens whose objective was clipped, 0 to 1. */
  readonly clipFraction: number;
  /** Mean of the units' ratios, each weighted by its number of tokens. */
  readonly ratioMean: number;
  /** Largest ratio of a unit. */
  readonly ratioMax: number;
  /** Largest |r - 1| of a unit. In the first minibatch of an iteration it is numerical noise. */
  readonly ratioDeviation: number;
  /** Mean of the estimator k1 over action tokens, in nats. */
  readonly klK1: number;
  /** Mean of the estimator k3 over action tokens, in nats. */
  readonly klK3: number;
  /** Mean over rollouts of -log r summed over the rollout's tokens, in nats per trajectory. */
  readonly trajectoryKl: number;
  /** Mean KL to the reference over action tokens, in nats. Present only when the objective has a KL term. */
  readonly referenceKl?: number;
  /** Mean entropy over action tokens, in nats. Present only when the objective has an entropy term. */
  readonly entropy?: number;
}

/** Collects `ObjectiveStats` while an objective goes through the units and rollouts of a minibatch. */
export class ObjectiveStatsAccumulator {
  #rollouts = 0;
  #tokens = 0;
  #clippedTokens = 0;
  #ratioSum = 0;
  #ratioMax = 0;
  #deviation = 0;
  #k1 = 0;
  #k3 = 0;
  #referenceKl: number | undefined;
  #entropy: number | undefined;

  addUnit(ratio: number, length: number, clippedTokens: number): void {
    this.#clippedTokens += clippedTokens;
    this.#ratioSum += ratio * length;
    this.#ratioMax = Math.max(this.#ratioMax, ratio);
    this.#deviation = Math.max(this.#deviation, Math.abs(ratio - 1));
  }

  addRollout(logRatios: Float64Array): void {
    this.#rollouts += 1;
    this.#tokens += logRatios.length;
    for (const logRatio of logRatios) {
      this.#k1 -= logRatio;
      this.#k3 += Math.expm1(logRatio) - logRatio;
    }
  }

  addRegulariserSums({
    klSum,
    entropySum,
  }: {
    readonly klSum?: number;
    readonly entropySum?: number;
  }): void {
    if (klSum !== undefined) this.#referenceKl = (this.#referenceKl ?? 0) + klSum;
    if (entropySum !== undefined) this.#entropy = (this.#entropy ?? 0) + entropySum;
  }

  /** Returns the statistics collected so far. Without any tokens, ratios are 1 and all other numbers are 0. */
  result(): ObjectiveStats {
    const tokens = Math.max(this.#tokens, 1);
    return {
      rollouts: this.#rollouts,
      tokens: this.#tokens,
      clipFraction: this.#clippedTokens / tokens,
      ratioMean: this.#tokens ? this.#ratioSum / tokens : 1,
      ratioMax: this.#tokens ? this.#ratioMax : 1,
      ratioDeviation: this.#deviation,
      klK1: this.#k1 / tokens,
      klK3: this.#k3 / tokens,
      trajectoryKl: this.#k1 / Math.max(this.#rollouts, 1),
      ...(this.#referenceKl !== undefined && { referenceKl: this.#referenceKl / tokens }),
      ...(this.#entropy !== undefined && { entropy: this.#entropy / tokens }),
    };
  }
}

/**
 * Returns the statistics of a minibatch of LOOP, where each token is a unit of its own. `clipped` comes from
 * `loopObjective`.
 */
export function computeLoopStats(
  rows: readonly LoopRow[],
  { clipped }: Pick<LoopResult, "clipped">,
): ObjectiveStats {
  const stats = new ObjectiveStatsAccumulator();
  rows.forEach(({ logprobs, oldLogprobs }, k) => {
    const logRatios = Float64Array.from(logprobs, (logprob, t) => logprob - oldLogprobs[t]!);
    logRatios.forEach((x, t) => {
      stats.addUnit(Math.exp(x), 1, clipped[k]![t]!);
    });
    stats.addRollout(logRatios);
  });
  return stats.result();
}

/**
 * Returns the mean and the largest absolute difference between two lists of log-probs of the same tokens (usually the
 * sampler's and the learner's), in nats.
 */
export function measureLogprobGap(
  pairs: readonly (readonly [ArrayLike<number>, ArrayLike<number>])[],
): {
  readonly mean: number;
  readonly max: number;
} {
  let sum = 0;
  let max = 0;
  let count = 0;
  for (const [a, b] of pairs) {
    assert(a.length === b.length, `cannot compare ${a.length} log-probs with ${b.length}`);
    for (let t = 0; t < a.length; t++) {
      const gap = Math.abs(a[t]! - b[t]!);
      sum += gap;
      // Written in this way, the comparison lets a NaN appear in `max`; `gap > max` would skip it.
      if (!(gap <= max)) max = gap;
    }
    count += a.length;
  }
  return { mean: count === 0 ? 0 : sum / count, max };
}

/**
 * Returns the reason why this minibatch must not be applied and the iteration must end, or undefined when it may be
 * applied. As in the paper's released code, the reasons are a loss that is not finite, and an estimated trajectory KL
 * of more than 20 nats in either direction.
 */
export function safetyStopReason(
  { loss, stats }: { readonly loss: number; readonly stats: ObjectiveStats },
  maxTrajectoryKl = 20,
): string | undefined {
  if (!Number.isFinite(loss)) return `the loss is ${loss}`;
  if (Math.abs(stats.trajectoryKl) <= maxTrajectoryKl) return undefined;
  const kl = stats.trajectoryKl.toFixed(1);
  return `the estimated trajectory KL is ${kl} nats, beyond ${maxTrajectoryKl}`;
}
