/**
 * Regularising terms that an objective may have in addition to its surrogate, averaged over tokens as the surrogate is:
 *
 *     - c_kl KL(p_theta || p_ref)     keeps the policy near a reference; estimators and derivatives are in `kl.ts`
 *     + c_h  H_t                      entropy bonus
 *     - c_b  dist(H_t, [lo, hi])      entropy band: max(0, H_t - hi) + max(0, lo - H_t), slopes -1, 0 or 1
 *
 * The released code of entropy smoothing (arXiv 2509.22576) charges a constant for entropies outside the band, which
 * has no gradient. Here the charge is the distance to the band, which has one.
 */
import { estimateKl, klDerivative } from "./kl.ts";
import { type ObjectiveOptions, type ObjectiveRow, requireTokenArray } from "./objective-types.ts";

/** The regularising terms of one row, summed, with their derivatives. */
interface RegulariserTerms {
  readonly value: number;
  /** Unweighted sum of KL estimates over the row's tokens, for statistics. */
  readonly klSum?: number;
  /** Unweighted sum of entropies over the row's tokens, for statistics. */
  readonly entropySum?: number;
  readonly logprobs?: Float64Array;
  readonly entropies?: Float64Array;
}

/**
 * Returns share * sum_t w_t (terms of token t), which is to be maximised, and its derivatives. A derivative is absent
 * when the options have no such term.
 */
export function computeRegularisers(
  row: ObjectiveRow,
  share: number,
  options: ObjectiveOptions,
): RegulariserTerms {
  const kl = options.kl && computeKlTerm(row, share, options.kl);
  const hasEntropy = options.entropy !== undefined || options.entropyBand !== undefined;
  const entropy = hasEntropy ? computeEntropyTerm(row, share, options) : undefined;
  return {
    value: (kl?.value ?? 0) + (entropy?.value ?? 0),
    ...(kl && { logprobs: kl.slopes, klSum: kl.sum }),
    ...(entropy && { entropies: entropy.slopes, entropySum: entropy.sum }),
  };
}

function computeKlTerm(
  row: ObjectiveRow,
  share: number,
  { coefficient, estimator }: NonNullable<ObjectiveOptions["kl"]>,
) {
  const { logprobs } = row;
  const reference = requireTokenArray(
    row.referenceLogprobs,
    logprobs.length,
    "reference log-probs",
  );
  const weights = row.klWeights ?? row.weights;
  let value = 0;
  let sum = 0;
  const slopes = Float64Array.from(logprobs, (logprob, t) => {
    const scale = -coefficient * share * (weights?.[t] ?? 1);
    const d = logprob - reference[t]!;
    value += scale * estimateKl(estimator, d);
    sum += estimateKl(estimator, d);
    return scale * klDerivative(estimator, d);
  });
  return { value, slopes, sum };
}

function computeEntropyTerm(
  row: ObjectiveRow,
  share: number,
  { entropy, entropyBand }: Pick<ObjectiveOptions, "entropy" | "entropyBand">,
) {
  const bonus = entropy?.coefficient ?? 0;
  const {
    coefficient: charge,
    lower,
    upper,
  } = entropyBand ?? { coefficient: 0, lower: 0, upper: 0 };
  let value = 0;
  let sum = 0;
  const entropies = requireTokenArray(row.entropies, row.logprobs.length, "entropies");
  const slopes = Float64Array.from(entropies, (h, t) => {
    const scale = share * (row.weights?.[t] ?? 1);
    const above = Math.max(0, h - upper);
    const below = Math.max(0, lower - h);
    sum += h;
    value += scale * (bonus * h - charge * (above + below));
    return scale * (bonus - charge * (Number(above > 0) - Number(below > 0)));
  });
  return { value, slopes, sum };
}

/** Returns the entropy band [low x mean, high x mean] around the mean entropy of past iterations. */
export function entropyBandAroundMean(
  history: readonly number[],
  {
    coefficient,
    low,
    high,
  }: { readonly coefficient: number; readonly low: number; readonly high: number },
) {
  const mean = history.reduce((sum, h) => sum + h, 0) / Math.max(history.length, 1);
  return { coefficient, lower: low * mean, upper: high * mean };
}
