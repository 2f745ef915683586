/**
 * Whether an answer is right: numbers within half a cent, text by letters and digits with case ignored, lists as sets.
 *
 * The form is forgiving, the content is not: "$1,250.00" is 1250, "yes" is true, and ["b", "a"] is ["A", "B"].
 */
import type { Answer } from "../define.ts";

const HALF_A_CENT = 0.005 + 1e-9;

/** Whether `given` means `expected`; an answer that was not given is never right. */
export function sameAnswer(expected: Answer, given: Answer | undefined): boolean {
  if (given === undefined) return false;
  if (typeof expected === "object") return sameSet(expected, asList(given));
  if (typeof given === "object") return given.length === 1 && sameAnswer(expected, given[0]);
  if (typeof expected === "boolean") return truth(given) === expected;
  if (typeof given === "boolean") return false;
  return sameScalar(expected, given);
}

function sameSet(expected: readonly (string | number)[], given: readonly Answer[]): boolean {
  const covers = (a: readonly Answer[], b: readonly Answer[]) =>
    a.every((item) => b.some((other) => sameAnswer(item, other)));
  return covers(expected, given) && covers(given, expected);
}

function asList(answer: Answer): readonly Answer[] {
  return typeof answer === "object" ? answer : [answer];
}

function sameScalar(expected: string | number, given: string | number): boolean {
  const [a, b] = [numberOf(expected), numberOf(given)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b) <= HALF_A_CENT;
  if (typeof expected === "number" || typeof given === "number") return false;
  return looseText(expected) === looseText(given);
}

function numberOf(value: string | number): number | undefined {
  if (typeof value === "number") return value;
  const text = value.trim().replace(/^(-?)[$€£]/, "$1");
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(",", ""))
    : undefined;
}

function truth(value: string | number | boolean): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  return word === "true" || word === "yes"
    ? true
    : word === "false" || word === "no"
      ? false
      : undefined;
}

/** Letters and digits in lower case; text that has none is compared as it is. */
export function looseText(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  return folded.replace(/[^\p{L}\p{N}]+/gu, "") || folded.trim();
}
