/** The filters of numbers. */
import { compute } from "../python/arithmetic.ts";
import { isNumeric, listItems, textOf, toComparable, toFloat } from "../python/compare.ts";
import { divideToEven, formatFixed, roundFloat } from "../python/exact-decimal.ts";
import { strip } from "../python/text-split.ts";
import {
  PythonError,
  typeError,
  typeName,
  Undefined,
  type Value,
  valueError,
} from "../python/values.ts";
import type { Filter } from "./define-filter.ts";
import { attributeGetter, filter } from "./define-filter.ts";

export const NUMBER_FILTERS: Readonly<Record<string, Filter>> = {
  abs: filter("abs", [], (value) => {
    if (value instanceof Undefined || !isNumeric(value))
      throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
    const number = toComparable(value);
    return number < 0 || Object.is(number, -0) ? -number : number;
  }),
  filesizeformat: filter("filesizeformat", ["binary"], (value, args) =>
    formatFileSize(parseFloatValue(value), args.isTrue("binary")),
  ),
  float: filter(
    "float",
    ["default"],
    (value, args) =>
      tryConvert(() => parseFloatValue(value), ["TypeError", "ValueError"]) ??
      args.findOr("default", 0),
  ),
  int: filter("int", ["default", "base"], (value, args) => {
    const base = Number(args.integer("base", 10n));
    return (
      tryConvert(() => parseInteger(value, base), ["TypeError", "ValueError"]) ??
      tryConvert(
        () => truncate(parseFloatValue(value)),
        ["TypeError", "ValueError", "OverflowError"],
      ) ??
      args.findOr("default", 0n)
    );
  }),
  round: filter("round", ["precision", "method"], (value, args) => {
    const method = args.findOr("method", "common");
    if (method !== "common" && method !== "ceil" && method !== "floor")
      throw new PythonError("FilterArgumentError", "method must be common, ceil or floor");
    return roundValue(value, args.integer("precision", 0n), method);
  }),
  sum: filter("sum", ["attribute", "start"], (value, args) => {
    const attribute = args.findSome("attribute");
    const read = attribute === undefined ? (item: Value) => item : attributeGetter(attribute);
    const start = args.findOr("start", 0n);
    if (textOf(start) !== undefined)
      throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
    return listItems(value).reduce((total, item) => compute("+", total, read(item)), start);
  }),
};

function tryConvert<T>(convert: () => T, kinds: readonly string[]): T | undefined {
  try {
    return convert();
  } catch (error) {
    if (error instanceof PythonError && kinds.includes(error.kind)) return undefined;
    throw error;
  }
}

/** Python's `int(value)`, with a base for texts. */
function parseInteger(value: Value, base: number): bigint {
  if (value instanceof Undefined) value.fail();
  const text = textOf(value);
  if (text === undefined) {
    if (!isNumeric(value))
      throw typeError(`int() argument must be a string or a number, not '${typeName(value)}'`);
    const number = toComparable(value);
    return typeof number === "bigint" ? number : truncate(number);
  }
  const trimmed = strip(text, "strip").toLowerCase();
  const [, sign, prefix = "", digits = ""] = /^([-+]?)(0[xob])?_?(.*)$/su.exec(trimmed) ?? [];
  const prefixBase = { "0x": 16, "0o": 8, "0b": 2 }[prefix];
  const usesPrefix = prefixBase !== undefined && (base === 0 || base === prefixBase);
  const rest = usesPrefix ? digits : trimmed.replace(/^[-+]/, "");
  const total = readDigits(rest, usesPrefix ? prefixBase : base || 10);
  if (total === undefined || (base !== 0 && (base < 2 || base > 36)))
    throw valueError(`invalid literal for int() with base ${base}: '${text}'`);
  return sign === "-" ? -total : total;
}

function readDigits(text: string, base: number): bigint | undefined {
  if (!/^[\p{Nd}a-z]+(?:_[\p{Nd}a-z]+)*$/u.test(text)) return undefined;
  let total = 0n;
  for (const character of text.replaceAll("_", "")) {
    const digit = Number.parseInt(toAsciiDigit(character), 36);
    if (Number.isNaN(digit) || digit >= base) return undefined;
    total = total * BigInt(base) + BigInt(digit);
  }
  return total;
}

/** Decimal digits of all scripts stand in runs of ten or of several tens, each of which begins with its zero. */
function toAsciiDigit(character: string): string {
  if (!/\p{Nd}/u.test(character)) return character;
  const code = character.codePointAt(0)!;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return String((code - start) % 10);
}

function truncate(value: number): bigint {
  if (Number.isNaN(value)) throw valueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value))
    throw new PythonError("OverflowError", "cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

const FLOAT = /^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i;

/** Python's `float(value)`. */
function parseFloatValue(value: Value): number {
  if (value instanceof Undefined) value.fail();
  if (isNumeric(value)) return toFloat(toComparable(value));
  const text = textOf(value);
  if (text === undefined)
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
  const trimmed = strip(text, "strip");
  if (FLOAT.test(trimmed)) return Number(trimmed.replaceAll("_", ""));
  const [, sign, word] = /^([-+]?)(inf|infinity|nan)$/i.exec(trimmed) ?? [];
  if (word === undefined) throw valueError(`could not convert string to float: '${text}'`);
  const float = word.toLowerCase() === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
  return sign === "-" ? -float : float;
}

function roundValue(value: Value, precision: bigint, method: "common" | "ceil" | "floor"): Value {
  if (value instanceof Undefined || !isNumeric(value))
    throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  const number = toComparable(value);
  const places = Number(precision);
  if (method !== "common") {
    const factor = compute("**", 10n, precision);
    const scaled = compute("*", value, factor) as bigint | number;
    const whole =
      typeof scaled === "bigint"
        ? scaled
        : truncate(method === "ceil" ? Math.ceil(scaled) : Math.floor(scaled));
    return compute("/", whole, factor);
  }
  if (typeof number === "number")
    return Number.isFinite(number) ? roundFloat(number, places) : number;
  if (places >= 0) return number;
  const unit = 10n ** BigInt(-places);
  return divideToEven(number, unit) * unit;
}

const PREFIXES = ["k", "M", "G", "T", "P", "E", "Z", "Y"];

function formatFileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000;
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${truncate(bytes)} Bytes`;
  const found = PREFIXES.findIndex((_, i) => bytes < base ** (i + 2));
  const at = found < 0 ? PREFIXES.length - 1 : found;
  const prefix = binary ? `${PREFIXES[at]!.toUpperCase()}iB` : `${PREFIXES[at]}B`;
  return `${formatFixed((base * bytes) / base ** (at + 2), 1)} ${prefix}`;
}
