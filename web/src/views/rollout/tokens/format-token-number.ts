/** A number of a token: four digits behind the point, and more where those would all be zeros. */
export function formatTokenNumber(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && size < 5e-4 ? value.toExponential(1) : value.toFixed(4);
  return text.replace("-", "−");
}
