/** How Python prints values: `str(value)` and `repr(value)`. */
import {
  Callable,
  Dict,
  DictView,
  Instance,
  Markup,
  Range,
  Tuple,
  typeName,
  Undefined,
  UnsupportedError,
  type Value,
} from "./values.ts";

/** Returns Python's `str(value)`. An undefined value becomes the empty text. */
export function toText(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  return value instanceof Undefined ? "" : toRepr(value);
}

/** Returns Python's `repr(value)`. Throws for values whose text contains an address in memory. */
export function toRepr(value: Value): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return formatFloat(value);
  if (typeof value === "string") return quoteText(value);
  if (Array.isArray(value)) return `[${value.map(toRepr).join(", ")}]`;
  if (value instanceof Tuple) {
    return `(${value.items.map(toRepr).join(", ")}${value.items.length === 1 ? "," : ""})`;
  }
  if (value instanceof Dict) {
    const entries = value.entries().map(([key, item]) => `${toRepr(key)}: ${toRepr(item)}`);
    return `{${entries.join(", ")}}`;
  }
  if (value instanceof DictView) return `dict_${value.kind}(${toRepr(value.list())})`;
  if (value instanceof Range) {
    return `range(${value.start}, ${value.stop}${value.step === 1n ? "" : `, ${value.step}`})`;
  }
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof Markup) return `Markup(${quoteText(value.text)})`;
  if (value instanceof Instance) return value.print();
  if (value instanceof Callable && value.repr !== undefined) return value.repr;
  throw new UnsupportedError(
    `printing a ${typeName(value)}, which Python prints with its address,`,
  );
}

/** Formats a float with the fewest digits that identify it, and with an exponent below 1e-4 and from 1e16 on. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16)
    return Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns the text in quotes, with escapes for what Python does not print. */
function quoteText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === "\\" || character === quote) return `\\${character}`;
    return character === "'" || character === '"' ? character : escapeCharacter(character);
  });
  return quote + escaped + quote;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
