/** Python's `text.format(...)`, as the sandbox runs it, and the format specifications of values. */
import { isNumeric, toComparable } from "./compare.ts";
import { formatFloatAs, formatInteger, requireFloat } from "./number-format.ts";
import { toRepr, toText } from "./print.ts";
import {
  type NamedValues,
  PythonError,
  typeError,
  typeName,
  UnsupportedError,
  type Value,
  valueError,
} from "./values.ts";

/** Reads attributes and items of values, as templates do. */
export interface FieldAccess {
  attribute(value: Value, name: string): Value;
  item(value: Value, key: Value): Value;
}

interface FormatRun {
  readonly args: readonly Value[];
  readonly named: NamedValues;
  readonly access: FieldAccess;
  /** The number of fields without a name so far, or -1 after a field with a number. */
  next: number;
}

/** Formats the values into the fields of a text. */
export function formatFields(
  text: string,
  args: readonly Value[],
  named: NamedValues,
  access: FieldAccess,
): string {
  return formatPart(text, { args, named, access, next: 0 }, 2);
}

const FIELD = /\{\{|\}\}|[{}]/g;

function formatPart(text: string, run: FormatRun, depth: number): string {
  if (depth < 0) throw valueError("Max string recursion exceeded");
  let out = "";
  let at = 0;
  FIELD.lastIndex = 0;
  for (let found = nextBrace(text, at); found; found = nextBrace(text, at)) {
    out += text.slice(at, found.index);
    at = found.index + found[0].length;
    if (found[0].length === 2) out += found[0][0];
    else if (found[0] === "}") throw valueError("Single '}' encountered in format string");
    else {
      const end = findFieldEnd(text, at);
      out += formatField(text.slice(at, end), run, depth);
      at = end + 1;
    }
  }
  return out + text.slice(at);
}

function nextBrace(text: string, from: number): RegExpExecArray | null {
  const pattern = new RegExp(FIELD.source, "g");
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Returns the position of the brace that ends a field. */
function findFieldEnd(text: string, from: number): number {
  let open = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "[") i = Math.max(i, text.indexOf("]", i));
    if (text[i] === "{") open++;
    if (text[i] === "}" && --open === 0) return i;
  }
  throw valueError(
    from < text.length
      ? "expected '}' before end of string"
      : "Single '{' encountered in format string",
  );
}

function formatField(field: string, run: FormatRun, depth: number): string {
  const [, name = "", conversion, spec = ""] =
    /^((?:[^![:]|\[[^\]]*\]?)*)(?:!([^:]*))?(?::(.*))?$/su.exec(field) ?? [];
  const value = convert(findField(name, run), conversion);
  return formatBySpec(value, formatPart(spec, run, depth - 1));
}

function convert(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  if (conversion === "s") return toText(value);
  if (conversion === "r") return toRepr(value);
  if (conversion === "a") throw new UnsupportedError("the conversion !a");
  throw valueError(`Unknown conversion specifier ${conversion}`);
}

