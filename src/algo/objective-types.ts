/**
 * What an objective is given and what it returns.
 *
 * An objective is a function of per-token numbers that an engine computes, and its result is the derivative of a loss
 * with respect to each of them. Arrays have one entry per action token of a row, in order. Everything in nats.
 */
import { assert, BowlineError } from "../core/index.ts";
import type { Cotangents } from "../spec/index.ts";
import type { KlEstimator } from "./kl.ts";
import type { ObjectiveStats } from "./objective-stats.ts";
import type { RatioSpan } from "./ratio.ts";

/** One rollout of a minibatch. */
export interface ObjectiveRow {
  /** One for the rollout, or one for each action token. */
  readonly advantage: number | ArrayLike<number>;
  /** Under the present weights. */
  readonly logprobs: ArrayLike<number>;
  /** Under the weights of the iteration's start, by the learner. */
  readonly oldLogprobs: ArrayLike<number>;
  /** Under the reference weights; needed for `kl`. */
  readonly referenceLogprobs?: ArrayLike<number>;
  /** Of the present next-token distributions; needed for entropy terms. */
  readonly entropies?: ArrayLike<number>;
  /** As reported by the sampler; needed for `samplerCap`. */
  readonly samplerLogprobs?: ArrayLike<number>;
  /** Action tokens in each turn; needed for turn ratios. */
  readonly turnLengths?: readonly number[];
  /** 0 to 1 a token, default 1. At 0 a token has no effect at all: it leaves the ratio of its unit too. */
  readonly weights?: ArrayLike<number>;
  /** Weights of the KL term a token, where only chosen turns are held to the reference. Default `weights`. */
  readonly klWeights?: ArrayLike<number>;
}

/**
 * What tokens are averaged over. `row-mean`: each rollout over its own tokens, then over the nominal minibatch (LOOP).
 * `token-mean`: over all action tokens of the minibatch. `row-sum`: summed, then over the nominal minibatch.
 */
export type Aggregate = "row-mean" | "token-mean" | "row-sum";

/** What an objective is made of. Left out, an optional term is off; `LOOP_OBJECTIVE` has none of them. */
export interface ObjectiveOptions {
  readonly ratio: RatioSpan;
  /** eps of g(A). Infinity: importance weights without a clip. */
  readonly clip: number;
  /** eps of g(A) for A > 0; default `clip`. */
  readonly upperClip?: number;
  readonly lowerClip: "paper" | "code";
  /** Rollouts in a full minibatch. */
  readonly minibatchSize: number;
  /** Default `row-mean`. */
  readonly aggregate?: Aggregate;
  /** Adds coefficient x KL(present || reference) to the loss. */
  readonly kl?: { readonly coefficient: number; readonly estimator: KlEstimator };
  /** Subtracts coefficient x entropy from the loss. */
  readonly entropy?: { readonly coefficient: number };
  /** Adds coefficient x the distance of each entropy to the band [lower, upper] (see `entropyBand`). */
  readonly entropyBand?: EntropyBand;
  /** This share of the minibatch's tokens, those of highest entropy, keep a gradient above the upper clip. */
  readonly keptShare?: number;
  /** Each token's surrogate is multiplied by min(p_old / p_sampler, cap). */
  readonly samplerCap?: number;
}

/** Where entropies are free of charge. Bounds in nats; a distance of one nat costs `coefficient`. */
export interface EntropyBand {
  readonly coefficient: number;
  readonly lower: number;
  readonly upper: number;
}

/** What an engine is given, and what is reported of the minibatch. */
export interface ObjectiveResult {
  /** To descend: minus the paper's objective. */
  readonly loss: number;
  /** d loss / d output of each row, aligned with its `logprobs`. */
  readonly cotangents: readonly Cotangents[];
  readonly stats: ObjectiveStats;
  /** Of each row's tokens, 1 where the clip left none of its surrogate's gradient; absent: nothing is ever clipped. */
  readonly clipped?: readonly Uint8Array[];
}

/** Throws a config error for a combination that cannot mean anything, rather than ignoring a part of it. */
export function requireObjective(options: ObjectiveOptions): void {
  const { ratio, kl, upperClip, keptShare } = options;
  if (kl?.estimator === "k1") {
    throw new BowlineError(
      "config",
      "the KL estimator k1 cannot be a loss: its gradient vanishes in expectation on-policy; use k2 or k3, or pay k1 as a reward",
    );
  }
  if (ratio === "none" && (upperClip !== undefined || keptShare !== undefined)) {
    throw new BowlineError(
      "config",
      'ratio "none" has no clip to widen or to keep gradients above',
    );
  }
  if (keptShare !== undefined && ratio !== "token") {
    throw new BowlineError(
      "config",
      `gradients are kept above the clip token by token, but the ratio spans a ${ratio}; use ratio "token"`,
    );
  }
}

/** The entry of an array that an option made necessary. Its absence is a bug of the caller. */
export function needed(values: ArrayLike<number> | undefined, count: number, what: string) {
  assert(values, `this objective needs ${what}`);
  assert(values.length === count, `${values.length} ${what} for ${count} action tokens`);
  return values;
}
