/** The filters of texts. */
import { requireInteger, requireText } from "../python/arguments.ts";
import { countCodePoints, isIterable, listItems, textOf } from "../python/compare.ts";
import { escapeHtml } from "../python/html.ts";
import { toJson } from "../python/json.ts";
import { formatPercent } from "../python/percent-format.ts";
import { toText } from "../python/print.ts";
import { callStringMethod } from "../python/string-methods.ts";
import { titleWords } from "../python/text-case.ts";
import { replaceText, SPACE, splitLines, strip } from "../python/text-split.ts";
import {
  Dict,
  Markup,
  PythonError,
  Tuple,
  typeError,
  Undefined,
  UnsupportedError,
  type Value,
  valueError,
} from "../python/values.ts";
import type { Filter } from "./define-filter.ts";
import { filter, softText } from "./define-filter.ts";

const method = (name: string): Filter =>
  filter(name, [], (value) => callStringMethod(softText(value), name, [], new Map()));

export const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  capitalize: method("capitalize"),
  center: filter("center", ["width"], (value, args) =>
    callStringMethod(softText(value), "center", [args.findOr("width", 80n)], new Map()),
  ),
  e: filter("escape", [], toMarkup),
  escape: filter("escape", [], toMarkup),
  forceescape: filter("forceescape", [], (value) => new Markup(escapeHtml(toText(value)))),
  format: (value, args, named) => {
    if (args.length > 0 && named.size > 0)
      throw new PythonError(
        "FilterArgumentError",
        "can't handle positional and keyword arguments at the same time",
      );
    return formatPercent(softText(value), named.size > 0 ? new Dict(named) : new Tuple(args));
  },
  indent: filter("indent", ["width", "first", "blank"], (value, args) => {
    const width = args.findOr("width", 4n);
    const space = textOf(width) ?? " ".repeat(Math.max(0, Number(requireInteger(width))));
    if (typeof value !== "string")
      throw new UnsupportedError("the filter indent of something else than a text");
    return indentLines(value, space, args.isTrue("first"), args.isTrue("blank"));
  }),
  lower: method("lower"),
  replace: filter("replace", ["old", "new", "count"], (value, args) => {
    const count = args.findSome("count");
    const [old, replacement] = [toText(args.get("old")), toText(args.get("new"))];
    return replaceText(
      toText(value),
      old,
      replacement,
      count === undefined ? -1 : Number(requireInteger(count)),
    );
  }),
  safe: filter("safe", [], (value) => new Markup(toText(value))),
  string: filter("string", [], (value) => (value instanceof Markup ? value : softText(value))),
  title: filter("title", [], (value) => titleWords(softText(value), SPACE)),
  tojson: (value, args, named) => toJson(value, args, named),
  trim: filter("trim", ["chars"], (value, args) => {
    const chars = args.findSome("chars");
    return strip(
      softText(value),
      "strip",
      chars === undefined ? undefined : requireText(chars, "trim"),
    );
  }),
  truncate: filter("truncate", ["length", "killwords", "end", "leeway"], (value, args) => {
    const end = args.find("end") === undefined ? "..." : args.text("end");
    const length = Number(args.integer("length", 255n));
    const leeway = Number(args.findSome("leeway") ?? 5n);
    return truncate(requireText(value, "truncate"), length, {
      end,
      leeway,
      cutsWords: args.isTrue("killwords"),
    });
  }),
  upper: method("upper"),
  urlencode: filter("urlencode", [], urlEncode),
  wordcount: filter("wordcount", [], (value) =>
    BigInt(softText(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  ),
  xmlattr: filter("xmlattr", ["autospace"], (value, args) => {
    const text = writeXmlAttributes(value);
    return text !== "" && (args.find("autospace") === undefined || args.isTrue("autospace"))
      ? ` ${text}`
      : text;
  }),
};

function toMarkup(value: Value): Markup {
  return value instanceof Markup ? value : new Markup(escapeHtml(toText(value)));
}

function indentLines(text: string, indent: string, first: boolean, blank: boolean): string {
  const [line = "", ...rest] = splitLines(`${text}\n`, false);
  const others = rest.map((one) => (one === "" && !blank ? one : indent + one));
  return (first ? indent : "") + [line, ...others].join("\n");
}

function truncate(
  text: string,
  length: number,
  { end, leeway, cutsWords }: { end: string; leeway: number; cutsWords: boolean },
): string {
  const room = length - countCodePoints(end);
  if (room < 0)
    throw new PythonError(
      "AssertionError",
      `expected length >= ${countCodePoints(end)}, got ${length}`,
    );
  if (leeway < 0) throw new PythonError("AssertionError", `expected leeway >= 0, got ${leeway}`);
  if (countCodePoints(text) <= length + leeway) return text;
  const cut = [...text].slice(0, room).join("");
  const space = cutsWords ? -1 : cut.lastIndexOf(" ");
  return (space < 0 ? cut : cut.slice(0, space)) + end;
}

/** Quotes a text, or the pairs of a dict or list, for an address. */
function urlEncode(value: Value): string {
  if (textOf(value) !== undefined || !isIterable(value)) return quoteUrl(toText(value), "/");
  const pairs = value instanceof Dict ? value.entries() : listItems(value).map(listItems);
  return pairs
    .map((pair) => {
      if (pair.length !== 2) throw valueError("not enough values to unpack (expected 2)");
      return pair.map((part) => quoteUrl(toText(part), "").replaceAll("%20", "+")).join("=");
    })
    .join("&");
}

function quoteUrl(text: string, safe: string): string {
  const bytes = new TextEncoder().encode(text);
  if (/\p{Cs}/u.test(text)) throw new PythonError("UnicodeEncodeError", "surrogates not allowed");
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const isSafe = /[A-Za-z0-9_.~-]/.test(character) || safe.includes(character);
      return isSafe ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function writeXmlAttributes(value: Value): string {
  if (!(value instanceof Dict)) throw typeError("xmlattr: expected a dict");
  return value
    .entries()
    .filter(([, item]) => !(item === null || item instanceof Undefined))
    .map(([key, item]) => {
      const name = requireText(key, "xmlattr");
      if (/[ \t\n\r\f\v/>=]/.test(name))
        throw valueError(`Invalid character in attribute name: '${name}'`);
      return `${toMarkup(key).text}="${toMarkup(item).text}"`;
    })
    .join(" ");
}
