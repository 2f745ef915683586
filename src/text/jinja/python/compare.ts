/** How Python compares, counts and iterates over values. */
import { toText } from "./print.ts";
import {
  Dict,
  DictView,
  Instance,
  Markup,
  PyIterator,
  PythonError,
  Range,
  Tuple,
  typeError,
  typeName,
  Undefined,
  type Value,
} from "./values.ts";

export type Order = "<" | "<=" | ">" | ">=";

type Num = boolean | bigint | number;

/** Tells whether a value is an int, a float or a bool. */
export function isNumeric(value: Value): value is Num {
  return typeof value === "bigint" || typeof value === "number" || typeof value === "boolean";
}

/** Returns a numeric value as one that JavaScript compares exactly. */
export function toComparable(value: Num): bigint | number {
  return typeof value === "boolean" ? (value ? 1n : 0n) : value;
}

/** Returns Python's `float(value)` of a number. */
export function toFloat(value: bigint | number): number {
  const float = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(float))
    throw new PythonError("OverflowError", "int too large to convert to float");
  return float;
}

/** Returns the text of a str, or undefined for another value. */
export function textOf(value: Value): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof Markup ? value.text : undefined;
}

/** Returns Python's `bool(value)`. A generator is true, even if it yields nothing. */
export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  const text = textOf(value);
  if (text !== undefined) return text !== "";
  const length = findLength(value);
  return length === undefined || length > 0;
}

/** Returns Python's `len(value)`, or undefined for values that have no length. */
export function findLength(value: Value): number | undefined {
  const text = textOf(value);
  if (text !== undefined) return countCodePoints(text);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof Range) return value.length;
  if (value instanceof Undefined) return 0;
  if (value instanceof Instance && value.type === "LoopContext") {
    return Number(value.getAttribute("length"));
  }
  return undefined;
}

/** Counts characters as Python does: a pair of surrogates is one. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) if ((text.codePointAt(i) ?? 0) > 0xffff) pairs++;
  return text.length - pairs;
}

export function lengthOf(value: Value): number {
  const length = findLength(value);
  if (length === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return length;
}

/** Returns an iterator over a value, as Python's `iter(value)`. */
export function iterate(value: Value): Iterator<Value> {
  if (value instanceof PyIterator) return { next: () => value.next() };
  return listItems(value)[Symbol.iterator]();
}

/** Tells whether Python's `iter(value)` accepts the value. */
export function isIterable(value: Value): boolean {
  return value instanceof PyIterator || findItems(value) !== undefined;
}

/** Returns all items of a value, as Python's `list(value)`. An iterator is used up. */
export function listItems(value: Value): Value[] {
  if (value instanceof PyIterator) {
    const items: Value[] = [];
    for (let step = value.next(); !step.done; step = value.next()) items.push(step.value);
    return items;
  }
  const items = findItems(value);
  if (items === undefined) throw typeError(`'${typeName(value)}' object is not iterable`);
  return items;
}

function findItems(value: Value): Value[] | undefined {
  const text = textOf(value);
  if (text !== undefined) return [...text];
  if (Array.isArray(value)) return [...value];
  if (value instanceof Tuple) return [...value.items];
  if (value instanceof Dict) return value.keys();
  if (value instanceof DictView || value instanceof Range) return value.list();
  return value instanceof Undefined ? [] : undefined;
}

/** Returns Python's `a == b`. */
export function isEqual(a: Value, b: Value): boolean {
  if (isNumeric(a) && isNumeric(b)) return areNumbersEqual(toComparable(a), toComparable(b));
  if (textOf(a) !== undefined) return textOf(a) === textOf(b);
  if (Array.isArray(a)) return Array.isArray(b) && areItemsEqual(a, b);
  if (a instanceof Tuple) return b instanceof Tuple && areItemsEqual(a.items, b.items);
  if (a instanceof Undefined) return b instanceof Undefined;
  if (a instanceof Range) return b instanceof Range && areItemsEqual(a.list(), b.list());
  if (a instanceof Dict) return b instanceof Dict && areEntriesEqual(a, b);
  if (a instanceof DictView && a.kind !== "values" && b instanceof DictView) {
    return (
      a.kind === b.kind &&
      a.dict.size === b.dict.size &&
      a.list().every((item) => contains(b, item))
    );
  }
  return a === b;
}

