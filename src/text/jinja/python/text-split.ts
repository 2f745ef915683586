/** Splits, strips and replaces texts as Python does. */
import { valueError } from "./values.ts";

/** The characters of Python's `str.isspace`, for a class of a regular expression. JavaScript's `\s` has others. */
export const SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const SPACES = new RegExp(`[${SPACE}]`, "u");

/** Tells whether a character, of which there must be one, is white space. */
export function isSpace(character: string): boolean {
  return SPACES.test(character);
}

/** Returns `text.strip(characters)`, or `lstrip` or `rstrip`. Without characters, white space is stripped. */
export function strip(
  text: string,
  side: "strip" | "lstrip" | "rstrip",
  characters?: string,
): string {
  const stripped = characters === undefined ? undefined : new Set(characters);
  const isStripped = (character: string) => stripped?.has(character) ?? isSpace(character);
  let from = 0;
  let to = text.length;
  while (side !== "rstrip" && from < to) {
    const first = String.fromCodePoint(text.codePointAt(from)!);
    if (!isStripped(first)) break;
    from += first.length;
  }
  while (side !== "lstrip" && to > from) {
    const last = lastCharacter(text, to);
    if (!isStripped(last)) break;
    to -= last.length;
  }
  return text.slice(from, to);
}

/** Returns the character that ends at `end`. A pair of surrogates is one character. */
function lastCharacter(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end);
  return pair.codePointAt(0)! > 0xffff ? pair : text.slice(end - 1, end);
}

/** Splits at every separator, or at the first or last `most` ones. */
export function splitAt(
  text: string,
  separator: string,
  most: number,
  fromRight: boolean,
): string[] {
  if (separator === "") throw valueError("empty separator");
  const parts = text.split(separator);
  if (fromRight) {
    // Separators that overlap are found from the right.
    const found: string[] = [];
    let rest = text;
    for (let at = rest.lastIndexOf(separator); at >= 0 && found.length !== most; ) {
      found.push(rest.slice(at + separator.length));
      rest = rest.slice(0, at);
      at = rest.lastIndexOf(separator);
    }
    return [rest, ...found.reverse()];
  }
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(separator)];
}

/** Splits at runs of white space. White space at both ends separates nothing. */
export function splitAtSpace(text: string, most: number, fromRight: boolean): string[] {
  const parts: string[] = [];
  let rest = strip(text, fromRight ? "rstrip" : "lstrip");
  const space = new RegExp(fromRight ? `[${SPACE}]+(?=[^${SPACE}]*$)` : `[${SPACE}]+`, "u");
  while (rest !== "") {
    const found = parts.length === most ? null : space.exec(rest);
    if (found === null) {
      parts.push(rest);
      break;
    }
    const after = found.index + found[0].length;
    parts.push(fromRight ? rest.slice(after) : rest.slice(0, found.index));
    rest = fromRight ? rest.slice(0, found.index) : rest.slice(after);
  }
  if (parts.length === most + 1 && most >= 0)
    parts[most] = strip(parts[most]!, fromRight ? "rstrip" : "lstrip");
  return fromRight ? parts.reverse() : parts;
}

/** The codes of the characters that end a line. */
const LINE_ENDS = new Set([0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029]);

/** Returns the lines of a text. A line break at the end begins no further line. */
export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (!LINE_ENDS.has(text.charCodeAt(i))) continue;
    const end = text.startsWith("\r\n", i) ? i + 2 : i + 1;
    lines.push(text.slice(from, keepEnds ? end : i));
    from = end;
    i = end - 1;
  }
  return from < text.length ? [...lines, text.slice(from)] : lines;
}

/** Replaces the first `count` occurrences, or all when it is negative. */
export function replaceText(text: string, old: string, replacement: string, count: number): string {
  if (count === 0) return text;
  if (old !== "") {
    const parts = splitAt(text, old, count, false);
    return parts.join(replacement);
  }
  const chars = [...text];
  const places = count < 0 ? chars.length + 1 : Math.min(count, chars.length + 1);
  const head = chars.slice(0, places).map((character) => replacement + character);
  const last = places > chars.length ? replacement : "";
  return head.join("") + chars.slice(places).join("") + last;
}

/** Replaces tabs by spaces up to the next multiple of the tab size. */
export function expandTabs(text: string, size: number): string {
  let column = 0;
  let out = "";
  for (const character of text) {
    if (character === "\t") {
      const width = size > 0 ? size - (column % size) : 0;
      out += " ".repeat(width);
      column += width;
    } else {
      out += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return out;
}
