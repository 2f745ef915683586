/** Variants of a method on errands, by name, as the configuration fields in which they differ from the method. */
export const VARIANTS: { readonly [variant: string]: Readonly<Record<string, unknown>> } = {
  /** Only rollouts that pass as a whole are paid. */
  strict: { "algo.reward": "strict" },
  /** The learning rate falls to a fifth, as in the setting `starter`. */
  annealed: { "optimizer.finalRate": 0.2 },
};

export const nameOfVariant = (method: string, variant: string) => `${method}-${variant}`;

/** Returns the name of a run's variant, such as `loop-strict`, from the name of its directory; undefined without one. */
export function variantOfFolder(folder: string, method: string): string | undefined {
  return Object.keys(VARIANTS)
    .map((variant) => nameOfVariant(method, variant))
    .find((name) => folder.startsWith(`${name}-seed`));
}
