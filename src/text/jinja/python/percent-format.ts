/** Python's `text % values`. */
import { isNumeric, textOf, toComparable } from "./compare.ts";
import { formatFloatAs, formatInteger, requireFloat } from "./number-format.ts";
import { toRepr, toText } from "./print.ts";
import {
  Dict,
  Tuple,
  typeError,
  typeName,
  Undefined,
  UnsupportedError,
  type Value,
  valueError,
} from "./values.ts";

/** One placeholder such as `%(name)-5.2f`. */
interface Placeholder {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

const PLACEHOLDER =
  /%(?:\(((?:[^()]|\([^()]*\))*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.?)/gsu;

/** Formats the values. Throws a `TypeError` or `ValueError` where Python does. */
export function formatPercent(format: string, values: Value): string {
  const list = values instanceof Tuple ? values.items : [values];
  let used = 0;
  const next = () => {
    if (used >= list.length) throw typeError("not enough arguments for format string");
    return list[used++]!;
  };
  const nextInteger = () => {
    const value = next();
    if (typeof value !== "bigint") throw typeError("* wants int");
    return Number(value);
  };
  const text = format.replace(
    PLACEHOLDER,
    (_, name, flags: string, width, precision, type: string) => {
      if (type === "") throw valueError("incomplete format");
      const fullWidth = width === "*" ? nextInteger() : Number(width ?? 0);
      const placeholder = {
        flags: fullWidth < 0 ? `${flags}-` : flags,
        width: Math.abs(fullWidth),
        precision:
          precision === "*"
            ? nextInteger()
            : precision === undefined
              ? undefined
              : Number(precision),
        type,
      };
      if (type === "%") return "%";
      return formatValue(
        name === undefined ? next() : findNamed(values, name as string),
        placeholder,
      );
    },
  );
  // Python takes dicts, lists and undefined values for mappings, of which not all items need to be used.
  const isMapping = values instanceof Dict || Array.isArray(values) || values instanceof Undefined;
  if (used < list.length && !isMapping)
    throw typeError("not all arguments converted during string formatting");
  return text;
}

function findNamed(values: Value, name: string): Value {
  if (!(values instanceof Dict)) throw typeError("format requires a mapping");
  const value = values.get(name);
  if (value === undefined) throw valueError(`'${name}' is missing in the values of a format`);
  return value;
}

function formatValue(value: Value, placeholder: Placeholder): string {
  const { type, precision } = placeholder;
  if (type === "s" || type === "r") {
    const text = type === "s" ? toText(value) : toRepr(value);
    return pad(
      precision === undefined ? text : [...text].slice(0, precision).join(""),
      "",
      placeholder,
    );
  }
  if (type === "c") return pad(toCharacter(value), "", placeholder);
  if ("diouxX".includes(type)) return formatAsInteger(value, placeholder);
  if ("eEfFgG".includes(type)) {
    const float = requireFloat(value);
    const style = { type, precision: precision ?? 6, alternate: placeholder.flags.includes("#") };
    const isNegative = float < 0 || Object.is(float, -0);
    return pad(
      formatFloatAs(float, style),
      signOf(isNegative, placeholder),
      placeholder,
      Number.isFinite(float),
    );
  }
  if (type === "a") throw new UnsupportedError("the format %a");
  throw valueError(`unsupported format character '${type}'`);
}

function formatAsInteger(value: Value, placeholder: Placeholder): string {
  const { type, precision, flags } = placeholder;
  if (!isNumeric(value)) {
    const wanted = "diu".includes(type) ? "a real number" : "an integer";
    throw typeError(`%${type} format: ${wanted} is required, not ${typeName(value)}`);
  }
  const number = toComparable(value);
  if (typeof number === "number" && !"diu".includes(type))
    throw typeError(`%${type} format: an integer is required, not float`);
  const integer = typeof number === "bigint" ? number : BigInt(Math.trunc(number));
  const { digits, prefix } = formatInteger(integer, type);
  const sign = signOf(integer < 0n, placeholder) + (flags.includes("#") ? prefix : "");
  return pad(digits.padStart(precision ?? 0, "0"), sign, placeholder, true);
}

function signOf(isNegative: boolean, { flags }: Placeholder): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function toCharacter(value: Value): string {
  const text = textOf(value);
  if (text !== undefined && [...text].length === 1) return text;
  if (typeof value === "bigint" && value >= 0n && value < 0x110000n)
    return String.fromCodePoint(Number(value));
  throw typeError("%c requires int or char");
}

function pad(text: string, sign: string, { flags, width }: Placeholder, zeros = false): string {
  const missing = Math.max(0, width - [...sign, ...text].length);
  if (flags.includes("-")) return sign + text + " ".repeat(missing);
  if (zeros && flags.includes("0")) return sign + "0".repeat(missing) + text;
  return " ".repeat(missing) + sign + text;
}
