/** Numerical derivatives, to check the gradient of an objective without a model. */

/** Returns the slope of f at x by central differences. */
export function centralDifference(f: (x: number) => number, x: number, h = 1e-6): number {
  return (f(x + h) - f(x - h)) / (2 * h);
}

/** Returns a copy of the values with one entry replaced. */
export function replaceEntry(values: ArrayLike<number>, index: number, value: number): number[] {
  return Array.from(values).with(index, value);
}