function findField(name: string, run: FormatRun): Value {
  const [, first = "", rest = ""] = /^([^.[]*)(.*)$/su.exec(name) ?? [];
  let value = findArgument(first, run);
  for (const [, attribute, item] of rest.matchAll(/\.([^.[]+)|\[([^\]]*)\]/gu)) {
    if (attribute !== undefined) value = run.access.attribute(value, attribute);
    else value = run.access.item(value, /^\d+$/.test(item!) ? BigInt(item!) : item!);
  }
  return value;
}

function findArgument(name: string, run: FormatRun): Value {
  if (name !== "" && !/^\d+$/.test(name)) {
    const value = run.named.get(name);
    if (value === undefined) throw new PythonError("KeyError", `'${name}'`);
    return value;
  }
  if (name === "" ? run.next < 0 : run.next > 0)
    throw valueError("cannot mix numbered and unnumbered fields in a format");
  const index = name === "" ? run.next++ : Number(name);
  if (name !== "") run.next = -1;
  const value = run.args[index];
  if (value === undefined)
    throw new PythonError(
      "IndexError",
      `Replacement index ${index} out of range for positional args tuple`,
    );
  return value;
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | undefined;
  readonly type: string;
}

/** Formats a value by a specification such as `>8.2f`. */
export function formatBySpec(value: Value, text: string): string {
  if (text === "") return toText(value);
  const found = SPEC.exec(text);
  if (found === null)
    throw valueError(`Invalid format specifier '${text}' for object of type '${typeName(value)}'`);
  const [, fill, align, sign = "", alternate, zero, width, group = "", precision, type = ""] =
    found;
  const isNumber = isNumeric(value) && !(typeof value === "boolean" && type === "");
  const spec: Spec = {
    fill: fill ?? (zero ? "0" : " "),
    align: align ?? (zero && isNumber ? "=" : isNumber ? ">" : "<"),
    sign,
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    group,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
  if (typeof value === "string") return alignText(formatText(value, spec), spec);
  if (!isNumeric(value))
    throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
  return alignText(formatNumber(toComparable(value), spec), spec);
}

function formatText(
  value: string,
  { type, precision, align, sign, group }: Spec,
): readonly [string, string] {
  if ((type !== "" && type !== "s") || align === "=" || sign !== "" || group !== "")
    throw valueError("this format specifier does not fit a 'str'");
  return ["", precision === undefined ? value : [...value].slice(0, precision).join("")];
}

function formatNumber(value: bigint | number, spec: Spec): readonly [sign: string, digits: string] {
  const { type, alternate, precision } = spec;
  const isNegative = value < 0 || Object.is(value, -0);
  const plus = isNegative ? "-" : spec.sign === "-" ? "" : spec.sign;
  if (typeof value === "bigint" && ["", "d", "n", "b", "o", "x", "X"].includes(type)) {
    if (precision !== undefined)
      throw valueError("Precision not allowed in integer format specifier");
    const { digits, prefix } = formatInteger(value, type || "d");
    return [
      plus + (alternate ? prefix : ""),
      groupDigits(digits, spec, type === "" || type === "d" ? 3 : 4),
    ];
  }
  if (type === "c" || "sdboxX".includes(type) === (type !== ""))
    throw valueError(`Unknown format code '${type}' for object of type '${typeName(value)}'`);
  const float = requireFloat(value);
  if (type === "%")
    return [
      plus,
      `${groupDigits(formatFloatAs(float * 100, { type: "f", precision: precision ?? 6, alternate }), spec, 3)}%`,
    ];
  if (type === "" && precision === undefined)
    return [
      plus,
      groupDigits(formatFloatAs(float, { type: "r", precision: 0, alternate }), spec, 3),
    ];
  if (type === "") throw new UnsupportedError("a precision without a type in a format");
  const letter = type === "n" ? "g" : type;
  return [
    plus,
    groupDigits(
      formatFloatAs(float, { type: letter, precision: precision ?? 6, alternate }),
      spec,
      3,
    ),
  ];
}

function groupDigits(text: string, { group, fill, align, width }: Spec, size: number): string {
  if (group === "") return text;
  if (fill === "0" && align === "=" && width > text.length)
    throw new UnsupportedError("a format with zeros before grouped digits");
  const [, whole = "", rest = ""] = /^([0-9a-fA-F]*)(.*)$/su.exec(text) ?? [];
  return whole.replace(new RegExp(`\\B(?=(?:.{${size}})+$)`, "gu"), group) + rest;
}

function alignText([sign, text]: readonly [string, string], { fill, align, width }: Spec): string {
  const missing = Math.max(0, width - [...sign, ...text].length);
  if (align === "<") return sign + text + fill.repeat(missing);
  if (align === ">") return fill.repeat(missing) + sign + text;
  if (align === "=") return sign + fill.repeat(missing) + text;
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + sign + text + fill.repeat(missing - left);
}
