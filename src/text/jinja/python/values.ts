/**
 * The values of a running template: those of Python, as far as templates can meet them.
 *
 * A JavaScript `bigint` is a Python int, a `number` is a Python float, an array is a list, and `null` is None. So `1`
 * and `1.0` differ, and integers have any length. Lists and dicts never change, because transformers' sandbox refuses
 * every method that would change them.
 */

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Tuple
  | Dict
  | DictView
  | Range
  | PyIterator
  | Undefined
  | Markup
  | Callable
  | Instance;

/** Arguments that are given by name. */
export type NamedValues = ReadonlyMap<string, Value>;

/** An error that Python's interpreter or Jinja would raise, such as a `TypeError`. */
export class PythonError extends Error {
  /** The name of Python's class of errors. Some filters catch errors of certain classes. */
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The error for a construct of Jinja or Python that is not implemented here. Its message names the construct. */
export class UnsupportedError extends Error {
  constructor(construct: string) {
    super(`${construct} is not supported`);
  }
}

/** Returns the value, or another when it is undefined. The operator `??` would replace None, too. */
export function orElse(value: Value | undefined, fallback: Value): Value {
  return value === undefined ? fallback : value;
}

export const typeError = (message: string) => new PythonError("TypeError", message);
export const valueError = (message: string) => new PythonError("ValueError", message);

export class Tuple {
  readonly items: readonly Value[];
  /** The names of the items, for the pairs that the filter `groupby` returns. */
  readonly names: readonly string[];
  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** Returns what two equal keys of a dict share. In Python, `1`, `1.0` and `True` are the same key. */
export function hashKey(value: Value): unknown {
  if (typeof value === "string") return `s${value}`;
  if (value instanceof Markup) return `s${value.text}`;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (value instanceof Tuple) return `t${JSON.stringify(value.items.map(describeKey))}`;
  if (value instanceof Undefined) return Undefined;
  if (Array.isArray(value) || value instanceof Dict || value instanceof DictView)
    throw typeError(`unhashable type: '${typeName(value)}'`);
  return value;
}

/** Returns the text of an item's key within the key of a tuple. */
function describeKey(value: Value): string {
  const key = hashKey(value);
  if (typeof key === "object" && key !== null)
    throw new UnsupportedError(`a ${typeName(value)} in a tuple that is a key`);
  return `${typeof key} ${String(key)}`;
}

/** A dict. The keys stay in the order in which they were set first. */
export class Dict {
  readonly #entries = new Map<unknown, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }
  get size(): number {
    return this.#entries.size;
  }
  get(key: Value): Value | undefined {
    return this.#entries.get(hashKey(key))?.[1];
  }
  has(key: Value): boolean {
    return this.#entries.has(hashKey(key));
  }
  /** Sets a value while the dict is being made. */
  set(key: Value, value: Value): void {
    const hash = hashKey(key);
    const known = this.#entries.get(hash);
    this.#entries.set(hash, [known === undefined ? key : known[0], value]);
  }
  keys(): Value[] {
    return [...this.#entries.values()].map(([key]) => key);
  }
  values(): Value[] {
    return [...this.#entries.values()].map(([, value]) => value);
  }
  entries(): (readonly [Value, Value])[] {
    return [...this.#entries.values()];
  }
}

/** What `keys()`, `values()` and `items()` of a dict return. */
export class DictView {
  readonly kind: "keys" | "values" | "items";
  readonly dict: Dict;
  constructor(kind: DictView["kind"], dict: Dict) {
    this.kind = kind;
    this.dict = dict;
  }
  list(): Value[] {
    if (this.kind === "keys") return this.dict.keys();
    if (this.kind === "values") return this.dict.values();
    return this.dict.entries().map((entry) => new Tuple(entry));
  }
}

/** The largest number of items of a range that the sandbox allows. */
const MAX_RANGE = 100_000n;

export class Range {
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: number;

  constructor(start: bigint, stop: bigint, step: bigint) {
    if (step === 0n) throw valueError("range() arg 3 must not be zero");
    this.start = start;
    this.stop = stop;
    this.step = step;
    const span = step > 0n ? stop - start : start - stop;
    const stride = step > 0n ? step : -step;
    const length = span > 0n ? (span + stride - 1n) / stride : 0n;
    if (length > MAX_RANGE)
      throw new PythonError(
        "OverflowError",
        `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_RANGE}).`,
      );
    this.length = Number(length);
  }
  at(index: number): bigint {
    return this.start + BigInt(index) * this.step;
  }
  list(): bigint[] {
    return Array.from({ length: this.length }, (_, i) => this.at(i));
  }
}

/** A generator or another iterator, which can be read once. */
export class PyIterator {
  readonly type: string;
  readonly #iterator: Iterator<Value>;
  constructor(type: string, iterator: Iterator<Value>) {
    this.type = type;
    this.#iterator = iterator;
  }
  next(): IteratorResult<Value> {
    return this.#iterator.next();
  }
}

/** An undefined value. It prints nothing, iterates over nothing and is false; everything else raises an error. */
export class Undefined {
  /** Says what is undefined. */
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
  fail(): never {
    throw new PythonError("UndefinedError", this.message);
  }
}

/** Text that is marked as safe in HTML. Only what templates can do with it without escaping is implemented. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A function, method or macro. */
export class Callable {
  readonly name: string;
  readonly call: (args: readonly Value[], named: NamedValues) => Value;
  readonly attributes: Readonly<Record<string, Value>>;
  /** Python's text of it, which is undefined where it contains an address in memory. */
  readonly repr: string | undefined;
  constructor(
    name: string,
    call: Callable["call"],
    { attributes = {}, repr }: { attributes?: Callable["attributes"]; repr?: string } = {},
  ) {
    this.name = name;
    this.call = call;
    this.attributes = attributes;
    this.repr = repr;
  }
}

/** An object of another class of Jinja: a namespace, a loop, a cycler. */
export abstract class Instance {
  abstract readonly type: string;
  abstract getAttribute(name: string): Value | undefined;
  /** Calls the object. It is undefined for objects that cannot be called. */
  readonly call?: (args: readonly Value[], named: NamedValues) => Value;
  /** Returns Python's text of the object. */
  print(): string {
    throw new UnsupportedError(`printing a ${this.type}`);
  }
}

/** Returns the name of a value's class in Python. */
export function typeName(value: Value): string {
  if (value === null) return "NoneType";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "float";
    case "string":
      return "str";
    default:
  }
  if (Array.isArray(value)) return "list";
  if (value instanceof Tuple) return "tuple";
  if (value instanceof Dict) return "dict";
  if (value instanceof DictView) return `dict_${value.kind}`;
  if (value instanceof Range) return "range";
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof Markup) return "Markup";
  if (value instanceof Callable) return "function";
  return (value as PyIterator | Instance).type;
}
