/** Upper case, lower case and title case, and classes of characters, as in Python. */
import { UnsupportedError } from "./values.ts";

/** The digraphs whose title case is a character of its own. */
const TITLE_DIGRAPHS: Readonly<Record<string, string>> = {
  Ǆ: "ǅ",
  ǅ: "ǅ",
  ǆ: "ǅ",
  Ǉ: "ǈ",
  ǈ: "ǈ",
  ǉ: "ǈ",
  Ǌ: "ǋ",
  ǋ: "ǋ",
  ǌ: "ǋ",
  Ǳ: "ǲ",
  ǲ: "ǲ",
  ǳ: "ǲ",
};
const IOTA_BELOW = "\u0345";

/** Returns the title case of one character, such as `Ss` for `ß`. */
function titleCharacter(character: string): string {
  const digraph = TITLE_DIGRAPHS[character];
  if (digraph !== undefined) return digraph;
  const decomposed = character.normalize("NFD");
  if (decomposed.includes(IOTA_BELOW)) {
    return (decomposed.replace(IOTA_BELOW, "").toUpperCase() + IOTA_BELOW).normalize("NFC");
  }
  const [first = "", ...rest] = character.toUpperCase();
  return first + rest.join("").toLowerCase();
}

/** Returns Python's `text.capitalize()`. */
export function capitalize(text: string): string {
  const [first = ""] = text;
  // The whole text is lowered, because a final sigma depends on what is before it.
  return titleCharacter(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

const isCased = (character: string) => /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u.test(character);

/** Returns Python's `text.title()`: every run of cased characters begins with a capital. */
export function titleText(text: string): string {
  const lower = text.toLowerCase();
  let inWord = false;
  let out = "";
  let at = 0;
  for (const character of text) {
    const length = character.toLowerCase().length;
    out += inWord ? lower.slice(at, at + length) : titleCharacter(character);
    at += length;
    inWord = isCased(character);
  }
  return out;
}

/** Returns the text as Jinja's filter `title` writes it: words begin after white space and opening brackets. */
export function titleWords(text: string, space: string): string {
  return text
    .split(new RegExp(`([-${space}({\\[<]+)`, "u"))
    .map((word) => {
      const [first = "", ...rest] = word;
      return first.toUpperCase() + rest.join("").toLowerCase();
    })
    .join("");
}

/** Returns Python's `text.swapcase()`. */
export function swapCase(text: string): string {
  return [...text]
    .map((character) => {
      if (/\p{Uppercase}/u.test(character)) return character.toLowerCase();
      return /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character;
    })
    .join("");
}

export const isLower = (text: string) =>
  /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text);
export const isUpper = (text: string) =>
  /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);

/** Returns Python's `text.istitle()`. */
export function isTitle(text: string): boolean {
  let afterCased = false;
  let found = false;
  for (const character of text) {
    const isCapital = /[\p{Uppercase}\p{Lt}]/u.test(character);
    const isSmall = /\p{Lowercase}/u.test(character);
    if ((isCapital && afterCased) || (isSmall && !afterCased)) return false;
    afterCased = isCapital || isSmall;
    found ||= afterCased;
  }
  return found;
}

/** Tells whether a text has characters and all have the property. */
export function areAll(text: string, hasProperty: (character: string) => boolean): boolean {
  return text !== "" && [...text].every(hasProperty);
}

/** The characters that are digits but not decimal digits, such as superscripts and numbers in circles. */
const OTHER_DIGITS =
  /[\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]/u;

export const isDigit = (character: string) =>
  /\p{Nd}/u.test(character) || OTHER_DIGITS.test(character);

/** Tells whether a character is a number in Python. Some of the Han characters are, which JavaScript cannot tell. */
export function isNumericCharacter(character: string): boolean {
  if (/\p{Script=Han}/u.test(character))
    throw new UnsupportedError("isnumeric() of Han characters");
  return /\p{N}/u.test(character);
}

export function isAlphanumeric(character: string): boolean {
  return /\p{L}/u.test(character) || isDigit(character) || /\p{N}/u.test(character);
}
