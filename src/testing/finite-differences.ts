/** Slopes by central differences: what an objective's gradient is checked against, without a model. */

/** The slope of f at x by central differences. */
export function centralDifference(f: (x: number) => number, x: number, h = 1e-6): number {
  return (f(x + h) - f(x - h)) / (2 * h);
}

/** Values with one entry replaced. */
export function withEntry(values: ArrayLike<number>, index: number, value: number): number[] {
  return Array.from(values).with(index, value);
}
