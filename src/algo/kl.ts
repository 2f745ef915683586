/**
 * Estimators of KL(p || q) from the log-ratio d = log p - log q of tokens that p sampled (Schulman, "Approximating KL
 * divergence", 2020).
 *
 *     k1 = d                  unbiased, may be negative
 *     k2 = d^2 / 2            biased, but its gradient d is that of the KL on-policy
 *     k3 = exp(-d) - 1 + d    unbiased, never negative; its gradient is 1 - exp(-d)
 *
 * The derivative of k1 with respect to log p is 1 for every token. As a loss it would push all sampled tokens down
 * equally, and its expected gradient is zero. So k1 is rejected as a loss. It may be paid as a reward, which multiplies
 * the derivative of log p.
 */

/** Names of the KL estimators in Schulman's text. `k1` may be used for rewards only. */
export type KlEstimator = "k1" | "k2" | "k3";

/** Returns the KL estimate at one token, in nats, from d = log p - log q. */
export function estimateKl(estimator: KlEstimator, d: number): number {
  if (estimator === "k1") return d;
  if (estimator === "k2") return (d * d) / 2;
  return Math.expm1(-d) + d;
}

/** Returns the derivative of the KL estimate at one token with respect to log p. */
export function klDerivative(estimator: KlEstimator, d: number): number {
  if (estimator === "k1") return 1;
  if (estimator === "k2") return d;
  return -Math.expm1(-d);
}
