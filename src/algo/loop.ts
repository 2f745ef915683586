/**
 * LOOP on a page: leave-one-out proximal policy optimisation (arXiv 2502.01600, algorithm 1, equations 3, 5 and 10).
 *
 * K rollouts of one start state earn returns R_1 .. R_K. What was to be expected of a rollout is what the others earned,
 *
 *     A_k = R_k - 1/(K-1) sum_{i != k} R_i,                                                                  (3)
 *
 * which needs no critic, and is unbiased because the baseline does not look at rollout k. All tokens a(x) that the agent
 * emitted carry their rollout's A; what the environment wrote has no probability and appears nowhere. With
 * r_t = p_theta(x_t) / p_psi(x_t), psi being the weights at the iteration's start, ascend the mean over rollouts of
 *
 *     1/|a(x)| sum_{t in a(x)} min( r_t A, g(A) ),    g(A) = A + eps |A|.                                   (10)
 *
 * g(A) is the most that one token can be worth: (1 + eps) A where A > 0, reached at r = 1 + eps, and (1 - eps) A where
 * A < 0, reached at r = 1 - eps. Beyond it nothing more is to be gained, so a step stays near the policy that sampled.
 * A ratio that moved to the wrong side of 1 is not clipped: that can always be taken back.
 *
 * An engine asks for one thing, the derivative for the log-prob of each token. As d r / d log p = r,
 *
 *     d min( r A, g(A) ) / d log p  =  r A   while r A <= g(A),    0   once clipped;
 *
 * at r = 1, in the first minibatch, this is A: the plain policy gradient. The mean is over a rollout's own tokens first,
 * so a long one weighs no more than a short one, and then over the nominal minibatch, so a short last one takes a small
 * step. There is no KL term, no entropy bonus, no critic and no reference: one copy of the weights, of which psi is only
 * the log-probs that were written down before the first step.
 *
 * This page is for reading, and the oracle of a test. Runs call `groupAdvantages` and `policyObjective`, which have other
 * methods' options and collect statistics; with LOOP's defaults they compute what stands here (`loop.test.ts`).
 */
import { assert } from "../core/index.ts";

/** One rollout of a minibatch. Log-probs have one entry for each of its action tokens, in nats. */
export interface LoopRow {
  /** A, the same for all of its tokens. */
  readonly advantage: number;
  /** log p_theta. */
  readonly logprobs: ArrayLike<number>;
  /** log p_psi. */
  readonly oldLogprobs: ArrayLike<number>;
}

/** eps of g(A), and the rollouts in a full minibatch. The values are those of the paper's released code. */
export const LOOP = { clip: 0.1, minibatchSize: 32 } as const;

/** Equation 3, for the returns of one group in order. One return alone has nothing to be compared with: []. */
export function leaveOneOut(returns_G: readonly number[]): number[] {
  const sum = returns_G.reduce((total, R) => total + R, 0);
  return returns_G.length < 2 ? [] : returns_G.map((R) => R - (sum - R) / (returns_G.length - 1));
}

/** Minus equation 10, to descend, and its derivative for each log-prob. A row without tokens adds nothing to the sum. */
export function loopObjective(
  rows: readonly LoopRow[],
  { clip: eps, minibatchSize }: { readonly clip: number; readonly minibatchSize: number } = LOOP,
): { readonly loss: number; readonly cotangents: readonly { readonly logprobs: Float64Array }[] } {
  assert(rows.length <= minibatchSize, `${rows.length} rows exceed the nominal minibatch`);
  let loss = 0;
  const cotangents = rows.map(({ advantage: A, logprobs, oldLogprobs }) => {
    assert(logprobs.length === oldLogprobs.length, "one old log-prob for each action token");
    const g = A + eps * Math.abs(A);
    const share = 1 / (logprobs.length * minibatchSize);
    const slopes = Float64Array.from(logprobs, (logprob, t) => {
      const rA = Math.exp(logprob - oldLogprobs[t]!) * A;
      loss -= share * Math.min(rA, g);
      return rA > g ? 0 : -share * rA;
    });
    return { logprobs: slopes };
  });
  return { loss, cotangents };
}
