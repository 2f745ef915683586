/**
 * 95% intervals for means and shares. The one idea: an interval is only as good as its count of independent units.
 *
 * The three tasks of a scenario share a signature, so they pass and fail together: 180 tasks are worth between 60 and
 * 180 independent ones. Training runs are the units of a method: tasks under one policy say nothing of the next run.
 */
import { assert } from "../core/index.ts";
import { average } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

/** Low and high. */
export type Interval = [number, number];

/** Units that pass and fail together: how many of how many passed (a scenario's tasks). */
export interface Cluster {
  /** A count, or a mean of counts over repetitions; from 0 to `of`. */
  readonly passed: number;
  readonly of: number;
}

/**
 * 95% interval for the mean of independent values (runs): mean ± t × sd / sqrt(n). Without a second value there is no
 * spread to see, and it is undefined.
 */
export function meanInterval(values: readonly number[]): Interval | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const mean = average(values);
  const half = studentQuantile(n - 1) * (sampleSd(values)! / Math.sqrt(n));
  return [mean - half, mean + half];
}

/** Sample standard deviation (n - 1); undefined for fewer than two values. */
export function sampleSd(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * 95% interval for the share of units that pass, where units come in clusters: Wilson's interval at the effective number
 * of units, n / deff, with Student's quantile for the clusters less one (after Korn and Graubard 1998; Dean and Pagano
 * 2015 for Wilson's form). The design effect deff, the variance of the share over clusters by what independent units
 * would have, is estimated and kept between 1 and a cluster's size; where all or none pass it cannot be seen and counts
 * as the size. Coverage over beta-binomial clusters of three: 92% to 98% (`intervals.test.ts`). Without clusters [0, 1].
 */
export function clusteredInterval(clusters: readonly Cluster[]): Interval {
  const m = clusters.length;
  const units = clusters.reduce((sum, { of }) => sum + of, 0);
  if (units === 0) return [0, 1];
  const share = clusters.reduce((sum, { passed }) => sum + passed, 0) / units;
  const count = units / designEffect(clusters, share, units);
  return wilsonInterval(share, count, m > 1 ? studentQuantile(m - 1) : undefined);
}

function designEffect(clusters: readonly Cluster[], share: number, units: number): number {
  const m = clusters.length;
  const most = units / m;
  const independent = (share * (1 - share)) / units;
  if (m === 1 || independent === 0) return most;
  const squares = clusters.reduce((sum, { passed, of }) => sum + (passed - share * of) ** 2, 0);
  const clustered = ((m / (m - 1)) * squares) / units ** 2;
  return Math.min(Math.max(clustered / independent, 1), most);
}

/**
 * Wilson's 95% score interval for a share of `count` independent trials (Wilson 1927): unlike the normal one it stays
 * within [0, 1] and has width at shares of 0 and 1. Without trials it is [0, 1].
 */
export function wilsonInterval(
  share: number,
  count: number,
  quantile = 1.959963984540054,
): Interval {
  assert(share >= 0 && share <= 1, `a share of ${share}`);
  if (count === 0) return [0, 1];
  const spread = 1 + quantile ** 2 / count;
  const center = (share + quantile ** 2 / (2 * count)) / spread;
  const inside = (share * (1 - share)) / count + quantile ** 2 / (4 * count ** 2);
  const half = (quantile / spread) * Math.sqrt(inside);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}
