/** Helpers with which filters are written. */

import { getItem } from "../python/access.ts";
import { type Arguments, bindArguments } from "../python/arguments.ts";
import { textOf } from "../python/compare.ts";
import { toText } from "../python/print.ts";
import {
  Markup,
  type NamedValues,
  Undefined,
  UnsupportedError,
  type Value,
} from "../python/values.ts";

export type Filter = (input: Value, args: readonly Value[], named: NamedValues) => Value;

/** Defines a filter with these parameters after its input, which is called `value`. */
export function filter(
  name: string,
  parameters: readonly string[],
  run: (value: Value, args: Arguments) => Value,
): Filter {
  return (value, args, named) => run(value, bindArguments(name, parameters, args, named));
}

/** Returns a text, as Jinja's `soft_str`: other values are printed. */
export function softText(value: Value): string {
  if (value instanceof Markup)
    throw new UnsupportedError("a filter of text that was marked as safe");
  return textOf(value) ?? toText(value);
}

/** Splits `a.0.b` into the attributes and items that it names. */
function splitAttribute(attribute: Value): Value[] {
  if (attribute === null) return [];
  if (typeof attribute !== "string") return [attribute];
  return attribute.split(".").map((part) => (/^\p{Nd}+$/u.test(part) ? BigInt(part) : part));
}

/** Returns a function that reads an attribute such as `a.b`. Undefined parts become the default if there is one. */
export function attributeGetter(
  attribute: Value,
  {
    fallback,
    change = (value: Value) => value,
  }: { fallback?: Value; change?: (value: Value) => Value } = {},
): (item: Value) => Value {
  const parts = splitAttribute(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part);
      if (value instanceof Undefined && fallback !== undefined && fallback !== null)
        value = fallback;
    }
    return change(value);
  };
}
