/** Python's `json.dumps`, which transformers offers to templates as the filter `tojson`. */
import { toPythonString, type Value } from "./values.ts";

/** The options of the filter. */
interface Layout {
  readonly ascii: boolean;
  /** The number of spaces for each level. If it is undefined, the JSON is on one line. */
  readonly indent: number | undefined;
  readonly separators: readonly [item: string, key: string];
  readonly sorted: boolean;
}

/** The parameters of `tojson`, which can be given in this order or by name. */
const PARAMETERS = ["ensure_ascii", "indent", "separators", "sort_keys"];

/** Returns a value as JSON. Throws on values that JSON does not have, such as an undefined variable. */
export function toJson(value: Value, args: readonly Value[]): string {
  return writeValue(value, parseLayout(args), "\n");
}

function parseLayout(args: readonly Value[]): Layout {
  const argumentsByName = new Map<string, Value>();
  for (const [i, arg] of args.entries()) {
    if (arg.type !== "KeywordArgumentsValue")
      argumentsByName.set(PARAMETERS[i] ?? `argument ${i}`, arg);
    else
      for (const [name, named] of arg.value as Map<string, Value>) argumentsByName.set(name, named);
  }
  const unknown = [...argumentsByName.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new Error(`tojson has no parameter ${unknown}`);
  const getArgument = (name: string) => argumentsByName.get(name)?.value ?? undefined;
  const indent = getArgument("indent") as number | undefined;
  const separators = getArgument("separators") as readonly Value[] | undefined;
  const [item, key] = separators?.map(toPythonString) ?? [indent === undefined ? ", " : ",", ": "];
  return {
    ascii: getArgument("ensure_ascii") === true,
    indent,
    separators: [item ?? "", key ?? ""],
    sorted: getArgument("sort_keys") === true,
  };
}

function writeValue(value: Value, layout: Layout, lineStart: string): string {
  const inner = lineStart + " ".repeat(layout.indent ?? 0);
  switch (value.type) {
    case "NullValue":
      return "null";
    case "BooleanValue":
      return value.value ? "true" : "false";
    case "IntegerValue":
    case "FloatValue":
      return toPythonString(value);
    case "StringValue":
      return writeString(value.value as string, layout);
    case "ArrayValue":
    case "TupleValue": {
      const list = value.value as readonly Value[];
      return writeBracketed(
        "[]",
        list.map((item) => writeValue(item, layout, inner)),
        layout,
        lineStart,
      );
    }
    case "ObjectValue": {
      const members = [...(value.value as ReadonlyMap<string, Value>)];
      if (layout.sorted) members.sort(([a], [b]) => compareCodePoints(a, b));
      const written = members.map(
        ([key, item]) =>
          writeString(key, layout) + layout.separators[1] + writeValue(item, layout, inner),
      );
      return writeBracketed("{}", written, layout, lineStart);
    }
    default:
      throw new Error(`a ${value.type} is not JSON serializable`);
  }
}

function writeBracketed(
  brackets: string,
  parts: readonly string[],
  { indent, separators }: Layout,
  lineStart: string,
): string {
  if (parts.length === 0) return brackets;
  const inner = indent === undefined ? "" : lineStart + " ".repeat(indent);
  const end = indent === undefined ? "" : lineStart;
  return `${brackets[0]}${inner}${parts.join(separators[0] + inner)}${end}${brackets[1]}`;
}

function writeString(text: string, { ascii }: Layout): string {
  const json = JSON.stringify(text);
  if (!ascii) return json;
  return json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}
