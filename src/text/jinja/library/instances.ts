/** The objects that Jinja offers to templates: loops, namespaces, cyclers and joiners. */

import { findLength, isEqual, iterate } from "../python/compare.ts";
import { createDict } from "../python/container-methods.ts";
import { toRepr } from "../python/print.ts";
import {
  Callable,
  type Dict,
  Instance,
  type NamedValues,
  orElse,
  PythonError,
  Tuple,
  typeError,
  Undefined,
  type Value,
} from "../python/values.ts";

const integer = (value: number) => BigInt(value);

/** The variable `loop` of a running loop. It reads the items one by one. */
export class LoopContext extends Instance {
  readonly type = "LoopContext";
  override readonly call: NonNullable<Instance["call"]>;
  readonly #iterable: Value;
  readonly #depth0: number;
  #iterator: Iterator<Value>;
  #index0 = -1;
  #length: number | undefined;
  #current: Value | undefined;
  #before: Value | undefined;
  #after: Value | undefined;
  #lastChanged: Tuple | undefined;

  /** `recurse` runs a recursive loop on other items. It is undefined for other loops. */
  constructor(
    iterable: Value,
    depth0: number,
    recurse: ((iterable: Value, depth0: number) => string) | undefined,
  ) {
    super();
    this.#iterable = iterable;
    this.#iterator = iterate(iterable);
    this.#depth0 = depth0;
    this.call = ([items]) => {
      if (recurse === undefined)
        throw typeError("The loop must have the 'recursive' marker to be called recursively.");
      return recurse(items!, this.#depth0 + 1);
    };
  }

  /** Moves to the next item, or returns false after the last. */
  advance(): boolean {
    const next = this.#peek();
    if (next === undefined) return false;
    this.#after = undefined;
    this.#index0 += 1;
    this.#before = this.#current;
    this.#current = next;
    return true;
  }
  get current(): Value {
    return this.#current!;
  }

  #peek(): Value | undefined {
    if (this.#after === undefined) {
      const step = this.#iterator.next();
      if (!step.done) this.#after = step.value;
    }
    return this.#after;
  }

  #countItems(): number {
    if (this.#length !== undefined) return this.#length;
    this.#length = findLength(this.#iterable);
    if (this.#length === undefined) {
      const rest: Value[] = [];
      for (let step = this.#iterator.next(); !step.done; step = this.#iterator.next())
        rest.push(step.value);
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.#index0 + 1 + (this.#after === undefined ? 0 : 1);
    }
    return this.#length;
  }

  getAttribute(name: string): Value | undefined {
    switch (name) {
      case "index":
        return integer(this.#index0 + 1);
      case "index0":
        return integer(this.#index0);
      case "revindex":
        return integer(this.#countItems() - this.#index0);
      case "revindex0":
        return integer(this.#countItems() - this.#index0 - 1);
      case "first":
        return this.#index0 === 0;
      case "last":
        return this.#peek() === undefined;
      case "length":
        return integer(this.#countItems());
      case "depth":
        return integer(this.#depth0 + 1);
      case "depth0":
        return integer(this.#depth0);
      case "previtem":
        return this.#index0 === 0 ? new Undefined("there is no previous item") : this.#before!;
      case "nextitem":
        return orElse(this.#peek(), new Undefined("there is no next item"));
      case "cycle":
        return new Callable(name, (args) => this.#cycle(args));
      case "changed":
        return new Callable(name, (args) => this.#hasChanged(args));
      default:
        return undefined;
    }
  }

  #cycle(args: readonly Value[]): Value {
    if (args.length === 0) throw typeError("no items for cycling given");
    return args[this.#index0 % args.length]!;
  }

  #hasChanged(args: readonly Value[]): boolean {
    const values = new Tuple(args);
    if (this.#lastChanged !== undefined && isEqual(this.#lastChanged, values)) return false;
    this.#lastChanged = values;
    return true;
  }

  override print(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.#countItems()}>`;
  }
}

/** An object whose attributes templates can set, also from inside of loops. */
export class Namespace extends Instance {
  readonly type = "Namespace";
  readonly #attributes: Dict;
  constructor(args: readonly Value[], named: NamedValues) {
    super();
    this.#attributes = createDict(args, named);
    for (const name of this.#attributes.keys())
      if (typeof name === "string") requirePublicName(name);
  }
  getAttribute(name: string): Value | undefined {
    if (name.startsWith("_"))
      return new Undefined(`access to attribute '${name}' of a namespace is unsafe.`);
    return this.#attributes.get(name);
  }
  setAttribute(name: string, value: Value): void {
    requirePublicName(name);
    this.#attributes.set(name, value);
  }
  override print(): string {
    return `<Namespace ${toRepr(this.#attributes)}>`;
  }
}

function requirePublicName(name: string): void {
  if (!name.startsWith("_")) return;
  throw new PythonError(
    "SecurityError",
    `Chat templates cannot store underscore-prefixed attributes on a namespace, but got '${name}'.`,
  );
}

/** Returns its items one after another, again and again. */
export class Cycler extends Instance {
  readonly type = "Cycler";
  readonly #items: readonly Value[];
  #at = 0;
  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0)
      throw new PythonError("RuntimeError", "at least one item has to be provided");
    this.#items = items;
  }
  getAttribute(name: string): Value | undefined {
    switch (name) {
      case "current":
        return this.#items[this.#at]!;
      case "items":
        return new Tuple(this.#items);
      case "pos":
        return integer(this.#at);
      case "next":
        return new Callable(name, () => {
          const item = this.#items[this.#at]!;
          this.#at = (this.#at + 1) % this.#items.length;
          return item;
        });
      case "reset":
        return new Callable(name, () => {
          this.#at = 0;
          return null;
        });
      default:
        return undefined;
    }
  }
}

/** Returns nothing when it is called first, and then the separator. */
export class Joiner extends Instance {
  readonly type = "Joiner";
  override readonly call: NonNullable<Instance["call"]>;
  readonly #separator: Value;
  #wasUsed = false;
  constructor(separator: Value) {
    super();
    this.#separator = separator;
    this.call = () => {
      if (this.#wasUsed) return this.#separator;
      this.#wasUsed = true;
      return "";
    };
  }
  getAttribute(name: string): Value | undefined {
    if (name === "sep") return this.#separator;
    return name === "used" ? this.#wasUsed : undefined;
  }
}

/** The function `dict`, as transformers offers it. */
export class DictFunction extends Instance {
  readonly type = "TemplateDict";
  override readonly call: NonNullable<Instance["call"]> = createDict;
  readonly #fromKeys: Callable;
  constructor(fromKeys: Callable) {
    super();
    this.#fromKeys = fromKeys;
  }
  getAttribute(name: string): Value | undefined {
    return name === "fromkeys" ? this.#fromKeys : undefined;
  }
}
