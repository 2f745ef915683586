/**
 * Decides whether an answer is right: numbers within half a cent, text by letters and digits with case ignored, lists
 * as sets.
 *
 * The form may vary, the content may not: "$1,250.00" is 1250, "yes" is true, and ["b", "a"] is ["A", "B"].
 */
import type { Answer } from "../define.ts";

const HALF_A_CENT = 0.005 + 1e-9;

/** Returns true when the given answer means the expected one. A missing answer is never right. */
export function isSameAnswer(expected: Answer, given: Answer | undefined): boolean {
  if (given === undefined) return false;
  if (typeof expected === "object") return equalSets(expected, toList(given));
  if (typeof given === "object") return given.length === 1 && isSameAnswer(expected, given[0]);
  if (typeof expected === "boolean") return parseBoolean(given) === expected;
  if (typeof given === "boolean") return false;
  return equalScalars(expected, given);
}

function equalSets(expected: readonly (string | number)[], given: readonly Answer[]): boolean {
  const covers = (a: readonly Answer[], b: readonly Answer[]) =>
    a.every((item) => b.some((other) => isSameAnswer(item, other)));
  return covers(expected, given) && covers(given, expected);
}

function toList(answer: Answer): readonly Answer[] {
  return typeof answer === "object" ? answer : [answer];
}

function equalScalars(expected: string | number, given: string | number): boolean {
  const [a, b] = [parseNumber(expected), parseNumber(given)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b) <= HALF_A_CENT;
  if (typeof expected === "number" || typeof given === "number") return false;
  return lettersAndDigits(expected) === lettersAndDigits(given);
}

function parseNumber(value: string | number): number | undefined {
  if (typeof value === "number") return value;
  const text = value.trim().replace(/^(-?)[$€£]/, "$1");
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(",", ""))
    : undefined;
}

function parseBoolean(value: string | number | boolean): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  return word === "true" || word === "yes"
    ? true
    : word === "false" || word === "no"
      ? false
      : undefined;
}

/** Returns the letters and digits of a text in lower case. A text that has none is only trimmed. */
export function lettersAndDigits(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  return folded.replace(/[^\p{L}\p{N}]+/gu, "") || folded.trim();
}
