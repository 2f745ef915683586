import { dropRounding } from "../../../lib/format.ts";

/** Formats a number with four decimals, or in exponential notation if it would be rounded to almost zero. */
export function formatTokenNumber(number: number): string {
  const value = dropRounding(number);
  const size = Math.abs(value);
  const text = size !== 0 && size < 5e-4 ? value.toExponential(1) : value.toFixed(4);
  return text.replace("-", "−");
}
