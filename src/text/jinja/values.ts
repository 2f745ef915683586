/**
 * Python's operations on the values of a running template: how values are printed, and when they are equal.
 *
 * @huggingface/jinja prints `none` as nothing and `true` as `true`, and compares like JavaScript. Templates were
 * written for Python's Jinja, which prints `None` and `True`, and where `0 == ''` is false.
 */

/** A tagged value of @huggingface/jinja. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
}

const listItems = (value: Value) => value.value as readonly Value[];
const mapEntries = (value: Value) => value.value as ReadonlyMap<string, Value>;

/** Returns Python's `str(value)`. An undefined value becomes the empty text. */
export function toPythonString(value: Value): string {
  if (value.type === "StringValue") return value.value as string;
  return value.type === "UndefinedValue" ? "" : toPythonRepr(value);
}

/** Returns Python's `repr(value)`. */
function toPythonRepr(value: Value): string {
  switch (value.type) {
    case "NullValue":
      return "None";
    case "UndefinedValue":
      return "Undefined";
    case "BooleanValue":
      return value.value ? "True" : "False";
    case "IntegerValue":
      return BigInt(value.value as number).toString();
    case "FloatValue":
      return formatPythonFloat(value.value as number);
    case "StringValue":
      return formatPythonString(value.value as string);
    case "ArrayValue":
      return `[${listItems(value).map(toPythonRepr).join(", ")}]`;
    case "TupleValue":
      return `(${listItems(value).map(toPythonRepr).join(", ")}${listItems(value).length === 1 ? "," : ""})`;
    case "ObjectValue":
      return `{${[...mapEntries(value)].map(([key, item]) => `${formatPythonString(key)}: ${toPythonRepr(item)}`).join(", ")}}`;
    default:
      throw new Error(`a ${value.type} cannot be printed`);
  }
}

/** Formats a number with the fewest digits that identify it, and with an exponent below 1e-4 and from 1e16 on. */
function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) {
    if (Object.is(value, -0)) return "-0.0";
    return Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);
  }
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function formatPythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === "\\" || character === quote) return `\\${character}`;
    return character === "'" || character === '"' ? character : escapeCharacter(character);
  });
  return quote + escaped + quote;
}

function escapeCharacter(character: string): string {
  const short = new Map([
    ["\n", "\\n"],
    ["\r", "\\r"],
    ["\t", "\\t"],
  ]).get(character);
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (short !== undefined) return short;
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

const NUMERIC = new Set(["BooleanValue", "IntegerValue", "FloatValue"]);
const LISTS = new Set(["ArrayValue", "TupleValue"]);

/** Returns Python's `a == b`. */
export function equalInPython(a: Value, b: Value): boolean {
  if (NUMERIC.has(a.type) && NUMERIC.has(b.type)) return Number(a.value) === Number(b.value);
  if (LISTS.has(a.type) && LISTS.has(b.type)) {
    const [left, right] = [listItems(a), listItems(b)];
    return left.length === right.length && left.every((item, i) => equalInPython(item, right[i]!));
  }
  if (a.type !== b.type) return false;
  if (a.type !== "ObjectValue") return a.value === b.value;
  const [left, right] = [mapEntries(a), mapEntries(b)];
  const inRight = ([key, item]: [string, Value]) => {
    const other = right.get(key);
    return other !== undefined && equalInPython(item, other);
  };
  return left.size === right.size && [...left].every(inRight);
}

/** Returns Python's `len(value)`. The length of a text is in characters, not in UTF-16 units. */
export function lengthInPython(value: Value): number {
  if (value.type === "StringValue") return [...(value.value as string)].length;
  if (LISTS.has(value.type)) return listItems(value).length;
  if (value.type === "ObjectValue") return mapEntries(value).size;
  if (value.type === "UndefinedValue") return 0;
  throw new Error(`a ${value.type} has no length`);
}

/** The characters of Python's `str.isspace`. JavaScript's `trim` also removes U+FEFF, but not the separators. */
const SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** Returns Python's `text.strip(characters)`, or `lstrip` or `rstrip`. */
export function stripText(text: string, side: "strip" | "lstrip" | "rstrip", characters?: string) {
  const set = characters === undefined ? SPACE : characters.replace(/[\\\]^-]/g, "\\$&");
  if (set === "") return text;
  const left = side === "rstrip" ? text : text.replace(new RegExp(`^[${set}]+`, "u"), "");
  return side === "lstrip" ? left : left.replace(new RegExp(`[${set}]+$`, "u"), "");
}

/** Returns Python's `text.capitalize()`. */
export function capitalizeText(text: string): string {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("").toLowerCase();
}
