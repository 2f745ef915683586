/** The filters that apply other filters or tests to every item. They return generators, which can be read once. */
import { isTrue, iterate } from "../python/compare.ts";
import { toText } from "../python/print.ts";
import { type NamedValues, PyIterator, PythonError, type Value } from "../python/values.ts";
import { attributeGetter, type Filter } from "./define-filter.ts";

type CallFilter = (name: string, value: Value, args: readonly Value[], named: NamedValues) => Value;
type CallTest = (name: string, value: Value, args: readonly Value[], named: NamedValues) => boolean;

/** Creates the filters. The two functions call any filter and any test by name. */
export function createSelectionFilters(
  callFilter: CallFilter,
  callTest: CallTest,
): Readonly<Record<string, Filter>> {
  const selection =
    (keeps: boolean, readsAttribute: boolean): Filter =>
    (value, args, named) =>
      selectItems(value, args, named, { keeps, readsAttribute, callTest });
  return {
    map: (value, args, named) =>
      new PyIterator("generator", mapItems(value, args, named, callFilter)),
    select: selection(true, false),
    reject: selection(false, false),
    selectattr: selection(true, true),
    rejectattr: selection(false, true),
  };
}

const argumentError = (message: string) => new PythonError("FilterArgumentError", message);

function* mapItems(
  value: Value,
  args: readonly Value[],
  named: NamedValues,
  callFilter: CallFilter,
): Generator<Value, undefined> {
  if (!isTrue(value)) return;
  const change = prepareMap(args, named, callFilter);
  for (const item of { [Symbol.iterator]: () => iterate(value) }) yield change(item);
}

function prepareMap(
  args: readonly Value[],
  named: NamedValues,
  callFilter: CallFilter,
): (item: Value) => Value {
  const attribute = named.get("attribute");
  if (args.length === 0 && attribute !== undefined) {
    const other = [...named.keys()].find((name) => !["attribute", "default"].includes(name));
    if (other !== undefined) throw argumentError(`Unexpected keyword argument '${other}'`);
    const fallback = named.get("default");
    return attributeGetter(attribute, fallback === undefined ? {} : { fallback });
  }
  const [name, ...rest] = args;
  if (name === undefined) throw argumentError("map requires a filter argument");
  return (item) => callFilter(toText(name), item, rest, named);
}

function selectItems(
  value: Value,
  args: readonly Value[],
  named: NamedValues,
  how: { keeps: boolean; readsAttribute: boolean; callTest: CallTest },
): Value {
  function* select(): Generator<Value, undefined> {
    if (!isTrue(value)) return;
    const holds = prepareTest(args, named, how);
    for (const item of { [Symbol.iterator]: () => iterate(value) })
      if (holds(item) === how.keeps) yield item;
  }
  return new PyIterator("generator", select());
}

function prepareTest(
  args: readonly Value[],
  named: NamedValues,
  { readsAttribute, callTest }: { readsAttribute: boolean; callTest: CallTest },
): (item: Value) => boolean {
  const [attribute, ...others] = args;
  if (readsAttribute && attribute === undefined)
    throw argumentError("Missing parameter for attribute name");
  const read = readsAttribute ? attributeGetter(attribute!) : (item: Value) => item;
  const [name, ...rest] = readsAttribute ? others : args;
  if (name === undefined) return (item) => isTrue(read(item));
  return (item) => isTrue(callTest(toText(name), read(item), rest, named));
}
