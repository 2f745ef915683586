/** The methods of Python's `str`. Positions count characters, not UTF-16 units. */
import { type Arguments, bindArguments, requireInteger, requireText } from "./arguments.ts";
import { countCodePoints, listItems } from "./compare.ts";
import * as cases from "./text-case.ts";
import * as split from "./text-split.ts";
import {
  type NamedValues,
  Tuple,
  typeError,
  typeName,
  UnsupportedError,
  type Value,
  valueError,
} from "./values.ts";

/** A method with its parameters. Those before `required` must be given; only those after `positional` have names. */
interface Method {
  readonly parameters: readonly string[];
  /** The parameters that can be given by name. */
  readonly names?: readonly string[];
  readonly run: (text: string, args: Arguments) => Value;
}

const method = (
  parameters: readonly string[],
  run: Method["run"],
  names: readonly string[] = [],
): Method => ({ parameters, names, run });
const test = (run: (text: string) => boolean): Method => method([], run);

const METHODS: Readonly<Record<string, Method>> = {
  capitalize: method([], cases.capitalize),
  center: method(["width", "fill"], (text, args) => justify(text, args, "center")),
  count: method(["part", "start", "end"], (text, args) => {
    const part = args.text("part");
    const searched = findSearchedPart(text, args)?.searched;
    if (searched === undefined) return 0n;
    return BigInt(part === "" ? countCodePoints(searched) + 1 : searched.split(part).length - 1);
  }),
  endswith: method(["part", "start", "end"], (text, args) => hasAffix(text, args, "endsWith")),
  expandtabs: method(
    ["tabsize"],
    (text, args) => split.expandTabs(text, Number(args.integer("tabsize", 8n))),
    ["tabsize"],
  ),
  find: method(["part", "start", "end"], (text, args) => findPart(text, args, false)),
  index: method(["part", "start", "end"], (text, args) =>
    requireFound(findPart(text, args, false)),
  ),
  isalnum: test((text) => cases.areAll(text, cases.isAlphanumeric)),
  isalpha: test((text) => cases.areAll(text, (character) => /\p{L}/u.test(character))),
  isascii: test((text) => /^[\0-\x7f]*$/.test(text)),
  isdecimal: test((text) => cases.areAll(text, (character) => /\p{Nd}/u.test(character))),
  isdigit: test((text) => cases.areAll(text, cases.isDigit)),
  isidentifier: test((text) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text)),
  islower: test(cases.isLower),
  isnumeric: test((text) => cases.areAll(text, cases.isNumericCharacter)),
  isprintable: test((text) => !/(?! )[\p{C}\p{Z}]/u.test(text)),
  isspace: test((text) => new RegExp(`^[${split.SPACE}]+$`, "u").test(text)),
  istitle: test(cases.isTitle),
  isupper: test(cases.isUpper),
  join: method(["items"], (text, args) => listItems(args.get("items")).map(requireItem).join(text)),
  ljust: method(["width", "fill"], (text, args) => justify(text, args, "left")),
  lower: method([], (text) => text.toLowerCase()),
  lstrip: method(["chars"], (text, args) => split.strip(text, "lstrip", charactersOf(args))),
  partition: method(["sep"], (text, args) => partition(text, args.text("sep"), "indexOf")),
  removeprefix: method(["prefix"], (text, args) => {
    const prefix = args.text("prefix");
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  removesuffix: method(["suffix"], (text, args) => {
    const suffix = args.text("suffix");
    return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  }),
  replace: method(["old", "new", "count"], (text, args) =>
    split.replaceText(text, args.text("old"), args.text("new"), Number(args.integer("count", -1n))),
  ),
  rfind: method(["part", "start", "end"], (text, args) => findPart(text, args, true)),
  rindex: method(["part", "start", "end"], (text, args) =>
    requireFound(findPart(text, args, true)),
  ),
  rjust: method(["width", "fill"], (text, args) => justify(text, args, "right")),
  rpartition: method(["sep"], (text, args) => partition(text, args.text("sep"), "lastIndexOf")),
  rsplit: method(["sep", "maxsplit"], (text, args) => splitText(text, args, true), [
    "sep",
    "maxsplit",
  ]),
  rstrip: method(["chars"], (text, args) => split.strip(text, "rstrip", charactersOf(args))),
  split: method(["sep", "maxsplit"], (text, args) => splitText(text, args, false), [
    "sep",
    "maxsplit",
  ]),
  splitlines: method(
    ["keepends"],
    (text, args) => split.splitLines(text, args.isTrue("keepends")),
    ["keepends"],
  ),
  startswith: method(["part", "start", "end"], (text, args) => hasAffix(text, args, "startsWith")),
  strip: method(["chars"], (text, args) => split.strip(text, "strip", charactersOf(args))),
  swapcase: method([], cases.swapCase),
  title: method([], cases.titleText),
  upper: method([], (text) => text.toUpperCase()),
  zfill: method(["width"], (text, args) => {
    const [, sign = "", digits = ""] = /^([-+]?)(.*)$/su.exec(text) ?? [];
    const width = Number(requireInteger(args.get("width"))) - countCodePoints(text);
    return sign + "0".repeat(Math.max(0, width)) + digits;
  }),
};

/** The methods that exist in Python, and are refused by name when they are called. */
const MISSING_METHODS = ["casefold", "encode", "maketrans", "translate"];

export const STRING_METHODS: ReadonlySet<string> = new Set([
  ...Object.keys(METHODS),
  ...MISSING_METHODS,
]);

/** Calls a method of a text. */
export function callStringMethod(
  text: string,
  name: string,
  args: readonly Value[],
  named: NamedValues,
): Value {
  const found = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (found === undefined) throw new UnsupportedError(`the method ${name}() of texts`);
  for (const given of named.keys())
    if (!found.names?.includes(given)) throw typeError(`str.${name}() takes no keyword arguments`);
  return found.run(text, bindArguments(name, found.parameters, args, named));
}

function requireItem(item: Value, i: number): string {
  if (typeof item === "string") return item;
  throw typeError(`sequence item ${i}: expected str instance, ${typeName(item)} found`);
}

/** In Python, `text.strip(None)` is the same as `text.strip()`. */
function charactersOf(args: Arguments): string | undefined {
  const chars = args.findSome("chars");
  return chars === undefined ? undefined : requireText(chars, "strip");
}

/**
 * Returns the part of a text between the arguments `start` and `end`, and the number of characters before it. Returns
 * undefined where Python finds nothing, not even the empty text: behind the end, or between limits in the wrong order.
 */
function findSearchedPart(
  text: string,
  args: Arguments,
): { readonly searched: string; readonly from: number } | undefined {
  if (args.findSome("start") === undefined && args.findSome("end") === undefined)
    return { searched: text, from: 0 };
  const chars = [...text];
  const limit = (name: string, fallback: number) => {
    const value = args.findSome(name);
    if (value === undefined) return fallback;
    const at = Number(requireInteger(value));
    return at < 0 ? Math.max(0, at + chars.length) : at;
  };
  const from = limit("start", 0);
  const to = Math.min(limit("end", chars.length), chars.length);
  // `to` is at most the length, so this also covers a start behind the end.
  return from > to ? undefined : { searched: chars.slice(from, to).join(""), from };
}

function findPart(text: string, args: Arguments, last: boolean): bigint {
  const part = args.text("part");
  const found = findSearchedPart(text, args);
  if (found === undefined) return -1n;
  const { searched, from } = found;
  const at = last ? searched.lastIndexOf(part) : searched.indexOf(part);
  return at < 0 ? -1n : BigInt(from + countCodePoints(searched.slice(0, at)));
}

function requireFound(at: bigint): bigint {
  if (at < 0n) throw valueError("substring not found");
  return at;
}

function hasAffix(text: string, args: Arguments, how: "startsWith" | "endsWith"): boolean {
  const found = findSearchedPart(text, args);
  const part = args.get("part");
  const parts = part instanceof Tuple ? part.items : [part];
  const texts = parts.map((one) => requireText(one, how.toLowerCase()));
  return found !== undefined && texts.some((one) => found.searched[how](one));
}

function justify(text: string, args: Arguments, side: "left" | "right" | "center"): string {
  const fill = args.find("fill") === undefined ? " " : args.text("fill");
  if (countCodePoints(fill) !== 1)
    throw typeError("The fill character must be exactly one character long");
  const missing = Number(requireInteger(args.get("width"))) - countCodePoints(text);
  if (missing <= 0) return text;
  if (side === "left") return text + fill.repeat(missing);
  if (side === "right") return fill.repeat(missing) + text;
  // Python puts the odd character to the left when both the width and the missing characters are odd.
  const left = Math.floor(missing / 2) + (missing & (missing + countCodePoints(text)) & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

function partition(text: string, separator: string, how: "indexOf" | "lastIndexOf"): Tuple {
  if (separator === "") throw valueError("empty separator");
  const at = text[how](separator);
  if (at < 0) return new Tuple(how === "indexOf" ? [text, "", ""] : ["", "", text]);
  return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

function splitText(text: string, args: Arguments, fromRight: boolean): string[] {
  const separator = args.findSome("sep");
  const most = Number(args.integer("maxsplit", -1n));
  if (separator === undefined) return split.splitAtSpace(text, most, fromRight);
  return split.splitAt(text, requireText(separator, "split"), most, fromRight);
}
