/** Python's arithmetic: `+`, `-`, `*`, `/`, `//`, `%` and `**`. */
import { isNumeric, textOf, toComparable, toFloat } from "./compare.ts";
import { joinMarkup } from "./html.ts";
import { formatPercent } from "./percent-format.ts";
import {
  Markup,
  PythonError,
  Tuple,
  typeError,
  typeName,
  Undefined,
  UnsupportedError,
  type Value,
} from "./values.ts";

export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** The largest result of a repetition in characters or items, and the largest power in bits. */
const MAX_SIZE = 1 << 24;

/** Computes `a operator b`. Throws a `PythonError` where Python raises one. */
export function compute(operator: Operator, a: Value, b: Value): Value {
  if (a instanceof Undefined) a.fail();
  if (b instanceof Undefined && !(operator === "%" && textOf(a) !== undefined)) b.fail();
  if (operator === "+" && (a instanceof Markup || b instanceof Markup))
    return concatenateMarkup(a, b);
  if (a instanceof Markup || b instanceof Markup)
    throw new UnsupportedError(`"${operator}" of text that was marked as safe`);
  if (isNumeric(a) && isNumeric(b))
    return computeNumbers(operator, toComparable(a), toComparable(b));
  if (operator === "+") return concatenate(a, b);
  if (operator === "*") return repeat(a, b);
  if (operator === "%" && typeof a === "string") return formatPercent(a, b);
  throw operandError(operator, a, b);
}

function operandError(operator: Operator, a: Value, b: Value): PythonError {
  const name = operator === "**" ? "** or pow()" : operator;
  return typeError(
    `unsupported operand type(s) for ${name}: '${typeName(a)}' and '${typeName(b)}'`,
  );
}

function concatenate(a: Value, b: Value): Value {
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (a instanceof Tuple && b instanceof Tuple) return new Tuple([...a.items, ...b.items]);
  throw operandError("+", a, b);
}

function concatenateMarkup(a: Value, b: Value): Value {
  const isText = (value: Value) => typeof value === "string" || value instanceof Markup;
  if (isText(a) && isText(b)) return joinMarkup(a as string | Markup, b as string | Markup);
  throw operandError("+", a, b);
}

function repeat(a: Value, b: Value): Value {
  const [sequence, times] = isNumeric(a) ? [b, a] : [a, b];
  const isSequence =
    typeof sequence === "string" || Array.isArray(sequence) || sequence instanceof Tuple;
  if (!isSequence || !isNumeric(times) || typeof times === "number") throw operandError("*", a, b);
  const count = Math.max(0, Number(times));
  const size = sequence instanceof Tuple ? sequence.items.length : sequence.length;
  if (count * size > MAX_SIZE)
    throw new UnsupportedError(`a repetition with more than ${MAX_SIZE} items`);
  if (typeof sequence === "string") return sequence.repeat(count);
  const items = sequence instanceof Tuple ? sequence.items : (sequence as readonly Value[]);
  const all = Array.from({ length: count }, () => items).flat();
  return sequence instanceof Tuple ? new Tuple(all) : all;
}

type Num = bigint | number;

function computeNumbers(operator: Operator, a: Num, b: Num): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return computeIntegers(operator, a, b);
  return computeFloats(operator, toFloat(a), toFloat(b));
}

function computeIntegers(operator: Operator, a: bigint, b: bigint): Value {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return divideIntegers(a, b);
    case "//":
      return floorDivide(a, b);
    case "%":
      return a - b * floorDivide(a, b, "integer modulo by zero");
    case "**":
      return raiseInteger(a, b);
    default:
      return operator satisfies never;
  }
}

function floorDivide(a: bigint, b: bigint, problem = "integer division or modulo by zero"): bigint {
  if (b === 0n) throw new PythonError("ZeroDivisionError", problem);
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function raiseInteger(a: bigint, b: bigint): Value {
  if (b < 0n) return computeFloats("**", toFloat(a), toFloat(b));
  const bits = BigInt(a.toString(2).length) * b;
  if (bits > BigInt(MAX_SIZE) && a !== 1n && a !== 0n && a !== -1n)
    throw new UnsupportedError(`an integer of more than ${MAX_SIZE} bits`);
  return a ** b;
}

/** Divides integers of any size with one rounding. */
function divideIntegers(a: bigint, b: bigint): number {
  if (b === 0n) throw new PythonError("ZeroDivisionError", "division by zero");
  const [x, y] = [Number(a), Number(b)];
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x / y;
  const [n, d] = [a < 0n ? -a : a, b < 0n ? -b : b];
  // The quotient gets at least 64 bits, so the last of them can stand for the remainder.
  const shift = BigInt(Math.max(0, d.toString(2).length - n.toString(2).length + 66));
  const quotient = (n << shift) / d;
  const exact =
    (quotient * d === n << shift ? quotient : quotient | 1n) * (a < 0n === b < 0n ? 1n : -1n);
  const result = Number(exact) * 2 ** -Number(shift);
  if (!Number.isFinite(result))
    throw new PythonError("OverflowError", "integer division result too large for a float");
  return result;
}

function computeFloats(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw new PythonError("ZeroDivisionError", "float division by zero");
      return a / b;
    case "//":
      return divideFloats(a, b).quotient;
    case "%":
      return divideFloats(a, b).remainder;
    case "**":
      return raiseFloat(a, b);
    default:
      return operator satisfies never;
  }
}

/** Divides as Python's `divmod`: the remainder has the sign of the divisor. */
function divideFloats(a: number, b: number): { quotient: number; remainder: number } {
  if (b === 0) throw new PythonError("ZeroDivisionError", "float floor division by zero");
  let remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0) {
    if (b < 0 !== remainder < 0) {
      remainder += b;
      quotient -= 1;
    }
  } else remainder = b < 0 ? -0 : 0;
  if (quotient === 0) return { quotient: a / b < 0 || Object.is(a / b, -0) ? -0 : 0, remainder };
  const floor = Math.floor(quotient);
  return { quotient: quotient - floor > 0.5 ? floor + 1 : floor, remainder };
}

function raiseFloat(a: number, b: number): number {
  if (a === 0 && b < 0)
    throw new PythonError("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b))
    throw new UnsupportedError("a complex number");
  // Python's power is 1 where JavaScript's is NaN.
  if (a === 1 || b === 0 || (a === -1 && !Number.isFinite(b) && !Number.isNaN(b))) return 1;
  const power = a ** b;
  if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b))
    throw new PythonError("OverflowError", "(34, 'Numerical result out of range')");
  return power;
}

/** Computes `-value` or `+value`. */
export function negateOrKeep(sign: "-" | "+", value: Value): Value {
  if (value instanceof Undefined) value.fail();
  if (!isNumeric(value))
    throw typeError(`bad operand type for unary ${sign}: '${typeName(value)}'`);
  const number = toComparable(value);
  return sign === "-" ? -number : number;
}
