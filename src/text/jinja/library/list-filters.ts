/** The filters of lists and dicts. */
import { getAttribute } from "../python/access.ts";
import type { Arguments } from "../python/arguments.ts";
import {
  ignoreCase,
  isEqual,
  isInOrder,
  isTrue,
  iterate,
  lengthOf,
  listItems,
  sortByKey,
  textOf,
} from "../python/compare.ts";
import { toText } from "../python/print.ts";
import {
  Dict,
  DictView,
  hashKey,
  orElse,
  PyIterator,
  PythonError,
  Range,
  Tuple,
  typeError,
  typeName,
  Undefined,
  type Value,
} from "../python/values.ts";
import { attributeGetter, type Filter, filter } from "./define-filter.ts";

const generator = (iterator: Iterator<Value>) => new PyIterator("generator", iterator);
const length = filter("len", [], (value) => BigInt(lengthOf(value)));
const fallback = filter("default", ["default_value", "boolean"], (value, args) => {
  const isMissing = value instanceof Undefined || (args.isTrue("boolean") && !isTrue(value));
  return isMissing ? args.findOr("default_value", "") : value;
});

export const LIST_FILTERS: Readonly<Record<string, Filter>> = {
  attr: filter("attr", ["name"], (value, args) => {
    const name = args.text("name");
    // Without the attribute, the item of this name would be read, which this filter does not do.
    const isItem = value instanceof Dict && value.has(name);
    const found = getAttribute(isItem ? new Dict() : value, name);
    return isItem && !(found instanceof Undefined) ? getAttribute(value, name) : found;
  }),
  batch: filter("batch", ["linecount", "fill_with"], (value, args) => {
    const size = Number(args.integer("linecount", 0n));
    return generator(batchItems(value, size, args.findOr("fill_with", null)));
  }),
  count: length,
  d: fallback,
  default: fallback,
  dictsort: filter("dictsort", ["case_sensitive", "by", "reverse"], (value, args) => {
    const by = args.findOr("by", "key");
    if (by !== "key" && by !== "value")
      throw new PythonError("FilterArgumentError", 'You can only sort by either "key" or "value"');
    if (!(value instanceof Dict))
      throw typeError(`'${typeName(value)}' object has no attribute 'items'`);
    const change = args.isTrue("case_sensitive") ? (key: Value) => key : ignoreCase;
    const pairs = value.entries().map((entry) => new Tuple(entry));
    const key = (pair: Value) => change((pair as Tuple).items[by === "key" ? 0 : 1]!);
    return sortByKey(pairs, key, args.isTrue("reverse"));
  }),
  first: filter("first", [], (value) => {
    const step = iterate(value).next();
    return step.done ? new Undefined("No first item, sequence was empty.") : step.value;
  }),
  groupby: filter("groupby", ["attribute", "default", "case_sensitive"], groupItems),
  items: filter("items", [], (value) => {
    if (!(value instanceof Undefined || value instanceof Dict))
      return generator(failLater(typeError("Can only get item pairs from a mapping.")));
    return generator(
      value instanceof Dict
        ? new DictView("items", value).list()[Symbol.iterator]()
        : [][Symbol.iterator](),
    );
  }),
  join: filter("join", ["d", "attribute"], (value, args) => {
    const attribute = args.findSome("attribute");
    const read = attribute === undefined ? (item: Value) => item : attributeGetter(attribute);
    return listItems(value)
      .map((item) => toText(read(item)))
      .join(toText(args.findOr("d", "")));
  }),
  last: filter("last", [], (value) => {
    requireReversible(value);
    return orElse(listItems(value).at(-1), new Undefined("No last item, sequence was empty."));
  }),
  length,
  list: filter("list", [], (value) => listItems(value)),
  max: filter("max", ["case_sensitive", "attribute"], (value, args) =>
    findExtreme(value, args, ">"),
  ),
  min: filter("min", ["case_sensitive", "attribute"], (value, args) =>
    findExtreme(value, args, "<"),
  ),
  reverse: filter("reverse", [], (value) => {
    const text = textOf(value);
    if (text !== undefined) return [...text].reverse().join("");
    if (value instanceof PyIterator) return listItems(value).reverse();
    return new PyIterator("reversed", listItems(value).reverse()[Symbol.iterator]());
  }),
  slice: filter("slice", ["slices", "fill_with"], (value, args) =>
    generator(
      sliceItems(value, Number(args.integer("slices", 0n)), args.findOr("fill_with", null)),
    ),
  ),
  sort: filter("sort", ["reverse", "case_sensitive", "attribute"], (value, args) => {
    const change = args.isTrue("case_sensitive") ? (key: Value) => key : ignoreCase;
    const attribute = args.findOr("attribute", null);
    const attributes = typeof attribute === "string" ? attribute.split(",") : [attribute];
    const getters = attributes.map((one) => attributeGetter(one, { change }));
    const key = (item: Value) => getters.map((get) => get(item));
    return sortByKey(listItems(value), key, args.isTrue("reverse"));
  }),
  unique: filter("unique", ["case_sensitive", "attribute"], (value, args) =>
    generator(listUnique(value, args)),
  ),
};

