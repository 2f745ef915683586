/** Formats numbers and texts by a type, a precision and a width, for `%` and for `str.format`. */
import { isNumeric, toComparable, toFloat } from "./compare.ts";
import { formatFixed, significantDigits } from "./exact-decimal.ts";
import { formatFloat } from "./print.ts";
import { typeError, typeName, type Value } from "./values.ts";

/** How a number is written. */
export interface NumberStyle {
  /** One of `e f g` and their capitals, or `r` for the fewest digits that identify the number. */
  readonly type: string;
  readonly precision: number;
  /** Keeps the point and the zeros at the end, as the flag `#` asks. */
  readonly alternate: boolean;
}

/** Formats the absolute value of a float. */
export function formatFloatAs(value: number, { type, precision, alternate }: NumberStyle): string {
  const written = formatMagnitude(Math.abs(value), type.toLowerCase(), precision, alternate);
  return type !== "r" && type === type.toUpperCase() ? written.toUpperCase() : written;
}

function formatMagnitude(
  value: number,
  type: string,
  precision: number,
  alternate: boolean,
): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return "inf";
  if (type === "r") return formatFloat(value);
  if (type === "f")
    return formatFixed(value, precision) + (alternate && precision === 0 ? "." : "");
  if (type === "e") return formatScientific(value, precision + 1, alternate);
  const count = Math.max(1, precision);
  const { digits, exponent } = significantDigits(value, count);
  const power = value === 0 ? 0 : exponent + count - 1;
  const written =
    power < -4 || power >= count
      ? formatScientific(value, count, alternate)
      : placePoint(digits.toString().padStart(count, "0"), count - 1 - power, alternate);
  return alternate ? written : withoutTrailingZeros(written);
}

function formatScientific(value: number, count: number, alternate: boolean): string {
  const { digits, exponent } = significantDigits(value, count);
  const power = value === 0 ? 0 : exponent + count - 1;
  const significand = placePoint(digits.toString().padStart(count, "0"), count - 1, alternate);
  const sign = power < 0 ? "-" : "+";
  return `${significand}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Puts a point before the last `places` digits. */
function placePoint(digits: string, places: number, alternate: boolean): string {
  if (places <= 0) return digits + (alternate ? "." : "");
  const padded = digits.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

function withoutTrailingZeros(text: string): string {
  const [significand = "", power] = text.split("e");
  const short = significand.includes(".") ? significand.replace(/\.?0*$/, "") : significand;
  return power === undefined ? short : `${short}e${power}`;
}

const BASES: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  d: [10, ""],
  i: [10, ""],
  u: [10, ""],
  n: [10, ""],
  b: [2, "0b"],
  o: [8, "0o"],
  x: [16, "0x"],
  X: [16, "0X"],
};

/** Formats the absolute value of an integer in the base of a type, with its prefix apart. */
export function formatInteger(value: bigint, type: string): { digits: string; prefix: string } {
  const [base, prefix] = BASES[type]!;
  const digits = (value < 0n ? -value : value).toString(base);
  return { digits: type === "X" ? digits.toUpperCase() : digits, prefix };
}

/** Returns a value as a float. Throws a `TypeError` if it is no number. */
export function requireFloat(value: Value): number {
  if (isNumeric(value)) return toFloat(toComparable(value));
  throw typeError(`must be real number, not ${typeName(value)}`);
}
