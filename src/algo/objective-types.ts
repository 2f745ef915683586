/**
 * The types of what an objective takes and returns.
 *
 * An objective is a function of per-token numbers that an engine computes. Its result contains the derivative of a loss
 * with respect to each of these numbers. Arrays have one entry per action token of a row, in order. All numbers are in
 * nats.
 */
import { assert, BowlineError } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";
import type { KlEstimator } from "./kl.ts";
import type { ObjectiveStats } from "./objective-stats.ts";
import type { RatioSpan } from "./ratio.ts";

/** One rollout of a minibatch, with what an objective needs to know about its action tokens. */
export interface ObjectiveRow {
  /** One advantage for the whole rollout, or one for each action token. */
  readonly advantage: number | ArrayLike<number>;
  /** Log-probs of the action tokens under the current weights. */
  readonly logprobs: ArrayLike<number>;
  /** Log-probs under the weights at the start of the iteration, computed by the learner. */
  readonly oldLogprobs: ArrayLike<number>;
  /** Log-probs under the reference weights; the option `kl` needs them. */
  readonly referenceLogprobs?: ArrayLike<number>;
  /** Entropies of the current next-token distributions; entropy terms need them. */
  readonly entropies?: ArrayLike<number>;
  /** Log-probs that the sampler reported; the option `samplerCap` needs them. */
  readonly samplerLogprobs?: ArrayLike<number>;
  /** Number of action tokens in each turn; turn ratios need it. */
  readonly turnLengths?: readonly number[];
  /**
   * Weight of each token from 0 to 1; default 1. A token of weight 0 has no effect at all: it is not even part of its
   * unit's ratio.
   */
  readonly weights?: ArrayLike<number>;
  /**
   * Weight of the KL term at each token, for when only some turns are kept close to the reference. Default: `weights`.
   */
  readonly klWeights?: ArrayLike<number>;
}

/**
 * How tokens are averaged. `row-mean`: the mean over each rollout's own tokens, then over the nominal minibatch
 * (LOOP). `token-mean`: the mean over all action tokens of the minibatch. `row-sum`: the sum over each rollout's
 * tokens, divided by the nominal minibatch.
 */
export type Aggregate = "row-mean" | "token-mean" | "row-sum";

/** Options of a policy objective. An optional term that is left out is off; `LOOP_OBJECTIVE` has none of them. */
export interface ObjectiveOptions {
  readonly ratio: RatioSpan;
  /** The eps of g(A). Infinity gives importance weights without a clip. */
  readonly clip: number;
  /** The eps of g(A) for A > 0; default `clip`. */
  readonly upperClip?: number;
  readonly lowerClip: "paper" | "code";
  /** Number of rollouts in a full minibatch. */
  readonly minibatchSize: number;
  /** How tokens are averaged; default `row-mean`. */
  readonly aggregate?: Aggregate;
  /** Adds coefficient x KL(current || reference) to the loss. */
  readonly kl?: { readonly coefficient: number; readonly estimator: KlEstimator };
  /** Subtracts coefficient x entropy from the loss. */
  readonly entropy?: { readonly coefficient: number };
  /**
   * Adds coefficient x the distance of each entropy from the band [lower, upper] to the loss (see
   * `entropyBandAroundMean`).
   */
  readonly entropyBand?: EntropyBand;
  /** The share of the minibatch's tokens, taken by highest entropy, that keep a gradient above the upper clip. */
  readonly keptShare?: number;
  /** Multiplies each token's surrogate by min(p_old / p_sampler, cap). */
  readonly samplerCap?: number;
}

/**
 * The range of entropies that costs nothing. Its bounds are in nats. Each nat outside of the range costs `coefficient`.
 */
export interface EntropyBand {
  readonly coefficient: number;
  readonly lower: number;
  readonly upper: number;
}

/** The loss of a minibatch, its derivatives for an engine, and statistics to report. */
export interface ObjectiveResult {
  /** The loss to minimise: minus the paper's objective. */
  readonly loss: number;
  /** d loss / d output of each row, in the order of its `logprobs`. */
  readonly cotangents: readonly Cotangents[];
  readonly stats: ObjectiveStats;
  /**
   * For each token of each row, 1 where the clip removed the surrogate's gradient, else 0. Absent when the options
   * have no clip.
   */
  readonly clipped?: readonly Uint8Array[];
}

/** Throws a `config` error when options contradict each other. So none of them is silently ignored. */
export function requireConsistentObjective(options: ObjectiveOptions): void {
  const { ratio, kl, upperClip, keptShare } = options;
  if (kl?.estimator === "k1") {
    throw new BowlineError(
      "config",
      "the KL estimator k1 cannot be a loss: its expected gradient is zero; use k2 or k3, or pay k1 as a reward",
    );
  }
  if (ratio === "none" && (upperClip !== undefined || keptShare !== undefined)) {
    throw new BowlineError(
      "config",
      'ratio "none" has no clip, so it takes neither upperClip nor keptShare',
    );
  }
  if (keptShare !== undefined && ratio !== "token") {
    throw new BowlineError(
      "config",
      `keptShare keeps gradients of single tokens, but the ratio "${ratio}" spans more than one; use ratio "token"`,
    );
  }
}

/** Returns the given array. An assertion fails when it is missing or does not have one entry per action token. */
export function requireTokenArray(
  values: ArrayLike<number> | undefined,
  count: number,
  what: string,
) {
  assert(values, `this objective needs ${what}`);
  assert(values.length === count, `got ${values.length} ${what} for ${count} action tokens`);
  return values;
}
