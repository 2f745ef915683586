/**
 * Rounds floats to decimal digits exactly, with ties to even. JavaScript's `toFixed` and `toExponential` round ties
 * up.
 */

/** The digits of a number: `digits` is the decimal significand, of which the last digit counts `10 ** exponent`. */
interface Scaled {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Returns the value of a finite float as `numerator / denominator`. */
export function toFraction(value: number): { numerator: bigint; denominator: bigint } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const significand = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const power = BigInt((biased || 1) - 1075);
  const signed = bits >> 63n ? -significand : significand;
  return power >= 0n
    ? { numerator: signed << power, denominator: 1n }
    : { numerator: signed, denominator: 1n << -power };
}

/** Returns `numerator / denominator` as the nearest integer, and the even one of two that are equally near. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
  ];
  const quotient = n / d;
  const twice = (n % d) * 2n;
  const rounded = twice > d || (twice === d && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}

/** Returns the absolute value of a finite float as a multiple of `10 ** -places`. `places` may be negative. */
function scaleToPlaces(value: number, places: number): bigint {
  const { numerator, denominator } = toFraction(Math.abs(value));
  return places >= 0
    ? divideToEven(numerator * 10n ** BigInt(places), denominator)
    : divideToEven(numerator, denominator * 10n ** BigInt(-places));
}

/** Formats the absolute value of a finite float with this number of places after the point. */
export function formatFixed(value: number, places: number): string {
  const digits = scaleToPlaces(value, places)
    .toString()
    .padStart(places + 1, "0");
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Rounds a finite float to this number of places, which may be negative. */
export function roundFloat(value: number, places: number): number {
  if (places > 400) return value;
  const digits = places < -400 ? 0n : scaleToPlaces(value, places);
  const rounded = Number(`${digits}e${-places}`);
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** Returns the first `count` significant digits of the absolute value of a finite float. */
export function significantDigits(value: number, count: number): Scaled {
  if (value === 0) return { digits: 0n, exponent: 1 - count };
  const exponent = Number(Math.abs(value).toExponential().split("e")[1]) - count + 1;
  const digits = scaleToPlaces(value, -exponent);
  // Rounding 9.99 up gives one digit more.
  return digits < 10n ** BigInt(count)
    ? { digits, exponent }
    : { digits: digits / 10n, exponent: exponent + 1 };
}
