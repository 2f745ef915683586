/**
 * Attributes, items and slices, as transformers' sandbox reads them: `value.name` is an attribute or else an item,
 * `value["name"]` an item or else an attribute. What is private or would change a value is undefined.
 */
import { requireInteger } from "./arguments.ts";
import { isNumeric, textOf, toComparable } from "./compare.ts";
import {
  DICT_METHODS,
  isChangingMethod,
  refuseMissingAttribute,
  SEQUENCE_METHODS,
} from "./container-methods.ts";
import { toRepr } from "./print.ts";
import { formatFields } from "./string-format.ts";
import { callStringMethod, STRING_METHODS } from "./string-methods.ts";
import {
  Callable,
  Dict,
  Instance,
  Markup,
  Range,
  Tuple,
  typeError,
  typeName,
  Undefined,
  UnsupportedError,
  type Value,
  valueError,
} from "./values.ts";

/** Attributes that every object of Python has. The sandbox hides them. */
const COMMON_ATTRIBUTES = new Set(
  "class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr setattr sizeof str subclasshook"
    .split(" ")
    .map((name) => `__${name}__`),
);

/** Returns `value.name`. */
export function getAttribute(value: Value, name: string): Value {
  const attribute = findAttribute(value, name);
  if (attribute !== undefined) return attribute;
  const item = findItem(value, name);
  return item === undefined ? describeMissing(value, name) : item;
}

/** Returns `value[key]`. */
export function getItem(value: Value, key: Value): Value {
  const item = findItem(value, key);
  if (item !== undefined) return item;
  const name = textOf(key);
  const attribute = name === undefined ? undefined : findAttribute(value, name);
  return attribute === undefined ? describeMissing(value, key) : attribute;
}

function describeMissing(value: Value, key: Value): Undefined {
  const type = value === null ? "None" : `${typeName(value)} object`;
  return new Undefined(
    textOf(key) === undefined
      ? `${type} has no element ${toRepr(key)}`
      : `'${type}' has no attribute ${toRepr(key)}`,
  );
}

