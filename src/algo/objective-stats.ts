/**
 * What a minibatch says about its own health: how far the policy has moved from the one that sampled.
 *
 * KL(old || new) is estimated on the old policy's own tokens: k1 = -log r (unbiased, may be negative) and
 * k3 = r - 1 - log r (unbiased, never negative). Summed over a trajectory, k1 is the quantity that the released
 * code's safety stop watches.
 */
import { assert } from "../core/index.ts";
import type { LoopResult, LoopRow } from "./loop.ts";

/** What one evaluation of a clipped objective met, for metrics: how far the policy has moved, and what was clipped. */
export interface ObjectiveStats {
  /** Rollouts and action tokens seen. */
  readonly rollouts: number;
  readonly tokens: number;
  /** Share of action tokens whose surrogate is clipped. */
  readonly clipFraction: number;
  /** Of the ratios of units, weighted by their tokens. */
  readonly ratioMean: number;
  readonly ratioMax: number;
  /** Largest |r - 1| of a unit; on the first minibatch of an iteration this is numerical noise. */
  readonly ratioDeviation: number;
  /** Mean over action tokens. Nats. */
  readonly klK1: number;
  readonly klK3: number;
  /** Mean over rollouts of the summed -log r. Nats a trajectory. */
  readonly trajectoryKl: number;
  /** Means over action tokens, where the objective has such a term: KL to the reference, entropy. Nats. */
  readonly referenceKl?: number;
  readonly entropy?: number;
}

/** Collects `ObjectiveStats` while the objective walks over units and rollouts. */
export class StatsAccumulator {
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

  unit(ratio: number, length: number, clippedTokens: number): void {
    this.#clippedTokens += clippedTokens;
    this.#ratioSum += ratio * length;
    this.#ratioMax = Math.max(this.#ratioMax, ratio);
    this.#deviation = Math.max(this.#deviation, Math.abs(ratio - 1));
  }

  rollout(logRatios: Float64Array): void {
    this.#rollouts += 1;
    this.#tokens += logRatios.length;
    for (const logRatio of logRatios) {
      this.#k1 -= logRatio;
      this.#k3 += Math.expm1(logRatio) - logRatio;
    }
  }

  terms({ klSum, entropySum }: { readonly klSum?: number; readonly entropySum?: number }): void {
    if (klSum !== undefined) this.#referenceKl = (this.#referenceKl ?? 0) + klSum;
    if (entropySum !== undefined) this.#entropy = (this.#entropy ?? 0) + entropySum;
  }

  /** Without tokens, ratios read 1 and the rest 0. */
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

/** The health of a minibatch of LOOP: each token is a unit. `clipped` is what `loopObjective` said of the rows. */
export function loopStats(
  rows: readonly LoopRow[],
  { clipped }: Pick<LoopResult, "clipped">,
): ObjectiveStats {
  const stats = new StatsAccumulator();
  rows.forEach(({ logprobs, oldLogprobs }, k) => {
    const logRatios = Float64Array.from(logprobs, (logprob, t) => logprob - oldLogprobs[t]!);
    logRatios.forEach((x, t) => {
      stats.unit(Math.exp(x), 1, clipped[k]![t]!);
    });
    stats.rollout(logRatios);
  });
  return stats.result();
}

/** How far two sets of log-probs of the same tokens are apart: the sampler's against the learner's. Nats. */
export function logprobGap(pairs: readonly (readonly [ArrayLike<number>, ArrayLike<number>])[]): {
  readonly mean: number;
  readonly max: number;
} {
  let sum = 0;
  let max = 0;
  let count = 0;
  for (const [a, b] of pairs) {
    assert(a.length === b.length, `${a.length} log-probs against ${b.length}`);
    for (let t = 0; t < a.length; t++) {
      const gap = Math.abs(a[t]! - b[t]!);
      sum += gap;
      // Written so that a NaN shows in `max` instead of being skipped.
      if (!(gap <= max)) max = gap;
    }
    count += a.length;
  }
  return { mean: count === 0 ? 0 : sum / count, max };
}

/**
 * Why this minibatch must not be applied and the iteration must end, or undefined. The released code skips the step
 * when the loss is not finite or the estimated trajectory KL passes 20 nats in either direction.
 */
export function safetyStop(
  { loss, stats }: { readonly loss: number; readonly stats: ObjectiveStats },
  maxTrajectoryKl = 20,
): string | undefined {
  if (!Number.isFinite(loss)) return `the loss is ${loss}`;
  if (Math.abs(stats.trajectoryKl) <= maxTrajectoryKl) return undefined;
  const kl = stats.trajectoryKl.toFixed(1);
  return `the estimated trajectory KL is ${kl} nats, beyond ${maxTrajectoryKl}`;
}
