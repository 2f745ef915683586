/**
 * 95% confidence intervals for means and shares. The main point is that an interval depends on the number of
 * independent units.
 *
 * The three tasks of a scenario share a signature, so they tend to pass and fail together: 180 tasks are worth between
 * 60 and 180 independent ones. When methods are compared, the units are training runs, because more tasks with the same
 * policy say nothing about the next run.
 */
import { assert } from "../core/index.ts";
import { average } from "./mean-and-spread.ts";
import { studentQuantile } from "./student-t.ts";

/** The lower and the upper end of an interval. */
export type Interval = [number, number];

/** A cluster of units that tend to pass and fail together, such as the tasks of a scenario. */
export interface Cluster {
  /** Number of units that passed, or its mean over repetitions; from 0 to `of`. */
  readonly passed: number;
  /** The number of units in the cluster, whether or not they passed. */
  readonly of: number;
}

/**
 * Returns the 95% interval for the mean of independent values, such as runs: mean ± t x standard deviation / sqrt(n).
 * Returns undefined for fewer than two values and for values that are all equal: their spread is unknown. An interval
 * of no width would say that the next run cannot differ, which equal values do not show.
 */
export function meanInterval(values: readonly number[]): Interval | undefined {
  const n = values.length;
  if (n < 2 || areAllEqual(values)) return undefined;
  const mean = average(values);
  const half = studentQuantile(n - 1) * (sampleStandardDeviation(values)! / Math.sqrt(n));
  return [mean - half, mean + half];
}

/** Returns the interval of `meanInterval` for values that are shares. Its ends are kept within 0 and 1. */
export function meanShareInterval(shares: readonly number[]): Interval | undefined {
  const interval = meanInterval(shares);
  return interval && [Math.max(0, interval[0]), Math.min(1, interval[1])];
}

/** The greatest difference of values that are equal except for rounding. Scores are shares, near 1 in size. */
const ROUNDING = 1e-9;

/** Returns whether the values are equal except for rounding. True for one value and for none. */
export function areAllEqual(values: readonly number[]): boolean {
  return values.every((value) => Math.abs(value - values[0]!) <= ROUNDING);
}

/** Returns the sample standard deviation (dividing by n - 1), or undefined for fewer than two values. */
export function sampleStandardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * Returns the 95% interval for the share of units that pass, when units come in clusters. It is Wilson's interval at
 * the effective number of units, n / deff, with Student's quantile for one degree of freedom less than there are
 * clusters (after Korn and Graubard 1998; Dean and Pagano 2015 for Wilson's form). The design effect deff is the
 * variance of the share over clusters divided by the variance that independent units would have. It is estimated and
 * kept between 1 and a cluster's size; when all or no units pass it cannot be estimated and counts as the size. The
 * coverage over beta-binomial clusters of three is 92% to 98% (`intervals.test.ts`). Returns [0, 1] without clusters.
 */
export function clusteredInterval(clusters: readonly Cluster[]): Interval {
  const m = clusters.length;
  const units = clusters.reduce((sum, { of }) => sum + of, 0);
  if (units === 0) return [0, 1];
  const share = clusters.reduce((sum, { passed }) => sum + passed, 0) / units;
  const count = units / estimateDesignEffect(clusters, share, units);
  return wilsonInterval(share, count, m > 1 ? studentQuantile(m - 1) : undefined);
}

function estimateDesignEffect(clusters: readonly Cluster[], share: number, units: number): number {
  const m = clusters.length;
  const most = units / m;
  const independent = (share * (1 - share)) / units;
  if (m === 1 || independent === 0) return most;
  const squares = clusters.reduce((sum, { passed, of }) => sum + (passed - share * of) ** 2, 0);
  const clustered = ((m / (m - 1)) * squares) / units ** 2;
  return Math.min(Math.max(clustered / independent, 1), most);
}

/**
 * Returns Wilson's 95% score interval for a share of `count` independent trials (Wilson 1927). Unlike the normal
 * interval it stays within [0, 1] and has a positive width at shares of 0 and 1. Returns [0, 1] without trials.
 */
export function wilsonInterval(
  share: number,
  count: number,
  quantile = 1.959963984540054,
): Interval {
  assert(share >= 0 && share <= 1, `expected a share in [0, 1], got ${share}`);
  if (count === 0) return [0, 1];
  const spread = 1 + quantile ** 2 / count;
  const center = (share + quantile ** 2 / (2 * count)) / spread;
  const inside = (share * (1 - share)) / count + quantile ** 2 / (4 * count ** 2);
  const half = (quantile / spread) * Math.sqrt(inside);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}