/** Returns an attribute or undefined. Attributes of undefined values raise an error. */
function findAttribute(value: Value, name: string): Value | undefined {
  if (value instanceof Undefined && !COMMON_ATTRIBUTES.has(name)) value.fail();
  const isHidden = isChangingMethod(value, name);
  if (
    !(isHidden || COMMON_ATTRIBUTES.has(name)) ||
    (value instanceof Instance && value.type === "Namespace")
  ) {
    return findOpenAttribute(value, name);
  }
  return new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`);
}

function findOpenAttribute(value: Value, name: string): Value | undefined {
  const text = textOf(value);
  if (value instanceof Markup)
    throw new UnsupportedError("an attribute of text that was marked as safe");
  if (text !== undefined) return findStringMethod(text, name);
  if (Array.isArray(value)) {
    if (name === "copy") return createMethod(name, () => [...(value as readonly Value[])]);
    return bindMethod(SEQUENCE_METHODS, value as readonly Value[], name);
  }
  if (value instanceof Tuple) {
    const named = value.items[value.names.indexOf(name)];
    return named === undefined ? bindMethod(SEQUENCE_METHODS, value.items, name) : named;
  }
  if (value instanceof Dict) return bindMethod(DICT_METHODS, value, name);
  if (value instanceof Instance) return value.getAttribute(name);
  if (value instanceof Callable)
    return Object.hasOwn(value.attributes, name) ? value.attributes[name] : undefined;
  if (isNumeric(value)) return findNumberAttribute(toComparable(value), name);
  if (value instanceof Range && ["start", "stop", "step"].includes(name))
    return value[name as "start" | "stop" | "step"];
  refuseMissingAttribute(value, name);
  return undefined;
}

function findNumberAttribute(value: bigint | number, name: string): Value | undefined {
  if (name === "real") return value;
  if (name === "imag") return typeof value === "bigint" ? 0n : 0;
  if (name === "conjugate") return createMethod(name, () => value);
  if (typeof value === "number" && name === "is_integer")
    return createMethod(name, () => Number.isInteger(value));
  if (typeof value === "bigint" && name === "numerator") return value;
  if (typeof value === "bigint" && name === "denominator") return 1n;
  refuseMissingAttribute(value, name);
  return undefined;
}

function findStringMethod(text: string, name: string): Value | undefined {
  if (name === "format") {
    const access = { attribute: getAttribute, item: getItem };
    return createMethod(name, (args, named) => formatFields(text, args, named, access));
  }
  if (name === "format_map") {
    return createMethod(name, ([values]) => {
      if (!(values instanceof Dict))
        throw new UnsupportedError("format_map() of something else than a dict");
      const named = new Map(values.entries().map(([key, item]) => [textOf(key) ?? "", item]));
      return formatFields(text, [], named, { attribute: getAttribute, item: getItem });
    });
  }
  if (!STRING_METHODS.has(name)) return undefined;
  return createMethod(name, (args, named) => callStringMethod(text, name, args, named));
}

function bindMethod<T>(
  methods: Readonly<
    Record<string, (self: T, args: readonly Value[], named: ReadonlyMap<string, Value>) => Value>
  >,
  self: T,
  name: string,
): Callable | undefined {
  if (!Object.hasOwn(methods, name)) return undefined;
  return createMethod(name, (args, named) => methods[name]!(self, args, named));
}

const createMethod = (name: string, call: Callable["call"]) => new Callable(name, call);

/** Returns an item, or undefined where Python raises a `TypeError`, `KeyError` or `IndexError`. */
function findItem(value: Value, key: Value): Value | undefined {
  if (value instanceof Undefined) value.fail();
  if (value instanceof Dict) {
    const isHashable = !(Array.isArray(key) || key instanceof Dict);
    return isHashable ? value.get(key) : undefined;
  }
  const items = findSequence(value);
  const index = isNumeric(key) ? toComparable(key) : undefined;
  if (items === undefined || typeof index !== "bigint") return undefined;
  return items[Number(index < 0n ? index + BigInt(items.length) : index)];
}

/** Returns the items of a sequence, or undefined for another value. A list is not copied. */
function findSequence(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value instanceof Range) return value.list();
  const text = textOf(value);
  return text === undefined ? undefined : [...text];
}

/** Returns `value[start:stop:step]`. Limits that are undefined or None are left out. */
export function getSlice(
  value: Value,
  start: Value | undefined,
  stop: Value | undefined,
  step: Value | undefined,
): Value {
  if (value instanceof Undefined) value.fail();
  const items = findSequence(value);
  if (items === undefined) {
    if (value instanceof Dict) throw typeError("unhashable type: 'slice'");
    throw typeError(`'${typeName(value)}' object is not subscriptable`);
  }
  const { from, to, stride } = findLimits(items.length, start, stop, step);
  if (value instanceof Range) {
    const [first, last, by] = [from, to, stride].map(BigInt) as [bigint, bigint, bigint];
    return new Range(
      value.start + first * value.step,
      value.start + last * value.step,
      value.step * by,
    );
  }
  const taken: Value[] = [];
  for (let i = from; stride > 0 ? i < to : i > to; i += stride) taken.push(items[i]!);
  if (Array.isArray(value)) return taken;
  return value instanceof Tuple ? new Tuple(taken) : taken.join("");
}

function findLimits(
  length: number,
  start: Value | undefined,
  stop: Value | undefined,
  step: Value | undefined,
): { from: number; to: number; stride: number } {
  const toNumber = (value: Value | undefined) =>
    value === undefined || value === null ? undefined : Number(requireInteger(value));
  const stride = toNumber(step) ?? 1;
  if (stride === 0) throw valueError("slice step cannot be zero");
  const [lowest, highest] = stride > 0 ? [0, length] : [-1, length - 1];
  const clamp = (at: number | undefined, fallback: number) => {
    if (at === undefined) return fallback;
    return Math.min(highest, Math.max(lowest, at < 0 ? at + length : at));
  };
  return {
    from: clamp(toNumber(start), stride > 0 ? lowest : highest),
    to: clamp(toNumber(stop), stride > 0 ? highest : lowest),
    stride,
  };
}
