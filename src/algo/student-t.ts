/**
 * Student's t distribution: how large the mean of a few normal values becomes by chance, when their spread is estimated
 * from the same values.
 *
 * Both functions come from the regularised incomplete beta function (Abramowitz and Stegun 26.5.8, 26.7.1), evaluated
 * by its continued fraction. The code is only forty lines long, so no library is used. A test compares its results with
 * SciPy's to nine digits.
 */

/** Returns P(|T| >= |t|), the p-value of a two-sided test, under `degreesOfFreedom` > 0 degrees of freedom. */
export function twoSidedPValue(t: number, degreesOfFreedom: number): number {
  return Number.isFinite(t)
    ? incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
    : 0;
}

const knownQuantiles = new Map<number, number>();

/**
 * Returns the t that |T| exceeds with probability 0.05 under `degreesOfFreedom` degrees of freedom. The 95% interval of
 * a mean is mean ± t x standard error. The value is found by bisection.
 */
export function studentQuantile(degreesOfFreedom: number): number {
  let [low, high] = [0, 1];
  const known = knownQuantiles.get(degreesOfFreedom);
  if (known !== undefined) return known;
  while (twoSidedPValue(high, degreesOfFreedom) > 0.05) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (twoSidedPValue(middle, degreesOfFreedom) > 0.05) low = middle;
    else high = middle;
  }
  knownQuantiles.set(degreesOfFreedom, high);
  return high;
}

/**
 * Returns the regularised incomplete beta function I_x(a, b). The continued fraction converges fast below the mean of
 * the distribution; above it, the symmetric identity is used.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront =
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(logFront) / a) * betaFraction(x, a, b);
}

/**
 * Evaluates the continued fraction of the incomplete beta function by Lentz's method. It keeps numerators and
 * denominators as ratios, so that none overflows.
 */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      value *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

/** Returns log Gamma(x) for x > 0. A recurrence first increases x to where Stirling's series is exact enough. */
function logGamma(x: number): number {
  let [at, shift] = [x, 0];
  for (; at < 10; at++) shift += Math.log(at);
  const square = 1 / (at * at);
  const series =
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
