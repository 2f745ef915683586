/**
 * LOOP on a page: leave-one-out proximal policy optimisation (arXiv 2502.01600, algorithm 1, equations 3, 5 and 10).
 *
 * K rollouts of one start state earn returns R_1 .. R_K. The expected return of a rollout is the mean of the others',
 * so its advantage is
 *
 *     A_k = R_k - 1/(K-1) sum_{i != k} R_i,                                                                  (3)
 *
 * This needs no critic, and it is unbiased because the baseline does not look at rollout k. All tokens a(x) that the
 * agent emitted have their rollout's A; what the environment wrote has no probability and appears nowhere. A rollout
 * whose A is close to zero has nothing to teach and is dropped (appendix D). With r_t = p_theta(x_t) / p_psi(x_t), psi
 * being the weights at the iteration's start, LOOP maximises the mean over rollouts of
 *
 *     1/|a(x)| sum_{t in a(x)} min( r_t A, g(A) ),    g(A) = A + eps |A|.                                   (10)
 *
 * g(A) is the most that one token can be worth: (1 + eps) A where A > 0, reached at r = 1 + eps, and (1 - eps) A where
 * A < 0, reached at r = 1 - eps. Beyond it a token gains nothing more, so a step stays near the policy that sampled.
 * A ratio that moved to the wrong side of 1 is not clipped, because moving back is always allowed.
 *
 * An engine needs one thing, the derivative for the log-prob of each token. As d r / d log p = r,
 *
 *     d min( r A, g(A) ) / d log p  =  r A   while r A <= g(A),    0   once clipped;
 *
 * at r = 1, in the first minibatch, this is A: the plain policy gradient. The mean is over a rollout's own tokens
 * first, so a long one weighs no more than a short one, and then over the nominal minibatch, so a last
 * minibatch that is not full has a smaller gradient. There is no KL term, no entropy bonus, no critic and no reference:
 * one copy of the weights. The weights psi are not stored; only their log-probs are, recorded before the first step.
 *
 * The method `loop` runs this file. A test also uses it as the reference: `groupAdvantages` and `policyObjective`,
 * which have other methods' options, give the same bits with LOOP's defaults (`loop.test.ts`).
 */
import { assert } from "../core/index.ts";

/** One rollout of a minibatch. Log-probs have one entry for each of its action tokens, in nats. */
export interface LoopRow {
  /** The advantage A of the rollout, the same for all of its tokens. */
  readonly advantage: number;
  /** log p_theta of each action token, under the current weights. */
  readonly logprobs: ArrayLike<number>;
  /** log p_psi of each action token, under the weights at the iteration's start. */
  readonly oldLogprobs: ArrayLike<number>;
}

/**
 * The values of the paper's released code: the least |A| that is learned from, eps of g(A), rollouts in a full
 * minibatch.
 */
export const LOOP = { threshold: 0.01, clip: 0.1, minibatchSize: 32 } as const;

/**
 * Returns the advantages of one group's returns, in order: equation 3, computed as K/(K-1) (R_k - mean R). A group of
 * one has no others to compare with, so its result is empty.
 */
export function leaveOneOut(returns: readonly number[]): number[] {
  const K = returns.length;
  const mean = returns.reduce((sum, R) => sum + R, 0) / K;
  return K < 2 ? [] : returns.map((R) => (K / (K - 1)) * (R - mean));
}

/**
 * Returns the rollouts worth a gradient, in order: those with |A| >= threshold. The objective still divides by the
 * nominal minibatch. (The released code rounds their number up to a multiple of its workers; there is one learner
 * here.)
 */
export function dropNearZero<T extends { readonly advantage: number }>(
  graded: readonly T[],
  threshold: number = LOOP.threshold,
): T[] {
  return graded.filter(({ advantage }) => Math.abs(advantage) >= threshold);
}

/**
 * The result of LOOP's objective: minus equation 10, its derivative for each log-prob, and a 1 for each token whose
 * gradient the clip removed.
 */
export interface LoopResult {
  readonly loss: number;
  readonly cotangents: readonly { readonly logprobs: Float64Array }[];
  readonly clipped: readonly Uint8Array[];
}

/**
 * Returns minus equation 10, which is to be minimised, and its derivative. A row without tokens adds nothing to the
 * sum.
 */
export function loopObjective(
  rows: readonly LoopRow[],
  { clip: eps, minibatchSize }: { readonly clip: number; readonly minibatchSize: number } = LOOP,
): LoopResult {
  assert(
    rows.length <= minibatchSize,
    `expected at most ${minibatchSize} rows, one minibatch, got ${rows.length}`,
  );
  let objective = 0;
  const clipped = rows.map(({ logprobs }) => new Uint8Array(logprobs.length));
  const cotangents = rows.map(({ advantage: A, logprobs, oldLogprobs }, k) => {
    assert(
      logprobs.length === oldLogprobs.length,
      "expected one old log-prob for each action token",
    );
    const g = A + eps * Math.abs(A);
    const share = 1 / logprobs.length;
    let mean = 0;
    const slopes = Float64Array.from(logprobs, (logprob, t) => {
      const r = Math.exp(logprob - oldLogprobs[t]!);
      const isClipped = r * A > g;
      clipped[k]![t] = Number(isClipped);
      mean += share * (isClipped ? g : r * A);
      return -(isClipped ? 0 : share * r * A) / minibatchSize;
    });
    objective += mean;
    return { logprobs: slopes };
  });
  return { loss: -objective / minibatchSize, cotangents, clipped };
}