/** Compares an int and a float by their exact values. */
function areNumbersEqual(a: bigint | number, b: bigint | number): boolean {
  return a <= b && a >= b;
}

function areItemsEqual(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => isSameOrEqual(item, b[i]!));
}

function areEntriesEqual(a: Dict, b: Dict): boolean {
  const isInB = ([key, item]: readonly [Value, Value]) => {
    const other = b.get(key);
    return other !== undefined && isSameOrEqual(item, other);
  };
  return a.size === b.size && a.entries().every(isInB);
}

/** Containers compare their items by identity first, so a NaN in two lists may make them equal. */
function isSameOrEqual(a: Value, b: Value): boolean {
  return a === b || isEqual(a, b);
}

/** Returns Python's `a < b`, or another order. Throws a `TypeError` for values that have no order. */
export function isInOrder(a: Value, order: Order, b: Value): boolean {
  if (a instanceof Undefined) a.fail();
  if (b instanceof Undefined) b.fail();
  if (isNumeric(a) && isNumeric(b)) return holds(toComparable(a), order, toComparable(b));
  const [left, right] = [textOf(a), textOf(b)];
  if (left !== undefined && right !== undefined) return holds(compareTexts(left, right), order, 0);
  if (Array.isArray(a) && Array.isArray(b)) return areItemsInOrder(a, order, b);
  if (a instanceof Tuple && b instanceof Tuple) return areItemsInOrder(a.items, order, b.items);
  throw typeError(
    `'${order}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
  );
}

function holds(a: bigint | number, order: Order, b: bigint | number): boolean {
  if (order === "<") return a < b;
  if (order === "<=") return a <= b;
  return order === ">" ? a > b : a >= b;
}

function areItemsInOrder(a: readonly Value[], order: Order, b: readonly Value[]): boolean {
  const at = a.findIndex((item, i) => i >= b.length || !isSameOrEqual(item, b[i]!));
  if (at < 0 || at >= b.length) return holds(a.length, order, b.length);
  return isInOrder(a[at]!, order, b[at]!);
}

/** Compares texts by code points. The UTF-16 units of JavaScript have another order. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    // A surrogate belongs to a character above all others of 16 bits. Alone, it is below those from U+E000 on.
    return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0) || left - right;
  }
  return a.length - b.length;
}

/** Returns Python's `item in container`. */
export function contains(container: Value, item: Value): boolean {
  const text = textOf(container);
  if (text !== undefined) {
    const part = textOf(item);
    if (part !== undefined) return text.includes(part);
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof Dict) return container.has(item);
  if (container instanceof DictView && container.kind === "keys") return container.dict.has(item);
  if (container instanceof PyIterator) {
    for (let step = container.next(); !step.done; step = container.next())
      if (isSameOrEqual(step.value, item)) return true;
    return false;
  }
  const items = findItems(container);
  if (items === undefined)
    throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  return items.some((other) => isSameOrEqual(other, item));
}

/** Sorts stably by keys, as Python's `sorted`. A reversed order keeps equal items in their first order. */
export function sortByKey(
  items: readonly Value[],
  key: (item: Value) => Value,
  reverse: boolean,
): Value[] {
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const isLess = (a: Value, b: Value) => isInOrder(a, "<", b);
  // Comparing in both directions would raise no other error than Python's comparison of one.
  keyed.sort((a, b) => {
    const [first, second] = reverse ? [b, a] : [a, b];
    if (isLess(first.key, second.key)) return -1;
    return isLess(second.key, first.key) ? 1 : 0;
  });
  return keyed.map(({ item }) => item);
}

/** Returns what Jinja compares where case does not matter. */
export function ignoreCase(value: Value): Value {
  return textOf(value) === undefined ? value : toText(value).toLowerCase();
}
