/** The methods of lists, tuples and dicts that do not change them. */
import { bindArguments, requireInteger } from "./arguments.ts";
import { isEqual, listItems } from "./compare.ts";
import { toRepr } from "./print.ts";
import {
  Dict,
  DictView,
  type NamedValues,
  orElse,
  typeError,
  typeName,
  UnsupportedError,
  type Value,
  valueError,
} from "./values.ts";

type Method<T> = (self: T, args: readonly Value[], named: NamedValues) => Value;

export const SEQUENCE_METHODS: Readonly<Record<string, Method<readonly Value[]>>> = {
  count: (items, args) => {
    const wanted = bindArguments("count", ["value"], args, new Map()).get("value");
    return BigInt(items.filter((item) => item === wanted || isEqual(item, wanted)).length);
  },
  index: (items, args) => {
    const bound = bindArguments("index", ["value", "start", "stop"], args, new Map());
    const wanted = bound.get("value");
    const limit = (name: string, fallback: number) => {
      const value = bound.find(name);
      const at = value === undefined ? fallback : Number(requireInteger(value));
      return at < 0 ? Math.max(0, at + items.length) : at;
    };
    const [from, to] = [limit("start", 0), limit("stop", items.length)];
    const at = items.findIndex(
      (item, i) => i >= from && i < to && (item === wanted || isEqual(item, wanted)),
    );
    if (at < 0) throw valueError(`${toRepr(wanted)} is not in list`);
    return BigInt(at);
  },
};

export const DICT_METHODS: Readonly<Record<string, Method<Dict>>> = {
  copy: (dict) => new Dict(dict.entries()),
  fromkeys: (_, args) => dictFromKeys(args),
  get: (dict, args, named) => {
    if (named.size > 0) throw typeError("dict.get() takes no keyword arguments");
    const bound = bindArguments("get", ["key", "default"], args, new Map());
    return orElse(dict.get(bound.get("key")), bound.findOr("default", null));
  },
  items: (dict) => new DictView("items", dict),
  keys: (dict) => new DictView("keys", dict),
  values: (dict) => new DictView("values", dict),
};

/** Returns Python's `dict.fromkeys(keys, value)`. */
export function dictFromKeys(args: readonly Value[]): Dict {
  const bound = bindArguments("fromkeys", ["keys", "value"], args, new Map());
  const value = bound.findOr("value", null);
  return new Dict(listItems(bound.get("keys")).map((key) => [key, value] as const));
}

/** Returns Python's `dict(source, **named)`. */
export function createDict(args: readonly Value[], named: NamedValues): Dict {
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`);
  const [source] = args;
  const entries =
    source === undefined ? [] : source instanceof Dict ? source.entries() : listPairs(source);
  return new Dict([...entries, ...named]);
}

function listPairs(source: Value): (readonly [Value, Value])[] {
  return listItems(source).map((pair, i) => {
    const items = listItems(pair);
    if (items.length === 2) return [items[0]!, items[1]!];
    throw valueError(
      `dictionary update sequence element #${i} has length ${items.length}; 2 is required`,
    );
  });
}

/** The methods that would change a value, which the sandbox makes undefined. */
const CHANGING_METHODS: Readonly<Record<string, readonly string[]>> = {
  list: ["append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"],
  dict: ["clear", "pop", "popitem", "setdefault", "update"],
};

export function isChangingMethod(value: Value, name: string): boolean {
  return CHANGING_METHODS[typeName(value)]?.includes(name) ?? false;
}

/** The attributes that other values have in Python and that are refused by name. */
const MISSING_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  int: ["as_integer_ratio", "bit_count", "bit_length", "from_bytes", "to_bytes"],
  float: ["as_integer_ratio", "fromhex", "hex"],
  range: ["count", "index"],
  generator: [
    "close",
    "gi_code",
    "gi_frame",
    "gi_running",
    "gi_suspended",
    "gi_yieldfrom",
    "send",
    "throw",
  ],
  dict_keys: ["isdisjoint", "mapping"],
  dict_values: ["mapping"],
  dict_items: ["isdisjoint", "mapping"],
};

/** Throws for an attribute that exists in Python and not here. */
export function refuseMissingAttribute(value: Value, name: string): void {
  const type = typeof value === "boolean" ? "int" : typeName(value);
  if (MISSING_ATTRIBUTES[type]?.includes(name))
    throw new UnsupportedError(`the attribute ${name} of a ${typeName(value)}`);
}
