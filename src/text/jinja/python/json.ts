/** Python's `json.dumps`, which transformers offers to templates as the filter `tojson`. */
import { type Arguments, bindArguments, requireInteger } from "./arguments.ts";
import { isNumeric, isTrue, listItems, sortByKey, textOf, toComparable } from "./compare.ts";
import { formatFloat } from "./print.ts";
import {
  Dict,
  type NamedValues,
  Tuple,
  typeError,
  typeName,
  type Value,
  valueError,
} from "./values.ts";

/** The options of the filter. */
interface Layout {
  readonly ascii: boolean;
  /** The text of one level of indentation. If it is undefined, the JSON is on one line. */
  readonly indent: string | undefined;
  readonly separators: readonly [item: string, key: string];
  readonly sorted: boolean;
}

/** The parameters of `tojson`, which can be given in this order or by name. */
const PARAMETERS = ["ensure_ascii", "indent", "separators", "sort_keys"];

/** Returns a value as JSON. Throws on values that JSON does not have, such as an undefined variable. */
export function toJson(value: Value, args: readonly Value[], named: NamedValues): string {
  return writeValue(value, readLayout(bindArguments("tojson", PARAMETERS, args, named)), "\n");
}

function readLayout(args: Arguments): Layout {
  const indent = args.findSome("indent");
  const separators = args.findSome("separators");
  const [item, key] = separators === undefined ? [] : listItems(separators);
  if (
    separators !== undefined &&
    (textOf(item ?? null) === undefined || textOf(key ?? null) === undefined)
  )
    throw valueError("tojson: separators are two texts");
  return {
    ascii: args.isTrue("ensure_ascii"),
    indent:
      indent === undefined
        ? undefined
        : (textOf(indent) ?? " ".repeat(Math.max(0, Number(requireInteger(indent))))),
    separators: [
      textOf(item ?? null) ?? (indent === undefined ? ", " : ","),
      textOf(key ?? null) ?? ": ",
    ],
    sorted: args.isTrue("sort_keys"),
  };
}

function writeValue(value: Value, layout: Layout, lineStart: string): string {
  const text = textOf(value);
  if (text !== undefined) return writeString(text, layout);
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return writeFloat(value);
  const inner = lineStart + (layout.indent ?? "");
  if (Array.isArray(value) || value instanceof Tuple) {
    const items = listItems(value).map((item) => writeValue(item, layout, inner));
    return writeBracketed("[]", items, layout, lineStart);
  }
  if (!(value instanceof Dict))
    throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
  const entries = value.entries().map((entry) => new Tuple(entry));
  const ordered = layout.sorted
    ? sortByKey(entries, (entry) => (entry as Tuple).items[0]!, false)
    : entries;
  const members = ordered.map((entry) => {
    const [key, item] = (entry as Tuple).items;
    return (
      writeString(writeKey(key!), layout) + layout.separators[1] + writeValue(item!, layout, inner)
    );
  });
  return writeBracketed("{}", members, layout, lineStart);
}

function writeFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return formatFloat(value);
  return value > 0 ? "Infinity" : "-Infinity";
}

/** JSON has only texts as keys. Numbers, `true`, `false` and `null` are written as texts. */
function writeKey(key: Value): string {
  const text = textOf(key);
  if (text !== undefined) return text;
  if (key === null) return "null";
  if (typeof key === "boolean") return isTrue(key) ? "true" : "false";
  if (!isNumeric(key))
    throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
  const number = toComparable(key);
  return typeof number === "bigint" ? number.toString() : writeFloat(number);
}

function writeBracketed(
  brackets: string,
  parts: readonly string[],
  { indent, separators }: Layout,
  lineStart: string,
): string {
  if (parts.length === 0) return brackets;
  const inner = indent === undefined ? "" : lineStart + indent;
  const end = indent === undefined ? "" : lineStart;
  return `${brackets[0]}${inner}${parts.join(separators[0] + inner)}${end}${brackets[1]}`;
}

const MUST_ESCAPE = /["\\\p{Cc}]/gu;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\f": "\\f",
  "\b": "\\b",
};

/** Writes a text in quotes. Unlike `JSON.stringify`, Python keeps half a character as it is. */
function writeString(text: string, { ascii }: Layout): string {
  const escaped = text.replace(ascii ? /["\\]|[^ -~]/g : MUST_ESCAPE, (unit) => {
    if (!ascii && unit >= "\x7f") return unit;
    // The control characters from U+007F on are printed.
    if (!ascii && unit >= "\u007f") return unit;
    return SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}
