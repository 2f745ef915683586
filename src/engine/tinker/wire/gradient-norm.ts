/**
 * Finds the gradient's norm among the metrics of an optimizer step. The protocol does not name this metric, and servers
 * use several names.
 */
type Metrics = Readonly<Record<string, number>>;

/** Returns the name of the metric that holds the gradient's norm, or undefined when the server reports none. */
export function findGradientNormName(metrics: Metrics): string | undefined {
  return Object.keys(metrics).find((name) => /grad(ient)?_?norm/i.test(name));
}

/** Returns the gradient's norm, or undefined when the server reports none. */
export function readGradientNorm(metrics: Metrics): number | undefined {
  const name = findGradientNormName(metrics);
  return name === undefined ? undefined : metrics[name];
}
