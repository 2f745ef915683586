/** The tests of Jinja 3.1, as in `value is defined`. */

import type { Arguments } from "../python/arguments.ts";
import { compute } from "../python/arithmetic.ts";
import { contains, isEqual, isInOrder, isIterable, textOf } from "../python/compare.ts";
import { toText } from "../python/print.ts";
import { isLower, isUpper } from "../python/text-case.ts";
import {
  Callable,
  Dict,
  Instance,
  Markup,
  Range,
  Tuple,
  Undefined,
  UnsupportedError,
  type Value,
} from "../python/values.ts";

type Test = (value: Value, args: Arguments) => boolean;
export interface TestDefinition {
  readonly parameters: readonly string[];
  readonly run: Test;
}

const define = (run: Test, parameters: readonly string[] = []): TestDefinition => ({
  parameters,
  run,
});
const compare = (order: "<" | "<=" | ">" | ">="): TestDefinition =>
  define((value, args) => isInOrder(value, order, args.get("other")), ["other"]);
const equal = define((value, args) => isEqual(value, args.get("other")), ["other"]);
const unequal = define((value, args) => !isEqual(value, args.get("other")), ["other"]);
const hasRemainder = (value: Value, divisor: Value, wanted: bigint) =>
  isEqual(compute("%", value, divisor), wanted);

export const TESTS: Readonly<Record<string, TestDefinition>> = {
  boolean: define((value) => typeof value === "boolean"),
  callable: define(
    (value) =>
      value instanceof Callable ||
      value instanceof Undefined ||
      (value instanceof Instance && value.call !== undefined),
  ),
  defined: define((value) => !(value instanceof Undefined)),
  divisibleby: define((value, args) => hasRemainder(value, args.get("num"), 0n), ["num"]),
  escaped: define((value) => value instanceof Markup),
  even: define((value) => hasRemainder(value, 2n, 0n)),
  false: define((value) => value === false),
  float: define((value) => typeof value === "number"),
  in: define((value, args) => contains(args.get("seq"), value), ["seq"]),
  integer: define((value) => typeof value === "bigint"),
  iterable: define(isIterable),
  lower: define((value) => isLower(toText(value))),
  mapping: define((value) => value instanceof Dict),
  none: define((value) => value === null),
  number: define((value) => ["bigint", "number", "boolean"].includes(typeof value)),
  odd: define((value) => hasRemainder(value, 2n, 1n)),
  sameas: define((value, args) => isSame(value, args.get("other")), ["other"]),
  sequence: define(
    (value) =>
      textOf(value) !== undefined ||
      Array.isArray(value) ||
      [Tuple, Dict, Range, Undefined].some((type) => value instanceof type),
  ),
  string: define((value) => textOf(value) !== undefined),
  true: define((value) => value === true),
  undefined: define((value) => value instanceof Undefined),
  upper: define((value) => isUpper(toText(value))),
  "==": equal,
  eq: equal,
  equalto: equal,
  "!=": unequal,
  ne: unequal,
  ">": compare(">"),
  gt: compare(">"),
  greaterthan: compare(">"),
  ">=": compare(">="),
  ge: compare(">="),
  "<": compare("<"),
  lt: compare("<"),
  lessthan: compare("<"),
  "<=": compare("<="),
  le: compare("<="),
};

/** Whether equal numbers or texts are one object depends on Python's memory, so only the certain cases are answered. */
function isSame(a: Value, b: Value): boolean {
  const isCertain = a === null || typeof a === "boolean" || typeof a === "object";
  if (isCertain || typeof a !== typeof b) return a === b;
  if (a !== b) return false;
  throw new UnsupportedError("the test sameas of two equal numbers or texts");
}
