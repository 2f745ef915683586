/** The gradient's norm among the metrics of an optimizer step: the protocol has no name for it, and servers have several. */
type Metrics = Readonly<Record<string, number>>;

export function gradientNormName(metrics: Metrics): string | undefined {
  return Object.keys(metrics).find((name) => /grad(ient)?_?norm/i.test(name));
}

/** Undefined where the server reports none. */
export function gradientNormOf(metrics: Metrics): number | undefined {
  const name = gradientNormName(metrics);
  return name === undefined ? undefined : metrics[name];
}
