/** Mean and spread of lists of numbers. */

/** The smallest spread that anything is divided by. A smaller spread is replaced by it. */
export const STD_FLOOR = 1e-7;

/** Returns the mean of the values, or NaN without values. */
export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the population standard deviation, which divides by the number of values and not by that number minus one.
 */
export function populationStd(values: readonly number[]): number {
  const mean = average(values);
  return Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
}

/**
 * Returns the value below which this share of the values lies, interpolated; 0.5 gives the median. Returns NaN
 * without values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (at - Math.floor(at)) * (high - low);
}