/** Returns an iterator that raises an error when it is read. */
// biome-ignore lint/correctness/useYield: a generator of Python raises its errors when it is read
function* failLater(error: Error): Generator<Value, undefined> {
  throw error;
}

function* batchItems(value: Value, size: number, fill: Value): Generator<Value, undefined> {
  let batch: Value[] = [];
  for (const item of { [Symbol.iterator]: () => iterate(value) }) {
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
    batch = [...batch, item];
  }
  if (batch.length === 0) return;
  const missing = fill === null ? 0 : Math.max(0, size - batch.length);
  yield [...batch, ...Array.from({ length: missing }, () => fill)];
}

function* sliceItems(value: Value, slices: number, fill: Value): Generator<Value, undefined> {
  const items = listItems(value);
  if (slices === 0)
    throw new PythonError("ZeroDivisionError", "integer division or modulo by zero");
  const size = Math.floor(items.length / slices);
  const longer = items.length % slices;
  let from = 0;
  for (let i = 0; i < slices; i++) {
    const to = from + size + (i < longer ? 1 : 0);
    yield [...items.slice(from, to), ...(fill !== null && i >= longer ? [fill] : [])];
    from = to;
  }
}

function keyGetter(args: Arguments, fallbackValue?: Exclude<Value, null>): (item: Value) => Value {
  const change = args.isTrue("case_sensitive") ? (key: Value) => key : ignoreCase;
  return attributeGetter(args.findOr("attribute", null), {
    change,
    ...(fallbackValue !== undefined && { fallback: fallbackValue }),
  });
}

function* listUnique(value: Value, args: Arguments): Generator<Value, undefined> {
  const read = keyGetter(args);
  const seen = new Set<unknown>();
  for (const item of { [Symbol.iterator]: () => iterate(value) }) {
    const key = hashKey(read(item));
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

function findExtreme(value: Value, args: Arguments, order: "<" | ">"): Value {
  const items = listItems(value);
  const read = keyGetter(args);
  if (items.length === 0) return new Undefined("No aggregated item, sequence was empty.");
  let best: Value = items[0]!;
  let bestKey = read(best);
  for (const item of items.slice(1)) {
    const key = read(item);
    if (isInOrder(key, order, bestKey)) [best, bestKey] = [item, key];
  }
  return best;
}

/** Groups the items by an attribute, in the order of its values. The first item of a group gives its name. */
function groupItems(value: Value, args: Arguments): Value {
  const fallbackValue = args.findSome("default");
  args.get("attribute");
  const read = keyGetter(args, fallbackValue);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sortByKey(listItems(value), read, false)) {
    const key = read(item);
    const last = groups.at(-1);
    if (last && isEqual(last.key, key)) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  const exact = attributeGetter(
    args.get("attribute"),
    fallbackValue === undefined ? {} : { fallback: fallbackValue },
  );
  return groups.map(({ items }) => new Tuple([exact(items[0]!), items], ["grouper", "list"]));
}

function requireReversible(value: Value): void {
  const isReversible =
    textOf(value) !== undefined ||
    Array.isArray(value) ||
    value instanceof Tuple ||
    value instanceof Dict ||
    value instanceof DictView ||
    value instanceof Range;
  if (value instanceof Undefined) value.fail();
  if (!isReversible) throw typeError(`'${typeName(value)}' object is not reversible`);
}
